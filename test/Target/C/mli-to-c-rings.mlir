// Rows of rings move up by `memmove`, or by the hook.
// RUN: mli-translate %s --mli-to-c | FileCheck %s --check-prefixes=CHECK,MEMMOVE
// RUN: mli-translate %s --mli-to-c --c-moves hook | FileCheck %s --check-prefixes=CHECK,HOOK

!ring = memref<4x8x!mli.fx16<3>>

// CHECK: #include <string.h>
// HOOK: static void copy_rows(

// Rows side by side. Blocks of the hook are as large as rows move by: then no
// block is where it goes to.
// CHECK: /* advance, {{.*}} */
// CHECK-NEXT: static mli_status layer_0(bases *base) {
// CHECK-NEXT: int8_t *const to = base->output;
// CHECK-NEXT: const int8_t *const from = to + 16;
// MEMMOVE-NEXT: (void)memmove(to, from, 48);
// HOOK-NEXT: NET_COPY(to, from, 3, 16, 16, 16);
// CHECK-NEXT: return MLI_STATUS_OK;

// CHECK: static mli_status layer_1(
// CHECK: const int8_t *const from = to + 48;
// MEMMOVE-NEXT: (void)memmove(to, from, 16);
// HOOK-NEXT: NET_COPY(to, from, 1, 16, 16, 16);

// Five rows by two: two blocks of two, and one of one.
// CHECK: static mli_status layer_2(
// CHECK: const int8_t *const from = to + 8;
// MEMMOVE-NEXT: (void)memmove(to, from, 20);
// HOOK-NEXT: NET_COPY(to, from, 2, 8, 8, 8);
// HOOK-NEXT: NET_COPY(to + 16, from + 16, 1, 4, 4, 4);

// Gaps everywhere: each element of two channels, of rows in their order.
// CHECK: static mli_status layer_3(bases *base, int32_t [[I:i[0-9]+]]) {
// CHECK-NEXT: int8_t *const to = base->output_2 + [[I]];
// CHECK-NEXT: const int8_t *const from = to + 8;
// CHECK-NEXT: int32_t i;
// CHECK-NEXT: int32_t j;
// MEMMOVE-NEXT: int32_t k;
// CHECK-NEXT: for (i = 0; i < 2; ++i) {
// CHECK-NEXT: for (j = 0; j < 3; ++j) {
// MEMMOVE-NEXT: for (k = 0; k < 3; ++k) {
// MEMMOVE-NEXT: (void)memmove(to + i * 32 + j * 2 + k * 8,
// MEMMOVE-NEXT: from + i * 32 + j * 2 + k * 8, 1);
// HOOK-NEXT: NET_COPY(to + i * 32 + j * 2, from + i * 32 + j * 2, 3, 1, 8, 8);

// CHECK: LAYER(0, layer_0(&base))
// HOOK-NEXT: NET_WAIT();
func.func @main(%in: !ring, %ring: !ring {mli.result = 0 : i64},
                %seven: memref<7x4x!mli.fx8<3>> {mli.result = 1 : i64},
                %wide: memref<2x4x4x2x!mli.fx8<3>> {mli.result = 2 : i64}) {
  mli.advance outs(%ring : !ring) {rows = 1}
  mli.advance outs(%ring : !ring) {rows = 3}
  mli.advance outs(%seven : memref<7x4x!mli.fx8<3>>) {rows = 2}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %gaps = memref.subview %wide[0, 0, 0, %i] [2, 4, 3, 1] [1, 1, 1, 1]
      : memref<2x4x4x2x!mli.fx8<3>> to memref<2x4x3x!mli.fx8<3>, strided<[32, 8, 2], offset: ?>>
    mli.advance outs(%gaps : memref<2x4x3x!mli.fx8<3>, strided<[32, 8, 2], offset: ?>>)
      {rows = 1, dim = 1}
  }
  return
}
