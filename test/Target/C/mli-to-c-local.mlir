// Kernels in local memory: moves wait, run beside kernels, or are rows for a hook.
// RUN: mli-translate %s --mli-to-c | FileCheck %s --check-prefixes=CHECK,SYNC
// RUN: mli-translate %s --mli-to-c --c-moves async | FileCheck %s --check-prefixes=CHECK,ASYNC
// RUN: mli-translate %s --mli-to-c --c-moves hook | FileCheck %s --check-prefixes=CHECK,HOOK

#rows = #mli.layout<continuous, dims = [c, h, w], npus = 1, npu_elements = 1024, strides = [64, 16, 4, 1]>
#flat = #mli.layout<continuous, dims = [w], npus = 1, npu_elements = 1024, strides = [64, 64, 64, 1]>
!map = memref<4x8x4x!mli.fx8<3>>
!part = memref<4x4x4x!mli.fx8<3>, strided<[32, 4, 1]>>
!part_4 = memref<4x4x4x!mli.fx8<3>, strided<[32, 4, 1], offset: 16>>
!some = memref<4x4x4x!mli.fx8<3>, strided<[32, 4, 1], offset: ?>>
!local = memref<4x4x4x!mli.fx8<3>, #rows, #mli.space<local>>
!arena = memref<512xi8>

module attributes {mli.arena_alignment = 16 : i64, mli.target = #mli.target<custom, npus = 1, npu_bytes = 1024, unit = 16, banks = 1, dma_align = 32>} {

// CHECK: #define NET_BESIDE_ARENA_BYTES 512
// CHECK: Local memory of one call
// CHECK: #define NET_BESIDE_LOCAL_BYTES 256
// CHECK-NEXT: #define NET_BESIDE_LOCAL_ALIGNMENT 32
// CHECK: #define NET_CARRIED_LOCAL_BYTES 128
// SYNC: #define NET_DMA_CHANNELS 1
// ASYNC: #define NET_DMA_CHANNELS 2
// HOOK: #define NET_DMA_CHANNELS 1
// CHECK: mli_status net_beside(const int8_t input[NET_BESIDE_INPUT_BYTES],
// CHECK-NEXT: int8_t output[NET_BESIDE_OUTPUT_BYTES], void *arena, void *local);

// SYNC-NOT: mli_mov_handle_t
// ASYNC: #define MOVE(number, call) \
// ASYNC: static mli_status begin_move(
// ASYNC: static mli_status end_moves(
// HOOK: #include <string.h>
// HOOK: #ifndef NET_COPY
// HOOK: #define NET_COPY(to, from, rows, bytes, to_step, from_step) \
// HOOK: #ifndef NET_WAIT
// HOOK-NEXT: #define NET_WAIT() ((void)0)

// Moves of one kind have one configuration.
// SYNC: static const mli_mov_cfg_t config_0 = {
// SYNC: static const mli_mov_cfg_t config_0_1 = {
// SYNC-SAME: .offset
// SYNC-NOT: static const mli_mov_cfg_t

// CHECK: typedef struct {
// CHECK-NEXT: int8_t *input;
// CHECK-NEXT: int8_t *output;
// CHECK-NEXT: int8_t *arena;
// CHECK-NEXT: int8_t *local;

// SYNC: static mli_status layer_0(bases_of_beside *base) {
// SYNC-NEXT: const mli_tensor *src = at(&base->tensors[0], &tensor_input, base->input);
// SYNC-NEXT: mli_tensor *dst = at(&base->tensors[1], &tensor_local, base->local);
// SYNC-NEXT: return mli_mov_tensor_sync(src, &config_0, dst);

// Rows that follow each other in both buffers are one.
// HOOK: static mli_status layer_0(bases_of_beside *base) {
// HOOK-NEXT: const int8_t *const from = base->input;
// HOOK-NEXT: int8_t *const to = base->local;
// HOOK-NEXT: NET_COPY(to, from, 4, 16, 16, 32);
// HOOK-NEXT: return MLI_STATUS_OK;

// ASYNC: static mli_status layer_1(bases_of_beside *base, mli_mov_handle_t *handle) {
// ASYNC-NEXT: const mli_tensor *src = at(&base->tensors[0], &tensor_input_1, base->input);
// ASYNC-NEXT: mli_tensor *dst = at(&base->tensors[1], &tensor_local_1, base->local);
// ASYNC-NEXT: return begin_move(handle, src, &config_0, dst);

// A move of another order is a call of the library.
// HOOK: static mli_status layer_2(bases_of_beside *base) {
// HOOK: return mli_mov_tensor_sync(src, &config_0, dst);

// CHECK: mli_status net_beside(
// CHECK: bases_of_beside base = {READ_ONLY(int8_t, input), (int8_t *)output,
// CHECK-NEXT: (int8_t *)arena, (int8_t *)local, tensors};
// CHECK: LAYER(0, layer_0(&base))
// SYNC-NEXT: LAYER(1, layer_1(&base))
// SYNC-NEXT: LAYER(2, layer_2(&base))
// SYNC-NEXT: LAYER(3, layer_3(&base))
// SYNC-NEXT: LAYER(4, layer_4(&base))
// SYNC-NEXT: return status;

// Moves begin before the kernels; one that reads what another one writes comes
// behind both.
// ASYNC-NEXT: {
// ASYNC-NEXT:   mli_mov_handle_t moves[2];
// ASYNC-NEXT:   int32_t count = 0;
// ASYNC-NEXT:   MOVE(1, layer_1(&base, &moves[count]))
// ASYNC-NEXT:   MOVE(2, layer_2(&base, &moves[count]))
// ASYNC-NEXT:   LAYER(3, layer_3(&base))
// ASYNC-NEXT:   status = end_moves(moves, count, status);
// ASYNC-NEXT: }
// ASYNC-NEXT: LAYER(4, layer_4(&base))
// ASYNC-NEXT: return status;

// HOOK-NEXT: NET_WAIT();
// HOOK-NEXT: LAYER(1, layer_1(&base))
// HOOK-NEXT: LAYER(2, layer_2(&base))
// HOOK-NEXT: LAYER(3, layer_3(&base))
// HOOK-NEXT: NET_WAIT();
// HOOK-NEXT: LAYER(4, layer_4(&base))
// HOOK-NEXT: NET_WAIT();
// HOOK-NEXT: return status;
func.func @beside(%input: !map, %output: !map {mli.result = 0 : i64}, %arena: !arena {mli.arena}) {
  %c0 = arith.constant 0 : index
  %first = mli.subtensor %input[0, 0, 0] [4, 4, 4] : !map to !part
  %second = mli.subtensor %input[0, 4, 0] [4, 4, 4] : !map to !part_4
  %result = mli.subtensor %output[0, 4, 0] [4, 4, 4] : !map to !part_4
  %turned = memref.view %arena[%c0][] : !arena to memref<4x4x4x!mli.fx8<3>>
  %a = mli.alloc {address = 0 : i64} : !local
  %b = mli.alloc {address = 64 : i64} : !local
  %c = mli.alloc {address = 128 : i64} : !local
  %d = mli.alloc {address = 192 : i64} : !local
  mli.mov ins(%first : !part) outs(%a : !local)
  mli.parallel {
    mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
    mli.mov ins(%second : !part_4) outs(%c : !local)
    mli.mov ins(%d : !local) outs(%turned : memref<4x4x4x!mli.fx8<3>>) {permutation = array<i64: 1, 0, 2>}
    mli.mov ins(%c : !local) outs(%result : !part_4)
  }
  return
}

// Buffers that loops carry and conditions give are pointers.
// CHECK: static mli_status layer_5(bases_of_carried *base, int32_t i2, int8_t *p0) {
// CHECK: base->input + i2 * 4
// CHECK: {{at\(&base->tensors\[1\], &tensor_carried, |to = }}p0
// CHECK: mli_status net_carried(
// CHECK: int8_t *p0 = base.local;
// CHECK-NEXT: int8_t *p1 = base.local + 64;
// CHECK-NEXT: int32_t i2;
// CHECK-NEXT: for (i2 = 0; status == MLI_STATUS_OK && i2 < 4; i2 += 1) {
// CHECK: int8_t *const next[[A:[0-9]+]] = p1;
// CHECK-NEXT: int8_t *const next[[B:[0-9]+]] = p0;
// CHECK-NEXT: p0 = next[[A]];
// CHECK-NEXT: p1 = next[[B]];
// CHECK: const bool [[LESS:i[0-9]+]] = 0 < 1;
// CHECK: int8_t *const [[ONE:p[0-9]+]] = [[LESS]] ? p0 : p1;
// CHECK: layer_{{[0-9]+}}(&base, [[ONE]])
func.func @carried(%input: !map, %output: !map {mli.result = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = mli.alloc {address = 0 : i64} : !local
  %b = mli.alloc {address = 64 : i64} : !local
  %x, %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%now = %a, %next = %b) -> (!local, !local) {
    %part = mli.subtensor %input[0, %i, 0] [4, 4, 4] : !map to !some
    mli.mov ins(%part : !some) outs(%now : !local)
    scf.yield %next, %now : !local, !local
  }
  %is_less = arith.cmpi slt, %c0, %c1 : index
  %one = arith.select %is_less, %x, %y : !local
  %result = mli.subtensor %output[0, 0, 0] [4, 4, 4] : !map to !part
  mli.mov ins(%one : !local) outs(%result : !part)
  return
}

// To another shape one side without gaps gets that of the other; copies with a
// side in local memory are moves.
// CHECK: mli_status net_reshaped(
func.func @reshaped(%input: !map, %output: !map {mli.result = 0 : i64}) {
  %a = mli.alloc {address = 0 : i64} : !local
  %b = mli.alloc {address = 64 : i64} : memref<64x!mli.fx8<3>, #flat, #mli.space<local>>
  %first = mli.subtensor %input[0, 0, 0] [4, 4, 4] : !map to !part
  memref.copy %first, %a : !part to !local
  mli.mov ins(%a : !local) outs(%b : memref<64x!mli.fx8<3>, #flat, #mli.space<local>>)
  return
}

// Scratch memory of a kernel is where its results are.
// CHECK: static mli_status layer_{{[0-9]+}}(bases_of_scratch *base) {
// CHECK: mli_lut lut = {.data = BYTES(716, pi16, (int16_t *)(void *)(base->local +
// CHECK-NEXT: 64)), .type = MLI_EL_FX_16
// CHECK: mli_status net_scratch(
func.func @scratch() {
  %a = mli.alloc {address = 0 : i64} : memref<64x!mli.fx8<3>, #flat, #mli.space<local>>
  %b = mli.alloc {address = 832 : i64} : memref<64x!mli.fx8<7>, #flat, #mli.space<local>>
  mli.softmax ins(%a : memref<64x!mli.fx8<3>, #flat, #mli.space<local>>)
    outs(%b : memref<64x!mli.fx8<7>, #flat, #mli.space<local>>) {mli.scratch_address = 64 : i64}
  return
}
}
