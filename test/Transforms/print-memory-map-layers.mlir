// A buffer is an operand of a layer, which has one short name everywhere.
// RUN: mli-opt %s --mli-assign-layouts --mli-assign-addresses --mli-print-memory-map -o /dev/null | FileCheck %s
// RUN: mli-opt %s --mli-assign-layouts --mli-assign-addresses --mli-print-memory-map="format=json space=local function=main" -o /dev/null \
// RUN:   | %python -c "import json, sys; [print(b['name'], b['operand'], b['role'], b['layer'], sep=', ') for b in json.load(sys.stdin)['buffers']]" | sort -u \
// RUN:   | FileCheck %s --check-prefix=JSON
// RUN: mli-opt %s --mli-assign-layouts --mli-assign-addresses --mli-print-memory-map="format=json space=system function=nameless" -o /dev/null \
// RUN:   | %python -c "import json, sys; [print(b.get('operand'), b['role'], sep=', ') for b in json.load(sys.stdin)['buffers']]" | sort -u \
// RUN:   | FileCheck %s --check-prefix=ROLES
// ROLES:      None, moved
// ROLES-NEXT: result, result
// ROLES-NEXT: table, tables

// CHECK:      local memory of 'main'
// CHECK-DAG:  input copy of conv2d "model/conv2d_4/Conv2D" (operator 5), memref
// CHECK-DAG:  weights of conv2d "model/conv2d_4/Conv2D" (operator 5), memref
// CHECK-DAG:  bias of conv2d "model/conv2d_4/Conv2D" (operator 5), memref
// CHECK-DAG:  result of conv2d "model/conv2d_4/Conv2D" (operator 5), memref

// Two layers of one name differ by their operators.
// CHECK-DAG:  result of sigm "twice" (operator 6), memref
// CHECK-DAG:  scratch of sigm "twice" (operator 6){{$}}
// CHECK-DAG:  result of sigm "twice" (operator 7), memref
// CHECK-DAG:  scratch of sigm "twice" (operator 7){{$}}

// JSON:      model/conv2d_4/Conv2D, bias, input, conv2d "model/conv2d_4/Conv2D" (operator 5)
// JSON-NEXT: model/conv2d_4/Conv2D, input copy, input, conv2d "model/conv2d_4/Conv2D" (operator 5)
// JSON-NEXT: model/conv2d_4/Conv2D, result, result, conv2d "model/conv2d_4/Conv2D" (operator 5)
// JSON-NEXT: model/conv2d_4/Conv2D, weights, input, conv2d "model/conv2d_4/Conv2D" (operator 5)
// JSON-NEXT: scratch of mli.sigm, scratch, scratch, sigm "twice" (operator 6)
// JSON-NEXT: scratch of mli.sigm, scratch, scratch, sigm "twice" (operator 7)
// JSON-NEXT: twice, result, result, sigm "twice" (operator 6)
// JSON-NEXT: twice, result, result, sigm "twice" (operator 7)
!map = memref<4x4x2x!mli.sa8<1:4:0>>
!weights = memref<1x1x2x2x!mli.sa8<axis = 3, {16384:20:0, 16384:20:0}>>
!bias = memref<2x!mli.sa32<axis = 0, {16384:24:0, 16384:24:0}>>
!line = memref<32x!mli.sa8<1:4:-128>>
!scores = memref<32x!mli.sa8<1:8:-128>>
!table = memref<358x!mli.fx16<15>>
!probability = memref<4x4x2x!mli.sa8<1:8:-128>>
!local_map = memref<4x4x2x!mli.sa8<1:4:0>, #mli.space<local>>
!local_weights = memref<1x1x2x2x!mli.sa8<axis = 3, {16384:20:0, 16384:20:0}>, #mli.space<local>>
!local_bias = memref<2x!mli.sa32<axis = 0, {16384:24:0, 16384:24:0}>, #mli.space<local>>
!local_probability = memref<4x4x2x!mli.sa8<1:8:-128>, #mli.space<local>>
#list = loc("model/batch_normalization_4/FusedBatchNormV3;model/conv2d_4/BiasAdd/ReadVariableOp/resource;model/conv2d_4/BiasAdd;model/conv2d_5/Conv2D;model/conv2d_4/Conv2D")
#conv = loc(fused<"operator 5 (CONV_2D)">[#list])
#first = loc(fused<"operator 6 (LOGISTIC)">["twice"])
#second = loc(fused<"operator 7 (LOGISTIC)">["twice"])
module attributes {mli.target = #mli.target<vpx, npu_bytes = 16384>} {
  func.func @main(%in: !map, %weights: !weights, %bias: !bias, %out: !probability) {
    %a = mli.alloc : !local_map loc(#conv)
    %w = mli.alloc : !local_weights loc(#conv)
    %b = mli.alloc : !local_bias loc(#conv)
    %c = mli.alloc : !local_map loc(#conv)
    %d = mli.alloc : !local_probability loc(#first)
    %e = mli.alloc : !local_probability loc(#second)
    mli.mov ins(%in : !map) outs(%a : !local_map) loc(#conv)
    mli.mov ins(%weights : !weights) outs(%w : !local_weights) loc(#conv)
    mli.mov ins(%bias : !bias) outs(%b : !local_bias) loc(#conv)
    mli.conv2d ins(%a, %w, %b : !local_map, !local_weights, !local_bias) outs(%c : !local_map) pad [0, 0, 0, 0] {strides = array<i64: 1, 1>} loc(#conv)
    mli.sigm ins(%c : !local_map) outs(%d : !local_probability) loc(#first)
    mli.sigm ins(%c : !local_map) outs(%e : !local_probability) loc(#second)
    mli.mov ins(%d : !local_probability) outs(%out : !probability) loc(#first)
    mli.mov ins(%e : !local_probability) outs(%out : !probability) loc(#second)
    return
  }

  // What a copy brings out of local memory is the result of its layer.
  // CHECK:      system memory of 'copied'
  // CHECK:      result of relu "model/add_1/add" (operator 2), memref
  func.func @copied(%in: !map, %out: !map) {
    %a = mli.alloc : !local_map loc(#add)
    %b = memref.alloc() : !map
    mli.mov ins(%in : !map) outs(%a : !local_map) loc(#add)
    mli.relu ins(%a : !local_map) outs(%a : !local_map) {relu = #mli.relu<gen>} loc(#add)
    mli.mov ins(%a : !local_map) outs(%b : !map) loc(#add)
    mli.permute ins(%b : !map) outs(%out : !map) permutation [0, 1, 2]
    return
  }

  // Layers that nothing names are numbered by their places in the file, also
  // where a pass has changed their order; a name of the buffer itself stays.
  // CHECK:      system memory of 'nameless'
  // CHECK-DAG:  mine, result of relu 0, memref
  // CHECK-DAG:  result of relu 1, memref
  // CHECK-DAG:  table of softmax 0, memref
  // CHECK-DAG:  {{ }}buffer 3, memref
  func.func @nameless(%in: !map, %out: !map, %line: !line, %scores: !scores) {
    %a = memref.alloc() : !map loc("mine")
    %b = memref.alloc() : !map
    mli.relu ins(%in : !map) outs(%a : !map) {relu = #mli.relu<gen>} loc("net.mlir":3:1)
    mli.relu ins(%a : !map) outs(%b : !map) {relu = #mli.relu<gen>} loc("net.mlir":4:1)
    mli.mov ins(%b : !map) outs(%out : !map)
    %table = memref.alloc() : !table
    mli.lut outs(%table : !table) {function = #mli.lut_function<softmax>}
    mli.softmax ins(%line : !line) lut(%table : !table) outs(%scores : !scores)
    %moved = memref.alloc() : !map
    mli.mov ins(%in : !map) outs(%moved : !map)
    mli.mov ins(%moved : !map) outs(%out : !map)
    return
  }

  // The name of a list that ends as the operator does; of several that in whose
  // scope the most are, of these the first. The number at its end is none of the
  // name.
  // CHECK:      system memory of 'lists'
  // CHECK-DAG:  result of permute "model/dense/MatMul" (operator 0), memref
  // CHECK-DAG:  result of permute "net/depthwise_conv2d/depthwise" (operator 1), memref
  // CHECK-DAG:  result of permute "net/expand/Conv2D" (operator 2), memref
  // CHECK-DAG:  result of permute "b/y" (operator 3), memref
  // CHECK-DAG:  result of permute "net/conv2d_12" (operator 4), memref
  // CHECK-DAG:  result of permute (operator 5), memref
  // CHECK-DAG:  result of permute "say \22a\22" (operator 6), memref
  // CHECK-DAG:  result of permute "tosa/conv/Conv2D", memref
  func.func @lists(%in: !map) {
    %0 = memref.alloc() : !map
    %1 = memref.alloc() : !map
    %2 = memref.alloc() : !map
    %3 = memref.alloc() : !map
    %4 = memref.alloc() : !map
    %5 = memref.alloc() : !map
    %6 = memref.alloc() : !map
    %7 = memref.alloc() : !map
    mli.permute ins(%in : !map) outs(%0 : !map) permutation [0, 1, 2] loc(fused<"operator 0 (FULLY_CONNECTED)">["model/dense/MatMul;model/dense/BiasAdd"])
    mli.permute ins(%in : !map) outs(%1 : !map) permutation [0, 1, 2] loc(fused<"operator 1 (DEPTHWISE_CONV_2D)">["net/act/Relu;net/norm/FusedBatchNormV3;net/depthwise_conv2d/depthwise;net/depthwise_conv2d/BiasAdd;net/conv2d_4/Conv2D;net/depthwise_conv2d/BiasAdd/ReadVariableOp/resource1"])
    mli.permute ins(%in : !map) outs(%2 : !map) permutation [0, 1, 2] loc(fused<"operator 2 (CONV_2D)">["net/expand/Relu6;StatefulPartitionedCall/net/expand/Relu6;net/other/Conv2D;StatefulPartitionedCall/net/expand/Conv2D;net/expand/Conv2D1"])
    mli.permute ins(%in : !map) outs(%3 : !map) permutation [0, 1, 2] loc(fused<"operator 3 (MEAN)">["a/x;b/y;b/z"])
    mli.permute ins(%in : !map) outs(%4 : !map) permutation [0, 1, 2] loc(fused<"operator 4 (CONV_2D)">["net/act;net/conv2d_12"])
    mli.permute ins(%in : !map) outs(%5 : !map) permutation [0, 1, 2] loc(fused<"operator 5 (TRANSPOSE)">[""])
    mli.permute ins(%in : !map) outs(%6 : !map) permutation [0, 1, 2] loc(fused<"operator 6 (TRANSPOSE)">["say \22a\22"])
    mli.permute ins(%in : !map) outs(%7 : !map) permutation [0, 1, 2] loc("tosa/act/Relu;tosa/conv/BiasAdd;tosa/conv/Conv2D1")
    return
  }
}
#add = loc(fused<"operator 2 (ADD)">["model/activation_4/Relu;model/add_1/add"])
