// What C has no form for.
// RUN: mli-translate %s --mli-to-c --split-input-file --verify-diagnostics -o /dev/null
// RUN: not mli-translate --mli-to-c --c-name for %S/mli-to-c-loops.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: expected the name of the network to be an identifier of C and no keyword or header, but got 'for'

// expected-error @below {{expected a public function, but got none}}
module {
}

// -----

// expected-error @below {{expected arguments of 'main' to be buffers of static sizes without gaps, of at most 8 dimensions, but got 'memref<?x8x3x!mli.fx8<3>>'}}
func.func @main(%map: memref<?x8x3x!mli.fx8<3>>) {
  return
}

// -----

// expected-error @below {{expected 'part' to have a body, but got a declaration}}
func.func private @part()
func.func @main() {
  func.call @part() : () -> ()
  return
}

// -----

// Casts forget sizes, which counts of products need.
func.func @main(%in: memref<8x4x!mli.fx8<3>>, %out: memref<8x4x!mli.fx8<3>>) {
  %i = memref.cast %in : memref<8x4x!mli.fx8<3>> to memref<?x?x!mli.fx8<3>>
  %o = memref.cast %out : memref<8x4x!mli.fx8<3>> to memref<?x?x!mli.fx8<3>>
  // expected-error @below {{expected static sizes, which C output needs, but got 'memref<?x?x!mli.fx8<3>>'}}
  mli.relu ins(%i : memref<?x?x!mli.fx8<3>>) outs(%o : memref<?x?x!mli.fx8<3>>) {relu = #mli.relu<gen>}
  return
}

// -----

!q = !mli.sa8<1:4:-128>
!w = memref<1x1x2x3x!mli.sa8<5:10:0>>
!cast = memref<1x1x2x?x!mli.sa8<5:10:0>>
!b = memref<3x!mli.sa32<5:14:0>>
func.func @main(%in: memref<8x4x2x!q>, %w: !w, %b: !b, %out: memref<8x4x3x!q>) {
  %c = memref.cast %w : !w to !cast
  // expected-error @below {{expected static sizes, which C output needs, but got 'memref<1x1x2x?x!mli.sa8<5:10:0>>'}}
  mli.conv2d ins(%in, %c, %b : memref<8x4x2x!q>, !cast, !b)
    outs(%out : memref<8x4x3x!q>) pad [0, 0, 0, 0]
  return
}

// -----

// expected-error @below {{expected 'main' to write its results through arguments, but got 1 results}}
func.func @main() -> index {
  %c0 = arith.constant 0 : index
  return %c0 : index
}

// -----

func.func @main(%map: memref<4x!mli.fx8<3>>) {
  // expected-error @below {{expected a buffer in the arena, where mli-assign-addresses places those of static sizes, but got 'memref<4x!mli.fx8<3>>'}}
  %out = memref.alloc() : memref<4x!mli.fx8<3>>
  mli.relu ins(%map : memref<4x!mli.fx8<3>>) outs(%out : memref<4x!mli.fx8<3>>)
    {relu = #mli.relu<gen>}
  return
}

// -----

func.func @main(%map: memref<4x4x!mli.fx8<3>>, %size: memref<1x!mli.fx8<3>>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %c4 step %c1 {
    %part = mli.subtensor %map[0, 0] [%i, 4] : memref<4x4x!mli.fx8<3>>
      to memref<?x4x!mli.fx8<3>, strided<[4, 1]>>
    // expected-error @below {{expected static sizes, which C output needs, but got 'memref<?x4x!mli.fx8<3>, strided<[4, 1]>>'}}
    mli.relu ins(%part : memref<?x4x!mli.fx8<3>, strided<[4, 1]>>)
      outs(%part : memref<?x4x!mli.fx8<3>, strided<[4, 1]>>)
      {relu = #mli.relu<gen>}
  }
  return
}

// -----

func.func @main(%map: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %first = memref.load %map[%c0] : memref<4xf32>
  // expected-error @below {{expected to give indices or buffers, but got 'f32'}}
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%number = %first) -> (f32) {
    scf.yield %number : f32
  }
  return
}

// -----

!map = memref<4x!mli.fx8<3>>
func.func @main(%out: !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{expected a buffer in the arena, where mli-assign-addresses places those of static sizes, but got 'memref<4x!mli.fx8<3>>'}}
  %heap = memref.alloc() : !map
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%part = %out) -> (!map) {
    mli.relu ins(%part : !map) outs(%part : !map) {relu = #mli.relu<gen>}
    scf.yield %heap : !map
  }
  return
}

// -----

func.func @main(%map: memref<4xf32>) {
  // expected-error @below {{expected an operation that C output has, a kernel, a loop or arithmetic on indices, but got 'arith.constant'}}
  %one = arith.constant 1.0 : f32
  return
}

// -----

func.func @main(%map: memref<4x4xi16>, %out: memref<4x2xi16>) {
  %part = memref.subview %map[0, 0] [4, 2] [1, 1]
    : memref<4x4xi16> to memref<4x2xi16, strided<[4, 1]>>
  // expected-error @below {{expected buffers of static sizes without gaps, which C output needs, but got 'memref<4x2xi16, strided<[4, 1]>>'}}
  memref.copy %part, %out : memref<4x2xi16, strided<[4, 1]>> to memref<4x2xi16>
  return
}

// -----

!local = memref<2x8x4x!mli.sa8<5:3:0>, #mli.space<local>>
module attributes {mli.target = #mli.target<custom, npus = 2, npu_bytes = 1024, unit = 16, banks = 1, dma_align = 16>} {
func.func @main(%map: memref<2x8x4x!mli.sa8<5:3:0>>) {
  // expected-error @below {{expected local memory of one NPU, or the library mli-mlir, which has several, but got 2 NPUs}}
  %0 = mli.alloc {address = 0 : i64} : !local
  return
}
}

// -----

func.func @main(%map: memref<4x!mli.fx8<3>>, %out: memref<4x!mli.fx8<3>>) {
  // expected-error @below {{expected a view of an argument or a constant, but got 'memref<4x!mli.fx8<3>>'}}
  %other = memref.reinterpret_cast %map to offset: [0], sizes: [4], strides: [1]
    : memref<4x!mli.fx8<3>> to memref<4x!mli.fx8<3>>
  mli.relu ins(%other : memref<4x!mli.fx8<3>>) outs(%out : memref<4x!mli.fx8<3>>)
    {relu = #mli.relu<gen>}
  return
}

// -----

func.func @main(%map: memref<8x4x!mli.fx8<3>>, %out: memref<1x4x!mli.fx8<3>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %step = %c1 to %c2 step %c1 {
    %any = memref.subview %map[0, 0] [4, 4] [%step, 1]
      : memref<8x4x!mli.fx8<3>> to memref<4x4x!mli.fx8<3>, strided<[?, 1]>>
    // expected-error @below {{expected static strides, which C output needs, but got 'memref<4x4x!mli.fx8<3>, strided<[?, 1]>>'}}
    %row = mli.subtensor %any[1, 0] [1, 4]
      : memref<4x4x!mli.fx8<3>, strided<[?, 1]>> to memref<1x4x!mli.fx8<3>, strided<[?, 1], offset: ?>>
    %known = memref.cast %row
      : memref<1x4x!mli.fx8<3>, strided<[?, 1], offset: ?>> to memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>
    mli.relu ins(%known : memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>) outs(%out : memref<1x4x!mli.fx8<3>>)
      {relu = #mli.relu<gen>}
  }
  return
}

// -----

// expected-error @below {{expected 'main' to have loops and conditions of scf, but got 2 blocks}}
func.func @main(%map: memref<4x!mli.fx8<3>>, %out: memref<4x!mli.fx8<3>>) {
  cf.br ^next(%map : memref<4x!mli.fx8<3>>)
^next(%other: memref<4x!mli.fx8<3>>):
  return
}

// -----

func.func @main(%map: memref<64xi8>, %out: memref<1xi8>) {
  %c0 = arith.constant 0 : index
  %wide = memref.view %map[%c0][] : memref<64xi8> to memref<8xi64>
  // expected-error @below {{expected elements that C output has, but got 'i64'}}
  %0 = memref.load %wide[%c0] : memref<8xi64>
  return
}

// -----

func.func @main(%map: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %is_zero = arith.cmpi eq, %c0, %c0 : index
  // expected-error @below {{expected an operation that C output has, a kernel, a loop or arithmetic on indices, but got 'arith.extsi'}}
  %0 = arith.extsi %is_zero : i1 to i32
  return
}

// -----

// expected-error @below {{expected functions that do not call themselves, but got 'main'}}
func.func private @main(%map: memref<4xi8>) {
  func.call @main(%map) : (memref<4xi8>) -> ()
  return
}
func.func @other(%map: memref<4xi8>) {
  func.call @main(%map) : (memref<4xi8>) -> ()
  return
}

// -----

!t = memref<4x!mli.fx16<15>>
func.func @main(%in: !t, %out: !t) {
  // expected-error @below {{expected a function with an arena, where its scratch memory is, but got none}}
  mli.softmax ins(%in : !t) outs(%out : !t) {axis = 0 : i32, mli.scratch_address = 0 : i64}
  return
}

// -----

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 1024, unit = 16, banks = 1, dma_align = 16>} {
func.func @main() {
  %0 = mli.alloc {address = 0 : i64} : memref<4x4x!mli.fx8<3>, strided<[8, 1]>, #mli.space<local>>
  %1 = mli.alloc {address = 64 : i64} : memref<2x8x!mli.fx8<3>, strided<[16, 1]>, #mli.space<local>>
  // expected-error @below {{expected one side without gaps, which C output needs for another shape, but got 'memref<4x4x!mli.fx8<3>, strided<[8, 1]>, #mli.space<local>>' and 'memref<2x8x!mli.fx8<3>, strided<[16, 1]>, #mli.space<local>>'}}
  mli.mov ins(%0 : memref<4x4x!mli.fx8<3>, strided<[8, 1]>, #mli.space<local>>)
    outs(%1 : memref<2x8x!mli.fx8<3>, strided<[16, 1]>, #mli.space<local>>)
  return
}
}

// -----

module attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 1024, unit = 16, banks = 1, dma_align = 16>} {
func.func @main() {
  // expected-error @below {{expected a buffer of static sizes and strides, which C output needs, but got 'memref<4x4x!mli.fx8<3>, strided<[?, 1]>, #mli.space<local>>'}}
  %0 = mli.alloc {address = 0 : i64} : memref<4x4x!mli.fx8<3>, strided<[?, 1]>, #mli.space<local>>
  return
}
}

// -----

func.func @main(%map: memref<8x4x!mli.fx8<3>>, %out: memref<4x4x!mli.fx8<3>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %step = %c1 to %c2 step %c1 {
    %any = memref.subview %map[0, 0] [4, 4] [%step, 1]
      : memref<8x4x!mli.fx8<3>> to memref<4x4x!mli.fx8<3>, strided<[?, 1]>>
    // expected-error @below {{expected elements at static strides, which C output needs, but got 'memref<4x4x!mli.fx8<3>, strided<[?, 1]>>'}}
    mli.relu ins(%any : memref<4x4x!mli.fx8<3>, strided<[?, 1]>>) outs(%out : memref<4x4x!mli.fx8<3>>)
      {relu = #mli.relu<gen>}
  }
  return
}

// -----

func.func @main(%map: memref<8x4x!mli.fx8<3>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @below {{expected a loop that compares signed indices, but got an unsigned one}}
  scf.for unsigned %i = %c0 to %c1 step %c1 : i32 {
  }
  return
}

// -----

// expected-error @below {{expected arguments of 'main' to have at most 2147483647 bytes, but got 4294967296}}
func.func @main(%map: memref<1073741824xf32>) {
  return
}

// -----

// expected-error @below {{expected states of 'main' to be quantised per tensor, but got 'memref<2x2x!mli.sa8<axis = 1, {1:0:5, 1:0:6}>>'}}
func.func @main(%old: memref<2x2x!mli.sa8<axis = 1, {1:0:5, 1:0:6}>> {mli.state = 0 : i64}) {
  return
}

// -----

!any = memref<4x4x!mli.fx8<3>, strided<[?, 1]>>
!far = memref<4x4x!mli.fx8<3>, strided<[3000000000, 1]>>
!row = memref<1x4x!mli.fx8<3>, strided<[3000000000, 1], offset: ?>>
func.func @main(%input: memref<4x4x!mli.fx8<3>>, %output: memref<1x4x!mli.fx8<3>>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %any = memref.cast %input : memref<4x4x!mli.fx8<3>> to !any
  %far = memref.cast %any : !any to !far
  scf.for %i = %c0 to %c2 step %c2 {
    // expected-error @below {{expected a buffer and its steps within 2147483647 bytes, which C output has, but got 'memref<1x4x!mli.fx8<3>, strided<[3000000000, 1], offset: ?>>' at 0}}
    %row = mli.subtensor %far[%i, 0] [1, 4] : !far to !row
    mli.relu ins(%row : !row) outs(%output : memref<1x4x!mli.fx8<3>>) {relu = #mli.relu<gen>}
  }
  return
}

// -----

!any = memref<4x4x!mli.fx8<3>, strided<[?, 1]>>
!far = memref<4x4x!mli.fx8<3>, strided<[3000000000, 1]>>
func.func @main(%input: memref<4x4x!mli.fx8<3>>, %output: memref<4x4x!mli.fx8<3>>) {
  %any = memref.cast %input : memref<4x4x!mli.fx8<3>> to !any
  %far = memref.cast %any : !any to !far
  // expected-error @below {{expected at most 2147483647 bytes, which C output needs, but got 'memref<4x4x!mli.fx8<3>, strided<[3000000000, 1]>>'}}
  mli.relu ins(%far : !far) outs(%output : memref<4x4x!mli.fx8<3>>) {relu = #mli.relu<gen>}
  return
}
