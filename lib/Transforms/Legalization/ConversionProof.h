// SPDX-License-Identifier: Apache-2.0
//
// Proofs for mli-legalize-conversions about conversions between element types,
// by trying all quantised values in a range.

#ifndef MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERSIONPROOF_H
#define MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERSIONPROOF_H

#include "mli/IR/MLI.h"
#include "mli/Quant/CodeConversion.h"

#include <map>

namespace mli {

/// `element` if its parameters vary along an axis, else null.
QuantizedType getPerAxisType(mlir::Type element);

/// Whether the runtime converts from `in` to `out`, which it does unless they
/// are quantised along different axes.
bool keepsAxis(mlir::Type in, mlir::Type out);

/// Whether the input and the result of `op`, on tensors, are in one memory.
bool keepsMemory(ConvertOp op);

/// The proofs of one module, each of which is tried once.
class ConversionProofs {
public:
  enum class Verdict {
    No,
    Yes,
    TooMany, ///< more quantised values to try than `maxCodes`
  };

  /// Whether one conversion from `in` to `out` computes the same as one to
  /// `middle` and another to `out`, for all quantised values of `range`.
  Verdict isComposable(mlir::Type in, mlir::Type middle, mlir::Type out,
                       const quant::CodeRange &range);

  /// Whether converting `in` to `out` keeps all quantised values of `range`.
  bool isIdentity(mlir::Type in, mlir::Type out, const quant::CodeRange &range);

  /// The most values tried for one proof; equal parameters count once.
  static constexpr int64_t maxCodes = int64_t{1} << 22;

private:
  /// The formats of a chain of conversions, and the value range of the first.
  struct Case {
    llvm::SmallVector<quant::NumberFormat, 3> formats;
    quant::CodeRange range;

    bool operator<(const Case &other) const;
  };

  Verdict prove(llvm::ArrayRef<mlir::Type> types, const quant::CodeRange &range,
                llvm::function_ref<bool(const Case &)> check);

  std::map<Case, bool> proven;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERSIONPROOF_H
