// Blocks as DenseNet has: a kernel reads what is concatenated so far, and what it
// computes is concatenated to that. The same bytes as with each kernel in a
// function of its own, where nothing is computed in its place.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make-npy.py %t/in.npy i1 4x4x2 -16..15
// RUN: mli-run %s --entry=apart --input %t/in.npy --output-dir %t
// RUN: mli-run %s --entry=dense --input %t/in.npy --compare %t/output_0.npy
// RUN: mli-run %s --entry=dense --input %t/in.npy --compare %t/output_0.npy \
// RUN:   --packed-weights=none
// RUN: mli-run %s --entry=dense --input %t/in.npy --compare %t/output_0.npy \
// RUN:   --placement local --target vpx
// RUN: mli-run %s --entry=dense --input %t/in.npy --compare %t/output_0.npy \
// RUN:   --placement local --target custom,npus=4,npu-bytes=4096

!t = tensor<4x4x2x!mli.sa8<1:7:3>>
!two = tensor<4x4x4x!mli.sa8<1:7:3>>
!three = tensor<4x4x6x!mli.sa8<1:7:3>>
!k = tensor<1x1x2x2x!mli.sa8<1:7:0>>
!k2 = tensor<1x1x4x2x!mli.sa8<1:7:0>>
!b = tensor<2x!mli.sa32<1:14:0>>
!w = tensor<4x4x18x!mli.sa8<1:7:3>>

func.func private @conv(%a: !t) -> !t {
  %e = tensor.empty() : !t
  %k = mli.constant dense<[[[[70, -20], [33, 101]]]]> : tensor<1x1x2x2xi8> to !k
  %b = mli.constant dense<[155, -300]> : tensor<2xi32> to !b
  %v = mli.conv2d ins(%a, %k, %b : !t, !k, !b) outs(%e : !t) pad [0, 0, 0, 0] -> !t
  return %v : !t
}
func.func private @conv2(%a: !two) -> !t {
  %e = tensor.empty() : !t
  %k = mli.constant dense<[[[[70, -20], [33, 101], [-9, 5], [60, 60]]]]>
    : tensor<1x1x4x2xi8> to !k2
  %b = mli.constant dense<[155, -300]> : tensor<2xi32> to !b
  %v = mli.conv2d ins(%a, %k, %b : !two, !k2, !b) outs(%e : !t) pad [0, 0, 0, 0] -> !t
  return %v : !t
}
func.func private @pool(%a: !three) -> !three {
  %e = tensor.empty() : !three
  %v = mli.maxpool ins(%a : !three) outs(%e : !three) kernel [3, 3] pad [1, 1, 1, 1]
    -> !three
  return %v : !three
}
func.func @apart(%a: !t) -> !w {
  %v = call @conv(%a) : (!t) -> !t
  %u = call @conv(%v) : (!t) -> !t
  %x = tensor.concat dim(2) %v, %u : (!t, !t) -> !two
  %y = call @conv2(%x) : (!two) -> !t
  %z = tensor.concat dim(2) %x, %y : (!two, !t) -> !three
  %p = call @pool(%z) : (!three) -> !three
  %w = tensor.concat dim(2) %z, %p, %z : (!three, !three, !three) -> !w
  return %w : !w
}
func.func @dense(%a: !t) -> !w {
  %e = tensor.empty() : !t
  %k = mli.constant dense<[[[[70, -20], [33, 101]]]]> : tensor<1x1x2x2xi8> to !k
  %b = mli.constant dense<[155, -300]> : tensor<2xi32> to !b
  %v = mli.conv2d ins(%a, %k, %b : !t, !k, !b) outs(%e : !t) pad [0, 0, 0, 0] -> !t
  %u = mli.conv2d ins(%v, %k, %b : !t, !k, !b) outs(%e : !t) pad [0, 0, 0, 0] -> !t
  %x = tensor.concat dim(2) %v, %u : (!t, !t) -> !two
  %k2 = mli.constant dense<[[[[70, -20], [33, 101], [-9, 5], [60, 60]]]]>
    : tensor<1x1x4x2xi8> to !k2
  %y = mli.conv2d ins(%x, %k2, %b : !two, !k2, !b) outs(%e : !t) pad [0, 0, 0, 0] -> !t
  %z = tensor.concat dim(2) %x, %y : (!two, !t) -> !three
  %f = tensor.empty() : !three
  %p = mli.maxpool ins(%z : !three) outs(%f : !three) kernel [3, 3] pad [1, 1, 1, 1]
    -> !three
  %w = tensor.concat dim(2) %z, %p, %z : (!three, !three, !three) -> !w
  return %w : !w
}
