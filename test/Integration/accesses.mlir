// Accesses at places that are computed: inside of their buffers they do what
// they say, outside the run ends with an error, its place in the source, and
// without results. Indices are 0 to 3.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/a.npy i1 4 1..4
// RUN: %python %S/Inputs/make-npy.py %t/1.npy i4 1 1
// RUN: %python %S/Inputs/make-npy.py %t/2.npy i4 1 2
// RUN: %python %S/Inputs/make-npy.py %t/3.npy i4 1 3
// RUN: %python %S/Inputs/make-npy.py %t/4.npy i4 1 4
// RUN: %python %S/Inputs/make-npy.py %t/far.npy i4 1 100000000
// RUN: %python %S/Inputs/make-npy.py %t/below.npy i4 1 -1

!row = tensor<4xi8>
!index = tensor<1xi32>
func.func private @index_of(%at: !index) -> index {
  %c0 = arith.constant 0 : index
  %number = tensor.extract %at[%c0] : !index
  %index = arith.index_cast %number : i32 to index
  return %index : index
}

// RUN: mli-run %s --entry=insert --input %t/a.npy --input %t/2.npy | FileCheck %s --check-prefix=INSERT
// INSERT: values: 1 2 7 4
// RUN: not mli-run %s --entry=insert --input %t/a.npy --input %t/4.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=INSERTED
// RUN: not mli-run %s --entry=insert --input %t/a.npy --input %t/far.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=INSERTED
// RUN: not mli-run %s --entry=insert --input %t/a.npy --input %t/below.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=INSERTED
// INSERTED: error: memref.store: out-of-bounds access at loc("{{.*}}accesses.mlir":[[#@LINE+5]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
// INSERTED-NOT: {{.}}
func.func @insert(%a: !row, %at: !index) -> !row {
  %i = call @index_of(%at) : (!index) -> index
  %c = arith.constant 7 : i8
  %result = tensor.insert %c into %a[%i] : !row
  return %result : !row
}

// RUN: mli-run %s --entry=extract --input %t/a.npy --input %t/2.npy | FileCheck %s --check-prefix=EXTRACT
// EXTRACT: values: 3
// RUN: not mli-run %s --entry=extract --input %t/a.npy --input %t/4.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=EXTRACTED
// EXTRACTED: error: memref.load: out-of-bounds access at loc("{{.*}}accesses.mlir":[[#@LINE+3]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @extract(%a: !row, %at: !index) -> tensor<1xi8> {
  %i = call @index_of(%at) : (!index) -> index
  %c = tensor.extract %a[%i] : !row
  %result = tensor.from_elements %c : tensor<1xi8>
  return %result : tensor<1xi8>
}

// A function that gives a number hands the failure on.
// RUN: mli-run %s --entry=called --input %t/a.npy --input %t/2.npy | FileCheck %s --check-prefix=EXTRACT
// RUN: not mli-run %s --entry=called --input %t/a.npy --input %t/4.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=CALLED
// CALLED: error: memref.load: out-of-bounds access at loc("{{.*}}accesses.mlir":[[#@LINE+2]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func private @pick(%a: !row, %i: index) -> (i8, index) {
  %c = tensor.extract %a[%i] : !row
  return %c, %i : i8, index
}
func.func @called(%a: !row, %at: !index) -> tensor<1xi8> {
  %i = call @index_of(%at) : (!index) -> index
  %c:2 = call @pick(%a, %i) : (!row, index) -> (i8, index)
  %result = tensor.from_elements %c#0 : tensor<1xi8>
  return %result : tensor<1xi8>
}

// RUN: mli-run %s --entry=slice --input %t/a.npy --input %t/2.npy | FileCheck %s --check-prefix=SLICE
// SLICE: values: 3 4
// RUN: not mli-run %s --entry=slice --input %t/a.npy --input %t/3.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=SLICED
// RUN: not mli-run %s --entry=slice --input %t/a.npy --input %t/below.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=SLICED
// SLICED: error: memref.subview: out-of-bounds slice along dimension 0 at loc("{{.*}}accesses.mlir":[[#@LINE+3]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @slice(%a: !row, %at: !index) -> tensor<2xi8> {
  %i = call @index_of(%at) : (!index) -> index
  %result = tensor.extract_slice %a[%i] [2] [1] : !row to tensor<2xi8>
  return %result : tensor<2xi8>
}

// RUN: mli-run %s --entry=steps --input %t/a.npy --input %t/3.npy | FileCheck %s --check-prefix=STEPS
// STEPS: values: 1 4
// RUN: not mli-run %s --entry=steps --input %t/a.npy --input %t/4.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=STEPPED
// RUN: not mli-run %s --entry=steps --input %t/a.npy --input %t/below.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=STEPPED
// STEPPED: error: memref.subview: out-of-bounds slice along dimension 0 at loc("{{.*}}accesses.mlir":[[#@LINE+3]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @steps(%a: !row, %at: !index) -> tensor<2xi8> {
  %i = call @index_of(%at) : (!index) -> index
  %result = tensor.extract_slice %a[0] [2] [%i] : !row to tensor<2xi8>
  return %result : tensor<2xi8>
}

// RUN: mli-run %s --entry=insert_slice --input %t/a.npy --input %t/2.npy | FileCheck %s --check-prefix=PLACE
// PLACE: values: 1 2 1 2
// RUN: not mli-run %s --entry=insert_slice --input %t/a.npy --input %t/3.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=PLACED
// PLACED: error: memref.subview: out-of-bounds slice along dimension 0 at loc("{{.*}}accesses.mlir":[[#@LINE+4]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @insert_slice(%a: !row, %at: !index) -> !row {
  %i = call @index_of(%at) : (!index) -> index
  %part = tensor.extract_slice %a[0] [2] [1] : !row to tensor<2xi8>
  %result = tensor.insert_slice %part into %a[%i] [2] [1] : tensor<2xi8> into !row
  return %result : !row
}

// Sizes, of which one is below 0 as well.
// RUN: mli-run %s --entry=sizes --input %t/a.npy --input %t/2.npy | FileCheck %s --check-prefix=SIZES
// SIZES: values: 3 4 3 4
// RUN: not mli-run %s --entry=sizes --input %t/a.npy --input %t/3.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=SIZED
// RUN: not mli-run %s --entry=sizes --input %t/a.npy --input %t/below.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=SIZED
// SIZED: error: memref.subview: out-of-bounds slice along dimension 0 at loc("{{.*}}accesses.mlir":[[#@LINE+3]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @sizes(%a: !row, %at: !index) -> !row {
  %i = call @index_of(%at) : (!index) -> index
  %part = tensor.extract_slice %a[2] [%i] [1] : !row to tensor<?xi8>
  %result = tensor.insert_slice %part into %a[0] [%i] [1] : tensor<?xi8> into !row
  return %result : !row
}

// RUN: mli-run %s --entry=copy --input %t/a.npy --input %t/2.npy | FileCheck %s --check-prefix=SIZES
// What has fewer elements than its place leaves the others as they are.
// RUN: mli-run %s --entry=copy --input %t/a.npy --input %t/1.npy | FileCheck %s --check-prefix=COPIED
// COPIED: values: 3 2 3 4
func.func @copy(%a: !row, %at: !index) -> !row {
  %c4 = arith.constant 4 : index
  %i = call @index_of(%at) : (!index) -> index
  %rest = arith.subi %c4, %i : index
  %part = tensor.extract_slice %a[2] [%i] [1] : !row to tensor<?xi8>
  %result = tensor.insert_slice %part into %a[0] [%rest] [1] : tensor<?xi8> into !row
  return %result : !row
}

// RUN: mli-run %s --entry=cast --input %t/a.npy --input %t/2.npy | FileCheck %s --check-prefix=SLICE
// RUN: not mli-run %s --entry=cast --input %t/a.npy --input %t/1.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=CAST
// CAST: error: memref.cast: size mismatch of dim 0 at loc("{{.*}}accesses.mlir":[[#@LINE+5]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @cast(%a: !row, %at: !index) -> tensor<2xi8> {
  %i = call @index_of(%at) : (!index) -> index
  // The other two of 4 elements, or one of them.
  %part = tensor.extract_slice %a[2] [%i] [1] : !row to tensor<?xi8>
  %result = tensor.cast %part : tensor<?xi8> to tensor<2xi8>
  return %result : tensor<2xi8>
}

// RUN: mli-run %s --entry=reshape --input %t/a.npy --input %t/4.npy | FileCheck %s --check-prefix=RESHAPE
// RESHAPE: values: 1 2 3 4
// RUN: not mli-run %s --entry=reshape --input %t/a.npy --input %t/3.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=RESHAPED
// RUN: not mli-run %s --entry=reshape --input %t/a.npy --input %t/far.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=RESHAPED
// RESHAPED: error: memref.reshape: shape of another number of elements at loc("{{.*}}accesses.mlir":[[#@LINE+4]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @reshape(%a: !row, %at: !index) -> !row {
  %i = call @index_of(%at) : (!index) -> index
  %shape = tensor.from_elements %i : tensor<1xindex>
  %shaped = tensor.reshape %a(%shape) : (!row, tensor<1xindex>) -> tensor<?xi8>
  %result = tensor.extract_slice %shaped[0] [4] [1] : tensor<?xi8> to !row
  return %result : !row
}

// RUN: mli-run %s --entry=rank --input %t/a.npy --input %t/1.npy | FileCheck %s --check-prefix=RANK
// RANK: values: 3
// RUN: not mli-run %s --entry=rank --input %t/a.npy --input %t/2.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=RANKED
// RANKED: error: memref.dim: index is out of bounds at loc("{{.*}}accesses.mlir":[[#@LINE+4]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @rank(%a: !row, %at: !index) -> tensor<1xi32> {
  %i = call @index_of(%at) : (!index) -> index
  %map = tensor.empty() : tensor<2x3xi8>
  %size = tensor.dim %map, %i : tensor<2x3xi8>
  %number = arith.index_cast %size : index to i32
  %result = tensor.from_elements %number : tensor<1xi32>
  return %result : tensor<1xi32>
}

// In the second round of a loop.
// RUN: mli-run %s --entry=loop --input %t/a.npy --input %t/1.npy | FileCheck %s --check-prefix=LOOP
// LOOP: values: 9 9 3 4
// RUN: not mli-run %s --entry=loop --input %t/a.npy --input %t/4.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=LOOPED
// LOOPED: error: memref.store: out-of-bounds access at loc("{{.*}}accesses.mlir":[[#@LINE+9]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @loop(%a: !row, %at: !index) -> !row {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c = arith.constant 9 : i8
  %i = call @index_of(%at) : (!index) -> index
  %result = scf.for %k = %c0 to %c2 step %c1 iter_args(%row = %a) -> !row {
    %j = arith.muli %k, %i : index
    %next = tensor.insert %c into %row[%j] : !row
    scf.yield %next : !row
  }
  return %result : !row
}

// What a program asserts itself.
// RUN: mli-run %s --entry=assertion --input %t/a.npy --input %t/1.npy | FileCheck %s --check-prefix=RESHAPE
// RUN: not mli-run %s --entry=assertion --input %t/a.npy --input %t/2.npy --output-dir %t/out 2>&1 | FileCheck %s --check-prefix=ASSERTED
// ASSERTED: error: expected one at loc("{{.*}}accesses.mlir":[[#@LINE+5]]:{{[0-9]+}}): MLI_STATUS_BAD_FUNC_CFG{{$}}
func.func @assertion(%a: !row, %at: !index) -> !row {
  %c1 = arith.constant 1 : index
  %i = call @index_of(%at) : (!index) -> index
  %is_one = arith.cmpi eq, %i, %c1 : index
  cf.assert %is_one, "expected one"
  return %a : !row
}

// RUN: not ls %t/out
