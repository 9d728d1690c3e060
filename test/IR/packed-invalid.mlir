// RUN: mli-opt %s --split-input-file --verify-diagnostics

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:12:0>>

func.func @no_threads(%in: !in, %weights: !weights, %bias: !bias, %out: !out) {
  // X1
  // expected-error @below {{expected 'mli.threads' to be an i32 of at least 1, but got 0 : i32}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out) {mli.threads = 0 : i32}
  return
}

// -----

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:12:0>>

func.func @bytes_in_rows(%in: !in, %weights: !weights, %bias: !bias,
                         %out: !out) {
  // X2
  // expected-error @below {{expected 'mli.packed' to be a row of i8, but got dense<0> : tensor<2x288xi8>}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out) {mli.packed = dense<0> : tensor<2x288xi8>}
  return
}

// -----

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:12:0>>

func.func @no_bytes(%in: !in, %weights: !weights, %bias: !bias, %out: !out) {
  // X2
  // expected-error @below {{expected 'mli.packed' to be a row of i8, but got unit}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out) {mli.packed}
  return
}

// -----

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:12:0>>

func.func @sparse_bytes(%in: !in, %weights: !weights, %bias: !bias,
                        %out: !out) {
  // X2
  // expected-error @below {{expected 'mli.packed' to be dense, but got sparse<0, 5> : tensor<576xi8>}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out) {mli.packed = sparse<[[0]], [5]> : tensor<576xi8>}
  return
}

// -----

!in = memref<4x!mli.sa8<16384:15:0>>
!weights = memref<4x3x!mli.sa8<16384:15:0>>
!bias = memref<3x!mli.sa32<16384:16:0>>
!out = memref<3x!mli.sa8<16384:12:0>>

func.func @missing_bytes(%in: !in, %weights: !weights, %bias: !bias,
                         %out: !out) {
  // X2
  // expected-error @below {{expected 'mli.packed' to hold 576 bytes, but got 4}}
  mli.fully_connected ins(%in, %weights, %bias : !in, !weights, !bias)
    outs(%out : !out) {mli.packed = dense_resource<short> : tensor<576xi8>}
  return
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x4000000001020304"
    }
  }
#-}

// -----

func.func @of_no_weights(%map: memref<4x!mli.sa8<5:3:0>>) {
  // X3
  // expected-error @below {{expected 'mli.packed' to be on a kernel with weights, but got mli.relu}}
  mli.relu ins(%map : memref<4x!mli.sa8<5:3:0>>)
    outs(%map : memref<4x!mli.sa8<5:3:0>>)
    {mli.packed = dense<0> : tensor<576xi8>}
  return
}

// -----

!in = tensor<4x!mli.sa8<16384:15:0>>
!weights = tensor<4x3x!mli.sa8<16384:15:0>>
!bias = tensor<3x!mli.sa32<16384:16:0>>
!out = tensor<3x!mli.sa8<16384:12:0>>

func.func @on_tensors(%in: !in, %weights: !weights, %bias: !bias, %out: !out) {
  // X3
  // expected-error @below {{expected 'mli.packed' to be on a kernel on buffers in system memory, but got 'tensor<4x!mli.sa8<16384:15:0>>'}}
  %result = mli.fully_connected ins(%in, %weights, %bias
                                    : !in, !weights, !bias)
              outs(%out : !out) {mli.packed = dense<0> : tensor<576xi8>} -> !out
  return
}
