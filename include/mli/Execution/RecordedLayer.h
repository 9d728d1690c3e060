// SPDX-License-Identifier: Apache-2.0
//
// The layers of a compiled function, and where their results lie in the program
// that runs.

#ifndef MLI_EXECUTION_RECORDEDLAYER_H
#define MLI_EXECUTION_RECORDEDLAYER_H

#include "mli/IR/LayerFacts.h"

#include "mlir/IR/BuiltinTypes.h"

#include <functional>
#include <string>

namespace mli {

/// A kernel of a network on tensors, and the place of its first result in the
/// program.
struct RecordedLayer {
  /// Its place among the kernels of the function, as `mli-opt
  /// --convert-tosa-to-mli=full` and the passes after it order them.
  unsigned index = 0;
  /// The operation without its dialect: `conv2d`.
  std::string kernel;
  /// The place in the network that it comes from, in few words.
  std::string name;
  mlir::RankedTensorType type;
  /// That of the layer of the program which computes it; its name where none
  /// does.
  LayerKey key = {};
  /// Why its result can not be read from the program, in the form `only ...`;
  /// empty if it can.
  std::string obstacle = {};
  /// Describes the place of the element at an index of `type`: a byte of an
  /// NPU, of the arena or of a result. Empty where the result can not be read.
  std::function<std::string(llvm::ArrayRef<int64_t> index)> describeElement =
      {};
};

} // namespace mli

#endif // MLI_EXECUTION_RECORDEDLAYER_H
