// The source of one chain is also inserted by another one, which is bufferized first.
// RUN: mli-opt %s --mli-bufferize | FileCheck %s

!part = tensor<4x!mli.fx8<3>>
!whole = tensor<8x!mli.fx8<3>>

// CHECK-LABEL: func.func @parts_of_both
// CHECK-SAME: %[[X:.*]]: memref<4x!mli.fx8<3>>{{[^,]*}}, %[[Y:.*]]: memref<4x!mli.fx8<3>>{{[^,]*}}, %[[FIRST:.*]]: memref<8x!mli.fx8<3>>{{[^,]*}}, %[[SECOND:.*]]: memref<8x!mli.fx8<3>>{{[^,]*}})
// CHECK: %[[PART:.*]] = {{.*}} %[[FIRST]][0] [4]
// CHECK: mli.relu ins(%[[X]] {{.*}}) outs(%[[PART]]
// CHECK: mli.relu ins(%[[Y]]
// CHECK-DAG: %[[FROM:.*]] = memref.subview %[[FIRST]][0] [4] [1]
// CHECK-DAG: %[[TO:.*]] = memref.subview %[[SECOND]][0] [4] [1]
// CHECK: mli.mov ins(%[[FROM]] {{.*}}) outs(%[[TO]]
// CHECK: mli.mov ins(%[[Y]]
func.func @parts_of_both(%x: !part, %y: !part) -> (!whole, !whole) {
  %second = tensor.empty() : !whole
  %first = tensor.empty() : !whole
  %0 = tensor.extract_slice %first[0] [4] [1] : !whole to !part
  %1 = mli.relu ins(%x : !part) outs(%0 : !part) {relu = #mli.relu<gen>}
    -> !part
  %2 = tensor.insert_slice %1 into %first[0] [4] [1] : !part into !whole
  %3 = tensor.extract_slice %2[4] [4] [1] : !whole to !part
  %4 = mli.relu ins(%y : !part) outs(%3 : !part) {relu = #mli.relu<gen>}
    -> !part
  %5 = tensor.insert_slice %4 into %2[4] [4] [1] : !part into !whole
  %6 = tensor.insert_slice %1 into %second[0] [4] [1] : !part into !whole
  %7 = tensor.insert_slice %y into %6[4] [4] [1] : !part into !whole
  return %5, %7 : !whole, !whole
}
