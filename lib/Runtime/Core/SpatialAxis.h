// SPDX-License-Identifier: Apache-2.0
//
// Height or width of a feature map that a window moves over.

#ifndef MLI_LIB_RUNTIME_CORE_SPATIALAXIS_H
#define MLI_LIB_RUNTIME_CORE_SPATIALAXIS_H

#include "mli/Contract/Contract.h"

namespace mli::rt {

/// The window of a call along one dimension, over `in` inputs to `out` outputs.
struct SpatialAxis : contract::WindowAxis {
  int64_t in;
  int64_t out;
};

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CORE_SPATIALAXIS_H
