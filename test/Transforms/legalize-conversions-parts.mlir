// Conversions with something between them that puts parts together.
// RUN: mli-opt %s --mli-legalize-conversions | FileCheck %s
// RUN: mli-opt %s --mli-legalize-conversions -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: mli-opt %s --mli-legalize-conversions --mli-legalize-conversions -o %t.twice
// RUN: mli-opt %s --mli-legalize-conversions -o %t.once
// RUN: diff %t.once %t.twice

!coarse = tensor<4x8x!mli.fx8<3>>
!fine = tensor<4x8x!mli.fx16<9>>
!coarse2 = tensor<8x8x!mli.fx8<3>>
!fine2 = tensor<8x8x!mli.fx16<9>>

//===----------------------------------------------------------------------===//
// Each part and the whole
//===----------------------------------------------------------------------===//

// Neither part needs a conversion.
// CHECK-LABEL: func.func @concat
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x{{.*}}, %[[Y:[^:]*]]: tensor<4x8x
// CHECK-NEXT: %[[WHOLE:.*]] = tensor.concat dim(0) %[[X]], %[[Y]] : (tensor<4x8x!mli.fx8<3>>, tensor<4x8x!mli.fx8<3>>) -> tensor<8x8x!mli.fx8<3>>
// CHECK-NEXT: return %[[WHOLE]]
// REMARK: legalize-conversions-parts.mlir:[[@LINE+8]]:8: remark: two conversions are one: all codes from -128 to 127 come out the same
// REMARK: legalize-conversions-parts.mlir:[[@LINE+7]]:8: remark: two conversions are one: all codes from -128 to 127 come out the same
func.func @concat(%x: !coarse, %y: !coarse) -> !coarse2 {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : !coarse2
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %1 = mli.convert ins(%y : !coarse) outs(%e0 : !fine) -> !fine
  %2 = tensor.concat dim(0) %0, %1 : (!fine, !fine) -> !fine2
  %3 = mli.convert ins(%2 : !fine2) outs(%e1 : !coarse2) -> !coarse2
  return %3 : !coarse2
}

// One part with another quantisation: that one is converted, once.
// CHECK-LABEL: func.func @other_quantisation
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x{{.*}}, %[[Y:[^:]*]]: tensor<4x8x
// CHECK: %[[PART:.*]] = mli.convert ins(%[[Y]] : tensor<4x8x!mli.fx8<5>>) outs(%{{.*}} : tensor<4x8x!mli.fx8<3>>)
// CHECK-NOT: mli.convert
// CHECK: tensor.concat dim(0) %[[X]], %[[PART]]
// CHECK-NEXT: return
func.func @other_quantisation(%x: !coarse, %y: tensor<4x8x!mli.fx8<5>>)
    -> !coarse2 {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : !coarse2
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %1 = mli.convert ins(%y : tensor<4x8x!mli.fx8<5>>) outs(%e0 : !fine) -> !fine
  %2 = tensor.concat dim(0) %0, %1 : (!fine, !fine) -> !fine2
  %3 = mli.convert ins(%2 : !fine2) outs(%e1 : !coarse2) -> !coarse2
  return %3 : !coarse2
}

// Rounded in between: both conversions of each part are needed, and of the
// whole it is one less.
// CHECK-LABEL: func.func @lossy_between
// CHECK-COUNT-2: mli.convert
// CHECK: tensor.concat
// CHECK: mli.convert
// CHECK-NEXT: return
func.func @lossy_between(%x: !fine, %y: !fine) -> !fine2 {
  %e0 = tensor.empty() : !coarse
  %e1 = tensor.empty() : !fine2
  %0 = mli.convert ins(%x : !fine) outs(%e0 : !coarse) -> !coarse
  %1 = mli.convert ins(%y : !fine) outs(%e0 : !coarse) -> !coarse
  %2 = tensor.concat dim(0) %0, %1 : (!coarse, !coarse) -> !coarse2
  %3 = mli.convert ins(%2 : !coarse2) outs(%e1 : !fine2) -> !fine2
  return %3 : !fine2
}

// One part that rounds keeps its conversions.
// CHECK-LABEL: func.func @one_part_is_lossy
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x{{.*}}, %[[Y:[^:]*]]: tensor<4x8x
// CHECK: %[[ROUNDED:.*]] = mli.convert ins(%[[Y]] : tensor<4x8x!mli.fx16<14>>) outs(%{{.*}} : tensor<4x8x!mli.fx16<9>>)
// CHECK: %[[PART:.*]] = mli.convert ins(%[[ROUNDED]] : {{.*}}) outs(%{{.*}} : tensor<4x8x!mli.fx8<3>>)
// CHECK-NOT: mli.convert
// CHECK: tensor.concat dim(0) %[[X]], %[[PART]]
// CHECK-NEXT: return
func.func @one_part_is_lossy(%x: !coarse, %y: tensor<4x8x!mli.fx16<14>>)
    -> !coarse2 {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : !coarse2
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %1 = mli.convert ins(%y : tensor<4x8x!mli.fx16<14>>) outs(%e0 : !fine) -> !fine
  %2 = tensor.concat dim(0) %0, %1 : (!fine, !fine) -> !fine2
  %3 = mli.convert ins(%2 : !fine2) outs(%e1 : !coarse2) -> !coarse2
  return %3 : !coarse2
}

// A part that was never converted is, and the others are not.
// CHECK-LABEL: func.func @part_as_it_is
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x{{.*}}, %[[Y:[^:]*]]: tensor<4x8x
// CHECK: %[[PART:.*]] = mli.convert ins(%[[Y]] : tensor<4x8x!mli.fx16<9>>)
// CHECK-NOT: mli.convert
// CHECK: tensor.concat dim(0) %[[X]], %[[PART]]
func.func @part_as_it_is(%x: !coarse, %y: !fine) -> !coarse2 {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : !coarse2
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %2 = tensor.concat dim(0) %0, %y : (!fine, !fine) -> !fine2
  %3 = mli.convert ins(%2 : !fine2) outs(%e1 : !coarse2) -> !coarse2
  return %3 : !coarse2
}

// With three such parts there would be one conversion more.
// CHECK-LABEL: func.func @parts_as_they_are
// CHECK-COUNT-2: mli.convert
// CHECK-NOT: mli.convert
// CHECK: return
func.func @parts_as_they_are(%x: !coarse, %a: !fine, %b: !fine, %c: !fine)
    -> tensor<16x8x!mli.fx8<3>> {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : tensor<16x8x!mli.fx8<3>>
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %2 = tensor.concat dim(0) %0, %a, %b, %c
    : (!fine, !fine, !fine, !fine) -> tensor<16x8x!mli.fx16<9>>
  %3 = mli.convert ins(%2 : tensor<16x8x!mli.fx16<9>>)
    outs(%e1 : tensor<16x8x!mli.fx8<3>>) -> tensor<16x8x!mli.fx8<3>>
  return %3 : tensor<16x8x!mli.fx8<3>>
}

// Constants are converted at compile time.
// CHECK-LABEL: func.func @constant_part
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x
// CHECK-NEXT: %[[ONES:.*]] = mli.constant dense<1> : tensor<4x8xi8> to tensor<4x8x!mli.fx8<3>>
// CHECK-NEXT: tensor.concat dim(0) %[[X]], %[[ONES]]
func.func @constant_part(%x: !coarse) -> !coarse2 {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : !coarse2
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %1 = mli.constant dense<64> : tensor<4x8xi16> to !fine
  %2 = tensor.concat dim(0) %0, %1 : (!fine, !fine) -> !fine2
  %3 = mli.convert ins(%2 : !fine2) outs(%e1 : !coarse2) -> !coarse2
  return %3 : !coarse2
}

// Another one that needs the whole in between keeps all of it.
// CHECK-LABEL: func.func @whole_with_another_user
// CHECK-COUNT-3: mli.convert
func.func @whole_with_another_user(%x: !coarse, %y: !coarse)
    -> (!coarse2, !fine2) {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : !coarse2
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %1 = mli.convert ins(%y : !coarse) outs(%e0 : !fine) -> !fine
  %2 = tensor.concat dim(0) %0, %1 : (!fine, !fine) -> !fine2
  %3 = mli.convert ins(%2 : !fine2) outs(%e1 : !coarse2) -> !coarse2
  return %3, %2 : !coarse2, !fine2
}

// One that needs a part in between gets that one alone.
// CHECK-LABEL: func.func @part_with_another_user
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x{{.*}}, %[[Y:[^:]*]]: tensor<4x8x
// CHECK: %[[OTHER:.*]] = mli.convert ins(%[[X]]
// CHECK-NOT: mli.convert
// CHECK: %[[WHOLE:.*]] = tensor.concat dim(0) %[[X]], %[[Y]]
// CHECK-NEXT: return %[[WHOLE]], %[[OTHER]]
func.func @part_with_another_user(%x: !coarse, %y: !coarse)
    -> (!coarse2, !fine) {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : !coarse2
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %1 = mli.convert ins(%y : !coarse) outs(%e0 : !fine) -> !fine
  %2 = tensor.concat dim(0) %0, %1 : (!fine, !fine) -> !fine2
  %3 = mli.convert ins(%2 : !fine2) outs(%e1 : !coarse2) -> !coarse2
  return %3, %0 : !coarse2, !fine
}

// A part of a part, moved, with a second user: nothing is joined behind it.
// CHECK-LABEL: func.func @moved_part_with_another_user
// CHECK-COUNT-2: mli.convert
func.func @moved_part_with_another_user(%x: tensor<32x!mli.fx8<3>>, %y: !fine)
    -> (!coarse2, !fine) {
  %e0 = tensor.empty() : tensor<32x!mli.fx16<9>>
  %e1 = tensor.empty() : !coarse2
  %0 = mli.convert ins(%x : tensor<32x!mli.fx8<3>>)
    outs(%e0 : tensor<32x!mli.fx16<9>>) -> tensor<32x!mli.fx16<9>>
  %1 = mli.reshape %0 : tensor<32x!mli.fx16<9>> to !fine
  %2 = tensor.concat dim(0) %1, %y : (!fine, !fine) -> !fine2
  %3 = mli.convert ins(%2 : !fine2) outs(%e1 : !coarse2) -> !coarse2
  return %3, %1 : !coarse2, !fine
}

// What is sliced in between would be converted as a whole.
// CHECK-LABEL: func.func @more_bytes
// CHECK-COUNT-2: mli.convert
// CHECK-LABEL: func.func @no_more_bytes
// CHECK-COUNT-1: mli.convert
// CHECK-NOT: mli.convert
func.func @more_bytes(%x: !coarse) -> tensor<1x8xf32> {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : tensor<1x8xf32>
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %1 = tensor.extract_slice %0[1, 0] [1, 8] [1, 1] : !fine
    to tensor<1x8x!mli.fx16<9>>
  %2 = mli.convert ins(%1 : tensor<1x8x!mli.fx16<9>>)
    outs(%e1 : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %2 : tensor<1x8xf32>
}
func.func @no_more_bytes(%x: !coarse) -> tensor<2x8xf32> {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : tensor<2x8xf32>
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %1 = tensor.extract_slice %0[1, 0] [2, 8] [1, 1] : !fine
    to tensor<2x8x!mli.fx16<9>>
  %2 = mli.convert ins(%1 : tensor<2x8x!mli.fx16<9>>)
    outs(%e1 : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// Insertions, into nothing and into what is converted, too.
// CHECK-LABEL: func.func @insertions
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x{{.*}}, %[[Y:[^:]*]]: tensor<4x8x
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<8x8x!mli.fx8<3>>
// CHECK-NEXT: %[[ONE:.*]] = tensor.insert_slice %[[X]] into %[[EMPTY]][0, 0]
// CHECK-NEXT: %[[BOTH:.*]] = tensor.insert_slice %[[Y]] into %[[ONE]][4, 0]
// CHECK-NEXT: return %[[BOTH]]
func.func @insertions(%x: !coarse, %y: !coarse) -> !coarse2 {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : !coarse2
  %e2 = tensor.empty() : !fine2
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %1 = tensor.insert_slice %0 into %e2[0, 0] [4, 8] [1, 1] : !fine into !fine2
  %2 = mli.convert ins(%y : !coarse) outs(%e0 : !fine) -> !fine
  %3 = tensor.insert_slice %2 into %1[4, 0] [4, 8] [1, 1] : !fine into !fine2
  %4 = mli.convert ins(%3 : !fine2) outs(%e1 : !coarse2) -> !coarse2
  return %4 : !coarse2
}

// CHECK-LABEL: func.func @into_another
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x{{.*}}, %[[Y:[^:]*]]: tensor<8x8x
// CHECK-NEXT: %[[BOTH:.*]] = tensor.insert_slice %[[X]] into %[[Y]][2, 0]
// CHECK-NEXT: return %[[BOTH]]
func.func @into_another(%x: !coarse, %y: !coarse2) -> !coarse2 {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : !coarse2
  %e2 = tensor.empty() : !fine2
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %1 = mli.convert ins(%y : !coarse2) outs(%e2 : !fine2) -> !fine2
  %2 = tensor.insert_slice %0 into %1[2, 0] [4, 8] [1, 1] : !fine into !fine2
  %3 = mli.convert ins(%2 : !fine2) outs(%e1 : !coarse2) -> !coarse2
  return %3 : !coarse2
}

// Moves into a part of a tensor.
// CHECK-LABEL: func.func @moves
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x{{.*}}, %[[Y:[^:]*]]: tensor<4x8x
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<8x8x!mli.fx8<3>>
// CHECK-NEXT: %[[ONE:.*]] = mli.mov ins(%[[X]] : {{.*}}) outs(%[[EMPTY]] : {{.*}}) {dst_offsets = array<i64: 0, 0>}
// CHECK-NEXT: %[[BOTH:.*]] = mli.mov ins(%[[Y]] : {{.*}}) outs(%[[ONE]] : {{.*}}) {dst_offsets = array<i64: 4, 0>}
// CHECK-NEXT: return %[[BOTH]]
func.func @moves(%x: !coarse, %y: !coarse) -> !coarse2 {
  %e0 = tensor.empty() : !fine
  %e1 = tensor.empty() : !coarse2
  %e2 = tensor.empty() : !fine2
  %0 = mli.convert ins(%x : !coarse) outs(%e0 : !fine) -> !fine
  %1 = mli.mov ins(%0 : !fine) outs(%e2 : !fine2)
    {dst_offsets = array<i64: 0, 0>} -> !fine2
  %2 = mli.convert ins(%y : !coarse) outs(%e0 : !fine) -> !fine
  %3 = mli.mov ins(%2 : !fine) outs(%1 : !fine2)
    {dst_offsets = array<i64: 4, 0>} -> !fine2
  %4 = mli.convert ins(%3 : !fine2) outs(%e1 : !coarse2) -> !coarse2
  return %4 : !coarse2
}

// Padding is a code of its own: 0 in one type, not 0 in the other.
// CHECK-LABEL: func.func @padded_moves
// CHECK-COUNT-2: mli.convert
func.func @padded_moves(%x: tensor<3x8x!mli.sa8<5:6:-3>>)
    -> tensor<8x8x!mli.sa8<5:6:-3>> {
  %e0 = tensor.empty() : tensor<3x8x!mli.fx16<9>>
  %e1 = tensor.empty() : tensor<8x8x!mli.sa8<5:6:-3>>
  %e2 = tensor.empty() : !fine2
  %0 = mli.convert ins(%x : tensor<3x8x!mli.sa8<5:6:-3>>)
    outs(%e0 : tensor<3x8x!mli.fx16<9>>) -> tensor<3x8x!mli.fx16<9>>
  %1 = mli.mov ins(%0 : tensor<3x8x!mli.fx16<9>>) outs(%e2 : !fine2)
    {dst_offsets = array<i64: 0, 0>, pad_low = array<i64: 1, 0>} -> !fine2
  %2 = mli.convert ins(%1 : !fine2) outs(%e1 : tensor<8x8x!mli.sa8<5:6:-3>>)
    -> tensor<8x8x!mli.sa8<5:6:-3>>
  return %2 : tensor<8x8x!mli.sa8<5:6:-3>>
}

// Parts that are computed in their place stay there, and one that is not
// converted any more is moved there.
// CHECK-LABEL: func.func @in_their_places
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x!mli.fx8<3>>, %[[Y:[^:]*]]: tensor<4x8x!mli.fx8<5>>
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<8x8x!mli.fx8<3>>
// CHECK-NEXT: %[[FIRST:.*]] = mli.subtensor %[[EMPTY]][0, 0] [4, 8]
// CHECK-NEXT: %[[MOVED:.*]] = mli.mov ins(%[[X]] : {{.*}}) outs(%[[FIRST]] : {{.*}}) {reason = #mli.copy_reason<placed_elsewhere>}
// CHECK-NEXT: %[[ONE:.*]] = tensor.insert_slice %[[MOVED]] into %[[EMPTY]][0, 0]
// CHECK-NEXT: %[[LAST:.*]] = mli.subtensor %[[ONE]][4, 0] [4, 8]
// CHECK-NEXT: %[[PART:.*]] = mli.convert ins(%[[Y]] : {{.*}}) outs(%[[LAST]] : {{.*}})
// CHECK-NEXT: %[[BOTH:.*]] = tensor.insert_slice %[[PART]] into %[[ONE]][4, 0]
// CHECK-NEXT: return %[[BOTH]]
func.func @in_their_places(%x: !coarse, %y: tensor<4x8x!mli.fx8<5>>)
    -> !coarse2 {
  %whole = tensor.empty() : !fine2
  %e1 = tensor.empty() : !coarse2
  %first = mli.subtensor %whole[0, 0] [4, 8] : !fine2 to !fine
  %0 = mli.convert ins(%x : !coarse) outs(%first : !fine) -> !fine
  %1 = tensor.insert_slice %0 into %whole[0, 0] [4, 8] [1, 1]
    : !fine into !fine2
  %last = mli.subtensor %1[4, 0] [4, 8] : !fine2 to !fine
  %2 = mli.convert ins(%y : tensor<4x8x!mli.fx8<5>>) outs(%last : !fine)
    -> !fine
  %3 = tensor.insert_slice %2 into %1[4, 0] [4, 8] [1, 1]
    : !fine into !fine2
  %4 = mli.convert ins(%3 : !fine2) outs(%e1 : !coarse2) -> !coarse2
  return %4 : !coarse2
}

//===----------------------------------------------------------------------===//
// Parts alone
//===----------------------------------------------------------------------===//

// Slices that adjoin, converted one by one.
// CHECK-LABEL: func.func @slices
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x8x
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<8x8x!mli.fx16<9>>
// CHECK-NEXT: %[[ALL:.*]] = mli.convert ins(%[[X]] : tensor<8x8x!mli.fx8<3>>) outs(%[[EMPTY]] : {{.*}})
// CHECK-NEXT: return %[[ALL]]
// REMARK: legalize-conversions-parts.mlir:[[@LINE+8]]:8: remark: conversions of adjacent slices are one
func.func @slices(%x: !coarse2) -> !fine2 {
  %e0 = tensor.empty() : tensor<8x3x!mli.fx16<9>>
  %e1 = tensor.empty() : tensor<8x5x!mli.fx16<9>>
  %a = tensor.extract_slice %x[0, 0] [8, 3] [1, 1] : !coarse2 to tensor<8x3x!mli.fx8<3>>
  %b = tensor.extract_slice %x[0, 3] [8, 5] [1, 1] : !coarse2 to tensor<8x5x!mli.fx8<3>>
  %0 = mli.convert ins(%a : tensor<8x3x!mli.fx8<3>>) outs(%e0 : tensor<8x3x!mli.fx16<9>>) -> tensor<8x3x!mli.fx16<9>>
  %1 = mli.convert ins(%b : tensor<8x5x!mli.fx8<3>>) outs(%e1 : tensor<8x5x!mli.fx16<9>>) -> tensor<8x5x!mli.fx16<9>>
  %2 = tensor.concat dim(1) %0, %1 : (tensor<8x3x!mli.fx16<9>>, tensor<8x5x!mli.fx16<9>>) -> !fine2
  return %2 : !fine2
}

// Of a part of a tensor, inserted from the last to the first.
// CHECK-LABEL: func.func @inserted_slices
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x8x
// CHECK-NEXT: %[[SOME:.*]] = mli.subtensor %[[X]][2, 0] [4, 8] : {{.*}} to tensor<4x8x!mli.fx8<3>>
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<4x8x!mli.fx16<9>>
// CHECK-NEXT: %[[ALL:.*]] = mli.convert ins(%[[SOME]] : {{.*}}) outs(%[[EMPTY]] : {{.*}})
// CHECK-NEXT: return %[[ALL]]
func.func @inserted_slices(%x: !coarse2) -> !fine {
  %e0 = tensor.empty() : tensor<1x8x!mli.fx16<9>>
  %e1 = tensor.empty() : tensor<3x8x!mli.fx16<9>>
  %whole = tensor.empty() : !fine
  %a = mli.subtensor %x[2, 0] [1, 8] : !coarse2 to tensor<1x8x!mli.fx8<3>>
  %b = mli.subtensor %x[3, 0] [3, 8] : !coarse2 to tensor<3x8x!mli.fx8<3>>
  %0 = mli.convert ins(%a : tensor<1x8x!mli.fx8<3>>) outs(%e0 : tensor<1x8x!mli.fx16<9>>) -> tensor<1x8x!mli.fx16<9>>
  %1 = mli.convert ins(%b : tensor<3x8x!mli.fx8<3>>) outs(%e1 : tensor<3x8x!mli.fx16<9>>) -> tensor<3x8x!mli.fx16<9>>
  %2 = tensor.insert_slice %1 into %whole[1, 0] [3, 8] [1, 1] : tensor<3x8x!mli.fx16<9>> into !fine
  %3 = mli.mov ins(%0 : tensor<1x8x!mli.fx16<9>>) outs(%2 : !fine) {dst_offsets = array<i64: 0, 0>} -> !fine
  return %3 : !fine
}

// Parts of a conversion, converted back one by one: no conversion is left.
// CHECK-LABEL: func.func @parts_and_back
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x
// CHECK-NEXT: %[[A:.*]] = tensor.extract_slice %[[X]][0, 0]
// CHECK-NEXT: %[[B:.*]] = tensor.extract_slice %[[X]][2, 0]
// CHECK-NEXT: tensor.concat dim(0) %[[A]], %[[B]]
// CHECK-NEXT: return
func.func @parts_and_back(%x: !coarse) -> !coarse {
  %e = tensor.empty() : !fine
  %e0 = tensor.empty() : tensor<2x8x!mli.fx8<3>>
  %0 = mli.convert ins(%x : !coarse) outs(%e : !fine) -> !fine
  %a = tensor.extract_slice %0[0, 0] [2, 8] [1, 1] : !fine to tensor<2x8x!mli.fx16<9>>
  %b = tensor.extract_slice %0[2, 0] [2, 8] [1, 1] : !fine to tensor<2x8x!mli.fx16<9>>
  %1 = mli.convert ins(%a : tensor<2x8x!mli.fx16<9>>) outs(%e0 : tensor<2x8x!mli.fx8<3>>) -> tensor<2x8x!mli.fx8<3>>
  %2 = mli.convert ins(%b : tensor<2x8x!mli.fx16<9>>) outs(%e0 : tensor<2x8x!mli.fx8<3>>) -> tensor<2x8x!mli.fx8<3>>
  %3 = tensor.concat dim(0) %1, %2 : (tensor<2x8x!mli.fx8<3>>, tensor<2x8x!mli.fx8<3>>) -> !coarse
  return %3 : !coarse
}

// In another order; with a gap; with another user; of two tensors; from two
// quantisations.
// CHECK-LABEL: func.func @not_in_order
// CHECK-COUNT-2: mli.convert
// CHECK-LABEL: func.func @not_adjoining
// CHECK-COUNT-2: mli.convert
// CHECK-LABEL: func.func @not_with_another_user
// CHECK-COUNT-2: mli.convert
// CHECK-LABEL: func.func @not_of_two_tensors
// CHECK-COUNT-2: mli.convert
// CHECK-LABEL: func.func @not_of_computed_parts
// CHECK-COUNT-2: mli.convert
// CHECK-LABEL: func.func @not_with_a_gap_behind
// CHECK-COUNT-2: mli.convert
!half = tensor<2x8x!mli.fx8<3>>
!half16 = tensor<2x8x!mli.fx16<9>>
func.func @not_in_order(%x: !coarse) -> !fine {
  %e = tensor.empty() : !half16
  %a = tensor.extract_slice %x[0, 0] [2, 8] [1, 1] : !coarse to !half
  %b = tensor.extract_slice %x[2, 0] [2, 8] [1, 1] : !coarse to !half
  %0 = mli.convert ins(%a : !half) outs(%e : !half16) -> !half16
  %1 = mli.convert ins(%b : !half) outs(%e : !half16) -> !half16
  %2 = tensor.concat dim(0) %1, %0 : (!half16, !half16) -> !fine
  return %2 : !fine
}
func.func @not_adjoining(%x: !coarse2) -> !fine {
  %e = tensor.empty() : !half16
  %a = tensor.extract_slice %x[0, 0] [2, 8] [1, 1] : !coarse2 to !half
  %b = tensor.extract_slice %x[3, 0] [2, 8] [1, 1] : !coarse2 to !half
  %0 = mli.convert ins(%a : !half) outs(%e : !half16) -> !half16
  %1 = mli.convert ins(%b : !half) outs(%e : !half16) -> !half16
  %2 = tensor.concat dim(0) %0, %1 : (!half16, !half16) -> !fine
  return %2 : !fine
}
func.func @not_with_another_user(%x: !coarse) -> (!fine, !half16) {
  %e = tensor.empty() : !half16
  %a = tensor.extract_slice %x[0, 0] [2, 8] [1, 1] : !coarse to !half
  %b = tensor.extract_slice %x[2, 0] [2, 8] [1, 1] : !coarse to !half
  %0 = mli.convert ins(%a : !half) outs(%e : !half16) -> !half16
  %1 = mli.convert ins(%b : !half) outs(%e : !half16) -> !half16
  %2 = tensor.concat dim(0) %0, %1 : (!half16, !half16) -> !fine
  return %2, %0 : !fine, !half16
}
func.func @not_of_two_tensors(%x: !coarse, %y: tensor<4x8x!mli.fx8<5>>)
    -> !fine {
  %e = tensor.empty() : !half16
  %a = tensor.extract_slice %x[0, 0] [2, 8] [1, 1] : !coarse to !half
  %b = tensor.extract_slice %y[2, 0] [2, 8] [1, 1] : tensor<4x8x!mli.fx8<5>> to tensor<2x8x!mli.fx8<5>>
  %0 = mli.convert ins(%a : !half) outs(%e : !half16) -> !half16
  %1 = mli.convert ins(%b : tensor<2x8x!mli.fx8<5>>) outs(%e : !half16) -> !half16
  %2 = tensor.concat dim(0) %0, %1 : (!half16, !half16) -> !fine
  return %2 : !fine
}
func.func @not_of_computed_parts(%x: !half, %y: !half) -> !fine {
  %e = tensor.empty() : !half16
  %e8 = tensor.empty() : !half
  %a = mli.relu ins(%x : !half) outs(%e8 : !half) {relu = #mli.relu<gen>} -> !half
  %b = mli.relu ins(%y : !half) outs(%e8 : !half) {relu = #mli.relu<gen>} -> !half
  %0 = mli.convert ins(%a : !half) outs(%e : !half16) -> !half16
  %1 = mli.convert ins(%b : !half) outs(%e : !half16) -> !half16
  %2 = tensor.concat dim(0) %0, %1 : (!half16, !half16) -> !fine
  return %2 : !fine
}
func.func @not_with_a_gap_behind(%x: !coarse) -> tensor<5x8x!mli.fx16<9>> {
  %e = tensor.empty() : !half16
  %whole = tensor.empty() : tensor<5x8x!mli.fx16<9>>
  %a = tensor.extract_slice %x[0, 0] [2, 8] [1, 1] : !coarse to !half
  %b = tensor.extract_slice %x[2, 0] [2, 8] [1, 1] : !coarse to !half
  %0 = mli.convert ins(%a : !half) outs(%e : !half16) -> !half16
  %1 = mli.convert ins(%b : !half) outs(%e : !half16) -> !half16
  %2 = tensor.insert_slice %0 into %whole[0, 0] [2, 8] [1, 1] : !half16 into tensor<5x8x!mli.fx16<9>>
  %3 = tensor.insert_slice %1 into %2[2, 0] [2, 8] [1, 1] : !half16 into tensor<5x8x!mli.fx16<9>>
  return %3 : tensor<5x8x!mli.fx16<9>>
}
