#!/bin/sh
# client.sh COMPILER HEADERS LIBMLI.A PROGRAM: compiles and runs the client, as
# C and as C++.
set -eu
compiler=$1 headers=$2 library=$3 program=$4
for language in "c -std=c99" "c++ -std=c++17"; do
  # shellcheck disable=SC2086 # The language and its standard are two words.
  "$compiler" -x $language -Wall -Wextra -Werror -pedantic \
    -I "$headers" -I "$headers/api" "$(dirname "$0")/client.c" \
    -x none "$library" -lm -o "$program"
  "$program"
done
