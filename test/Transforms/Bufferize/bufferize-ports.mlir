// Arguments of public functions tell which result, and which state, they are, and
// what the network calls them.
// RUN: mli-opt %s --mli-bufferize | FileCheck %s

#input = loc("serving/input:0")
#sum = loc("sum")

// CHECK-LABEL: func.func @step
// CHECK-SAME: %{{.*}}: memref<4x!mli.fx8<3>> {mli.name = "serving/input:0"}
// CHECK-SAME: %{{.*}}: memref<4x!mli.fx16<3>> {mli.state = 0 : i64}
// CHECK-SAME: %{{.*}}: memref<4x!mli.fx8<3>> {mli.state = 1 : i64}
// CHECK-SAME: %{{.*}}: memref<4x!mli.fx8<3>> {mli.name = "sum", mli.result = 0 : i64, mli.unsigned}
// CHECK-SAME: %{{.*}}: memref<4x!mli.fx16<3>> {mli.result = 1 : i64, mli.state = 0 : i64}
// CHECK-SAME: %{{.*}}: memref<4x!mli.fx8<3>> {mli.name = "sum", mli.result = 2 : i64, mli.state = 1 : i64}
func.func @step(%in: tensor<4x!mli.fx8<3>> loc(#input),
                %old: tensor<4x!mli.fx16<3>> {mli.state},
                %older: tensor<4x!mli.fx8<3>> {mli.state})
    -> (tensor<4x!mli.fx8<3>> {mli.unsigned}, tensor<4x!mli.fx16<3>>,
        tensor<4x!mli.fx8<3>>) {
  %empty = tensor.empty() : tensor<4x!mli.fx8<3>>
  %sum = mli.eltwise_add
    ins(%in, %older : tensor<4x!mli.fx8<3>>, tensor<4x!mli.fx8<3>>)
    outs(%empty : tensor<4x!mli.fx8<3>>) -> tensor<4x!mli.fx8<3>>
    loc(fused<"operator 0">[#sum])
  %wide = tensor.empty() : tensor<4x!mli.fx16<3>>
  %next = mli.relu ins(%old : tensor<4x!mli.fx16<3>>)
    outs(%wide : tensor<4x!mli.fx16<3>>) {relu = #mli.relu<gen>}
    -> tensor<4x!mli.fx16<3>>
  return %sum, %next, %sum
    : tensor<4x!mli.fx8<3>>, tensor<4x!mli.fx16<3>>, tensor<4x!mli.fx8<3>>
}

// CHECK-LABEL: func.func private @part
// CHECK-NOT: mli.result
// CHECK: return
func.func private @part(%in: tensor<4x!mli.fx8<3>> {mli.state})
    -> tensor<4x!mli.fx8<3>> {
  %empty = tensor.empty() : tensor<4x!mli.fx8<3>>
  %0 = mli.relu ins(%in : tensor<4x!mli.fx8<3>>)
    outs(%empty : tensor<4x!mli.fx8<3>>) {relu = #mli.relu<gen>}
    -> tensor<4x!mli.fx8<3>>
  return %0 : tensor<4x!mli.fx8<3>>
}
