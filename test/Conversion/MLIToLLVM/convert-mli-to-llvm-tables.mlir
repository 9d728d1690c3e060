// Tables that are operands.
// RUN: mli-opt %s --convert-mli-to-llvm --canonicalize --split-input-file | mlir-translate --mlir-to-llvmir --split-input-file | FileCheck %s

!map = memref<4x2x!mli.fx16<10>>
!unit = memref<4x2x!mli.fx16<15>>
!table = memref<344x!mli.fx16<15>>

// Length, fraction bits and offset, as the runtime sets them.
// CHECK: @[[FIELDS:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, ptr } { i32 688, i32 0, ptr null }, i32 [[FX16:[0-9]+]], i32 344, i32 5, i32 15, i32 172, i32 0 }
// CHECK-LABEL: define i32 @table
// The data of the tensor is that of the table.
// CHECK: %[[AT:.*]] = getelementptr {{.*}}, ptr %[[TENSOR:[0-9]+]], i32 8
// CHECK: %[[DATA:.*]] = load ptr, ptr %[[AT]]
// CHECK: memcpy{{.*}}(ptr %[[LUT:[0-9]+]], ptr @[[FIELDS]], i64 40, i1 false)
// CHECK: store ptr %[[DATA]], ptr
// U6
// CHECK: call i32 @mli_krn_tanh_create_lut(ptr %[[LUT]])
// CHECK: memcpy{{.*}}(ptr %[[READ:[0-9]+]], ptr @[[FIELDS]], i64 40, i1 false)
// CHECK-NOT: create_lut
// CHECK: call i32 @mli_krn_tanh_fx16(ptr %{{[0-9]+}}, ptr %[[READ]], ptr %{{[0-9]+}})
func.func @table(%map: !map, %unit: !unit, %table: !table) {
  mli.lut outs(%table : !table) {function = #mli.lut_function<tanh>}
  mli.tanh ins(%map : !map) lut(%table : !table) outs(%unit : !unit)
  return
}

// -----

// The types of the name are those of the maps; the configuration is behind.
!map = memref<4x2x!mli.sa8<1:4:0>>
!positive = memref<4x2x!mli.sa8<1:8:-128>>
!signed = memref<4x2x!mli.sa8<1:7:0>>

// CHECK-LABEL: define i32 @slices
// CHECK-NOT: create_lut
// CHECK: call i32 @mli_krn_softmax_sa8(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr @{{[a-z_0-9]+}}, ptr %{{[0-9]+}})
// CHECK-NOT: create_lut
// CHECK: call i32 @mli_krn_l2_normalize_sa8(ptr %[[IN:[0-9]+]], ptr %[[IN]], ptr %{{[0-9]+}}, ptr @{{[a-z_0-9]+}}, ptr %{{[0-9]+}})
func.func @slices(%map: !map, %positive: !positive, %signed: !signed,
                  %0: memref<358x!mli.fx16<15>>, %1: memref<97x!mli.fx16<17>>) {
  mli.softmax ins(%map : !map) lut(%0 : memref<358x!mli.fx16<15>>)
    outs(%positive : !positive) {axis = 1 : i32}
  mli.l2_normalize ins(%map : !map) lut(%1 : memref<97x!mli.fx16<17>>)
    outs(%signed : !signed) {axis = 1 : i32}
  return
}

// -----

!in = memref<6x16x!mli.fx16<12>>
!state = memref<8x!mli.fx16<15>>

// One of the tables is given, the other made.
// CHECK-LABEL: define i32 @gru
// CHECK: call i32 @mli_krn_tanh_create_lut(ptr %[[TANH:[0-9]+]])
// CHECK-NOT: create_lut
// CHECK: memcpy{{.*}}(ptr %[[SIGM:[0-9]+]], ptr @{{.*}}, i64 40, i1 false)
// CHECK: call i32 @mli_krn_gru_cell_fx16(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %[[TANH]], ptr %[[SIGM]], ptr %{{[0-9]+}}, ptr %{{[0-9]+}})
func.func @gru(%in: !in, %state: !state, %weights: memref<3x16x8x!mli.fx16<13>>,
               %recurrent: memref<3x8x8x!mli.fx16<13>>,
               %bias: memref<3x8x!mli.fx16<13>>,
               %sigm: memref<320x!mli.fx16<15>>,
               %out: memref<6x8x!mli.fx16<15>>) {
  mli.gru_cell
    ins(%in, %state, %weights, %recurrent, %bias
        : !in, !state, memref<3x16x8x!mli.fx16<13>>,
          memref<3x8x8x!mli.fx16<13>>, memref<3x8x!mli.fx16<13>>)
    sigm_lut(%sigm : memref<320x!mli.fx16<15>>)
    outs(%out : memref<6x8x!mli.fx16<15>>) {all_results}
  return
}

// -----

!gaps = memref<344x!mli.fx16<15>, strided<[?], offset: ?>>

// A table is read without gaps: a stride that is not known is looked at.
// T19
// CHECK-LABEL: define i32 @strides_not_known
// CHECK: %[[HOLDS:[0-9]+]] = icmp eq i64 %{{[0-9]+}}, 1
// CHECK: %[[STATUS:[0-9]+]] = select i1 %[[HOLDS]], i32 0
// CHECK: call i32 @mli_report_mismatch(i32 %[[STATUS]],
// CHECK: call i32 @mli_krn_tanh_create_lut
// CHECK: call i32 @mli_report_mismatch(i32 %[[STATUS]],
// CHECK: call i32 @mli_krn_tanh_fx16
func.func @strides_not_known(%table: !gaps, %in: memref<4x!mli.fx16<10>>,
                             %out: memref<4x!mli.fx16<15>>) {
  mli.lut outs(%table : !gaps) {function = #mli.lut_function<tanh>}
  mli.tanh ins(%in : memref<4x!mli.fx16<10>>) lut(%table : !gaps)
    outs(%out : memref<4x!mli.fx16<15>>)
  return
}

// -----

// A table with a format has the fields that type and format say.
// E12, U6
// CHECK: @[[FIELDS:mli_record_[0-9]+_[0-9a-f]+]] = internal constant {{.*}} { { i32, i32, ptr } { i32 10, i32 0, ptr null }, i32 {{[0-9]+}}, i32 5, i32 -3, i32 12, i32 -7, i32 0 }
// CHECK-LABEL: define i32 @format
// CHECK-NOT: create_lut
// CHECK: memcpy{{.*}}(ptr %[[LUT:[0-9]+]], ptr @[[FIELDS]], i64 40, i1 false)
// CHECK: call i32 @mli_krn_softmax_fx16(ptr %{{[0-9]+}}, ptr %[[LUT]],
func.func @format(%in: memref<4x!mli.fx16<10>>, %table: memref<5x!mli.fx16<12>>,
                  %out: memref<4x!mli.fx16<15>>) {
  mli.softmax ins(%in : memref<4x!mli.fx16<10>>)
    lut(%table : memref<5x!mli.fx16<12>>) outs(%out : memref<4x!mli.fx16<15>>)
    {lut_format = #mli.lut_format<in_frac_bits = -3, input_offset = -7>}
  return
}
