#!/bin/sh
# client.sh COMPILER HEADERS LIBMLI.A PROGRAM: compiles and runs the client.
set -eu
compiler=$1 headers=$2 library=$3 program=$4
"$compiler" -std=c99 -Wall -Wextra -Werror -pedantic \
  -I "$headers" -I "$headers/api" "$(dirname "$0")/client.c" "$library" -lm \
  -o "$program"
"$program"
