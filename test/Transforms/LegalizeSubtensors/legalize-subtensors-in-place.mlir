// Parts that are computed in their place: after bufferization nothing is left
// of concatenations but views.
// RUN: mli-opt %s --mli-legalize-subtensors=reject-copies | FileCheck %s
// RUN: mli-opt %s --mli-legalize-subtensors --mli-bufferize --mli-legalize-subtensors --cse --canonicalize | FileCheck %s --check-prefix=BUFFER

!map = tensor<4x8x!mli.fx8<3>>
!whole = tensor<4x16x!mli.fx8<3>>

// The second part is computed first.
// CHECK-LABEL: func.func @concat
// CHECK-SAME: %[[A:.*]]: tensor<4x8x{{.*}}>, %[[B:.*]]: tensor<4x8x
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<4x16x
// CHECK-NEXT: %[[RIGHT:.*]] = mli.subtensor %[[EMPTY]][0, 8] [4, 8]
// CHECK-NEXT: %[[RELU:.*]] = mli.relu ins(%[[B]] : {{.*}}) outs(%[[RIGHT]] : {{.*}})
// CHECK-NEXT: %[[FIRST:.*]] = tensor.insert_slice %[[RELU]] into %[[EMPTY]][0, 8] [4, 8] [1, 1]
// CHECK-NEXT: %[[LEFT:.*]] = mli.subtensor %[[FIRST]][0, 0] [4, 8]
// CHECK-NEXT: %[[ADD:.*]] = mli.eltwise_add ins(%[[A]], %[[B]] : {{.*}}) outs(%[[LEFT]] : {{.*}})
// CHECK-NEXT: %[[BOTH:.*]] = tensor.insert_slice %[[ADD]] into %[[FIRST]][0, 0] [4, 8] [1, 1]
// CHECK-NEXT: return %[[BOTH]]

// BUFFER-LABEL: func.func @concat
// BUFFER-SAME: %[[A:[^:]*]]: memref<4x8x{{[^,]*}}>, %[[B:[^:]*]]: memref<4x8x{{[^,]*}}>, %[[OUT:[^:]*]]: memref<4x16x
// BUFFER-NEXT: %[[RIGHT:.*]] = mli.subtensor %[[OUT]][0, 8] [4, 8]
// BUFFER-NEXT: mli.relu ins(%[[B]] : {{.*}}) outs(%[[RIGHT]] : {{.*}})
// BUFFER-NEXT: %[[LEFT:.*]] = mli.subtensor %[[OUT]][0, 0] [4, 8]
// BUFFER-NEXT: mli.eltwise_add ins(%[[A]], %[[B]] : {{.*}}) outs(%[[LEFT]] : {{.*}})
// BUFFER-NEXT: return
func.func @concat(%a: !map, %b: !map) -> !whole {
  %empty0 = tensor.empty() : !map
  %relu = mli.relu ins(%b : !map) outs(%empty0 : !map)
    {relu = #mli.relu<gen>} -> !map
  %empty1 = tensor.empty() : !map
  %add = mli.eltwise_add ins(%a, %b : !map, !map) outs(%empty1 : !map) -> !map
  %0 = tensor.concat dim(1) %add, %relu : (!map, !map) -> !whole
  return %0 : !whole
}

// A concatenation in one along another dimension; both kernels share an init.
// CHECK-LABEL: func.func @nested
// CHECK-COUNT-1: tensor.empty
// CHECK-NOT: tensor.empty
// BUFFER-LABEL: func.func @nested
// BUFFER-COUNT-3: mli.relu
// BUFFER-NOT: mli.mov
// BUFFER: return
func.func @nested(%a: !map, %b: !whole) -> tensor<8x16x!mli.fx8<3>> {
  %empty0 = tensor.empty() : !map
  %relu0 = mli.relu ins(%a : !map) outs(%empty0 : !map)
    {relu = #mli.relu<gen>} -> !map
  %relu1 = mli.relu ins(%a : !map) outs(%empty0 : !map)
    {relu = #mli.relu<relu1>} -> !map
  %row = tensor.concat dim(1) %relu0, %relu1 : (!map, !map) -> !whole
  %empty1 = tensor.empty() : !whole
  %relu2 = mli.relu ins(%b : !whole) outs(%empty1 : !whole)
    {relu = #mli.relu<gen>} -> !whole
  %0 = tensor.concat dim(0) %row, %relu2
    : (!whole, !whole) -> tensor<8x16x!mli.fx8<3>>
  return %0 : tensor<8x16x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @insertion
// CHECK-SAME: %[[A:.*]]: tensor<4x8x{{.*}}>, %[[DEST:.*]]: tensor<2x4x16x
// CHECK-NEXT: %[[PLACE:.*]] = mli.subtensor %[[DEST]][1, 0, 4] [1, 4, 8] : {{.*}} to tensor<4x8x
// CHECK-NEXT: %[[RELU:.*]] = mli.relu ins(%[[A]] : {{.*}}) outs(%[[PLACE]] : {{.*}})
// CHECK-NEXT: tensor.insert_slice %[[RELU]] into %[[DEST]][1, 0, 4] [1, 4, 8] [1, 1, 1]
func.func @insertion(%a: !map, %dest: tensor<2x4x16x!mli.fx8<3>>)
    -> tensor<2x4x16x!mli.fx8<3>> {
  %empty = tensor.empty() : !map
  %relu = mli.relu ins(%a : !map) outs(%empty : !map)
    {relu = #mli.relu<gen>} -> !map
  %0 = tensor.insert_slice %relu into %dest[1, 0, 4] [1, 4, 8] [1, 1, 1]
    : !map into tensor<2x4x16x!mli.fx8<3>>
  return %0 : tensor<2x4x16x!mli.fx8<3>>
}

// CHECK-LABEL: func.func @nothing_is_inserted
// CHECK-SAME: %{{.*}}: tensor<0x8x{{.*}}>, %[[WHOLE:.*]]: tensor<4x16x
// CHECK-NEXT: return %[[WHOLE]]
func.func @nothing_is_inserted(%none: tensor<0x8x!mli.fx8<3>>, %whole: !whole)
    -> !whole {
  %0 = tensor.insert_slice %none into %whole[2, 0] [0, 8] [1, 1]
    : tensor<0x8x!mli.fx8<3>> into !whole
  return %0 : !whole
}

// Without its first dimension a part has the axis elsewhere: it is inserted in
// the shape of the whole.
!axis_part = tensor<3x1x3x!mli.sa8<axis = 2, {7:2:49, 1:3:0, 5:2:-8}>>
!axis_batch = tensor<1x3x1x3x!mli.sa8<axis = 3, {7:2:49, 1:3:0, 5:2:-8}>>
!axis_whole = tensor<2x3x1x3x!mli.sa8<axis = 3, {7:2:49, 1:3:0, 5:2:-8}>>

// CHECK-LABEL: func.func @part_of_another_axis
// CHECK: %[[WHOLE:.*]] = tensor.empty() : tensor<2x3x1x3x!sa8_axis3>
// CHECK: %[[VIEW:.*]] = mli.subtensor %[[WHOLE]][0, 0, 0, 0] [1, 3, 1, 3] : tensor<2x3x1x3x!sa8_axis3> to tensor<1x3x1x3x!sa8_axis3>
// CHECK: %[[PLACE:.*]] = mli.reshape %[[VIEW]] : tensor<1x3x1x3x!sa8_axis3> to tensor<3x1x3x!sa8_axis2>
// CHECK: %[[PART:.*]] = mli.convert ins({{.*}}) outs(%[[PLACE]] : tensor<3x1x3x!sa8_axis2>)
// CHECK: %[[SHAPED:.*]] = mli.reshape %[[PART]]
// CHECK: tensor.insert_slice %[[SHAPED]] into %[[WHOLE]][0, 0, 0, 0] [1, 3, 1, 3] {{.*}} : tensor<1x3x1x3x!sa8_axis3> into
func.func @part_of_another_axis(%x: tensor<3x1x3x!mli.fx16<11>>,
                                %y: tensor<1x3x1x3x!mli.fx16<11>>)
    -> !axis_whole {
  %init = tensor.empty() : !axis_part
  %part = mli.convert ins(%x : tensor<3x1x3x!mli.fx16<11>>)
    outs(%init : !axis_part) -> !axis_part
  %shaped = mli.reshape %part : !axis_part to !axis_batch
  %init2 = tensor.empty() : !axis_batch
  %batch = mli.convert ins(%y : tensor<1x3x1x3x!mli.fx16<11>>)
    outs(%init2 : !axis_batch) -> !axis_batch
  %0 = tensor.concat dim(0) %shaped, %batch : (!axis_batch, !axis_batch)
    -> !axis_whole
  return %0 : !axis_whole
}
