// RUN: mli-opt %s --mli-bufferize --split-input-file --verify-diagnostics -o /dev/null

// Everything that has no buffers is named, not only the first.

func.func @floats(%input: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'arith.addf' op cannot be lowered to buffers: no kernel computes it}}
  %sum = arith.addf %input, %input : tensor<4xf32>
  // expected-error @below {{'math.exp' op cannot be lowered to buffers: no kernel computes it}}
  %result = math.exp %sum : tensor<4xf32>
  return %result : tensor<4xf32>
}

func.func @tosa(%input: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error @below {{'tosa.clamp' op cannot be lowered to buffers: expected it to be raised to mli before}}
  %result = tosa.clamp %input {min_val = 0 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

func.func @cast(%input: tensor<4xi8>) -> tensor<4x!mli.sa8<1:0:0>> {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op cannot be lowered to buffers: expected all operations on quantised tensors to be raised, but got 'tensor<4xi8>' as 'tensor<4x!mli.sa8<1:0:0>>'}}
  %result = builtin.unrealized_conversion_cast %input : tensor<4xi8> to tensor<4x!mli.sa8<1:0:0>>
  return %result : tensor<4x!mli.sa8<1:0:0>>
}

// -----

!map = tensor<4x!mli.sa8<3:6:-1>>

// expected-error @below {{expected functions that do not call themselves, but got a cycle of 'main'}}
func.func @main(%input: !map) -> !map {
  %result = call @main(%input) : (!map) -> !map
  return %result : !map
}

// -----

!map = tensor<4x!mli.sa8<3:6:-1>>

// expected-error @below {{expected functions that do not call themselves, but got a cycle of 'inner', 'main'}}
func.func private @inner(%input: !map) -> !map {
  %result = call @main(%input) : (!map) -> !map
  return %result : !map
}
func.func @main(%input: !map) -> !map {
  %result = call @inner(%input) : (!map) -> !map
  return %result : !map
}
func.func @caller(%input: !map) -> !map {
  %result = call @main(%input) : (!map) -> !map
  return %result : !map
}

// -----

module {
  // expected-error @below {{expected functions outside of nested modules, but got module 'inner'}}
  module @inner {
    func.func @main(%input: tensor<4x!mli.fx8<5>>) -> tensor<4x!mli.fx8<5>> {
      return %input : tensor<4x!mli.fx8<5>>
    }
  }
}

// -----

!real = tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>

// expected-error @below {{'func.func' op cannot be lowered to buffers: expected elements that memory holds, but got 'tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>'}}
func.func @other_quantisation(%input: !real) -> !real {
  return %input : !real
}

// -----

!whole = tensor<1x1x2x3x4x!mli.fx8<3>, #mli.space<local>>
!part = tensor<1x1x1x3x4x!mli.fx8<3>, #mli.space<local>>

// No move takes them, and nothing else reaches local memory.
func.func @five_dimensions(%whole: !whole, %part: !part) -> !whole {
  // expected-error @below {{expected a copy in local memory to have at most 4 dimensions, but got 5}}
  // expected-error @below {{failed to bufferize op}}
  %0 = tensor.insert_slice %part into %whole[0, 0, 1, 0, 0] [1, 1, 1, 3, 4]
    [1, 1, 1, 1, 1] : !part into !whole
  return %0 : !whole
}
