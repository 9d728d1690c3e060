#!/bin/sh
# embed.sh BUILD FOLDER COMPILER C_COMPILER: installs BUILD into FOLDER and opens the
# doors of what is there.
set -eu
build=$1 folder=$2 cxx=$3 cc=$4
rm -rf "$folder"
mkdir -p "$folder"
cmake --install "$build" --prefix "$folder/prefix" >"$folder/install.log"
sh "$(dirname "$0")/open-doors.sh" "$folder/prefix" "$folder/doors" "$cxx" "$cc"
