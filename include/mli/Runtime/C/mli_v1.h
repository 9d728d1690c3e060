// SPDX-License-Identifier: Apache-2.0
//
// Tensors of MLI 1.x, and their conversion to those that the kernels take.
// Conversions copy descriptions; the elements stay where they are.

#ifndef MLI_V1_H
#define MLI_V1_H

#include "mli_types.h"

// NOLINTBEGIN: a C header, in the style of the API beside it.

typedef enum {
  MLI_V1_EL_FX_8 = 0,
  MLI_V1_EL_FX_16 = 1,
  MLI_V1_EL_LARGE_ENUM = 0x02000000
} mli_v1_element_type;

typedef union {
  struct {
    unsigned frac_bits;
  } fx;
} mli_v1_element_params;

/// Elements lie without gaps, the last dimension innermost. A scalar has rank 0
/// and its value in the first bytes of `data`, or rank 1 and one element.
typedef struct {
  void *data;
  uint32_t capacity;
  uint32_t shape[MLI_MAX_RANK];
  uint32_t rank;
  mli_v1_element_type el_type;
  mli_v1_element_params el_params;
} mli_v1_tensor;

#ifdef __cplusplus
extern "C" {
#endif

/// Describes `from` in `to`, in every check mode: MLI_STATUS_BAD_TENSOR for a
/// null pointer, null data of a rank over 0, a rank over four or an empty
/// tensor; MLI_STATUS_NOT_ENGH_MEM for a capacity below the shape's;
/// MLI_STATUS_TYPE_MISMATCH for an unknown type, and
/// MLI_STATUS_SPEC_PARAM_MISMATCH for more than 127 fraction bits.
MLI_API mli_status mli_v1_to_tensor(const mli_v1_tensor *from, mli_tensor *to);

/// The way back, for what a kernel wrote into a description. Also
/// MLI_STATUS_INCOMPATEBLE_TENSORS for gaps between elements, and
/// MLI_STATUS_SPEC_PARAM_MISMATCH for negative fraction bits.
MLI_API mli_status mli_v1_from_tensor(const mli_tensor *from,
                                      mli_v1_tensor *to);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_V1_H
