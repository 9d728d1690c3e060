// SPDX-License-Identifier: Apache-2.0
//
// Elements of 1, 2 and 4 bytes copied from one set of strides to another, and
// the vector kernels for it.

#ifndef MLI_LIB_RUNTIME_SIMD_STRIDEDCOPY_H
#define MLI_LIB_RUNTIME_SIMD_STRIDEDCOPY_H

#include "Runtime/Core/Tensor.h"
#include "Runtime/Simd/Profile.h"

namespace mli::rt {

/// Copies the elements of a box of four dimensions, of 1, 2 or 4 bytes each;
/// strides are in elements. Source and target share no memory.
void copyStrided(uint32_t elementBytes, const Extents &extents,
                 const Strides &from, const Strides &to, const void *source,
                 void *target);

} // namespace mli::rt

namespace mli::rt::simd {

/// A matrix of `rows` rows of contiguous elements becomes one of `columns`
/// rows. Steps are from row to row, in elements.
struct Transposition {
  int64_t rows;
  int64_t columns;
  ptrdiff_t sourceStep;
  ptrdiff_t targetStep;
};

template <typename Word>
struct TransposeKernels {
  void (*transpose)(const Transposition &shape, const Word *source,
                    Word *target);
  /// Copies every `step`th element, 2 to 4, to `count` contiguous ones.
  void (*gather)(const Word *source, int64_t step, Word *target, int64_t count);
};

/// The kernels of the target of this moment, or null.
MLI_FAST_KERNEL(const TransposeKernels<uint8_t> *transposeKernels(uint8_t))
MLI_FAST_KERNEL(const TransposeKernels<uint16_t> *transposeKernels(uint16_t))
MLI_FAST_KERNEL(const TransposeKernels<uint32_t> *transposeKernels(uint32_t))

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_STRIDEDCOPY_H
