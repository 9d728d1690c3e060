// SPDX-License-Identifier: Apache-2.0
//
// The layers that one run of a compiled function computes, the calls that
// compute them, and when the engines of a target would run them.

#ifndef MLI_EXECUTION_RUNLAYERS_H
#define MLI_EXECUTION_RUNLAYERS_H

#include "mli/IR/LayerFacts.h"
#include "mli/Transforms/ScheduleCost.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace mli {

/// What a kernel computes, as far as sizes are known.
struct LayerWork {
  /// Products, or elements of windows, that it sums up.
  std::optional<int64_t> products = 0;
  /// Bytes of its operands, the result among them.
  std::optional<int64_t> bytes = 0;

  /// Adds `more`; what one of both does not know, the sum does not.
  LayerWork &operator+=(const LayerWork &more);
};

/// A kernel of the network: all calls for one operation at one place of one
/// function, which compute it whole, in tiles or row by row.
struct RunLayer {
  /// That of the layer it belongs to.
  LayerKey key;
  std::string name;
  /// The operation of the dialect, without its prefix.
  std::string kernel;
  /// The shape of the result; of dimensions that are not known -1.
  llvm::SmallVector<int64_t> shape;
  /// The sums of all calls: what tiles compute or read again counts again.
  LayerWork work;
  unsigned calls = 0;
};

/// An operation of the program that becomes one call, which may run often.
struct LayerCall {
  /// The number of its layer.
  size_t layer;
  /// The function of the API; for all layers that are packed one prefix.
  std::string function;
  LayerWork work;
};

/// A transfer or kernel, and when its engine runs it by the cost model.
struct EstimatedStep {
  LayerKey key;
  std::string name, kernel;
  bool isTransfer;
  LayerWork work;
  double begin, end;
};

struct RunLayers {
  std::vector<RunLayer> layers;
  std::vector<LayerCall> calls;
  /// The numbers of the calls in the order of a run.
  std::vector<size_t> order;
  /// One run by the cost model; empty without local memory, and if nobody asked
  /// for it.
  std::vector<EstimatedStep> estimate;
};

/// The kernels of a function on tensors, before anything is cut.
class NetworkKernels {
public:
  explicit NetworkKernels(mlir::func::FuncOp function);

  /// Gives `layer`, of which `op` is a part, the sizes of the whole kernel,
  /// where there is one only.
  void complete(mlir::Operation *op, RunLayer &layer) const;

private:
  using Key = std::pair<mlir::Location, mlir::OperationName>;
  struct Kernel {
    llvm::SmallVector<int64_t> shape;
    std::optional<int64_t> products;
    unsigned count = 0;
  };
  llvm::DenseMap<Key, Kernel> kernels;
};

/// Returns the layers of `function`, on buffers with addresses, which was made
/// of `kernels` and of which a run is estimated to be `schedule`.
RunLayers findLayers(mlir::func::FuncOp function, const NetworkKernels &kernels,
                     const Schedule &schedule);

/// The steps of `schedule` for readers.
std::vector<EstimatedStep> describeSchedule(const Schedule &schedule);

/// Finds the call in `layers` that each of `functions`, which one run of
/// `name` called, belongs to: null for those of no layer, as of transfers.
/// Fails where calls depend on data, or are too many to follow.
llvm::Expected<std::vector<const LayerCall *>>
matchCalls(const RunLayers &layers, llvm::StringRef name,
           llvm::ArrayRef<std::string> functions);

} // namespace mli

#endif // MLI_EXECUTION_RUNLAYERS_H
