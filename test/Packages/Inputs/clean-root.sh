# clean-root.sh PACKAGES SCRIPT: runs SCRIPT in a new Debian 12, in the folder of the
# packages, and removes it.
set -eu
mirror=http://deb.debian.org/debian
mmdebstrap --variant=apt bookworm /dev/null \
  "deb $mirror bookworm main" "deb $mirror-security bookworm-security main" \
  --customize-hook="cp '$1'/*.deb '$2' \"\$1/root/\"" \
  --customize-hook="chroot \"\$1\" sh /root/$(basename "$2")"
