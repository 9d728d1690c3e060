// Where data moves along, so do the rows of a stream: those of the next step move in
// behind the last kernel that reads the ring, those of the step before out in front of
// the kernel that makes them. Bytes and products are all that counts here.
// ST10, Z18
// RUN: echo '{"cost": {"call": 0, "code": 0}}' > %t.json
// RUN: mli-opt %s --mli-tile-to-fit="decide-only report double-buffer=auto overrides=%t.json" 2>&1 | FileCheck %s
// RUN: mli-opt %s --mli-tile-to-fit="double-buffer=auto overrides=%t.json" --mli-form-streams | FileCheck %s --check-prefix=LOOP
// RUN: mli-opt %s --mli-tile-to-fit="double-buffer=auto overrides=%t.json" --mli-form-streams --mli-insert-moves | FileCheck %s --check-prefix=MOVES

!q = !mli.sa8<1:4:-128>
!w = !mli.sa8<5:10:0>
!b = !mli.sa32<5:14:0>
!map = tensor<16x8x4x!q>
!pw = tensor<1x1x4x4x!w>
!dw = tensor<3x3x1x4x!w>
!bias = tensor<4x!b>

// Beside rings of 3, 1 and 3 rows of 32 bytes and 80 of weights, a row waits to move out.
module attributes {mli.target = #mli.target<vpx, npu_bytes = 384>} {
  // CHECK: remark: chain:0 to chain:2: stream of 3 kernels, 1 row a step, takes 336 B of 384 B; moves 1,092 B, {{.*}}; all weights stay{{$}}
  // CHECK-LABEL: func.func @chain
  // CHECK: mli.stream = {beside, kernels = 5 : i64, room = 1 : i64, rows = 1 : i64, stripes = 1 : i64}
  //
  // LOOP-LABEL: func.func @chain
  // LOOP: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[TO:.*]] = %{{.*}}, %[[IN:.*]] = %{{.*}}, %[[MID:.*]] = %{{.*}}, %[[LAST:.*]] = %{{.*}}) ->
  // LOOP: mli.mov ins(%[[LAST]] : {{.*}}) outs(%{{.*}} : tensor<1x8x4x!mli.sa8<1:4:-128>>)
  // LOOP: mli.depthwise_conv2d ins(%[[IN]],
  // LOOP: %[[RING:.*]] = mli.advance outs(%[[IN]] :
  // LOOP: mli.mov ins(%{{.*}}) outs(%{{.*}} : tensor<1x8x4x!mli.sa8<1:4:-128>, #mli.space<local>>)
  // LOOP: mli.advance outs(%[[MID]] :
  // LOOP: mli.conv2d
  // LOOP: mli.depthwise_conv2d {{.*}} outs(%[[LAST]] :
  //
  // Weights stay through the loop.
  // MOVES-LABEL: func.func @chain
  // MOVES-COUNT-3: mli.mov ins(%arg
  // MOVES: scf.for
  // MOVES-COUNT-2: mli.mov
  // MOVES-NOT: mli.mov
  func.func @chain(%a: !map, %w: !dw, %p: !pw, %b: !bias) -> !map {
    %e0 = tensor.empty() : !map
    %x = mli.depthwise_conv2d ins(%a, %w, %b : !map, !dw, !bias)
      outs(%e0 : !map) pad [1, 1, 1, 1] -> !map
    %e1 = tensor.empty() : !map
    %y = mli.conv2d ins(%x, %p, %b : !map, !pw, !bias)
      outs(%e1 : !map) pad [0, 0, 0, 0] -> !map
    %e2 = tensor.empty() : !map
    %z = mli.depthwise_conv2d ins(%y, %w, %b : !map, !dw, !bias)
      outs(%e2 : !map) pad [1, 1, 1, 1] -> !map
    return %z : !map
  }
}
