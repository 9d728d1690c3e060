// SPDX-License-Identifier: Apache-2.0
//
// The steps of a recurrent cell as kernels that mli-tile-to-fit can cut.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_CELLSTEPS_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_CELLSTEPS_H

#include "TileApply.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mli::tiling {

/// The operands and attributes that cells have.
struct CellOperands {
  explicit CellOperands(mlir::Operation *op);

  mlir::Operation *op;
  mlir::Value input, previous, weightsIn, weightsOut, bias, init;
  /// Null for a cell without a state besides its output.
  mlir::Value cell;
  bool isBackward = false, hasAllResults = false;
  RnnAct act = RnnAct::none;
};

/// The vectors that a step passes on to the next one.
struct CellState {
  /// The previous output.
  mlir::Value hidden;
  /// Null for a cell that has none.
  mlir::Value cell;
};

/// Makes the kernels of the steps of one cell: what they compute, in which
/// formats and in which order, is what its own kernel does.
class CellSteps {
public:
  /// Makes the weights of each gate where `builder` is.
  CellSteps(mlir::OpBuilder &builder, const CellOperands &operands);

  /// Makes the kernels of the step on `frame`, an input vector. The new cell
  /// replaces that of `state`, the new output is written to `destination`.
  CellState makeStep(mlir::OpBuilder &builder, mlir::Value frame,
                     const CellState &state, mlir::Value destination) const;

private:
  struct Gate {
    mlir::Value weightsIn, weightsOut, bias;
  };

  CellState makeLstmStep(mlir::OpBuilder &builder, mlir::Value frame,
                         const CellState &state, mlir::Value destination) const;
  CellState makeGruStep(mlir::OpBuilder &builder, mlir::Value frame,
                        const CellState &state, mlir::Value destination) const;
  mlir::Value makeGate(mlir::OpBuilder &builder, size_t gate, mlir::Value frame,
                       mlir::Value hidden, LutFunction function) const;
  mlir::Value activate(mlir::OpBuilder &builder, LutFunction function,
                       mlir::Value value) const;
  mlir::Value multiply(mlir::OpBuilder &builder, mlir::Value lhs,
                       mlir::Value rhs, mlir::Type element) const;
  mlir::Value createEmpty(mlir::OpBuilder &builder, mlir::Type element) const;

  const CellOperands &operands;
  mlir::Location loc;
  mlir::Type gateElement, sigmElement, tanhElement;
  llvm::SmallVector<Gate, 4> gates;
  /// The largest number that sigm gives.
  mlir::Value one;
};

/// Returns the reason why no kernels compute the steps of `op`, a cell of
/// static shapes; empty if there is none.
std::string explainNoSteps(mlir::Operation *op);

/// Has the weights of as many gates stay in local memory through `loop`, over
/// the steps of a cell, as costs least in `room` bytes of each NPU.
void keepWeights(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop,
                 const CellRules &rules, int64_t room);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_CELLSTEPS_H
