// Sizes, divisors and steps that are computed: those that would write outside,
// end the program or never end it are errors with their places in the source.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/a.npy i1 4 1..4
// RUN: %python %S/Inputs/make-npy.py %t/0.npy i4 1 0
// RUN: %python %S/Inputs/make-npy.py %t/1.npy i4 1 1
// RUN: %python %S/Inputs/make-npy.py %t/2.npy i4 1 2
// RUN: %python %S/Inputs/make-npy.py %t/below.npy i4 1 -1
// RUN: %python %S/Inputs/make-npy.py %t/least.npy i4 1 -2147483648
// RUN: %python %S/Inputs/make-npy.py %t/many.npy i4 1 65536
// RUN: %python %S/Inputs/make-npy.py %t/most.npy i4 1 100000000

!row = tensor<4xi8>
!index = tensor<1xi32>
func.func private @index_of(%at: !index) -> index {
  %c0 = arith.constant 0 : index
  %number = tensor.extract %at[%c0] : !index
  %index = arith.index_cast %number : i32 to index
  return %index : index
}

// The product of both sizes is 0 in 64 bits, or more than there is.
// RUN: mli-run %s --entry=allocate --input %t/a.npy --input %t/1.npy | FileCheck %s --check-prefix=FIRST
// FIRST: values: 7 2 3 4
// RUN: not mli-run %s --entry=allocate --input %t/a.npy --input %t/many.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=ALLOCATE
// RUN: not mli-run %s --entry=allocate --input %t/a.npy --input %t/most.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=ALLOCATE
// ALLOCATE: error: memref.alloc: more than 2147483647 bytes at loc("{{.*}}computed-sizes.mlir":[[#@LINE+6]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @allocate(%a: !row, %at: !index) -> !row {
  %c0 = arith.constant 0 : index
  %c = arith.constant 7 : i8
  %i = call @index_of(%at) : (!index) -> index
  %size = arith.muli %i, %i : index
  %whole = tensor.empty(%size, %size) : tensor<?x?xi8>
  %written = tensor.insert %c into %whole[%c0, %c0] : tensor<?x?xi8>
  %c1 = arith.constant 1 : index
  %last = arith.subi %i, %c1 : index
  %read = tensor.extract %written[%c0, %last] : tensor<?x?xi8>
  %result = tensor.insert %read into %a[%c0] : !row
  return %result : !row
}

// RUN: mli-run %s --entry=divide --input %t/a.npy --input %t/1.npy | FileCheck %s --check-prefix=LAST
// LAST: values: 1 2 3 7
// RUN: not mli-run %s --entry=divide --input %t/a.npy --input %t/0.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=DIVIDE
// DIVIDE: error: arith.divui: division by 0 at loc("{{.*}}computed-sizes.mlir":[[#@LINE+5]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @divide(%a: !row, %at: !index) -> !row {
  %c3 = arith.constant 3 : index
  %c = arith.constant 7 : i8
  %i = call @index_of(%at) : (!index) -> index
  %quotient = arith.divui %c3, %i : index
  %result = tensor.insert %c into %a[%quotient] : !row
  return %result : !row
}

// RUN: mli-run %s --entry=negate --input %t/2.npy --input %t/below.npy | FileCheck %s --check-prefix=NEGATE
// NEGATE: values: -2
// RUN: not mli-run %s --entry=negate --input %t/least.npy --input %t/below.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=NEGATED
// NEGATED: error: arith.divsi: division of the least number by -1 at loc("{{.*}}computed-sizes.mlir":[[#@LINE+5]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @negate(%a: !index, %b: !index) -> !index {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a[%c0] : !index
  %y = tensor.extract %b[%c0] : !index
  %quotient = arith.divsi %x, %y : i32
  %result = tensor.from_elements %quotient : !index
  return %result : !index
}

// RUN: mli-run %s --entry=steps --input %t/a.npy --input %t/2.npy | FileCheck %s --check-prefix=STEPS
// STEPS: values: 7 2 7 4
// RUN: not mli-run %s --entry=steps --input %t/a.npy --input %t/0.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=STEPPED
// RUN: not mli-run %s --entry=steps --input %t/a.npy --input %t/below.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=STEPPED
// STEPPED: error: scf.for: step that is not above 0 at loc("{{.*}}computed-sizes.mlir":[[#@LINE+6]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @steps(%a: !row, %at: !index) -> !row {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c = arith.constant 7 : i8
  %i = call @index_of(%at) : (!index) -> index
  %result = scf.for %k = %c0 to %c4 step %i iter_args(%row = %a) -> !row {
    %next = tensor.insert %c into %row[%k] : !row
    scf.yield %next : !row
  }
  return %result : !row
}

// RUN: not ls %t/out
