// SPDX-License-Identifier: Apache-2.0
//
// Tensors in files: the .npy format of NumPy, versions 1.0 to 3.0.

#ifndef MLI_EXECUTION_NPY_H
#define MLI_EXECUTION_NPY_H

#include "mli/Execution/HostTensor.h"

#include <optional>
#include <string>
#include <string_view>

namespace mli {

/// The tensor in `bytes`, the whole content of a file: C order, elements i1,
/// u1, i2, i4 or f4 of either byte order. Nothing else is accepted: for any
/// other input there is no tensor and `error` has what was expected and what is
/// there. Reads nothing after `bytes` and allocates no more than a copy.
std::optional<HostTensor> parseNpy(std::string_view bytes, std::string &error);

/// The content of a .npy file of version 1.0, little endian. Equal tensors give
/// equal bytes.
std::string formatNpy(const HostTensor &tensor);

} // namespace mli

#endif // MLI_EXECUTION_NPY_H
