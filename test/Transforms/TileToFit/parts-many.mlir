// Many small values that could all stay: what is decided of each by itself is bounded, and
// so is the time.
// RUN: mli-opt %s --mli-attach-target=target=vpx,npu-bytes=65536 --mli-tile-to-fit --mli-form-streams | FileCheck %s
// RUN: echo '{"streams": [{"kernels": ["four:0", "four:1", "four:2", "four:3"]}]}' > %t.json
// RUN: mli-opt %s --mli-attach-target=target=vpx,npu-bytes=65536 --mli-tile-to-fit="decide-only overrides=%t.json" | FileCheck %s --check-prefix=GIVEN
// Z16

!q = !mli.sa8<1:4:-128>
!map = tensor<4x4x2x!q>

// CHECK-LABEL: func.func @many
// CHECK-COUNT-20: mli.relu
func.func @many(%a0: !map, %a1: !map, %a2: !map, %a3: !map, %a4: !map, %a5: !map, %a6: !map, %a7: !map, %a8: !map, %a9: !map, %a10: !map, %a11: !map, %a12: !map, %a13: !map, %a14: !map, %a15: !map, %a16: !map, %a17: !map, %a18: !map, %a19: !map)
    -> (!map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map) {
  %e = tensor.empty() : !map
  %r0 = mli.relu ins(%a0 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r1 = mli.relu ins(%a1 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r2 = mli.relu ins(%a2 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r3 = mli.relu ins(%a3 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r4 = mli.relu ins(%a4 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r5 = mli.relu ins(%a5 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r6 = mli.relu ins(%a6 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r7 = mli.relu ins(%a7 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r8 = mli.relu ins(%a8 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r9 = mli.relu ins(%a9 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r10 = mli.relu ins(%a10 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r11 = mli.relu ins(%a11 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r12 = mli.relu ins(%a12 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r13 = mli.relu ins(%a13 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r14 = mli.relu ins(%a14 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r15 = mli.relu ins(%a15 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r16 = mli.relu ins(%a16 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r17 = mli.relu ins(%a17 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r18 = mli.relu ins(%a18 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r19 = mli.relu ins(%a19 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19
    : !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map, !map
}

// CHECK-LABEL: func.func @skips
// CHECK-COUNT-15: mli.eltwise_add
func.func @skips(%a: !map) -> !map {
  %e = tensor.empty() : !map
  %r0 = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r1 = mli.relu ins(%r0 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r2 = mli.relu ins(%r1 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r3 = mli.relu ins(%r2 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r4 = mli.relu ins(%r3 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r5 = mli.relu ins(%r4 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r6 = mli.relu ins(%r5 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r7 = mli.relu ins(%r6 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r8 = mli.relu ins(%r7 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r9 = mli.relu ins(%r8 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r10 = mli.relu ins(%r9 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r11 = mli.relu ins(%r10 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r12 = mli.relu ins(%r11 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r13 = mli.relu ins(%r12 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r14 = mli.relu ins(%r13 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r15 = mli.relu ins(%r14 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %s14 = mli.eltwise_add ins(%r15, %r14 : !map, !map) outs(%e : !map) -> !map
  %s13 = mli.eltwise_add ins(%s14, %r13 : !map, !map) outs(%e : !map) -> !map
  %s12 = mli.eltwise_add ins(%s13, %r12 : !map, !map) outs(%e : !map) -> !map
  %s11 = mli.eltwise_add ins(%s12, %r11 : !map, !map) outs(%e : !map) -> !map
  %s10 = mli.eltwise_add ins(%s11, %r10 : !map, !map) outs(%e : !map) -> !map
  %s9 = mli.eltwise_add ins(%s10, %r9 : !map, !map) outs(%e : !map) -> !map
  %s8 = mli.eltwise_add ins(%s9, %r8 : !map, !map) outs(%e : !map) -> !map
  %s7 = mli.eltwise_add ins(%s8, %r7 : !map, !map) outs(%e : !map) -> !map
  %s6 = mli.eltwise_add ins(%s7, %r6 : !map, !map) outs(%e : !map) -> !map
  %s5 = mli.eltwise_add ins(%s6, %r5 : !map, !map) outs(%e : !map) -> !map
  %s4 = mli.eltwise_add ins(%s5, %r4 : !map, !map) outs(%e : !map) -> !map
  %s3 = mli.eltwise_add ins(%s4, %r3 : !map, !map) outs(%e : !map) -> !map
  %s2 = mli.eltwise_add ins(%s3, %r2 : !map, !map) outs(%e : !map) -> !map
  %s1 = mli.eltwise_add ins(%s2, %r1 : !map, !map) outs(%e : !map) -> !map
  %s0 = mli.eltwise_add ins(%s1, %r0 : !map, !map) outs(%e : !map) -> !map
  return %s0 : !map
}

// More results than may stay are read behind a stream that a file says.
// GIVEN-LABEL: func.func @four
// GIVEN: mli.stream = {kernels = {{[4-8]}}
func.func @four(%a: !map) -> (!map, !map, !map, !map) {
  %e = tensor.empty() : !map
  %r0 = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r1 = mli.relu ins(%r0 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r2 = mli.relu ins(%r1 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %r3 = mli.relu ins(%r2 : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  return %r0, %r1, %r2, %r3 : !map, !map, !map, !map
}

// What moves in is a constant that is said later.
// CHECK-LABEL: func.func @later
// CHECK: mli.constant
// CHECK: mli.eltwise_mul
func.func @later(%a: !map) -> (!map, !map) {
  %e = tensor.empty() : !map
  %r0 = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<relu6>} -> !map
  %r1 = mli.relu ins(%r0 : !map) outs(%e : !map) {relu = #mli.relu<relu6>} -> !map
  %c = mli.constant dense<3> : tensor<4x4x2xi8> to !map
  %r2 = mli.eltwise_add ins(%r1, %c : !map, !map) outs(%e : !map) -> !map
  %r3 = mli.eltwise_mul ins(%r2, %c : !map, !map) outs(%e : !map) -> !map
  return %r3, %r2 : !map, !map
}
