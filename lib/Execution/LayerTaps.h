// SPDX-License-Identifier: Apache-2.0
//
// Copies the results of layers out of a program while it runs, without a change
// of what else it does: its buffers have their places before.

#ifndef MLI_LIB_EXECUTION_LAYERTAPS_H
#define MLI_LIB_EXECUTION_LAYERTAPS_H

#include "mli/Execution/RecordedLayer.h"

#include "mlir/IR/Value.h"

#include <vector>

namespace mlir {
class Operation;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace mli {

/// Whether `op`, on tensors, is a layer: a kernel that computes a tensor which
/// callers can hold.
bool isLayer(mlir::Operation *op);

/// Whether both have the same extents but for those of 1: the batch, which
/// tiles and some networks drop.
bool isSameShape(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> other);

/// Lists the layers of `function`, on tensors, and notes in their locations,
/// which passes keep, which layers they are.
std::vector<RecordedLayer> numberLayers(mlir::func::FuncOp function);

/// Appends arguments to `function`, on buffers with their addresses, one for
/// each of `layers` whose result is there as a whole at one time, and moves
/// that result into it. The other layers get an obstacle.
void tapLayers(mlir::func::FuncOp function, std::vector<RecordedLayer> &layers);

/// The buffer, argument or constant that `view` is a view of.
mlir::Value findViewRoot(mlir::Value view);

/// Returns what describes the place of the element at an index of `view`, as
/// one of `shape`, which has as many elements in the same order; a buffer with
/// its address: a byte of local memory with its NPU and the cell of its layout,
/// of the arena, or of a result. It does not refer to the program.
std::function<std::string(llvm::ArrayRef<int64_t> index)>
describeElements(mlir::Value view, llvm::ArrayRef<int64_t> shape);

} // namespace mli

#endif // MLI_LIB_EXECUTION_LAYERTAPS_H
