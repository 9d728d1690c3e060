// An operation that reads the tensor before the last insertion reads it as it is then.
// RUN: mli-opt %s --mli-bufferize=explain --verify-diagnostics | FileCheck %s

!map = tensor<4x4x!mli.fx8<5>>
!part = tensor<2x4x!mli.fx8<5>>

// CHECK-LABEL: func.func @seen
// CHECK-SAME: %[[IN:.*]]: memref<2x4x{{[^,]*}}, %[[OUT:[^:]*]]: memref<4x4x{{[^,]*}}, %[[SEEN:[^:]*]]: memref<4x4x
// CHECK: %[[A:.*]] = memref.subview %[[OUT]][0, 0]
// CHECK: mli.relu {{.*}} outs(%[[A]] :
// CHECK: mli.relu ins(%[[OUT]] : {{.*}}) outs(%[[SEEN]] :
// CHECK: %[[B:.*]] = memref.subview %[[OUT]][2, 0]
// CHECK: mli.relu {{.*}} outs(%[[B]] :
// CHECK-NEXT: return
func.func @seen(%in: !part) -> (!map, !map) {
  %0 = tensor.empty() : !map
  %a = tensor.extract_slice %0[0, 0] [2, 4] [1, 1] : !map to !part
  %first = mli.relu ins(%in : !part) outs(%a : !part)
    {relu = #mli.relu<gen>} -> !part
  %1 = tensor.insert_slice %first into %0[0, 0] [2, 4] [1, 1] : !part into !map
  %init = tensor.empty() : !map
  %seen = mli.relu ins(%1 : !map) outs(%init : !map)
    {relu = #mli.relu<gen>} -> !map
  %b = tensor.extract_slice %1[2, 0] [2, 4] [1, 1] : !map to !part
  %second = mli.relu ins(%in : !part) outs(%b : !part)
    {relu = #mli.relu<gen>} -> !part
  %2 = tensor.insert_slice %second into %1[2, 0] [2, 4] [1, 1]
    : !part into !map
  return %2, %seen : !map, !map
}

// It is seen once more when that is no longer there.
// CHECK-LABEL: func.func @seen_later
// CHECK-SAME: %[[IN:.*]]: memref<2x4x{{[^,]*}}, %[[OUT:[^:]*]]: memref<4x4x{{[^,]*}}, %[[SEEN:[^:]*]]: memref<4x4x
// CHECK: mli.relu ins(%[[WHOLE:.*]] : {{.*}}) outs(%[[SEEN]] :
// CHECK-NOT: memref.subview %[[SEEN]]
// CHECK: return
func.func @seen_later(%in: !part) -> (!map, !map) {
  %0 = tensor.empty() : !map
  %a = tensor.extract_slice %0[0, 0] [2, 4] [1, 1] : !map to !part
  %first = mli.relu ins(%in : !part) outs(%a : !part)
    {relu = #mli.relu<gen>} -> !part
  %1 = tensor.insert_slice %first into %0[0, 0] [2, 4] [1, 1] : !part into !map
  %b = tensor.extract_slice %1[2, 0] [2, 4] [1, 1] : !map to !part
  %second = mli.relu ins(%in : !part) outs(%b : !part)
    {relu = #mli.relu<gen>} -> !part
  // expected-remark @below {{expected the destination of 'tensor.insert_slice' to have no later use, but got one that 'mli.relu' reads after it; this copies 16 bytes, reading it before that would copy none}}
  // expected-remark @below {{expected the source of 'tensor.insert_slice' to be computed in its destination, but got a value of 'mli.relu'; this copies 8 bytes, a kernel that writes it there would copy none}}
  %2 = tensor.insert_slice %second into %1[2, 0] [2, 4] [1, 1]
    : !part into !map
  %init = tensor.empty() : !map
  %seen = mli.relu ins(%1 : !map) outs(%init : !map)
    {relu = #mli.relu<gen>} -> !map
  return %2, %seen : !map, !map
}

// A source that no kernel computes in the destination is copied, with a remark.
// CHECK-LABEL: func.func @copied
// CHECK-SAME: %[[IN:.*]]: memref<2x4x{{[^,]*}}, %[[OUT:[^:]*]]: memref<4x4x
// CHECK: %[[A:.*]] = memref.subview %[[OUT]][0, 0]
// CHECK: mli.mov ins(%[[IN]] : {{.*}}) outs(%[[A]] : {{.*}}) {reason = #mli.copy_reason<placed_elsewhere>}
// CHECK: %[[B:.*]] = memref.subview %[[OUT]][2, 0]
// CHECK: mli.mov ins(%[[IN]] : {{.*}}) outs(%[[B]] : {{.*}}) {reason = #mli.copy_reason<placed_elsewhere>}
func.func @copied(%in: !part) -> !map {
  %0 = tensor.empty() : !map
  // expected-remark @below {{expected the source of 'tensor.insert_slice' to be computed in its destination, but got an argument; this copies 8 bytes, a kernel that writes it there would copy none}}
  %1 = tensor.insert_slice %in into %0[0, 0] [2, 4] [1, 1] : !part into !map
  // expected-remark @below {{expected the source of 'tensor.insert_slice' to be computed in its destination, but got an argument; this copies 8 bytes, a kernel that writes it there would copy none}}
  %2 = tensor.insert_slice %in into %1[2, 0] [2, 4] [1, 1] : !part into !map
  return %2 : !map
}
