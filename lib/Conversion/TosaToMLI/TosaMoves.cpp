// SPDX-License-Identifier: Apache-2.0
//
// Raising what gives elements another place: transpositions, pads and
// concatenations.

#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Frontend/Moves.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

class TransposeGroup : public Group {
public:
  explicit TransposeGroup(tosa::TransposeOp op)
      : Group(op, op), input(op.getInput1()), order(op.getPerms()) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::same(input, getResult())};
  }

  Value emit(Emitter &emitter) const override {
    return emitter.createPermute(emitter.read(input, shapeOf(input)), order);
  }

private:
  Value input;
  SmallVector<int64_t> order;
};

class PadGroup : public Group {
public:
  PadGroup(tosa::PadOp op, SmallVector<int64_t> low, int64_t code)
      : Group(op, op), input(op.getInput1()), low(std::move(low)), code(code) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::same(input, getResult())};
  }

  Value emit(Emitter &emitter) const override {
    return createPadded(emitter, emitter.read(input, shapeOf(input)), low,
                        shapeOf(getResult()), code);
  }

private:
  Value input;
  SmallVector<int64_t> low;
  int64_t code;
};

class ConcatGroup : public Group {
public:
  explicit ConcatGroup(tosa::ConcatOp op)
      : Group(op, op), parts(op.getInput1()), axis(op.getAxis()) {}

  SmallVector<Constraint> getConstraints() const override {
    SmallVector<Constraint> constraints;
    for (Value part : parts)
      constraints.push_back(Constraint::same(part, getResult()));
    return constraints;
  }

  Value emit(Emitter &emitter) const override {
    SmallVector<Value> sources;
    for (Value part : parts)
      sources.push_back(emitter.read(part, shapeOf(part)));
    return createJoined(emitter, sources, emitter.getElement(getResult()),
                        shapeOf(getResult()), axis);
  }

private:
  SmallVector<Value> parts;
  int64_t axis;
};

} // namespace

GroupPtr raising::matchTranspose(tosa::TransposeOp op, Refusals &refusals) {
  if (failed(checkMap(op, op.getInput1(), "input", refusals)) ||
      failed(checkMap(op, op.getOutput(), "output", refusals)))
    return nullptr;
  return std::make_unique<TransposeGroup>(op);
}

GroupPtr raising::matchPad(tosa::PadOp op, Refusals &refusals) {
  if (failed(checkMap(op, op.getInput1(), "input", refusals)) ||
      failed(checkMap(op, op.getOutput(), "output", refusals)))
    return nullptr;
  DenseIntElementsAttr amounts;
  if (!matchPattern(op.getPadding(), m_Constant(&amounts)))
    return nullptr; // Not a valid operation.
  std::optional<SmallVector<int64_t>> code = integersOf(op.getPadConst());
  if (!code || code->size() != 1)
    return refusals.refuse(op,
                           "expected 'pad_const' to be a constant integer, "
                           "but got ",
                           op.getPadConst().getType());
  // Before and after, for each dimension.
  SmallVector<int64_t> low;
  for (auto [i, amount] : llvm::enumerate(amounts.getValues<int64_t>())) {
    if (amount < 0)
      return refusals.refuse(op, "expected padding of at least 0, but got ",
                             amount);
    if (i % 2 == 0)
      low.push_back(amount);
  }
  return std::make_unique<PadGroup>(op, std::move(low), code->front());
}

GroupPtr raising::matchConcat(tosa::ConcatOp op, Refusals &refusals) {
  for (Value part : op.getInput1())
    if (failed(checkMap(op, part, "inputs", refusals)))
      return nullptr;
  if (failed(checkMap(op, op.getOutput(), "output", refusals)))
    return nullptr;
  return std::make_unique<ConcatGroup>(op);
}
