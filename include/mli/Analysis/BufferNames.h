// SPDX-License-Identifier: Apache-2.0
//
// What the buffers of a plan are called, in the words of the network.

#ifndef MLI_ANALYSIS_BUFFERNAMES_H
#define MLI_ANALYSIS_BUFFERNAMES_H

#include "mli/Analysis/MemoryProblem.h"

#include <functional>

namespace mli {

/// What a buffer is called, and what it is for.
struct BufferName {
  /// The one of `MemoryProblem::getName`, and whether the buffer has it for
  /// itself: it is not that of a layer, nor a number.
  std::string name;
  bool isOwn = false;
  /// Its part in the layer: `result`, `weights`, `bias`, `input copy`, `table`,
  /// `scratch`, or what else the kernel calls the operand. Empty where no layer
  /// is known.
  std::string operand;
  /// The layer: `conv2d "block_3/expand" (operator 12)`, or, without a name,
  /// `conv2d 3`, the number among the layers of this kind. These count in the
  /// order of the file that they are from, or else of the function.
  std::string layer;

  /// `weights of conv2d "block_3/expand" (operator 12)`; the name where no
  /// layer is known.
  std::string getText() const;
  /// The own name alone, if there is one; else the text.
  std::string getShortText() const { return isOwn ? name : getText(); }
};

/// The names of all users of `problem`, in their order.
std::vector<BufferName> getBufferNames(const MemoryProblem &problem);

/// What the layers of operations of `function` are called.
std::function<std::string(mlir::Operation *)>
getLayerTexts(mlir::func::FuncOp function);

} // namespace mli

#endif // MLI_ANALYSIS_BUFFERNAMES_H
