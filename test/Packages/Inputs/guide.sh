# guide.sh PAGE HEADING: the commands of that section of a guide.
sed -n "/^## $2\$/,/^## /s/^    //p" "$1"
