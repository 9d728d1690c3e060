// SPDX-License-Identifier: Apache-2.0
//
// The layouts that the policy chooses for tensors and buffers in local memory,
// and their footprints there.

#ifndef MLI_ANALYSIS_LOCALNEED_H
#define MLI_ANALYSIS_LOCALNEED_H

#include "mli/IR/LocalMemory.h"
#include "mli/Layout/Policy.h"

#include "mlir/IR/Value.h"

namespace mli {

/// How the kernel uses `operand`, of any operation. Kernels that take their
/// operands in any layout use feature maps.
layout::OperandUsage getOperandUsage(mlir::OpOperand &operand);

/// How kernels use the buffer of which all `aliases` are views: as a feature
/// map unless one of them requires another usage.
layout::OperandUsage getOperandUsage(llvm::ArrayRef<mlir::Value> aliases);

/// Whether the kernel of `operand` takes it in the layouts of its role only.
/// Others, which go through their operands element by element, take any.
bool hasFixedLayouts(mlir::OpOperand &operand);

/// A tensor or buffer of `shape` with elements of type `element` for the
/// policy; nothing where none can be in local memory: of more than four
/// dimensions, or a dynamic one, or elements of no whole bytes.
std::optional<layout::LocalTensorDesc>
getLocalTensorDesc(llvm::ArrayRef<int64_t> shape, mlir::Type element,
                   layout::OperandUsage role);

/// Bytes per NPU that a tensor of `shape` with elements of type `element` takes
/// in the layout that the policy chooses, on the worst start NPU that it
/// allows, rounded up to what divides its offset; exact, also where that is
/// more than there is. Nothing where none can be in local memory.
std::optional<int64_t> getLocalBytes(llvm::ArrayRef<int64_t> shape,
                                     mlir::Type element,
                                     layout::OperandUsage role,
                                     const layout::Target &target,
                                     const layout::PolicyOptions &options = {});

/// A buffer like `type` in local memory of `target`, in the layout `choice`
/// from NPU `startNpu` on; nothing, and the reason, where that is not legal.
layout::Result<mlir::MemRefType>
getLocalType(mlir::MemRefType type, const layout::LayoutChoice &choice,
             const layout::Target &target, int64_t startNpu = 0);

} // namespace mli

#endif // MLI_ANALYSIS_LOCALNEED_H
