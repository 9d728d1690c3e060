// SPDX-License-Identifier: Apache-2.0
//
// The layers of a network as a function on buffers computes them, and which
// reads the results of which.

#ifndef MLI_ANALYSIS_LAYERGRAPH_H
#define MLI_ANALYSIS_LAYERGRAPH_H

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/Analysis/MovedBytes.h"
#include "mli/IR/LayerFacts.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <string>
#include <vector>

namespace mli {

/// Finds the keys of operations, in any functions on buffers.
class LayerKeys {
public:
  LayerKey get(mlir::Operation *op);

private:
  /// What the layers of operations of each function are called.
  llvm::DenseMap<mlir::Operation *,
                 std::function<std::string(mlir::Operation *)>>
      texts;
};

/// Copies that a pass has made for one reason.
struct LayerCopies {
  std::string reason;
  /// Those of one run of the function.
  int64_t bytes = 0;
};

/// All operations of one place in the network: the kernels of an operator,
/// which may run in tiles, and what moves for them.
struct NetworkLayer {
  LayerKey key;
  /// What the network calls it: `add "block_3/add" (operator 12)`, or the
  /// kernel and its number; and its own name alone, if it has one.
  std::string name, label;
  /// Its place as LayerFacts.h describes it.
  std::string place;
  /// The kinds of its kernels, of one that only moves `mov`, in program order.
  std::vector<std::string> kernels;
  /// What memory maps call its buffers, if no other layer is called so.
  std::vector<std::string> texts;
  /// The numbers of its steps, as FunctionSteps.h has them.
  std::vector<size_t> steps;
  /// The layers before it whose results it reads, ascending.
  std::vector<size_t> inputs;
  /// What moves between system and local memory for it in one run.
  MovedBytes moved;
  std::vector<LayerCopies> copies;
};

/// The layers of `function`, which has these lifetimes, in program order.
std::vector<NetworkLayer> findNetworkLayers(mlir::func::FuncOp function,
                                            const BufferLifetimes &lifetimes);

} // namespace mli

#endif // MLI_ANALYSIS_LAYERGRAPH_H
