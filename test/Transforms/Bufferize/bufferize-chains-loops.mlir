// Each iteration of a loop starts from the tensor before the loop, not from the result
// of the last iteration.
// RUN: mli-opt %s --mli-bufferize | FileCheck %s

!map = tensor<8x4x!mli.fx8<5>>
!part = tensor<2x4x!mli.fx8<5>>
func.func private @see(!map)

// CHECK-LABEL: func.func @main
// CHECK: %[[BEGIN:.*]] = memref.alloc
// CHECK: scf.for
// CHECK-NEXT: %[[OWN:.*]] = memref.alloc
// CHECK-NEXT: mli.mov ins(%[[BEGIN]] : {{.*}}) outs(%[[OWN]] :
// CHECK: func.call @see(%[[OWN]])
func.func @main(%p: !part, %n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : !map
  %0 = tensor.insert_slice %p into %e[0, 0] [2, 4] [1, 1] : !part into !map
  %1 = tensor.insert_slice %p into %0[2, 0] [2, 4] [1, 1] : !part into !map
  scf.for %i = %c0 to %n step %c2 {
    %2 = tensor.insert_slice %p into %1[%i, 0] [2, 4] [1, 1] : !part into !map
    func.call @see(%2) : (!map) -> ()
  }
  return
}
