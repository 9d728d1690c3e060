// RUN: mli-opt %s --split-input-file --verify-diagnostics

// Q1
// expected-error @below {{expected 'fracBits' to be in [-128, 127], but got 128}}
func.func private @fx_frac_bits_too_large(tensor<4x!mli.fx8<128>>)

// -----

// Q1
// expected-error @below {{expected 'fracBits' to be in [-128, 127], but got -129}}
func.func private @fx_frac_bits_too_small(tensor<4x!mli.fx16<-129>>)

// -----

// Q1
// expected-error @below {{expected 'fracBits' to be in [-128, 127], but got 300}}
func.func private @sa_frac_bits_too_large(tensor<4x!mli.sa8<1:300:0>>)

// -----

// Q2
// expected-error @below {{expected 'scale' to be in [1, 32767], but got 0}}
func.func private @scale_of_zero(tensor<4x!mli.sa8<0:3:0>>)

// -----

// Q2
// expected-error @below {{expected 'scale' to be in [1, 32767], but got 32768}}
func.func private @scale_beyond_int16(tensor<4x!mli.sa32<32768:3:0>>)

// -----

// Q2
// expected-error @below {{expected 'scale' to be in [1, 32767], but got -5}}
func.func private @scale_of_second(tensor<2x!mli.sa8<axis = 0, {5:3:0, -5:3:0}>>)

// -----

// Q3
// expected-error @below {{expected 'zeroPoint' to be in [-32768, 32767], but got -32769}}
func.func private @zero_point_too_small(tensor<4x!mli.sa8<5:3:-32769>>)

// -----

// Q3
// expected-error @below {{expected 'zeroPoint' to be in [-32768, 32767], but got 32768}}
func.func private @zero_point_too_large(tensor<4x!mli.sa32<5:3:32768>>)

// -----

// Q4
// expected-error @below {{expected 'axis' to be in [0, 3], but got -1}}
func.func private @negative_axis(tensor<1x!mli.sa8<axis = -1, {5:3:0}>>)

// -----

// Q4
// expected-error @below {{expected 'axis' to be in [0, 3], but got 4}}
func.func private @fifth_dimension(tensor<1x!mli.sa8<axis = 4, {5:3:0}>>)

// -----

// Q5
// expected-error @below {{expected 'params' to hold at least one set, but got 0}}
func.func private @no_parameters(tensor<1x!mli.sa8<axis = 0, {}>>)

// -----

// A list has an axis.
// expected-error @below {{expected integer value}}
func.func private @list_without_axis(tensor<1x!mli.sa8<{5:3:0}>>)

// -----

// expected-error @below {{expected ':'}}
func.func private @scale_alone(tensor<1x!mli.sa8<5>>)

// -----

// Q1
// expected-error @below {{expected 'fracBits' to be in [-128, 127], but got 128}}
func.func private @fx4_frac_bits_too_large(tensor<4x!mli.fx4<128>>)

// -----

!map = tensor<4x!mli.fx4<3>>
func.func @fx4_operand(%map: !map) {
  // Q6
  // expected-error @below {{expected operand #0 to have elements of a type that operations take, but got '!mli.fx4<3>', which is for future use}}
  %result = mli.relu ins(%map : !map) outs(%map : !map)
    {relu = #mli.relu<gen>} -> !map
  return
}

// -----

func.func @fx4_constant() {
  // Q6
  // expected-error @below {{expected result #0 to have elements of a type that operations take, but got '!mli.fx4<3>', which is for future use}}
  %value = mli.constant dense<0> : tensor<4xi4> to tensor<4x!mli.fx4<3>>
  return
}

// -----

!map = tensor<4xf16>
func.func @f16_operand(%map: !map) {
  // Q6
  // expected-error @below {{expected operand #0 to have elements of a type that operations take, but got 'f16', which is for future use}}
  %result = mli.mov ins(%map : !map) outs(%map : !map) -> !map
  return
}

// -----

func.func @fx4_memory() {
  // Q6
  // expected-error @below {{expected result #0 to have elements of a type that operations take, but got '!mli.fx4<3>', which is for future use}}
  %buffer = mli.alloc : memref<4x!mli.fx4<3>>
  return
}

// -----

// What no operation takes at all.
func.func @other_elements(%map: tensor<4xi8>) {
  // expected-error @below {{operand #0 must be ranked tensor or memref of 8-bit fixed-point number or 16-bit fixed-point number or 8-bit signed asymmetric number values, but got 'tensor<4xi8>'}}
  %result = mli.relu ins(%map : tensor<4xi8>) outs(%map : tensor<4xi8>)
    {relu = #mli.relu<gen>} -> tensor<4xi8>
  return
}

// -----

// Q1
// expected-error @below {{integer value too large}}
// expected-error @below {{failed to parse MLI_Fx8Type parameter 'fracBits' which is to be a `int32_t`}}
func.func private @frac_bits_beyond_text(tensor<4x!mli.fx8<99999999999999999999>>)
