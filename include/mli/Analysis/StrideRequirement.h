// SPDX-License-Identifier: Apache-2.0
//
// The strides that kernels require of their operands.

#ifndef MLI_ANALYSIS_STRIDEREQUIREMENT_H
#define MLI_ANALYSIS_STRIDEREQUIREMENT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mli {

/// The requirement of a kernel on the strides of an operand.
enum class StrideRequirement {
  AnyStrides,
  UnitInner,  ///< the last dimension has stride 1
  Contiguous, ///< no gaps: the kernel walks it as one row
};

/// The need of `operand`, of an operation on buffers or, where these would be,
/// on tensors. Operations of other dialects take any strides.
StrideRequirement getStrideRequirement(mlir::OpOperand &operand);

/// Whether a buffer of `type` meets `need`. Buffers that are scattered over
/// NPUs are gathered first, so it does.
bool meetsRequirement(mlir::MemRefType type, StrideRequirement need);

} // namespace mli

#endif // MLI_ANALYSIS_STRIDEREQUIREMENT_H
