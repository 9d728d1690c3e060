// SPDX-License-Identifier: Apache-2.0
//
// What memory the kernels take their operands in.

#ifndef MLI_ANALYSIS_MEMORYNEED_H
#define MLI_ANALYSIS_MEMORYNEED_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mli {

/// What a kernel needs of the strides of an operand.
enum class MemoryNeed {
  AnyStrides,
  UnitInner,  ///< the last dimension has stride 1
  Contiguous, ///< no gaps: the kernel walks it as one row
};

/// The need of `operand`, of an operation on buffers or, where these would be,
/// on tensors. Of what is no `mli` operation nothing is known: any strides.
MemoryNeed getMemoryNeed(mlir::OpOperand &operand);

/// Whether a buffer of `type` meets `need`. What is scattered over NPUs is
/// gathered first, so it does.
bool meetsNeed(mlir::MemRefType type, MemoryNeed need);

} // namespace mli

#endif // MLI_ANALYSIS_MEMORYNEED_H
