// Functions whose kernels stay in their order.
// RUN: mli-opt %s --split-input-file --verify-diagnostics --mli-order=explain \
// RUN:   | FileCheck %s

!d = tensor<?x4x2x!mli.sa8<1:4:0>>

// CHECK-LABEL: func.func @dynamic(
// expected-remark @below {{kernels stay in their order: expected tensors of static shape, but got tensor<?x4x2x!mli.sa8<1:4:0>>}}
func.func @dynamic(%in: !d, %n: index) -> !d {
  %e0 = tensor.empty(%n) : !d
  %a = mli.relu ins(%in : !d) outs(%e0 : !d) {relu = #mli.relu<gen>} -> !d
  %e1 = tensor.empty(%n) : !d
  %b = mli.relu ins(%a : !d) outs(%e1 : !d) {relu = #mli.relu<gen>} -> !d
  return %b : !d
}

// -----

!d = tensor<?x4x2x!mli.sa8<1:4:0>>

// Only memory of the caller has a dynamic size.
// CHECK-LABEL: func.func @dynamic_result(
// expected-remark @below {{kernels stay in their order: 0 bytes live at once, the least of all orders, 0 nodes}}
func.func @dynamic_result(%in: !d, %n: index) -> !d {
  %e0 = tensor.empty(%n) : !d
  %a = mli.relu ins(%in : !d) outs(%e0 : !d) {relu = #mli.relu<gen>} -> !d
  return %a : !d
}

// -----

!m = tensor<4x4x2x!mli.sa8<1:4:0>>
!s = tensor<4x4x2x!mli.sa8<1:4:0>, #mli.space<local>>

// CHECK-LABEL: func.func @local(
// expected-remark @below {{kernels stay in their order: expected tensors in system memory, but got tensor<4x4x2x!mli.sa8<1:4:0>, #mli.space<local>>}}
func.func @local(%in: !m) -> !m {
  %e0 = tensor.empty() : !s
  %a = mli.mov ins(%in : !m) outs(%e0 : !s) -> !s
  %e1 = tensor.empty() : !m
  %b = mli.mov ins(%a : !s) outs(%e1 : !m) -> !m
  return %b : !m
}

// -----

!m = tensor<4x4x2x!mli.sa8<1:4:0>>

// CHECK-LABEL: func.func @several_blocks(
// expected-remark @below {{kernels stay in their order: expected one block in a region, but got 3}}
func.func @several_blocks(%in: !m, %c: i1) -> !m {
  cf.cond_br %c, ^then, ^else
^then:
  %e0 = tensor.empty() : !m
  %a = mli.permute ins(%in : !m) outs(%e0 : !m) permutation [0, 1, 2] -> !m
  return %a : !m
^else:
  return %in : !m
}

// -----

// Nothing is said of what has no kernels on tensors.
// CHECK-LABEL: func.func @no_kernels(
func.func @no_kernels(%a: i32) -> i32 {
  return %a : i32
}

// -----

// expected-error @below {{expected 'itself' to have one frame at a time, but got a call of itself}}
func.func @itself() {
  call @itself() : () -> ()
  return
}
