// SPDX-License-Identifier: Apache-2.0
//
// The kernel of a module that needs most local memory, whatever tiles it is cut
// into: with less there is no program.

#ifndef MLI_TRANSFORMS_BINDINGKERNEL_H
#define MLI_TRANSFORMS_BINDINGKERNEL_H

#include "mli/Transforms/Passes.h"

#include <optional>
#include <string>

namespace mli {

struct BindingKernel {
  /// The kernel in the words of the network: 'conv2d "add" (operator 3)'.
  std::string name;
  /// The fewest bytes of each NPU that hold its smallest tile, as many as a
  /// target like that of the module may have.
  int64_t npuBytes = 0;
};

/// The first kernel of `module`, on tensors and with a target, that needs most;
/// nothing if there is no kernel. Recurrent cells that do not fit the target
/// are the kernels of their steps. Fails with a diagnostic on `options` that
/// can not be.
mlir::FailureOr<std::optional<BindingKernel>>
findBindingKernel(mlir::ModuleOp module, const TileToFitOptions &options);

} // namespace mli

#endif // MLI_TRANSFORMS_BINDINGKERNEL_H
