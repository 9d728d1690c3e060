// SPDX-License-Identifier: Apache-2.0
//
// The values of a network of TOSA, in exact integers as its specification has
// them.

#ifndef MLI_TEST_FUZZ_INTERPRETER_TOSAVALUE_H
#define MLI_TEST_FUZZ_INTERPRETER_TOSAVALUE_H

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace mli::fuzz {

/// The elements of a tensor, whose static shape is that of its value.
struct TosaValue {
  llvm::SmallVector<int64_t> shape;
  std::vector<int64_t> elements;

  int64_t getRank() const { return static_cast<int64_t>(shape.size()); }
  int64_t getNumElements() const { return llvm::product_of(shape); }
};

/// The operands of an operation.
using TosaOperands = llvm::ArrayRef<TosaValue>;

/// The element of `operand`, whose extents are those of `shape` or 1, for
/// element `index` of a tensor of `shape`.
int64_t getBroadcast(const TosaValue &operand, llvm::ArrayRef<int64_t> shape,
                     int64_t index);

// Each computes `op`, if it is one of theirs, into `result`, which has its
// shape already.
bool computeTosaElement(mlir::Operation *op, TosaOperands operands,
                        TosaValue &result);
bool computeTosaProduct(mlir::Operation *op, TosaOperands operands,
                        TosaValue &result);
bool computeTosaMove(mlir::Operation *op, TosaOperands operands,
                     TosaValue &result);

/// Whether no element of row `index` along `axis` is greater than the one at
/// `place`.
bool isGreatest(const TosaValue &input, int64_t axis, int64_t index,
                int64_t place);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_INTERPRETER_TOSAVALUE_H
