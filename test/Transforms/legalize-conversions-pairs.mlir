// Every pair of formats that the runtime converts is left to it, with the
// function for integers wherever no side is real.
// RUN: mli-opt %s --mli-legalize-conversions --mli-bufferize --convert-mli-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func @integers
// CHECK-COUNT-5: call @mli_hlp_convert_tensor_safx(
// CHECK-NOT: call @mli_hlp_convert_tensor(
// CHECK: llvm.return
func.func @integers(%fx8: tensor<4x3x!mli.fx8<3>>) -> tensor<4x3x!mli.fx8<1>> {
  %e0 = tensor.empty() : tensor<4x3x!mli.fx16<2>>
  %e1 = tensor.empty() : tensor<4x3x!mli.sa8<5:6:-3>>
  %e2 = tensor.empty() : tensor<4x3x!mli.sa32<3:4:0>>
  %e3 = tensor.empty() : tensor<4x3x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 1:1:2}>>
  %e4 = tensor.empty() : tensor<4x3x!mli.fx8<1>>
  %0 = mli.convert ins(%fx8 : tensor<4x3x!mli.fx8<3>>)
    outs(%e0 : tensor<4x3x!mli.fx16<2>>) -> tensor<4x3x!mli.fx16<2>>
  %1 = mli.convert ins(%0 : tensor<4x3x!mli.fx16<2>>)
    outs(%e1 : tensor<4x3x!mli.sa8<5:6:-3>>) -> tensor<4x3x!mli.sa8<5:6:-3>>
  %2 = mli.convert ins(%1 : tensor<4x3x!mli.sa8<5:6:-3>>)
    outs(%e2 : tensor<4x3x!mli.sa32<3:4:0>>) -> tensor<4x3x!mli.sa32<3:4:0>>
  %3 = mli.convert ins(%2 : tensor<4x3x!mli.sa32<3:4:0>>)
    outs(%e3 : tensor<4x3x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 1:1:2}>>)
    -> tensor<4x3x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 1:1:2}>>
  %4 = mli.convert ins(%3 : tensor<4x3x!mli.sa8<axis = 1, {5:3:0, 7:3:0, 1:1:2}>>)
    outs(%e4 : tensor<4x3x!mli.fx8<1>>) -> tensor<4x3x!mli.fx8<1>>
  return %4 : tensor<4x3x!mli.fx8<1>>
}

// CHECK-LABEL: llvm.func @real
// CHECK-COUNT-4: call @mli_hlp_convert_tensor(
// CHECK-NOT: call @mli_hlp_convert_tensor_safx(
// CHECK: llvm.return
func.func @real(%x: tensor<4xf32>) -> tensor<5xf32> {
  %e0 = tensor.empty() : tensor<4x!mli.fx16<2>>
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<5x!mli.sa8<5:6:-3>>
  %e3 = tensor.empty() : tensor<5xf32>
  %0 = mli.convert ins(%x : tensor<4xf32>) outs(%e0 : tensor<4x!mli.fx16<2>>)
    -> tensor<4x!mli.fx16<2>>
  %1 = mli.convert ins(%0 : tensor<4x!mli.fx16<2>>) outs(%e1 : tensor<4xf32>)
    -> tensor<4xf32>
  // Padding keeps conversions apart.
  %y = mli.mov ins(%1 : tensor<4xf32>) outs(%e3 : tensor<5xf32>)
    {pad_low = array<i64: 1>} -> tensor<5xf32>
  %2 = mli.convert ins(%y : tensor<5xf32>) outs(%e2 : tensor<5x!mli.sa8<5:6:-3>>)
    -> tensor<5x!mli.sa8<5:6:-3>>
  %3 = mli.convert ins(%2 : tensor<5x!mli.sa8<5:6:-3>>) outs(%e3 : tensor<5xf32>)
    -> tensor<5xf32>
  return %3 : tensor<5xf32>
}
