#!/bin/sh
# open-doors.sh PREFIX FOLDER COMPILER C_COMPILER: builds and runs the project beside this
# script in FOLDER, against what is installed in PREFIX, and opens the other doors there.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
prefix=$1 folder=$2 cxx=$3 cc=$4
rm -rf "$folder"
mkdir -p "$folder"
log=$folder/log
cmake -S "$source" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_C_COMPILER="$cc" \
  -DCMAKE_PREFIX_PATH="$prefix;/usr/lib/llvm-22" >>"$log"
cmake --build "$folder/build" >>"$log" || {
  cat "$log" >&2
  exit 1
}
for program in kernels compiler network; do
  [ -x "$folder/build/$program" ] || continue
  # Of these, the last reads its network and numbers.
  answer=$("$folder/build/$program" "$source/Inputs/net.mlir" -3 -1 0 2)
  echo "$program: $answer"
  [ "$answer" = "0 0 0 2" ]
done
if [ -x "$folder/build/outside" ]; then
  answer=$("$folder/build/outside")
  echo "outside: $answer"
  [ "$answer" = "all 8192 codes are right" ]
fi
# Without CMake, too.
if command -v pkg-config >/dev/null; then
  flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs --static mli)
  # shellcheck disable=SC2086
  "$cc" "$source/kernels.c" $flags "-Wl,-rpath,$prefix/lib" -o "$folder/build/by-flags"
  [ "$("$folder/build/by-flags")" = "0 0 0 2" ]
fi
if [ -e "$prefix/lib/pkgconfig/mli-c.pc" ] && command -v pkg-config >/dev/null; then
  flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs mli-c)
  # shellcheck disable=SC2086
  "$cc" -std=c99 "$source/network.c" $flags "-Wl,-rpath,$prefix/lib" \
    -o "$folder/build/network-by-flags"
  [ "$("$folder/build/network-by-flags" "$source/Inputs/net.mlir" -3 -1 0 2)" = "0 0 0 2" ]
fi
# mlir-opt as it is packaged loads the plugin, and then does what mli-opt does.
plugin=$prefix/lib/libmli-plugin.so
if [ -e "$plugin" ]; then
  pipeline='builtin.module(mli-local-pipeline{target=vpx})'
  for driver in "/usr/lib/llvm-22/bin/mlir-opt --load-dialect-plugin=$plugin --load-pass-plugin=$plugin" \
    "$prefix/bin/mli-opt"; do
    # shellcheck disable=SC2086
    $driver --pass-pipeline="$pipeline" "$source/Inputs/net.mlir" -o "$folder/$(basename "${driver%% *}").mlir"
  done
  grep -q llvm.call "$folder/mlir-opt.mlir"
  cmp "$folder/mlir-opt.mlir" "$folder/mli-opt.mlir"
fi
# The tools find what they need where they are.
if [ -x "$prefix/bin/mli-opt" ]; then
  echo 'module {}' | "$prefix/bin/mli-opt" | grep -q module
fi
