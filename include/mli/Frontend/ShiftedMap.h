// SPDX-License-Identifier: Apache-2.0
//
// Creates sums with constants that round once: products with one weight, and a
// bias.

#ifndef MLI_FRONTEND_SHIFTEDMAP_H
#define MLI_FRONTEND_SHIFTEDMAP_H

#include "mli/Frontend/ByteProduct.h"

namespace mli {

/// `sign` times a tensor of 8 bits, and a constant for each channel, the last
/// dimension. Both are in quantized values of the tensor, and `factor` times
/// them in those of the result, rounded with halves away from zero.
struct ShiftedMap {
  double sign;
  llvm::SmallVector<double> constants;
  double factor;
  /// The quantized values of the tensor, less its zero point.
  quant::CodeRange values;
  quant::QuantParams out;
  quant::Limits limits;
};

/// The share of the results of all values and constants for which `compute`,
/// without the zero point, is another one.
double
getShareOff(const ShiftedMap &map,
            llvm::function_ref<double(double value, double constant)> compute);

/// The constants of the kernel, and the share of results that it may have off.
struct Shift {
  int32_t weight;
  llvm::SmallVector<int32_t> bias;
  double factor, shareOff;
};

/// Chooses them; nothing if no weight leaves the bias in the range of the
/// kernel.
std::optional<Shift> chooseShift(const ShiftedMap &map);

/// Creates `map` of `source` as `element`, clipped, by `depthwise_conv2d` of
/// 1 x 1. Null where that takes kernels of 16 bits.
mlir::Value createShiftedMap(TensorBuilder &tensors, mlir::Value source,
                             Sa8Type element, const Shift &shift,
                             const Clip &clip);

/// Creates `map` of `source` as `element`, clipped, with one rounding. Null if
/// `kernel`, the results of a kernel of two operands without the zero point, is
/// about as good, or if no weight is.
mlir::Value createConstantSum(
    TensorBuilder &tensors, mlir::Value source, const ShiftedMap &map,
    Sa8Type element, const Clip &clip,
    llvm::function_ref<double(double value, double constant)> kernel);

} // namespace mli

#endif // MLI_FRONTEND_SHIFTEDMAP_H
