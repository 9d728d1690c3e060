// RUN: echo "module {}" | not mli-opt --mli-pack-weights=threads=0 2>&1 | FileCheck %s
// RUN: echo "module {}" | not mli-opt --mli-pack-weights=threads=2147483648 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: echo "module {}" | not mli-opt --mli-pack-weights=order=rows 2>&1 | FileCheck %s --check-prefix=ORDER
// CHECK: for the --threads option: expected a number in [1, 2147483647], but got 0{{$}}
// MANY: for the --threads option: expected a number in [1, 2147483647], but got 2147483648{{$}}
// ORDER: for the --order option: Cannot find option named 'rows'!{{$}}
