// SPDX-License-Identifier: Apache-2.0
//
// What is proven of conversions between two types of elements, by trying the
// codes that there can be.

#ifndef MLI_LIB_TRANSFORMS_CONVERSIONPROOF_H
#define MLI_LIB_TRANSFORMS_CONVERSIONPROOF_H

#include "mli/IR/MLI.h"
#include "mli/Quant/CodeConversion.h"

namespace mli {

/// The element type of `value`, a tensor.
mlir::Type elementOf(mlir::Value value);

/// `element` if its parameters vary along an axis, else null.
QuantizedType perAxis(mlir::Type element);

/// Whether the runtime converts between the two: parameters vary along one
/// axis.
bool keepsAxis(mlir::Type in, mlir::Type out);

/// Whether `op`, on tensors, leaves its elements in the memory that they are
/// in.
bool keepsMemory(ConvertOp op);

/// Whether codes of `range` come out of the two conversions as out of one.
bool isComposable(mlir::Type in, mlir::Type middle, mlir::Type out,
                  const quant::CodeRange &range);

/// Whether codes of `range` come out of the conversion as they went in.
bool isIdentity(mlir::Type in, mlir::Type out, const quant::CodeRange &range);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_CONVERSIONPROOF_H
