// SPDX-License-Identifier: Apache-2.0
//
// An extension of the MLI 2.0 C API for speed: it selects the vector
// instructions of kernels. The results never depend on it.

#ifndef MLI_SIMD_H
#define MLI_SIMD_H

#include "mli_types.h"

// NOLINTBEGIN: a C header, in the style of the API beside it.

#ifdef __cplusplus
extern "C" {
#endif

/// Instruction sets of x86, each up to AVX3_VNNI with all before it, and of
/// 64-bit Arm.
typedef enum {
  MLI_SIMD_SCALAR = 0,
  MLI_SIMD_SSSE3 = 1,
  MLI_SIMD_SSE4 = 2,
  MLI_SIMD_AVX2 = 3,
  /// AVX-512 F, VL, DQ and BW.
  MLI_SIMD_AVX3 = 4,
  MLI_SIMD_AVX3_VNNI = 5,
  MLI_SIMD_NEON = 6,
  /// With products of bytes, signed by unsigned ones (FEAT_I8MM).
  MLI_SIMD_NEON_I8MM = 7,
  /// AVX2 with products of bytes in 256 bits (AVX-VNNI).
  MLI_SIMD_AVX2_VNNI = 8,
  /// NEON with products of signed bytes (FEAT_DotProd).
  MLI_SIMD_NEON_DOTPROD = 9,
  MLI_SIMD_LARGE_ENUM = 0x02000000
} mli_simd_target;

/// Sets what all threads use from their next call on. NOT_SUPPORTED, and no
/// change, where processor or system lack it. The default is the fastest one
/// that they have, or the one that the environment variable MLI_SIMD names.
MLI_API mli_status mli_set_simd_target(mli_simd_target target);
MLI_API mli_simd_target mli_get_simd_target(void);

/// The name as MLI_SIMD takes it: `scalar`, `ssse3`, `sse4`, `avx2`, `avx3`,
/// `avx3_vnni`, `neon`, `neon_i8mm`, `avx2_vnni` or `neon_dotprod`; `unknown`
/// for any other value.
MLI_API const char *mli_simd_target_name(mli_simd_target target);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_SIMD_H
