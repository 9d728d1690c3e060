// SPDX-License-Identifier: Apache-2.0
//
// Selects the cluster that an operation may be the root of.

#include "TosaPatterns.h"
#include "TosaWeighted.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

void raising::rejectRoot(Operation *root, Operation *subject,
                         MatchFailures &failures) {
  if (root != subject)
    failures.addMember(root, subject);
}

/// Matches the cluster that ends in the rescale `root`, by the producer of its
/// input.
static ClusterPtr matchRescale(tosa::RescaleOp root, MatchFailures &failures) {
  auto isByte = [](Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    return isStoredIn(element, 8) || element.isUnsignedInteger(8);
  };
  if ((root.getInputUnsigned() || root.getOutputUnsigned()) &&
      isByte(root.getInput()) && isByte(root.getOutput()))
    return matchUnsigned(root, failures);
  if (isStoredIn(root.getType(), 16) || isStoredIn(root.getType(), 32))
    return matchWide(root, failures);
  if (!isStoredIn(root.getType(), 8))
    return nullptr; // It is inside of a cluster.
  Operation *last = root.getInput().getDefiningOp();
  if (isa_and_nonnull<tosa::ArithmeticRightShiftOp>(last))
    return matchSoftmax(root, failures);
  FailureOr<RescaledValue> rescaled = readNarrowing(root, failures);
  if (failed(rescaled))
    return nullptr;
  if (rescaled->params.isConstant())
    return matchConstant(root, rescaled->params.outputZero, failures);
  if (!isSum(rescaled->value))
    return matchConvert(root, *rescaled, failures);
  Operation *producer = rescaled->value.getDefiningOp();
  ClusterPtr cluster;
  if (isa_and_nonnull<tosa::Conv2DOp, tosa::DepthwiseConv2DOp,
                      tosa::TransposeConv2DOp>(producer))
    cluster = matchConv(root, *rescaled, failures);
  else if (isa_and_nonnull<tosa::MatMulOp>(producer))
    cluster = matchMatMul(root, *rescaled, failures);
  else if (isa_and_nonnull<tosa::ReduceSumOp>(producer))
    cluster = matchMean(root, *rescaled, failures);
  else if (isa_and_nonnull<tosa::AddOp, tosa::SubOp, tosa::MulOp,
                           tosa::MaximumOp, tosa::MinimumOp>(producer))
    cluster = matchBinary(root, *rescaled, failures);
  else
    return failures.reject(root,
                           "expected 'input' to be the result of a "
                           "convolution, a product of matrices, a sum along a "
                           "dimension, arithmetic of two operands or a "
                           "softmax, but got ",
                           rescaled->value.getType());
  if (!cluster)
    rejectRoot(root, producer, failures);
  return cluster;
}

/// Adds the reason for a layer whose sums are not rescaled; its cluster has
/// another root.
static ClusterPtr matchLayer(Operation *op, MatchFailures &failures) {
  if (failed(checkProduct(op, failures)))
    return nullptr;
  if (llvm::none_of(op->getUsers(), llvm::IsaPred<tosa::RescaleOp>))
    return failures.reject(
        op, "expected a rescale of the sums to i8 or i16, but got ",
        op->getResult(0).getType());
  return nullptr;
}

/// Matches nothing: clusters that have such an operation have another root.
static ClusterPtr matchPart(Operation * /*op*/, MatchFailures & /*failures*/) {
  return nullptr;
}

ClusterPtr raising::matchArithmetic(Operation *op, MatchFailures &failures) {
  auto isComputed = [](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return producer && isa<tosa::TosaDialect>(producer->getDialect());
  };
  auto isInTosa = [](Operation *user) {
    return isa<tosa::TosaDialect>(user->getDialect());
  };
  if (llvm::any_of(op->getUsers(), isInTosa) &&
      llvm::any_of(op->getOperands().take_front(2), isComputed))
    return nullptr;
  return failures.reject(
      op,
      "expected operands that are rescaled from i8 or i16, and a rescale of "
      "the result to that, but got ",
      op->getOperand(0).getType(), " and ", op->getResult(0).getType(),
      "; quantise the network as a whole, or compute this outside of it");
}

static ClusterPtr matchOrder(Operation *op, MatchFailures &failures) {
  ClusterPtr cluster = matchLimit(op, failures);
  return cluster ? std::move(cluster) : matchArithmetic(op, failures);
}

static ClusterPtr matchSelect(tosa::SelectOp op, MatchFailures &failures) {
  return getConstant(op.getInput1()) ? matchChoice(op, failures)
                                     : matchLeakyRelu(op, failures);
}

ClusterPtr raising::matchCluster(Operation *op, MatchFailures &failures) {
  return llvm::TypeSwitch<Operation *, ClusterPtr>(op)
#define MLI_TOSA_OPERATION(NAME, OP, MATCH, ...)                               \
  .Case([&](tosa::OP op) { return MATCH(op, failures); })
#include "TosaOperations.def"
      .Case([&](tensor::ExtractSliceOp op) {
        return matchExtractSlice(op, failures);
      })
      .Default([](Operation *) { return nullptr; });
}
