// Loops and arithmetic on indices stay as they are; layers take the indices.
// RUN: mli-translate %s --mli-to-c | FileCheck %s

!map = memref<8x4x!mli.fx8<3>>
!arena = memref<64xi8>

// CHECK-LABEL: typedef struct {
// CHECK-NEXT: int8_t *input;
// CHECK-NEXT: int8_t *output;
// CHECK-NEXT: int8_t *arena;
// CHECK-NEXT: mli_tensor *tensors;
// CHECK-NEXT: } bases_of_main;

// CHECK: static mli_status layer_0(bases_of_main *base, int32_t i0) {
// CHECK-NEXT: const mli_tensor *in = at(&base->tensors[0], &tensor_input,
// CHECK-NEXT: base->input + i0 * 8);
// CHECK-NEXT: static const mli_relu_cfg config = {.type = MLI_RELU_GEN};
// CHECK-NEXT: mli_tensor *out = at(&base->tensors[1], &tensor_output,
// CHECK-NEXT: base->output + i0 * 8);
// CHECK-NEXT: return mli_krn_relu_fx8(in, &config, out);

// CHECK: static mli_status layer_1(bases_of_main *base, int32_t i1) {
// CHECK-NEXT: const mli_tensor *src = at(&base->tensors[0], &tensor_output_1,
// CHECK-NEXT: base->output + i1 * 4);
// CHECK: mli_tensor *dst = at(&base->tensors[1], &tensor_arena, base->arena);
// CHECK-NEXT: return mli_mov_tensor_sync(src, &config_0, dst);

// CHECK: mli_status net_main(
// CHECK: mli_status status = MLI_STATUS_OK;
// CHECK-NEXT: int32_t i0;
// CHECK-NEXT: for (i0 = 0; status == MLI_STATUS_OK && i0 < 4; i0 += 1) {
// CHECK-NEXT:   LAYER(0, layer_0(&base, i0))
// CHECK-NEXT:   const int32_t i1 = i0 + 1;
// CHECK-NEXT:   const bool i2 = i1 < 3;
// CHECK-NEXT:   if (i2) {
// CHECK-NEXT:     LAYER(1, layer_1(&base, i1))
// CHECK-NEXT:   } else {
// CHECK-NEXT:     const int32_t i3 = (i1 < 3 ? i1 : 3);
// CHECK-NEXT:     LAYER(2, layer_2(&base, i3))
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: return status;
func.func @main(%input: !map, %output: !map {mli.result = 0 : i64},
                %arena: !arena {mli.arena}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %row = memref.view %arena[%c0][] : !arena to memref<1x4x!mli.fx8<3>>
  scf.for %i = %c0 to %c4 step %c1 {
    %in = memref.subview %input[%i, 0] [2, 4] [2, 1]
      : !map to memref<2x4x!mli.fx8<3>, strided<[8, 1], offset: ?>>
    %out = memref.subview %output[%i, 0] [2, 4] [2, 1]
      : !map to memref<2x4x!mli.fx8<3>, strided<[8, 1], offset: ?>>
    %from = mli.reshape %input : !map to memref<4x8x!mli.fx8<3>>
    %in_0 = mli.subtensor %from[%i, 0] [1, 8]
      : memref<4x8x!mli.fx8<3>> to memref<1x8x!mli.fx8<3>, strided<[8, 1], offset: ?>>
    %to = mli.reshape %output : !map to memref<4x8x!mli.fx8<3>>
    %out_0 = mli.subtensor %to[%i, 0] [1, 8]
      : memref<4x8x!mli.fx8<3>> to memref<1x8x!mli.fx8<3>, strided<[8, 1], offset: ?>>
    mli.relu ins(%in_0 : memref<1x8x!mli.fx8<3>, strided<[8, 1], offset: ?>>)
      outs(%out_0 : memref<1x8x!mli.fx8<3>, strided<[8, 1], offset: ?>>)
      {relu = #mli.relu<gen>}
    %next = arith.addi %i, %c1 : index
    %is_inside = arith.cmpi slt, %next, %c3 : index
    scf.if %is_inside {
      %part = mli.subtensor %output[%next, 0] [1, 4]
        : !map to memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>
      mli.mov ins(%part : memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>)
        outs(%row : memref<1x4x!mli.fx8<3>>)
    } else {
      %last = arith.minsi %next, %c3 : index
      %part = mli.subtensor %output[%last, 0] [1, 4]
        : !map to memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>
      mli.mov ins(%row : memref<1x4x!mli.fx8<3>>)
        outs(%part : memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>)
    }
  }
  return
}

// Indices that loops carry and conditions give are variables.
// CHECK-LABEL: mli_status net_carried(
// CHECK: int32_t i0 = 0;
// CHECK-NEXT: int32_t i1 = 1;
// CHECK-NEXT: int32_t i2;
// CHECK-NEXT: for (i2 = 0; status == MLI_STATUS_OK && i2 < 3; i2 += 1) {
// CHECK-NEXT:   const bool i3 = i0 < i1;
// CHECK-NEXT:   int32_t i4 = 0;
// CHECK-NEXT:   if (i3) {
// CHECK-NEXT:     i4 = i1;
// CHECK-NEXT:   } else {
// CHECK-NEXT:     i4 = 0;
// CHECK-NEXT:   }
// CHECK-NEXT:   const int32_t next5 = i1;
// CHECK-NEXT:   const int32_t next6 = i4;
// CHECK-NEXT:   i0 = next5;
// CHECK-NEXT:   i1 = next6;
// CHECK-NEXT: }
// CHECK-NEXT: LAYER(3, layer_3(&base, i0))
func.func @carried(%input: !map, %output: !map {mli.result = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a, %b = scf.for %i = %c0 to %c3 step %c1
      iter_args(%x = %c0, %y = %c1) -> (index, index) {
    %is_less = arith.cmpi slt, %x, %y : index
    %next = scf.if %is_less -> (index) {
      scf.yield %y : index
    } else {
      scf.yield %c0 : index
    }
    scf.yield %y, %next : index, index
  }
  %in = mli.subtensor %input[%a, 0] [1, 4]
    : !map to memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>
  %out = mli.subtensor %output[%a, 0] [1, 4]
    : !map to memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>
  mli.relu ins(%in : memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>)
    outs(%out : memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>)
    {relu = #mli.relu<gen>}
  return
}

// A condition gives a buffer of any memory.
// CHECK-LABEL: mli_status net_chosen(
// CHECK: int8_t *[[ONE:p[0-9]+]] = NULL;
// CHECK-NEXT: if (
// CHECK-NEXT: [[ONE]] = base.input;
// CHECK-NEXT: } else {
// CHECK-NEXT: [[ONE]] = base.arena + 32;
// CHECK-NEXT: }
// CHECK-NEXT: LAYER({{[0-9]+}}, layer_{{[0-9]+}}(&base, [[ONE]]))
func.func @chosen(%input: !map, %output: !map {mli.result = 0 : i64}, %arena: !arena {mli.arena}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %other = memref.view %arena[%c32][] : !arena to !map
  %is_less = arith.cmpi slt, %c0, %c1 : index
  %one = scf.if %is_less -> (!map) {
    scf.yield %input : !map
  } else {
    scf.yield %other : !map
  }
  mli.relu ins(%one : !map) outs(%output : !map) {relu = #mli.relu<gen>}
  return
}

// What may lie outside is looked at, by this and mli-check-accesses; after an error
// nothing is read or written, and nothing divided.
// CHECK: static mli_status layer_{{[0-9]+}}(bases_of_checked *base, int32_t [[AT:i[0-9]+]]) {
// CHECK-LABEL: mli_status net_checked(
// CHECK: const int32_t [[LOADED:i[0-9]+]] = status == MLI_STATUS_OK ?
// CHECK-SAME: *(const
// CHECK: : 0;
// CHECK-NEXT: const int32_t [[I:i[0-9]+]] = [[LOADED]];
// CHECK: const bool [[IN:i[0-9]+]] = (uint32_t)[[I]] < (uint32_t)4;
// CHECK: if (status == MLI_STATUS_OK && ![[IN]]) {
// CHECK-NEXT: status = MLI_STATUS_BAD_FUNC_CFG;
// CHECK: = status == MLI_STATUS_OK ? 100 / [[I]] : 0;
// CHECK: if (status == MLI_STATUS_OK) {
// CHECK-NEXT: *(int8_t *)(void *)(base.xbytes + [[I]]) = 7;
// CHECK: if (status == MLI_STATUS_OK && ([[I]] < 0 || [[I]] > 7)) {
// CHECK-NEXT: status = MLI_STATUS_BAD_FUNC_CFG;
// CHECK-NEXT: }
// CHECK-NEXT: LAYER(
func.func @checked(%input: !map, %where: memref<1xi32>, %bytes: memref<4xi8> {mli.name = "bytes"}, %output: memref<1x4x!mli.fx8<3>> {mli.result = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c100 = arith.constant 100 : index
  %seven = arith.constant 7 : i8
  %at = memref.load %where[%c0] : memref<1xi32>
  %i = arith.index_cast %at : i32 to index
  %is_inside = arith.cmpi ult, %i, %c4 : index
  cf.assert %is_inside, "inside"
  %part = arith.divsi %c100, %i : index
  memref.store %seven, %bytes[%i] : memref<4xi8>
  %row = mli.subtensor %input[%i, 0] [1, 4] : !map to memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>
  mli.relu ins(%row : memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>) outs(%output : memref<1x4x!mli.fx8<3>>) {relu = #mli.relu<gen>}
  return
}

// A cast forgets strides that C knows.
// CHECK-LABEL: mli_status net_forgotten(
func.func @forgotten(%input: !map, %output: !map {mli.result = 0 : i64}) {
  %any = memref.cast %input : !map to memref<?x4x!mli.fx8<3>, strided<[?, ?], offset: ?>>
  %same = memref.cast %any : memref<?x4x!mli.fx8<3>, strided<[?, ?], offset: ?>> to memref<8x4x!mli.fx8<3>, strided<[?, ?], offset: ?>>
  mli.mov ins(%same : memref<8x4x!mli.fx8<3>, strided<[?, ?], offset: ?>>) outs(%output : !map)
  return
}

// What is computed unsigned has a variable of its own, as MISRA casts no other.
// CHECK: mli_status net_wrapped(
// CHECK: for ([[I:i[0-9]+]] = 0;
// CHECK-NEXT: const uint32_t [[LEFT:u[0-9]+]] = (uint32_t)[[I]] % (uint32_t)3;
// CHECK-NEXT: const int32_t [[ROW:i[0-9]+]] = (int32_t)[[LEFT]];
// CHECK-NEXT: const uint32_t [[BY:u[0-9]+]] = status == MLI_STATUS_OK ?
// CHECK-SAME: (uint32_t)4 / (uint32_t)[[ROW]] :
// CHECK-NEXT: 0u;
// CHECK-NEXT: const int32_t [[AT:i[0-9]+]] = (int32_t)[[BY]];
func.func @wrapped(%input: !map, %output: !map {mli.result = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %row = arith.remui %i, %c3 : index
    %at = arith.divui %c4, %row : index
    %in = mli.subtensor %input[%row, 0] [1, 4]
      : !map to memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>
    %out = mli.subtensor %output[%at, 0] [1, 4]
      : !map to memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>
    mli.relu ins(%in : memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>)
      outs(%out : memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>)
      {relu = #mli.relu<gen>}
  }
  return
}
