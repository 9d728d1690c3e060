// A chain of insertions into an argument, a constant or the result of a kernel is one
// buffer, too, whose slices kernels write.
// RUN: mli-opt %s --mli-bufferize=explain --split-input-file --verify-diagnostics | FileCheck %s

!map = tensor<4x4x!mli.fx8<5>>
!part = tensor<2x4x!mli.fx8<5>>

// CHECK-LABEL: func.func @argument
// CHECK-SAME: (%[[A:[^:]*]]: memref<4x4x{{[^,]*}}, %[[P:[^:]*]]: {{[^,]*}}, %[[OUT:[^:]*]]: memref<4x4x
// CHECK-NEXT: mli.mov ins(%[[A]] : {{.*}}) outs(%[[OUT]] : {{.*}}<still_needed>
// CHECK-NEXT: %[[FIRST:.*]] = memref.subview %[[OUT]][0, 0] [2, 4]
// CHECK-NEXT: mli.relu {{.*}} outs(%[[FIRST]] :
// CHECK-NEXT: %[[SECOND:.*]] = memref.subview %[[OUT]][2, 0] [2, 4]
// CHECK-NEXT: mli.relu {{.*}} outs(%[[SECOND]] :
// CHECK-NEXT: return
func.func @argument(%a: !map, %p: !part) -> !map {
  %0 = tensor.extract_slice %a[0, 0] [2, 4] [1, 1] : !map to !part
  %1 = mli.relu ins(%p : !part) outs(%0 : !part) {relu = #mli.relu<gen>} -> !part
  // expected-remark @below {{expected the destination of 'tensor.insert_slice' to have no later use, but got an argument, which the caller keeps}}
  %2 = tensor.insert_slice %1 into %a[0, 0] [2, 4] [1, 1] : !part into !map
  %3 = tensor.extract_slice %2[2, 0] [2, 4] [1, 1] : !map to !part
  %4 = mli.relu ins(%p : !part) outs(%3 : !part) {relu = #mli.relu<gen>} -> !part
  %5 = tensor.insert_slice %4 into %2[2, 0] [2, 4] [1, 1] : !part into !map
  return %5 : !map
}

// -----

!map = tensor<4x?x!mli.fx8<5>>
!part = tensor<2x?x!mli.fx8<5>>

// The buffer is as large as the argument is.
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[SIZE:.*]] = memref.dim %{{.*}}, %{{.*}} : memref<4x?x
// CHECK: memref.alloc(%[[SIZE]]) : memref<4x?x
func.func @dynamic(%a: !map, %p: !part, %n: index) -> !map {
  // expected-remark @below {{but got an argument, which the caller keeps}}
  // expected-remark @below {{but got an argument; this}}
  %0 = tensor.insert_slice %p into %a[0, 0] [2, %n] [1, 1] : !part into !map
  // expected-remark @below {{but got an argument; this}}
  %1 = tensor.insert_slice %p into %0[2, 0] [2, %n] [1, 1] : !part into !map
  // expected-remark @below {{but got a buffer of dynamic size}}
  return %1 : !map
}

// -----

!map = tensor<4x4x!mli.fx8<5>>
!part = tensor<2x4x!mli.fx8<5>>

// Each iteration has a chain of its own.
// CHECK-LABEL: func.func @constant
// CHECK: %[[ONES:.*]] = mli.constant
// CHECK: scf.for
// CHECK: mli.mov ins({{.*}}) outs({{.*}}<still_needed>
// CHECK-COUNT-2: mli.relu
func.func @constant(%a: !map, %p: !part, %n: index) -> !map {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ones = mli.constant dense<1> : tensor<4x4xi8> to !map
  // expected-remark @below {{expected the destination of 'scf.for' to have no later use, but got an argument, which the caller keeps}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> !map {
    %0 = tensor.extract_slice %ones[0, 0] [2, 4] [1, 1] : !map to !part
    %1 = mli.relu ins(%p : !part) outs(%0 : !part) {relu = #mli.relu<gen>} -> !part
    // expected-remark @below {{expected the destination of 'tensor.insert_slice' to have no later use, but got a constant}}
    %2 = tensor.insert_slice %1 into %ones[0, 0] [2, 4] [1, 1] : !part into !map
    %3 = tensor.extract_slice %2[2, 0] [2, 4] [1, 1] : !map to !part
    %4 = mli.relu ins(%p : !part) outs(%3 : !part) {relu = #mli.relu<gen>} -> !part
    %5 = tensor.insert_slice %4 into %2[2, 0] [2, 4] [1, 1] : !part into !map
    scf.yield %5 : !map
  }
  // expected-remark @below {{but got a value of 'scf.for'}}
  return %r : !map
}

// -----

!map = tensor<4x4x!mli.fx8<5>>
!part = tensor<2x4x!mli.fx8<5>>

// Nothing is copied. No later step writes what the slice reads, so it is one of the
// buffer.
// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%[[A:[^:]*]]: memref<4x4x{{[^,]*}}, %[[P:[^:]*]]: {{[^,]*}}, %[[OUT:[^:]*]]: memref<4x4x
// CHECK-NEXT: mli.relu ins(%[[A]] : {{.*}}) outs(%[[OUT]] :
// CHECK-NEXT: %[[FIRST:.*]] = memref.subview %[[OUT]][0, 0] [2, 4]
// CHECK-NEXT: mli.relu ins(%[[P]] : {{.*}}) outs(%[[FIRST]] :
// CHECK-NEXT: %[[READ:.*]] = memref.subview %[[OUT]][0, 0] [2, 4]
// CHECK-NEXT: %[[SECOND:.*]] = memref.subview %[[OUT]][2, 0] [2, 4]
// CHECK-NEXT: mli.relu ins(%[[READ]] : {{.*}}) outs(%[[SECOND]] :
// CHECK-NEXT: return
func.func @kernel(%a: !map, %p: !part) -> !map {
  %e = tensor.empty() : !map
  %k = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %0 = tensor.extract_slice %k[0, 0] [2, 4] [1, 1] : !map to !part
  %1 = mli.relu ins(%p : !part) outs(%0 : !part) {relu = #mli.relu<gen>} -> !part
  %2 = tensor.insert_slice %1 into %k[0, 0] [2, 4] [1, 1] : !part into !map
  %read = tensor.extract_slice %2[0, 0] [2, 4] [1, 1] : !map to !part
  %3 = tensor.extract_slice %2[2, 0] [2, 4] [1, 1] : !map to !part
  %4 = mli.relu ins(%read : !part) outs(%3 : !part) {relu = #mli.relu<gen>} -> !part
  %5 = tensor.insert_slice %4 into %2[2, 0] [2, 4] [1, 1] : !part into !map
  return %5 : !map
}

// -----

!map = tensor<4x4x!mli.fx8<5>>
!part = tensor<2x4x!mli.fx8<5>>

// A later step writes what the slice reads: analysis decides.
// CHECK-LABEL: func.func @rewritten
// CHECK: mli.mov
func.func @rewritten(%p: !part) -> (!map, !part) {
  %e = tensor.empty() : !map
  // expected-remark @below {{but got an argument; this}}
  %0 = tensor.insert_slice %p into %e[0, 0] [2, 4] [1, 1] : !part into !map
  // expected-remark @below {{expected the destination of 'mli.relu' to have no later use, but got one that 'tensor.insert_slice' reads after it}}
  %read = tensor.extract_slice %0[0, 0] [2, 4] [1, 1] : !map to !part
  %1 = mli.relu ins(%read : !part) outs(%p : !part) {relu = #mli.relu<gen>} -> !part
  // expected-remark @below {{but got a value of 'mli.relu'}}
  %2 = tensor.insert_slice %1 into %0[0, 0] [2, 4] [1, 1] : !part into !map
  return %2, %read : !map, !part
}

// -----

!map = tensor<4x4x!mli.fx8<5>>
!part = tensor<2x4x!mli.fx8<5>>

// A user of the slice after the chain reads the complete tensor: the last kernel may
// not compute in place.
// CHECK-LABEL: func.func @late
// CHECK-COUNT-2: mli.relu
// CHECK: mli.mov {{.*}}<still_needed>
// CHECK: mli.relu
func.func @late(%p: !part) -> (!map, !part) {
  %e = tensor.empty() : !map
  %0 = tensor.extract_slice %e[0, 0] [2, 4] [1, 1] : !map to !part
  %1 = mli.relu ins(%p : !part) outs(%0 : !part) {relu = #mli.relu<gen>} -> !part
  %2 = tensor.insert_slice %1 into %e[0, 0] [2, 4] [1, 1] : !part into !map
  // expected-remark @below {{expected the destination of 'mli.relu' to have no later use}}
  %read = tensor.extract_slice %2[0, 0] [2, 4] [1, 1] : !map to !part
  %3 = tensor.extract_slice %2[2, 0] [2, 4] [1, 1] : !map to !part
  %4 = mli.relu ins(%p : !part) outs(%3 : !part) {relu = #mli.relu<gen>} -> !part
  %5 = tensor.insert_slice %4 into %2[2, 0] [2, 4] [1, 1] : !part into !map
  %6 = mli.relu ins(%5 : !map) outs(%5 : !map) {relu = #mli.relu<gen>} -> !map
  %f = tensor.empty() : !part
  %7 = mli.relu ins(%read : !part) outs(%f : !part) {relu = #mli.relu<gen>} -> !part
  return %6, %7 : !map, !part
}
