// SPDX-License-Identifier: Apache-2.0
//
// Legalizes what becomes a tensor of more bits without a rescale: casts, and
// products of i8. Nothing is rounded.

#include "TosaOperands.h"

#include "mli/Frontend/Broadcast.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

/// What an operation takes as it is.
static Operand getPlain(Value value) {
  Operand operand;
  operand.value = value;
  operand.params = {{1}, false, 0, 0};
  operand.shape = llvm::to_vector(getShape(value));
  return operand;
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

ClusterPtr raising::matchCast(tosa::CastOp op, MatchFailures &failures) {
  auto isInteger = [](Value value, unsigned bits) {
    return getElementTypeOrSelf(value.getType()).isSignlessInteger(bits);
  };
  Value input = op.getInput(), output = op.getOutput();
  bool toLong = isInteger(output, 32) && isReturned(output);
  bool toMore = isInteger(input, 8) ? toLong || isInteger(output, 16)
                                    : isInteger(input, 16) && toLong;
  if (!toMore)
    return failures.reject(
        op,
        "expected i8 to i16, or either to i32 that the function returns, but "
        "got ",
        getElementTypeOrSelf(input.getType()), " to ",
        getElementTypeOrSelf(output.getType()),
        "; quantise the network as a whole, so that types do not change "
        "inside");
  if (failed(checkCodes(op, input, "input", 32, failures)) ||
      failed(checkCodes(op, output, "output", 32, failures)))
    return nullptr;
  return createConversion(op, input, getPlain(input).params);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {

/// A product of i8, which 16 bits hold, as i32. All values stand for
/// themselves.
class ByteProductCluster : public Cluster {
public:
  explicit ByteProductCluster(tosa::MulOp op)
      : Cluster(op, op),
        operands{getPlain(op.getInput1()), getPlain(op.getInput2())} {}

  SmallVector<Constraint> getConstraints() const override {
    SmallVector<Constraint> constraints;
    for (Value value : {operands[0].value, operands[1].value, getResult()}) {
      constraints.push_back(Constraint::zeroPoint(value, 0));
      constraints.push_back(Constraint::scale(value, 1));
    }
    return constraints;
  }

  LogicalResult check(MatchFailures &failures) const {
    ArrayRef<int64_t> shape = getShape(getResult());
    Operation *op = getSubject();
    if (failed(checkShapes(op, operands[0], operands[1], shape, failures)))
      return failure();
    for (const Operand &operand : operands)
      if (failed(checkBroadcast(op, operand, shape, failures)))
        return failure();
    return success();
  }

  Value emit(Emitter &emitter) const override {
    auto element = Fx16Type::get(emitter.getContext(), 0);
    auto read = [&](const Operand &operand) {
      return emitter.createConvert(readBroadcast(emitter, operand, getResult()),
                                   element);
    };
    Value left = read(operands[0]), right = read(operands[1]);
    Value product = createBroadcast(
        emitter, left, right, element, getFlatShape(getResult()),
        [&](Value lhs, Value rhs, Value init) -> Value {
          return emitter.createOp<EltwiseMulOp>(lhs, rhs, init);
        });
    return emitter.createConvert(product, emitter.getElement(getResult()));
  }

private:
  Operand operands[2];
};

} // namespace

ClusterPtr raising::matchProduct(tosa::MulOp op, MatchFailures &failures) {
  if (!isStoredIn(op.getInput1().getType(), 8) ||
      !isStoredIn(op.getInput2().getType(), 8) ||
      !isStoredIn(op.getType(), 32) || !isReturned(op.getOutput()))
    return matchArithmetic(op, failures);
  if (failed(checkCodes(op, op.getInput1(), "operands", 16, failures)) ||
      failed(checkCodes(op, op.getInput2(), "operands", 16, failures)) ||
      failed(checkCodes(op, op.getOutput(), "output", 32, failures)) ||
      failed(checkShift(op, failures)))
    return nullptr;
  auto cluster = std::make_unique<ByteProductCluster>(op);
  if (failed(cluster->check(failures)))
    return nullptr;
  return cluster;
}
