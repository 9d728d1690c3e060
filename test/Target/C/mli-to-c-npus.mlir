// Local memory of several NPUs: copies around kernels, moves by the DMA engine or
// through plain memory, and what runs at the same time.
// RUN: mli-translate %s --mli-to-c --c-library mli-mlir | FileCheck %s
// RUN: not mli-translate %s --mli-to-c 2>&1 | FileCheck %s --check-prefix=ANY
// ANY: error: 'mli.alloc' op expected local memory of one NPU, or the library mli-mlir, which has several, but got 4 NPUs
// RUN: not mli-translate %s --mli-to-c --c-library mli-mlir --c-moves async 2>&1 | FileCheck %s --check-prefix=ASYNC
// ASYNC: error: expected moves of one call each, as those of several NPUs are, but got async
// RUN: not mli-translate %s --mli-to-c --c-library mli-mlir --c-moves hook 2>&1 | FileCheck %s --check-prefix=HOOK
// HOOK: error: expected moves of one call each, as those of several NPUs are, but got hook

#map = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 4096, strides = [32, 16, 4, 1]>
#rows = #mli.layout<strided, dims = [h, w, c], npus = 4, npu_elements = 4096, strides = [32, 16, 4, 1]>
#flat = #mli.layout<compact, dims = [c], npus = 4, npu_elements = 4096, strides = [32, 1, 1, 1]>
#groups = #mli.layout<aligned, mode = 4N, dims = [n, c], npus = 4, npu_elements = 4096, strides = [8, 4, 1, 1]>
!map = memref<4x4x8x!mli.fx8<3>>
!local = memref<4x4x8x!mli.fx8<3>, #map, #mli.space<local>>
!row = memref<1x4x8x!mli.fx8<3>, #rows, #mli.space<local>>
!flat = memref<128x!mli.fx8<3>, #flat, #mli.space<local>>
!groups = memref<8x8x!mli.fx8<3>, #groups, #mli.space<local>>

module attributes {mli.arena_alignment = 16 : i64, mli.target = #mli.target<custom, npus = 4, npu_bytes = 4096, unit = 16, banks = 1, dma_align = 4>} {

// The caller gives memory for copies, and none for what is in local memory.
// CHECK: For the runtime of
// CHECK-NEXT: mli-mlir;
// CHECK: Copies of what is in the local memory of NPUs
// CHECK: #define NET_BESIDE_SCRATCH_BYTES 256
// CHECK-NEXT: #define NET_BESIDE_SCRATCH_ALIGNMENT 64
// CHECK-NOT: _LOCAL_BYTES
// CHECK: mli_status net_beside(const int8_t input[NET_BESIDE_INPUT_BYTES],
// CHECK-NEXT: int8_t output[NET_BESIDE_OUTPUT_BYTES], void *scratch);
// CHECK: #include "mli_local.h"
// CHECK-NEXT: #include "okk.h"
// CHECK: #define ADDRESS(pointer) ((system_addr_t)(uintptr_t)(pointer))

// CHECK: /* scratch 0 to 127 */
// CHECK: static const mli_local_tensor local_0 = {.address = 64u,
// CHECK-NEXT: .strides = {32, 16, 4, 1}, .kind = MLI_LOCAL_ALIGNED,
// CHECK-NEXT: .mode = MLI_LOCAL_MODE_NONE, .columns = 0,
// CHECK-NEXT: .dims = {MLI_LOCAL_DIM_H, MLI_LOCAL_DIM_W, MLI_LOCAL_DIM_C,
// CHECK-NEXT: MLI_LOCAL_DIM_W}};
// CHECK: static const mli_local_tensor [[PART:local_[0-9_]+]] = {.address = 1029u,
// CHECK: static const mli_local_tensor [[ROW:local_[0-9_]+]] = {.address = 64u,
// CHECK-NEXT: .strides = {32, 16, 4, 1}, .kind = MLI_LOCAL_STRIDED,
// CHECK: static const mli_local_tensor [[GROUPS:local_[0-9_]+]] = {.address = 0u,
// CHECK-NEXT: .strides = {8, 4, 1, 1}, .kind = MLI_LOCAL_ALIGNED,
// CHECK-NEXT: .mode = MLI_LOCAL_MODE_4N, .columns = 0,

// Rows of a map that follow each other on both sides are one dimension.
// CHECK: static mli_status layer_0(bases_of_beside *base) {
// CHECK-NEXT: static const dim4 shape = {1, 8, 16, 1};
// CHECK-NEXT: static const dim4 dst_stride = {1, 16, 1, 1};
// CHECK-NEXT: static const dim4 src_stride = {1, 1, 8, 1};
// CHECK-NEXT: okk_gdma_8bit_cpy_S2L(64u, ADDRESS(base->input), &shape, &dst_stride,
// CHECK-NEXT: &src_stride);
// CHECK-NEXT: return mli_local_status();

// A kernel gets copies.
// CHECK: static mli_status layer_1(bases_of_beside *base) {
// CHECK-NEXT: mli_status status = MLI_STATUS_OK;
// CHECK-NEXT: mli_tensor *in = at(&base->tensors[0], &tensor_scratch, base->scratch);
// CHECK: mli_tensor *out = at(&base->tensors[1], &tensor_scratch_1, base->scratch);
// CHECK-NEXT: if (status == MLI_STATUS_OK) {
// CHECK-NEXT: status = mli_local_gather(&local_0, in);
// CHECK: status = mli_krn_relu_fx8(in, &config, out);
// CHECK: status = mli_local_scatter(out, &local_{{[0-9_]+}});
// CHECK-NEXT: }
// CHECK-NEXT: return status;

// No instruction starts at an address that is not divisible by 4.
// CHECK: static mli_status layer_2(bases_of_beside *base) {
// CHECK-NEXT: mli_tensor *dst = at(&base->tensors[0], &tensor_output, base->output);
// CHECK-NEXT: return mli_local_gather(&[[PART]], dst);

// CHECK: mli_status net_beside(
// CHECK: bases_of_beside base = {READ_ONLY(int8_t, input), (int8_t *)output,
// CHECK-NEXT: (int8_t *)scratch, tensors};
// CHECK-NEXT: static const mli_local_target target = {.npus = 4u, .npu_bytes = 4096u,
// CHECK-NEXT: .banks = 1u, .unit = 16u, .dma_align = 4u};
// CHECK-NEXT: mli_status status = mli_local_prepare(&target);
// CHECK-NEXT: LAYER(0, layer_0(&base))
// CHECK-NEXT: okk_parallel_start();
// CHECK-NEXT: LAYER(1, layer_1(&base))
// CHECK-NEXT: LAYER(2, layer_2(&base))
// CHECK-NEXT: okk_parallel_end();
// CHECK-NEXT: return status;
func.func @beside(%input: !map, %output: !map {mli.result = 0 : i64}) {
  %a = mli.alloc {address = 64 : i64} : !local
  %b = mli.alloc {address = 512 : i64} : !local
  %c = mli.alloc {address = 1024 : i64} : !local
  mli.mov ins(%input : !map) outs(%a : !local)
  mli.parallel {
    mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
    mli.mov ins(%c : !local) outs(%output : !map) {offsets = array<i64: 1, 1, 0>, sizes = array<i64: 2, 3, 8>, dst_offsets = array<i64: 0, 1, 0>}
  }
  return
}

// Buffers that loops carry and conditions give are local addresses.
// CHECK: static mli_status layer_3(bases_of_indexed *base, local_addr_t p0) {
// CHECK: okk_gdma_8bit_cpy_S2L(p0, ADDRESS(base->input),
// CHECK: static mli_status layer_4(bases_of_indexed *base, int32_t i2) {
// CHECK-NEXT: static const dim4 shape = {1, 8, 4, 1};
// CHECK-NEXT: static const dim4 dst_stride = {1, 1, 8, 1};
// CHECK-NEXT: static const dim4 src_stride = {1, 16, 1, 1};
// CHECK-NEXT: okk_gdma_8bit_cpy_L2S(ADDRESS(base->output + i2 * 32),
// CHECK-NEXT: (uint32_t)i2 * 4u + 64u, &shape, &dst_stride, &src_stride);
// CHECK: static mli_status layer_5(bases_of_indexed *base, int32_t i2) {
// CHECK: mli_local_tensor in_local = [[ROW]];
// CHECK: in_local.address += (uint32_t)i2 * 4u;
// CHECK: status = mli_local_gather(&in_local, in);
// CHECK: status = mli_local_scatter(out, &out_local);
// CHECK: static mli_status layer_6(bases_of_indexed *base, local_addr_t p7) {
// CHECK: okk_gdma_8bit_cpy_L2S(ADDRESS(base->output), p7,
// CHECK: mli_status net_indexed(
// CHECK: local_addr_t p0 = 64u;
// CHECK-NEXT: local_addr_t p1 = 512u;
// CHECK: const local_addr_t next3 = p1;
// CHECK: const local_addr_t p6 = i5 ? p0 : p1;
// CHECK-NEXT: local_addr_t p7 = 0u;
// CHECK: p7 = 64u;
func.func @indexed(%input: !map, %output: !map {mli.result = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = mli.alloc {address = 64 : i64} : !local
  %b = mli.alloc {address = 512 : i64} : !local
  %x, %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%now = %a, %next = %b) -> (!local, !local) {
    mli.mov ins(%input : !map) outs(%now : !local)
    %row = mli.subtensor %a[%i, 0, 0] [1, 4, 8] : !local to !row
    %result = mli.subtensor %output[%i, 0, 0] [1, 4, 8] : !map to memref<1x4x8x!mli.fx8<3>, strided<[32, 8, 1], offset: ?>>
    mli.mov ins(%row : !row) outs(%result : memref<1x4x8x!mli.fx8<3>, strided<[32, 8, 1], offset: ?>>)
    mli.relu ins(%row : !row) outs(%row : !row) {relu = #mli.relu<gen>}
    scf.yield %next, %now : !local, !local
  }
  %is_less = arith.cmpi slt, %c0, %c1 : index
  %one = arith.select %is_less, %x, %y : !local
  %some = scf.if %is_less -> !local {
    scf.yield %one : !local
  } else {
    scf.yield %a : !local
  }
  memref.copy %some, %output : !local to !map
  return
}

// What the engine does not move goes through plain memory: a storage mode, another
// shape, a ring, what is in local memory already, another order.
// CHECK: static mli_status layer_7(bases_of_through *base) {
// CHECK-NEXT: const mli_tensor *src = at(&base->tensors[0], &tensor_input, base->input);
// CHECK-NEXT: return mli_local_scatter(src, &[[GROUPS]]);
// CHECK: static mli_status layer_8(bases_of_through *base) {
// CHECK: status = mli_local_gather(&local_0, src);
// CHECK: status = mli_local_scatter(dst, &[[FLAT:local_[0-9_]+]]);
// CHECK: static mli_status layer_9(bases_of_through *base) {
// CHECK: status = mli_local_gather(&local_0, src);
// CHECK: status = mli_local_scatter(src, &local_{{[0-9_]+}});
// CHECK: static mli_status layer_10(bases_of_through *base) {
// CHECK: status = mli_local_gather(&local_{{[0-9_]+}}, src);
// CHECK: status = mli_local_scatter(dst, &local_0);
// CHECK: static mli_status layer_11(bases_of_through *base) {
// CHECK: status = mli_mov_tensor_sync(src, &config_0, dst);
// CHECK: status = mli_local_scatter(dst_whole, &local_0);
func.func @through(%input: memref<8x8x!mli.fx8<3>>, %image: !map, %output: !map {mli.result = 0 : i64}) {
  %a = mli.alloc {address = 0 : i64} : !groups
  %b = mli.alloc {address = 64 : i64} : !local
  %c = mli.alloc {address = 128 : i64} : !flat
  %d = mli.alloc {address = 192 : i64} : !local
  mli.mov ins(%input : memref<8x8x!mli.fx8<3>>) outs(%a : !groups)
  mli.mov ins(%b : !local) outs(%c : !flat)
  mli.mov ins(%b : !local) outs(%d : !local)
  mli.advance outs(%b : !local) {rows = 1 : i64}
  mli.mov ins(%image : !map) outs(%b : !local) {permutation = array<i64: 1, 0, 2>}
  return
}

// A callee has the memory for copies of its caller, and a kernel with results in
// local memory its tables there.
// CHECK: static mli_status layer_12(bases_of_inner *base) {
// CHECK: mli_lut lut = {.data = BYTES(716, pi16, (int16_t *)(void
// CHECK-NEXT: *)(okk_local_mem_addr(0u, 64u))),
// CHECK: static mli_status function_inner(bases_of_inner *base) {
// CHECK-NEXT: mli_status status = MLI_STATUS_OK;
// CHECK: mli_status net_outer(void *scratch) {
// CHECK: mli_status status = mli_local_prepare(&target);
// CHECK-NEXT: {
// CHECK-NEXT: bases_of_inner callee = {base.scratch, base.tensors};
func.func @outer() {
  func.call @inner() : () -> ()
  return
}

func.func private @inner() {
  %a = mli.alloc {address = 0 : i64} : !flat
  %b = mli.alloc {address = 832 : i64} : memref<128x!mli.fx8<7>, #flat, #mli.space<local>>
  mli.softmax ins(%a : !flat) outs(%b : memref<128x!mli.fx8<7>, #flat, #mli.space<local>>) {mli.scratch_address = 64 : i64}
  return
}
}
