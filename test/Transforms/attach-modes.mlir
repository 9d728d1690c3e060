// The modes of a module: those that are given, and those that it has. Constants of
// the next module are folded in its own.
// RUN: mli-opt %s --split-input-file --mli-attach-modes --canonicalize \
// RUN:   | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: mli-opt %s --split-input-file --mli-attach-modes=accumulation=full-averages \
// RUN:   --canonicalize | FileCheck %s --check-prefixes=CHECK,AVERAGES
// RUN: mli-opt %s --split-input-file \
// RUN:   --mli-attach-modes="rounding=up accumulation=narrow" --canonicalize \
// RUN:   | FileCheck %s --check-prefix=UP
// RUN: mli-opt %s --split-input-file --mli-attach-modes=rounding=convergent \
// RUN:   --canonicalize | FileCheck %s --check-prefix=EVEN

// KEPT: module @even attributes {mli.accumulation = "full", mli.rounding = "convergent"}
// AVERAGES: module @even attributes {mli.accumulation = "full-averages", mli.rounding = "convergent"}
// CHECK: mli.constant dense<[0, 1, 2, 2]>
// UP: module @even attributes {mli.accumulation = "narrow", mli.rounding = "up"}
// UP: mli.constant dense<[1, 1, 2, 3]>
// EVEN: mli.constant dense<[0, 1, 2, 2]>
module @even attributes {mli.accumulation = "full", mli.rounding = "convergent"} {
  func.func @fold() -> tensor<4x!mli.fx8<0>> {
    %known = mli.constant dense<[1, 2, 3, 5]> : tensor<4xi8> to tensor<4x!mli.fx8<1>>
    %init = tensor.empty() : tensor<4x!mli.fx8<0>>
    %0 = mli.convert ins(%known : tensor<4x!mli.fx8<1>>)
      outs(%init : tensor<4x!mli.fx8<0>>) -> tensor<4x!mli.fx8<0>>
    return %0 : tensor<4x!mli.fx8<0>>
  }
}

// -----

// KEPT: module @default {
// AVERAGES: module @default attributes {mli.accumulation = "full-averages"}
// CHECK: mli.constant dense<[1, 1, 2, 3]>
// UP: module @default attributes {mli.accumulation = "narrow", mli.rounding = "up"}
// UP: mli.constant dense<[1, 1, 2, 3]>
// EVEN: module @default attributes {mli.rounding = "convergent"}
// EVEN: mli.constant dense<[0, 1, 2, 2]>
module @default {
  func.func @fold() -> tensor<4x!mli.fx8<0>> {
    %known = mli.constant dense<[1, 2, 3, 5]> : tensor<4xi8> to tensor<4x!mli.fx8<1>>
    %init = tensor.empty() : tensor<4x!mli.fx8<0>>
    %0 = mli.convert ins(%known : tensor<4x!mli.fx8<1>>)
      outs(%init : tensor<4x!mli.fx8<0>>) -> tensor<4x!mli.fx8<0>>
    return %0 : tensor<4x!mli.fx8<0>>
  }
}
