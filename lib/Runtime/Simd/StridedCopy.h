// SPDX-License-Identifier: Apache-2.0
//
// Elements copied from one set of strides to another.

#ifndef MLI_LIB_RUNTIME_SIMD_STRIDEDCOPY_H
#define MLI_LIB_RUNTIME_SIMD_STRIDEDCOPY_H

#include "Runtime/Core/Tensor.h"

namespace mli::rt {

/// Copies the elements of a box of four dimensions, of 1, 2 or 4 bytes each;
/// strides are in elements. Source and target share no memory.
void copyStrided(uint32_t elementBytes, const Extents &extents,
                 const Strides &from, const Strides &to, const void *source,
                 void *target);

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_SIMD_STRIDEDCOPY_H
