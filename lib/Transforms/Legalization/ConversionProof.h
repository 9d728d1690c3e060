// SPDX-License-Identifier: Apache-2.0
//
// What is proven of conversions between two types of elements, by trying the
// codes that there can be.

#ifndef MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERSIONPROOF_H
#define MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERSIONPROOF_H

#include "mli/IR/MLI.h"
#include "mli/Quant/CodeConversion.h"

#include <map>

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

/// Proofs of one module: what was tried once is known.
class ConversionProofs {
public:
  enum class Verdict {
    No,
    Yes,
    TooMany, ///< too many codes that differ to try
  };

  /// Whether codes of `range` come out of the two conversions as out of one.
  Verdict isComposable(mlir::Type in, mlir::Type middle, mlir::Type out,
                       const quant::CodeRange &range);

  /// Whether codes of `range` come out of the conversion as they went in.
  bool isIdentity(mlir::Type in, mlir::Type out, const quant::CodeRange &range);

  /// The most codes that are tried for one answer, those of equal parameters
  /// once.
  static constexpr int64_t maxCodes = int64_t{1} << 22;

private:
  /// Formats one behind the other, and the codes at the begin.
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
