// SPDX-License-Identifier: Apache-2.0
//
// Element types of the quant dialect as those of mli.

#ifndef MLI_LIB_CONVERSION_QUANTTOMLI_QUANTTYPES_H
#define MLI_LIB_CONVERSION_QUANTTOMLI_QUANTTYPES_H

#include "mli/IR/MLI.h"

namespace mli {

/// Kernels take so many dimensions.
inline constexpr int64_t maxRank = 4;

/// The mli type of a uniformly quantised `type`; null if there is none, or if
/// `type` is no such type.
mlir::Type convertQuantType(mlir::Type type);

/// Whether `op` is a quant.qcast to a type whose codes are not all that their
/// container holds: kernels saturate to that.
bool quantizesToPartOf(mlir::Operation *op);

/// Whether `op` is a quant.qcast or quant.dcast of more dimensions, or of more
/// bytes, than kernels have.
bool exceedsTensor(mlir::Operation *op);

/// Why `op`, which has quant types, is none of mli: the type that has none
/// there, or the operation itself. Empty if `op` has no such type, or may be
/// converted.
std::string refusalOf(mlir::Operation *op);

} // namespace mli

#endif // MLI_LIB_CONVERSION_QUANTTOMLI_QUANTTYPES_H
