// SPDX-License-Identifier: Apache-2.0
//
// Converts element types of the quant dialect to those of mli.

#ifndef MLI_LIB_CONVERSION_QUANTTOMLI_QUANTTYPES_H
#define MLI_LIB_CONVERSION_QUANTTOMLI_QUANTTYPES_H

#include "mli/IR/MLI.h"

namespace mli {

/// The maximum rank of tensors that kernels take.
inline constexpr int64_t maxRank = 4;

/// The mli type of a uniformly quantised `type`; null for other types, and
/// where mli has no such type.
mlir::Type convertQuantType(mlir::Type type);

/// Whether `op` is a quant.qcast to a type that uses only a subrange of its
/// storage type: kernels saturate to the whole range.
bool hasPartialRange(mlir::Operation *op);

/// Whether `op` is a quant.qcast or quant.dcast of higher rank, or of more
/// bytes, than kernels take.
bool exceedsTensor(mlir::Operation *op);

/// The reason why `op`, which has quant types, cannot be converted: a type
/// without an equivalent, or the operation itself. Empty if it can be
/// converted, or has no such type.
std::string getRejectionReason(mlir::Operation *op);

} // namespace mli

#endif // MLI_LIB_CONVERSION_QUANTTOMLI_QUANTTYPES_H
