// SPDX-License-Identifier: Apache-2.0
//
// A local tensor of the C API beside the ordinary tensor that it stands for.

#ifndef MLI_LIB_RUNTIME_LOCAL_LOCALTENSOR_H
#define MLI_LIB_RUNTIME_LOCAL_LOCALTENSOR_H

#include "Runtime/Core/Checks.h"
#include "mli/Layout/TensorLayout.h"
#include "mli/Runtime/C/mli_local.h"

namespace mli::rt {

/// The layout, and for each dimension of local memory what a step along it is
/// in the ordinary tensor, in elements; of a matrix, C steps over the columns
/// of a channel.
struct LocalTensor {
  layout::TensorLayout layout;
  layout::Dims tensorStrides;
};

/// Finds both. BAD_FUNC_CFG if the description is not a legal layout,
/// NOT_ENGH_MEM if it does not fit, BAD_TENSOR if `tensor` is null or has no
/// shape or type. With messages.
mli_status resolve(const mli_local_tensor *local, const Argument &tensor,
                   LocalTensor &resolved);

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_LOCAL_LOCALTENSOR_H
