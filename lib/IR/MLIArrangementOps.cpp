// SPDX-License-Identifier: Apache-2.0
//
// Verifiers and folds of the operations on where elements are.

#include "Contract/KernelContract.h"

#include "mli/IR/PermutedElement.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mli;
using contract::Family;
using contract::Operand;
using contract::OperandKind;

//===----------------------------------------------------------------------===//
// ArgmaxOp
//===----------------------------------------------------------------------===//

LogicalResult ArgmaxOp::verify() {
  auto input =
      Operand::of(Family::Argmax, OperandKind::Input, getInput().getType());
  auto init =
      Operand::of(Family::Argmax, OperandKind::Init, getInit().getType());
  auto axis = static_cast<int32_t>(getAxis());
  auto topk = static_cast<int32_t>(getTopk());
  if (failed(contract::verifyTensors(*this, {input, init})) ||
      failed(contract::verifyMemory(*this, {input, init})) ||
      failed(contract::verifyActivation(*this, input)) ||
      failed(contract::verifyFormat(*this, input, init)) ||
      failed(contract::verifyAxisAttr(*this, axis, input.type.getRank())))
    return failure();
  contract::Slices slices(contract::getShape(input.type), axis);
  // G1
  if (topk < 1)
    return emitOpError("expected 'topk' to be at least 1, but got ") << topk;
  // G2
  if (!slices.have(topk))
    return emitOpError("expected 'topk' to be at most the ")
           << slices.elements << " elements of a slice, but got " << topk;
  contract::Sizes sizes;
  sizes.bind('s', slices.count);
  sizes.bind('k', topk);
  auto meaning = [](char letter, int64_t size) {
    return (letter == 's' ? "the number of slices, " : "'topk', ") +
           std::to_string(size);
  };
  return contract::verifyShapes(*this, {init}, sizes, meaning);
}

//===----------------------------------------------------------------------===//
// PermuteOp
//===----------------------------------------------------------------------===//

Type mli::getPermutedElement(Type element, ArrayRef<int64_t> permutation) {
  auto type = dyn_cast<QuantizedType>(element);
  if (!type || !type.isPerAxis())
    return element;
  const auto *position = llvm::find(permutation, type.getAxis());
  return type.withAxis(static_cast<int32_t>(position - permutation.begin()));
}

LogicalResult PermuteOp::verify() {
  Operand input{"input", getInput().getType()};
  Operand init{"init", getInit().getType()};
  ArrayRef<int64_t> permutation = getPermutation();
  if (failed(contract::verifyTensors(*this, {input, init})) ||
      failed(contract::verifyCount(*this, "permutation", permutation,
                                   input.type.getRank())) ||
      failed(contract::verifyPermutation(*this, input, init, permutation)))
    return failure();
  for (int64_t i = 0; i < input.type.getRank(); ++i)
    if (failed(contract::verifySameDim(*this, input, permutation[i], init, i)))
      return failure();
  Type expected = getPermutedElement(input.element(), permutation);
  // G3
  if (init.element() != expected)
    return emitOpError("expected 'init' to have elements of ")
           << expected << ", but got " << init.element();
  return contract::verifySharing(*this);
}

/// The identity on tensors is no operation; a permutation of a permutation is
/// one.
// F6
LogicalResult PermuteOp::canonicalize(PermuteOp op, PatternRewriter &rewriter) {
  if (!op.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "a copy between buffers");
  ArrayRef<int64_t> outer = op.getPermutation();
  if (isIdentityPermutation(outer) &&
      op.getInput().getType() == op.getInit().getType()) {
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
  auto producer = op.getInput().getDefiningOp<PermuteOp>();
  if (!producer)
    return rewriter.notifyMatchFailure(op, "input is not permuted");
  SmallVector<int64_t> composed =
      applyPermutation(producer.getPermutation(), outer);
  rewriter.replaceOpWithNewOp<PermuteOp>(op, producer.getInput(), op.getInit(),
                                         composed);
  return success();
}
