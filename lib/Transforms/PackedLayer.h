// SPDX-License-Identifier: Apache-2.0
//
// Kernels with weights as the layers that the runtime packs.

#ifndef MLI_LIB_TRANSFORMS_PACKEDLAYER_H
#define MLI_LIB_TRANSFORMS_PACKEDLAYER_H

#include "mli/IR/MLI.h"
#include "mli/Transforms/PackOrder.h"

#include "mlir/IR/AsmState.h"

#include <string>

namespace mli {

/// What became of a kernel: bytes, or why there are none.
struct PackedLayer {
  mlir::AsmResourceBlob blob;
  /// Empty if there are bytes.
  std::string obstacle;
};

/// Packs `op`, one with weights. `order` is none but `None`.
PackedLayer packLayer(mlir::Operation *op, PackOrder order);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_PACKEDLAYER_H
