// SPDX-License-Identifier: Apache-2.0
//
// Weights of TOSA as kernels take them: their order and their scales.

#ifndef MLI_LIB_CONVERSION_TOSAWEIGHTS_H
#define MLI_LIB_CONVERSION_TOSAWEIGHTS_H

#include "mli/Quant/QuantParams.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <optional>

namespace mli::raising {

/// The same elements in the same order, of shape `shape`.
mlir::ElementsAttr withShape(mlir::ElementsAttr weights,
                             llvm::ArrayRef<int64_t> shape);

/// i8 weights [O, ...] as [..., O] of shape `shape`: OHWI becomes HWIO, OI
/// becomes IO. They must be readable by `rawElements`.
mlir::ElementsAttr withOutputsLast(mlir::ElementsAttr weights,
                                   llvm::ArrayRef<int64_t> shape);

/// The scale of weights with which a kernel with `in` and `out` multiplies its
/// sums by a number as near as possible to `factor`; nothing if the exponent
/// is out of range.
std::optional<quant::QuantParams> weightsParams(const quant::QuantParams &in,
                                                const quant::QuantParams &out,
                                                double factor);

/// The bias scale that goes with it: input scale times weights scale, as
/// kernels check it; nothing if the exponent is out of range.
std::optional<quant::QuantParams> biasParams(const quant::QuantParams &in,
                                             const quant::QuantParams &weights);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSAWEIGHTS_H
