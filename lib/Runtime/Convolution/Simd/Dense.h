// SPDX-License-Identifier: Apache-2.0
//
// Products of vectors with matrices whose weights stay as they are: packing
// them for one vector would take longer than the product.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DENSE_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DENSE_H

#include "Matrix.h"
#include "Runtime/Simd/Profile.h"

namespace mli::rt::simd {

/// A matrix of weights, its rows `rowStride` apart.
template <typename Weight>
struct MatrixOf {
  const Weight *weights;
  int64_t rows;
  int64_t columns;
  int64_t rowStride;
};
using DenseMatrix = MatrixOf<int8_t>;
using WideMatrix = MatrixOf<int16_t>;

struct DenseKernels {
  /// Adds the products of a vector of values less their zero point to `sums`,
  /// modulo 2^32. False without memory.
  bool (*add8)(const int8_t *in, int32_t zeroPoint, const DenseMatrix &matrix,
               int32_t *sums);
  bool (*add16)(const int16_t *in, int32_t zeroPoint, const DenseMatrix &matrix,
                int32_t *sums);
  /// Quantises sums to sa8, to each of which its start is still to be added;
  /// there are sums, of any value, up to a whole panel.
  void (*finish)(const int32_t *sums, const ChannelBlock *blocks,
                 const OutputFormat &format, int64_t channels, int8_t *out);
};

struct WideDenseKernels {
  /// Adds the products of a vector of values to `sums`. False without memory.
  bool (*add)(const int16_t *in, const WideMatrix &matrix, int64_t *sums);
};

/// The kernels of the target of this moment, or null.
MLI_FAST_KERNEL(const DenseKernels *denseKernels())
MLI_FAST_KERNEL(const WideDenseKernels *wideDenseKernels())

/// Adds products to sums, modulo 2^32 or of 64 bits; false if that takes the
/// scalar code.
inline bool addProducts(const int8_t *in, int32_t zeroPoint,
                        const DenseMatrix &matrix, int32_t *sums) {
  const DenseKernels *kernels = denseKernels();
  return kernels && zeroPoint >= INT8_MIN && zeroPoint <= INT8_MAX &&
         kernels->add8(in, zeroPoint, matrix, sums);
}
inline bool addProducts(const int16_t *in, int32_t zeroPoint,
                        const DenseMatrix &matrix, int32_t *sums) {
  const DenseKernels *kernels = denseKernels();
  return kernels && zeroPoint == 0 &&
         kernels->add16(in, zeroPoint, matrix, sums);
}
inline bool addProducts(const int16_t *in, int32_t zeroPoint,
                        const WideMatrix &matrix, int64_t *sums) {
  const WideDenseKernels *kernels = wideDenseKernels();
  return kernels && zeroPoint == 0 && kernels->add(in, matrix, sums);
}

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DENSE_H
