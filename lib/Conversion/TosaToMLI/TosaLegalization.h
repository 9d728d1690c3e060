// SPDX-License-Identifier: Apache-2.0
//
// Legalizes a network in TOSA, and finds the part of it that runs alone.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSALEGALIZATION_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSALEGALIZATION_H

#include "mli/Frontend/Forms.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mli::raising {

/// An operation that stays in TOSA.
struct LeftOperation {
  mlir::Operation *op;
  std::string reason;
  /// Whether the reason is its own: others stay with their neighbours.
  bool isCause;
};

/// What `legalize` has done.
struct Legalization {
  /// The roots of the clusters that are replaced. They are erased, so that only
  /// their addresses tell something.
  llvm::SmallVector<mlir::Operation *> roots;
  /// Those that stay, in order, but for constants that they read.
  std::vector<LeftOperation> left;
};

/// Replaces the operations of `module` for which there are kernels, in `forms`.
Legalization legalize(mlir::ModuleOp module, const ArithmeticForms &forms);

/// The operations of `module` in order: those of TOSA but for constants, and
/// kernels.
llvm::SmallVector<mlir::Operation *> listOperations(mlir::ModuleOp module);

/// The operations of a function and how they depend on each other, which stays
/// known while they are replaced.
class DependenceGraph {
public:
  /// `operations` are those of its module. The graph is empty if they are not
  /// all in the body of one function.
  explicit DependenceGraph(llvm::ArrayRef<mlir::Operation *> operations);

  /// Returns the operations whose results the largest part in front gives that
  /// is raised, in order. `isLeft` are those that stay in TOSA, `isRoot` those
  /// whose result is quantised once raised.
  llvm::SmallVector<size_t> findOutputs(const std::vector<bool> &isLeft,
                                        const std::vector<bool> &isRoot);

  /// Whether `operation` is in the part that was found.
  bool isInPart(size_t operation) const { return nodes[operation].isKnown; }

private:
  struct Node {
    llvm::SmallVector<size_t> producers, users;
    /// Whether it reads results of operations of other dialects that compute
    /// something.
    bool hasOtherProducers = false;
    /// Whether something else uses it: the end of the function, or operations
    /// of other dialects.
    bool hasOtherUsers = false;
    /// Whether all that it depends on is raised.
    bool isKnown = false;
  };

  bool isComplete(const Node &node, bool isRoot) const;

  std::vector<Node> nodes;
};

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSALEGALIZATION_H
