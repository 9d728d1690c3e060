# first-answer.sh PACKAGES: the megabytes of the packages, and the seconds from apt-get to
# the first answer in a new Debian 12, by the commands of the guide.
set -eu
here=$(dirname "$0")
guide() {
  sh "$here/guide.sh" "$here/../../../docs/guides/packages.md" "$1"
}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for package in "$1"/*.deb; do
  bytes=$(stat -c %s "$package")
  echo "$(basename "$package") $(awk "BEGIN { printf \"%.2f\", $bytes / 1e6 }") MB"
done
{
  echo 'cd /root; begin=$(date +%s)'
  guide Install
  # The example, and the first of its commands.
  guide "The first answer" | head -2
  echo 'echo "$(($(date +%s) - begin)) seconds"'
} > "$folder/script.sh"
sh "$here/clean-root.sh" "$1" "$folder/script.sh"
