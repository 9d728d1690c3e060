// SPDX-License-Identifier: Apache-2.0
//
// Operands of arithmetic between rescales, which may be broadcast.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSAOPERANDS_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSAOPERANDS_H

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaPatterns.h"

namespace mli::raising {

/// An operand: a value, the rescales that follow it, and the shape in which the
/// operation sees it.
struct Operand : RescaledValue {
  llvm::SmallVector<int64_t> shape;

  /// Whether it is a number, in 32 bits.
  bool isNumber() const { return isStoredIn(value.getType(), 32); }
  /// What the operation computes with for the quantized value `code`.
  double getNumber(double code) const {
    return (code - static_cast<double>(params.inputZero)) *
           params.factors.front();
  }
};

/// Reads operand `index` of `op`, which is rescaled from `bits` bits.
llvm::FailureOr<Operand> readOperand(mlir::Operation *op, unsigned index,
                                     unsigned bits, MatchFailures &failures);

/// Fails, with a reason for `op`, if it is a product that is shifted.
llvm::LogicalResult checkShift(mlir::Operation *op, MatchFailures &failures);

/// Fails, with a reason for `op`, unless `shape` is that to which both operands
/// are broadcast.
llvm::LogicalResult checkShapes(mlir::Operation *op, const Operand &left,
                                const Operand &right,
                                llvm::ArrayRef<int64_t> shape,
                                MatchFailures &failures);

/// Fails, with a reason for `op`, if it takes too many moves to broadcast
/// `operand` to `shape`.
llvm::LogicalResult checkBroadcast(mlir::Operation *op, const Operand &operand,
                                   llvm::ArrayRef<int64_t> shape,
                                   MatchFailures &failures);

/// The numbers of `operand` for each channel of a result of `shape`; nothing
/// unless it is a constant that all other dimensions share.
std::optional<llvm::SmallVector<double>>
readChannels(const Operand &operand, llvm::ArrayRef<int64_t> shape);

/// Reads `operand` for createBroadcast to the shape of `result`: as one
/// element, unless `repeatsOne`, as all or as the last dimensions; as zeros
/// where its rescale multiplies by 0.
mlir::Value readBroadcast(Emitter &emitter, const Operand &operand,
                          mlir::Value result, bool repeatsOne = false);

/// Whether arithmetic of both is a function of 8 bits: of one value and a
/// number, or of one value that no kernel of two operands takes, since it would
/// need two zero points or, but for a product, scales.
bool isOneCode(const Operand &left, const Operand &right, bool isProduct);

/// Matches such arithmetic `op`, whose result `root` rescales.
ClusterPtr matchMap(mlir::Operation *op, mlir::tosa::RescaleOp root,
                    const RescaleParams &rescale, const Operand &left,
                    const Operand &right, MatchFailures &failures);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSAOPERANDS_H
