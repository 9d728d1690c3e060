// SPDX-License-Identifier: Apache-2.0
//
// A function whose arguments and result are slices of larger tensors: blocks,
// steps, and dimensions of one index in front, inside and behind.

#ifndef MLI_TEST_UNIT_TRANSFORMS_CUTOPERANDS_H
#define MLI_TEST_UNIT_TRANSFORMS_CUTOPERANDS_H

#include "mli/Execution/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <random>

namespace mli {

/// A slice of a larger tensor.
struct Cut {
  std::vector<int64_t> whole, offsets, sizes, steps;
  /// The dimensions of one index that the slice is without.
  std::vector<bool> isDropped;

  /// Writes the elements of `part`, of the shape that is left, into `into`.
  void insert(const HostTensor &part, HostTensor &into) const;
};

/// The slices of a function that has been cut: of each argument, then of the
/// result, which is inserted into a further argument or, if `isOpen`, into a
/// tensor whose other elements are any.
struct CutFunction {
  std::vector<Cut> arguments;
  Cut result;
  bool isOpen;
};

/// Cuts `function`, of static shapes and one result. Arguments with parameters
/// along an axis are blocks of the same rank.
CutFunction cutOperands(mlir::func::FuncOp function, std::mt19937 &random);

} // namespace mli

#endif // MLI_TEST_UNIT_TRANSFORMS_CUTOPERANDS_H
