// RUN: mli-opt %s --mli-legalize-layouts | FileCheck %s

!chw = tensor<3x8x9x!mli.fx16<10>>
!weights = tensor<3x5x3x2x!mli.fx16<14>>
!bias = tensor<2x!mli.fx16<10>>
!out = tensor<2x6x5x!mli.fx16<9>>

// CHECK-LABEL: func.func @conv2d
// CHECK-SAME: %[[IN:[^:]*]]: tensor<3x8x9x{{.*}}>, %{{.*}}, %{{.*}}, %[[INIT:[^:]*]]: tensor<2x6x5x
// CHECK: %[[EMPTY_IN:.*]] = tensor.empty() : tensor<8x9x3x
// CHECK: %[[HWC:.*]] = mli.permute ins(%[[IN]] : {{.*}}) outs(%[[EMPTY_IN]] : {{.*}}) permutation [1, 2, 0]
// CHECK: %[[EMPTY_OUT:.*]] = tensor.empty() : tensor<6x5x2x
// CHECK: %[[CONV:.*]] = mli.conv2d ins(%[[HWC]], %{{.*}}, %{{.*}} : {{.*}}) outs(%[[EMPTY_OUT]] : {{.*}}) pad [0, 0, 0, 0] -> tensor<6x5x2x!mli.fx16<9>>
// CHECK: %[[CHW:.*]] = mli.permute ins(%[[CONV]] : {{.*}}) outs(%[[INIT]] : {{.*}}) permutation [2, 0, 1]
// CHECK: return %[[CHW]]
func.func @conv2d(%input: !chw, %weights: !weights, %bias: !bias, %init: !out)
    -> !out {
  %result = mli.conv2d ins(%input, %weights, %bias : !chw, !weights, !bias)
    outs(%init : !out) pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>} -> !out
  return %result : !out
}

!deep = tensor<2x8x9x!mli.fx16<10>>
!filters = tensor<3x3x1x2x!mli.fx16<14>>

// CHECK-LABEL: func.func @depthwise_conv2d
// CHECK: mli.permute
// CHECK: mli.depthwise_conv2d {{.*}} pad [1, 1, 1, 1] -> tensor<8x9x2x!mli.fx16<10>>
// CHECK: mli.permute
func.func @depthwise_conv2d(%input: !deep, %weights: !filters, %bias: !bias,
                            %init: !deep) -> !deep {
  %0 = mli.depthwise_conv2d ins(%input, %weights, %bias : !deep, !filters, !bias)
    outs(%init : !deep) pad [1, 1, 1, 1] {layout = #mli.map_layout<chw>} -> !deep
  return %0 : !deep
}

!four = tensor<4x8x9x!mli.fx16<10>>
!grouped = tensor<3x3x2x6x!mli.fx16<14>>
!six = tensor<6x!mli.fx16<10>>
!wide = tensor<6x6x7x!mli.fx16<9>>

// CHECK-LABEL: func.func @group_conv2d
// CHECK: mli.group_conv2d {{.*}} -> tensor<6x7x6x!mli.fx16<9>>
func.func @group_conv2d(%input: !four, %weights: !grouped, %bias: !six,
                        %init: !wide) -> !wide {
  %result = mli.group_conv2d ins(%input, %weights, %bias : !four, !grouped, !six)
    outs(%init : !wide) pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>} -> !wide
  return %result : !wide
}

!large = tensor<2x17x19x!mli.fx16<9>>
!square = tensor<3x3x3x2x!mli.fx16<14>>

// CHECK-LABEL: func.func @transpose_conv2d
// CHECK: mli.transpose_conv2d {{.*}} {strides = array<i64: 2, 2>} -> tensor<17x19x2x!mli.fx16<9>>
func.func @transpose_conv2d(%input: !chw, %weights: !square, %bias: !bias,
                            %init: !large) -> !large {
  %result = mli.transpose_conv2d
    ins(%input, %weights, %bias : !chw, !square, !bias) outs(%init : !large)
    pad [0, 0, 0, 0]
    {layout = #mli.map_layout<chw>, strides = array<i64: 2, 2>} -> !large
  return %result : !large
}

!halved = tensor<3x4x3x!mli.fx16<10>>
!quarter = tensor<3x2x1x!mli.fx16<10>>

// Between the two kernels nothing is permuted, nor is around what looks at
// one element at a time.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-1: mli.permute
// CHECK: mli.avepool {{.*}} kernel [2, 3] pad [0, 0, 0, 0] {strides = array<i64: 2, 3>} -> tensor<4x3x3x!mli.fx16<10>>
// CHECK-NOT: mli.permute
// CHECK: mli.relu {{.*}} -> tensor<4x3x3x!mli.fx16<10>>
// CHECK: mli.eltwise_add {{.*}} -> tensor<4x3x3x!mli.fx16<10>>
// CHECK: mli.maxpool {{.*}} kernel [2, 3] pad [0, 0, 0, 0] {strides = array<i64: 2, 3>} -> tensor<2x1x3x!mli.fx16<10>>
// CHECK: mli.permute {{.*}} permutation [2, 0, 1]
// CHECK-NEXT: return
func.func @chain(%input: !chw, %half: !halved, %init: !quarter) -> !quarter {
  %0 = mli.avepool ins(%input : !chw) outs(%half : !halved) kernel [2, 3]
    pad [0, 0, 0, 0]
    {layout = #mli.map_layout<chw>, strides = array<i64: 2, 3>} -> !halved
  %1 = mli.relu ins(%0 : !halved) outs(%half : !halved)
    {relu = #mli.relu<gen>} -> !halved
  %2 = mli.eltwise_add ins(%0, %1 : !halved, !halved) outs(%half : !halved)
    -> !halved
  %3 = mli.maxpool ins(%2 : !halved) outs(%init : !quarter) kernel [2, 3]
    pad [0, 0, 0, 0]
    {layout = #mli.map_layout<chw>, strides = array<i64: 2, 3>} -> !quarter
  return %3 : !quarter
}

!small = tensor<2x2x2x!mli.fx8<3>>

// The other operand is permuted when compiling; a scalar needs not be.
// CHECK-LABEL: func.func @constants
// CHECK-DAG: %[[MAP:.*]] = mli.constant dense<{{\[\[}}[1, 5], [2, 6]], {{\[\[}}3, 7], [4, 8]]]>
// CHECK-DAG: %[[OTHER:.*]] = mli.constant dense<{{\[\[}}[0, 1], [2, 3]], {{\[\[}}4, 5], [6, 7]]]>
// CHECK: %[[POOLED:.*]] = mli.maxpool ins(%[[MAP]] :
// CHECK: mli.eltwise_add ins(%[[POOLED]], %[[OTHER]] :
// CHECK: mli.eltwise_mul
// CHECK-COUNT-1: mli.permute
// CHECK-NOT: mli.permute
// CHECK: return
func.func @constants(%init: !small, %scalar: tensor<1x!mli.fx8<3>>) -> !small {
  %map = mli.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]>
    : tensor<2x2x2xi8> to !small
  %other = mli.constant dense<[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]>
    : tensor<2x2x2xi8> to !small
  %0 = mli.maxpool ins(%map : !small) outs(%init : !small) kernel [1, 1]
    pad [0, 0, 0, 0] {layout = #mli.map_layout<chw>} -> !small
  %1 = mli.eltwise_add ins(%0, %other : !small, !small) outs(%init : !small)
    -> !small
  %2 = mli.eltwise_mul ins(%1, %scalar : !small, tensor<1x!mli.fx8<3>>)
    outs(%init : !small) -> !small
  return %2 : !small
}

// Another user needs the permutation: a second one would be one too many.
// CHECK-LABEL: func.func @other_user
// CHECK-COUNT-2: mli.permute
// CHECK-NOT: mli.permute
// CHECK: mli.relu {{.*}} -> tensor<3x4x3x!mli.fx16<10>>
func.func @other_user(%input: !chw, %half: !halved)
    -> (!halved, tensor<36x!mli.fx16<10>>) {
  %0 = mli.avepool ins(%input : !chw) outs(%half : !halved) kernel [2, 3]
    pad [0, 0, 0, 0]
    {layout = #mli.map_layout<chw>, strides = array<i64: 2, 3>} -> !halved
  %1 = mli.relu ins(%0 : !halved) outs(%half : !halved)
    {relu = #mli.relu<gen>} -> !halved
  %2 = mli.reshape %0 : !halved to tensor<36x!mli.fx16<10>>
  return %1, %2 : !halved, tensor<36x!mli.fx16<10>>
}

// CHECK-LABEL: func.func @hwc
// CHECK-NEXT: mli.maxpool
// CHECK-NEXT: return
func.func @hwc(%map: !small, %init: !small) -> !small {
  %0 = mli.maxpool ins(%map : !small) outs(%init : !small) kernel [1, 1]
    pad [0, 0, 0, 0] -> !small
  return %0 : !small
}

// The axis of parameters is permuted, too.
// CHECK-LABEL: func.func @axis
// CHECK: mli.convert {{.*}} -> tensor<2x3x!sa8_axis1>
// CHECK: mli.permute {{.*}} -> tensor<3x2x!sa8_axis0>
func.func @axis(%x: tensor<2x3x!mli.fx8<3>>, %e: tensor<3x2x!mli.fx8<3>>,
    %init: tensor<3x2x!mli.sa8<axis = 0, {5:3:0, 7:3:0, 9:3:0}>>)
    -> tensor<3x2x!mli.sa8<axis = 0, {5:3:0, 7:3:0, 9:3:0}>> {
  %0 = mli.permute ins(%x : tensor<2x3x!mli.fx8<3>>)
    outs(%e : tensor<3x2x!mli.fx8<3>>) permutation [1, 0]
    -> tensor<3x2x!mli.fx8<3>>
  %1 = mli.convert ins(%0 : tensor<3x2x!mli.fx8<3>>)
    outs(%init : tensor<3x2x!mli.sa8<axis = 0, {5:3:0, 7:3:0, 9:3:0}>>)
    -> tensor<3x2x!mli.sa8<axis = 0, {5:3:0, 7:3:0, 9:3:0}>>
  return %1 : tensor<3x2x!mli.sa8<axis = 0, {5:3:0, 7:3:0, 9:3:0}>>
}

!front = tensor<3x4x2x!mli.fx8<3>>
!turned = tensor<4x2x3x!mli.fx8<3>>

// Two results would be permuted instead of one input.
// CHECK-LABEL: func.func @two_readers
// CHECK-COUNT-1: mli.permute
// CHECK-NOT: mli.permute
// CHECK: return
func.func @two_readers(%x: !turned, %e: !front) -> (!front, !front) {
  %0 = mli.permute ins(%x : !turned) outs(%e : !front) permutation [2, 0, 1] -> !front
  %1 = mli.relu ins(%0 : !front) outs(%e : !front) {relu = #mli.relu<gen>} -> !front
  %2 = mli.relu ins(%0 : !front) outs(%e : !front) {relu = #mli.relu<relu1>} -> !front
  return %1, %2 : !front, !front
}

// One reader goes where nothing is permuted: the other takes what is left.
// CHECK-LABEL: func.func @one_reader_back
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x2x3x
// CHECK: %[[RELU:.*]] = mli.relu ins(%[[X]] : {{.*}} -> tensor<4x2x3x
// CHECK-COUNT-1: mli.permute
// CHECK-NOT: mli.permute
// CHECK: return
func.func @one_reader_back(%x: !turned, %e: !front, %t: !turned)
    -> (!turned, !front) {
  %0 = mli.permute ins(%x : !turned) outs(%e : !front) permutation [2, 0, 1] -> !front
  %1 = mli.relu ins(%0 : !front) outs(%e : !front) {relu = #mli.relu<gen>} -> !front
  %2 = mli.permute ins(%1 : !front) outs(%t : !turned) permutation [1, 2, 0] -> !turned
  %3 = mli.relu ins(%0 : !front) outs(%e : !front) {relu = #mli.relu<relu1>} -> !front
  return %2, %3 : !turned, !front
}

// As many elements, but twice as many bytes.
// CHECK-LABEL: func.func @wider_behind
// CHECK: mli.permute {{.*}} -> tensor<3x4x2x!mli.fx8<3>>
// CHECK: mli.convert {{.*}} -> tensor<3x4x2x!mli.fx16<9>>
// CHECK-NEXT: return
func.func @wider_behind(%x: !turned, %e: !front,
    %w: tensor<3x4x2x!mli.fx16<9>>) -> tensor<3x4x2x!mli.fx16<9>> {
  %0 = mli.permute ins(%x : !turned) outs(%e : !front) permutation [2, 0, 1] -> !front
  %1 = mli.convert ins(%0 : !front) outs(%w : tensor<3x4x2x!mli.fx16<9>>)
    -> tensor<3x4x2x!mli.fx16<9>>
  return %1 : tensor<3x4x2x!mli.fx16<9>>
}

// The dimension that parts are behind each other in is permuted as well.
// CHECK-LABEL: func.func @concat
// CHECK: %[[WHOLE:.*]] = tensor.concat dim(2) %{{.*}}, %{{.*}} : {{.*}} -> tensor<4x2x6x!mli.fx8<3>>
// CHECK: mli.permute ins(%[[WHOLE]] : {{.*}} permutation [2, 0, 1] -> tensor<6x4x2x
// CHECK-NOT: mli.permute
// CHECK: return
func.func @concat(%x: !turned, %e: !front, %t: !turned)
    -> tensor<6x4x2x!mli.fx8<3>> {
  %a = mli.relu ins(%x : !turned) outs(%t : !turned) {relu = #mli.relu<gen>} -> !turned
  %b = mli.relu ins(%x : !turned) outs(%t : !turned) {relu = #mli.relu<relu1>} -> !turned
  %0 = mli.permute ins(%a : !turned) outs(%e : !front) permutation [2, 0, 1] -> !front
  %1 = mli.permute ins(%b : !turned) outs(%e : !front) permutation [2, 0, 1] -> !front
  %2 = tensor.concat dim(0) %0, %1 : (!front, !front) -> tensor<6x4x2x!mli.fx8<3>>
  return %2 : tensor<6x4x2x!mli.fx8<3>>
}

// Arguments would be copied into the whole.
// CHECK-LABEL: func.func @concat_of_arguments
// CHECK-COUNT-2: mli.permute
// CHECK: tensor.concat dim(0)
// CHECK-NEXT: return
func.func @concat_of_arguments(%a: !turned, %b: !turned, %e: !front)
    -> tensor<6x4x2x!mli.fx8<3>> {
  %0 = mli.permute ins(%a : !turned) outs(%e : !front) permutation [2, 0, 1] -> !front
  %1 = mli.permute ins(%b : !turned) outs(%e : !front) permutation [2, 0, 1] -> !front
  %2 = tensor.concat dim(0) %0, %1 : (!front, !front) -> tensor<6x4x2x!mli.fx8<3>>
  return %2 : tensor<6x4x2x!mli.fx8<3>>
}

// A slope for each channel stays with it.
// CHECK-LABEL: func.func @prelu
// CHECK-DAG: %[[SLOPES:.*]] = mli.constant dense<{{.*}}1, 2, 3{{.*}}> : tensor<1x1x3xi8>
// CHECK: mli.prelu ins(%{{.*}}, %[[SLOPES]] : {{.*}} {axis = 2 : i32} -> tensor<4x2x3x
// CHECK: mli.permute {{.*}} permutation [2, 0, 1]
// CHECK-NOT: mli.permute
// CHECK: return
func.func @prelu(%x: !turned, %e: !front) -> !front {
  %slopes = mli.constant dense<[[[1]], [[2]], [[3]]]> : tensor<3x1x1xi8>
    to tensor<3x1x1x!mli.fx8<3>>
  %0 = mli.permute ins(%x : !turned) outs(%e : !front) permutation [2, 0, 1] -> !front
  %1 = mli.prelu ins(%0, %slopes : !front, tensor<3x1x1x!mli.fx8<3>>)
    outs(%e : !front) {axis = 0 : i32} -> !front
  return %1 : !front
}

// One slope for all has no axis that would be another one.
// CHECK-LABEL: func.func @slope_of_all
// CHECK: %[[SLOPE:.*]] = mli.constant dense<3> : tensor<1xi8>
// CHECK: mli.prelu ins(%{{.*}}, %[[SLOPE]] : {{.*}}) outs(%{{.*}}) -> tensor<4x2x3x
// CHECK: mli.permute {{.*}} permutation [2, 0, 1]
// CHECK-NOT: mli.permute
// CHECK: return
func.func @slope_of_all(%x: !turned, %e: !front) -> !front {
  %slope = mli.constant dense<3> : tensor<1xi8> to tensor<1x!mli.fx8<3>>
  %0 = mli.permute ins(%x : !turned) outs(%e : !front) permutation [2, 0, 1] -> !front
  %1 = mli.prelu ins(%0, %slope : !front, tensor<1x!mli.fx8<3>>)
    outs(%e : !front) -> !front
  return %1 : !front
}

// A table is in no order of dimensions.
// CHECK-LABEL: func.func @table
// CHECK-SAME: %[[IN:[^:]*]]: tensor<3x8x9x
// CHECK: %[[TABLE:.*]] = mli.constant
// CHECK: mli.tanh ins(%[[IN]] : {{.*}}) lut(%[[TABLE]] : tensor<344x!mli.fx16<15>>) outs(%{{.*}} : tensor<3x8x9x
// CHECK: mli.permute
func.func @table(%in: !chw, %hwc: tensor<8x9x3x!mli.fx16<10>>,
                 %init: tensor<8x9x3x!mli.fx16<15>>)
    -> tensor<8x9x3x!mli.fx16<15>> {
  %table = mli.constant dense<7> : tensor<344xi16> to tensor<344x!mli.fx16<15>>
  %0 = mli.permute ins(%in : !chw) outs(%hwc : tensor<8x9x3x!mli.fx16<10>>)
    permutation [1, 2, 0] -> tensor<8x9x3x!mli.fx16<10>>
  %1 = mli.tanh ins(%0 : tensor<8x9x3x!mli.fx16<10>>)
    lut(%table : tensor<344x!mli.fx16<15>>)
    outs(%init : tensor<8x9x3x!mli.fx16<15>>) -> tensor<8x9x3x!mli.fx16<15>>
  return %1 : tensor<8x9x3x!mli.fx16<15>>
}

// Sizes that are not known are those of what the kernel wrote to.
// CHECK-LABEL: func.func @of_a_size_not_known
// CHECK: %[[INIT:.*]] = tensor.empty(%{{.*}}) : tensor<8x4x?x!mli.fx16<10>>
// CHECK: %[[SIZE:.*]] = tensor.dim %[[INIT]], %{{.*}}
// CHECK: tensor.empty(%[[SIZE]]) : tensor<?x4x8x!mli.fx16<10>>
// CHECK: mli.relu ins(%arg0
// CHECK: mli.permute {{.*}} outs(%[[INIT]]
func.func @of_a_size_not_known(%map: tensor<?x4x8x!mli.fx16<10>>, %size: index)
    -> tensor<8x4x?x!mli.fx16<10>> {
  %init = tensor.empty(%size) : tensor<8x4x?x!mli.fx16<10>>
  %0 = mli.permute ins(%map : tensor<?x4x8x!mli.fx16<10>>)
    outs(%init : tensor<8x4x?x!mli.fx16<10>>) permutation [2, 1, 0]
    -> tensor<8x4x?x!mli.fx16<10>>
  %other = tensor.empty(%size) : tensor<8x4x?x!mli.fx16<10>>
  %1 = mli.relu ins(%0 : tensor<8x4x?x!mli.fx16<10>>)
    outs(%other : tensor<8x4x?x!mli.fx16<10>>) {relu = #mli.relu<gen>}
    -> tensor<8x4x?x!mli.fx16<10>>
  return %1 : tensor<8x4x?x!mli.fx16<10>>
}

// What is written may be what is read.
// CHECK-LABEL: func.func @into_its_input
// CHECK: %[[HWC:.*]] = mli.permute ins(%arg0
// CHECK: mli.maxpool ins(%[[HWC]] : {{.*}}) outs(%[[EMPTY:.*]] :
// CHECK: mli.permute {{.*}} outs(%arg0
func.func @into_its_input(%map: !chw) -> !chw {
  %0 = mli.maxpool ins(%map : !chw) outs(%map : !chw) kernel [3, 3]
         pad [1, 1, 1, 1] {layout = #mli.map_layout<chw>} -> !chw
  return %0 : !chw
}

// The same where permutations move across a kernel.
// CHECK-LABEL: func.func @across_into_its_input
// CHECK-NOT: mli.permute
// CHECK: %[[EMPTY:.*]] = tensor.empty()
// CHECK: %[[OUT:.*]] = mli.relu ins(%arg0 : {{.*}}) outs(%[[EMPTY]] :
// CHECK: return %[[OUT]]
func.func @across_into_its_input(%map: !chw, %hwc: tensor<8x9x3x!mli.fx16<10>>)
    -> !chw {
  %0 = mli.permute ins(%map : !chw) outs(%hwc : tensor<8x9x3x!mli.fx16<10>>)
         permutation [1, 2, 0] -> tensor<8x9x3x!mli.fx16<10>>
  %1 = mli.relu ins(%0 : tensor<8x9x3x!mli.fx16<10>>)
         outs(%0 : tensor<8x9x3x!mli.fx16<10>>) {relu = #mli.relu<gen>}
         -> tensor<8x9x3x!mli.fx16<10>>
  %2 = mli.permute ins(%1 : tensor<8x9x3x!mli.fx16<10>>) outs(%map : !chw)
         permutation [2, 0, 1] -> !chw
  return %2 : !chw
}
