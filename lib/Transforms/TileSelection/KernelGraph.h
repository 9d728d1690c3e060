// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a function and which of them mli-tile-to-fit may fuse with
// their user.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_KERNELGRAPH_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_KERNELGRAPH_H

#include "StaticKernel.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mli::tiling {

/// A kernel on tensors.
struct KernelNode {
  StaticKernel kernel;
  /// In the order of the function.
  size_t number = 0;
  /// The kernels that use its result, if nothing else does, and these in tiles;
  /// and those that it uses so.
  llvm::SmallVector<KernelNode *, 2> users, producers;
  /// The nearest kernel that all ways from its result lead to, if one is near:
  /// a group that has this one has that one as well.
  KernelNode *join = nullptr;
  /// Those whose `join` it is.
  llvm::SmallVector<KernelNode *, 2> joined;
};

/// Kernels that are computed in the tiles of the first: the others in the
/// reverse order of the function.
using KernelNodes = llvm::SmallVector<const KernelNode *, 4>;

class KernelGraph {
public:
  /// The kernels of `function` without a decision how to cut them. Groups have
  /// at most `maxGroup` of them. Fails with a diagnostic for each whose shape
  /// is not known.
  static mlir::FailureOr<KernelGraph> of(mlir::FunctionOpInterface function,
                                         unsigned maxGroup);

  /// The kernels, in the order of the function.
  llvm::ArrayRef<std::unique_ptr<KernelNode>> getNodes() const { return nodes; }
  /// Null if `op` is none.
  const KernelNode *find(mlir::Operation *op) const { return byOp.lookup(op); }

  /// The groups that may be computed in tiles of `root`, the smaller ones
  /// first: `root` alone, then with kernels before it whose results only the
  /// group uses.
  std::vector<KernelNodes> getGroups(const KernelNode &root) const;

  /// The kernels whose results only `group` uses, which are not of it.
  static KernelNodes getCandidates(llvm::ArrayRef<const KernelNode *> group);

  unsigned getMaxGroup() const { return maxGroup; }

private:
  explicit KernelGraph(unsigned maxGroup) : maxGroup(maxGroup) {}

  void findUsers(KernelNode &node);
  void findJoin(KernelNode &node);

  unsigned maxGroup;
  std::vector<std::unique_ptr<KernelNode>> nodes;
  llvm::DenseMap<mlir::Operation *, KernelNode *> byOp;
};

/// `group` with `node`.
KernelNodes addToGroup(llvm::ArrayRef<const KernelNode *> group,
                       const KernelNode &node);

/// Whether `op` is a kernel on tensors that local memory has to hold: moves go
/// from system memory to system memory where they have to.
bool isTileable(mlir::Operation *op);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_KERNELGRAPH_H
