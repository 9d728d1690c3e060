# complete.sh FILE WORD...: what bash completes after the name of the tool, which FILE is
# called by, and the words, of which the last is the one that is typed.
# Only readline calls this.
compopt() { :; }
# shellcheck source=/dev/null
source "$1"
tool=$(basename "$1")
COMP_WORDS=("$tool" "${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
"$(complete -p "$tool" | sed 's/.* -F \([^ ]*\) .*/\1/')"
echo "${COMPREPLY[*]}"
