// SPDX-License-Identifier: Apache-2.0
//
// Raising the rescales with which networks of uint8 begin and end: codes are
// held as `code ^ 0x80`, with the zero point less 128.

#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

class UnsignedGroup : public Group {
public:
  UnsignedGroup(tosa::RescaleOp op, RescaleParams params)
      : Group(op, op), op(op), params(std::move(params)) {}

  SmallVector<Constraint> getConstraints() const override {
    Value input = op.getInput();
    auto held = [](int64_t zero, bool isUnsigned) {
      return isUnsigned ? zero + INT8_MIN : zero;
    };
    SmallVector<Constraint> constraints{
        Constraint::zeroPoint(input,
                              held(params.inputZero, op.getInputUnsigned())),
        Constraint::zeroPoint(getResult(),
                              held(params.outputZero, op.getOutputUnsigned()))};
    if (!params.isConstant())
      constraints.push_back(
          Constraint::ratio(input, getResult(), params.factors.front()));
    return constraints;
  }

  Value emit(Emitter &emitter) const override {
    markSignature();
    if (params.isConstant())
      return emitter.zeros(getResult(), withoutBatch(getResult()));
    Value source = emitter.read(op.getInput(), withoutBatch(op.getInput()));
    return emitter.createConvert(source, emitter.getElement(getResult()));
  }

private:
  /// Says on the function which codes are unsigned outside. Of a constant none
  /// are read.
  void markSignature() const {
    auto function = op->getParentOfType<func::FuncOp>();
    auto unit = UnitAttr::get(op->getContext());
    if (op.getInputUnsigned() && !params.isConstant())
      function.setArgAttr(cast<BlockArgument>(op.getInput()).getArgNumber(),
                          "mli.unsigned", unit);
    if (op.getOutputUnsigned())
      function.setResultAttr(op->use_begin()->getOperandNumber(),
                             "mli.unsigned", unit);
  }

  // An operation is a pointer; its accessors are not const.
  mutable tosa::RescaleOp op;
  RescaleParams params;
};

} // namespace

/// Whether nothing but `op` and callers from outside know `value` of theirs.
static bool isBoundary(tosa::RescaleOp op, Value value) {
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!function || !value.hasOneUse() || !function.getBody().hasOneBlock() ||
      !SymbolTable::symbolKnownUseEmpty(function, function->getParentOp()))
    return false;
  return isa<BlockArgument>(value) || isa<func::ReturnOp>(*value.user_begin());
}

GroupPtr raising::matchUnsigned(tosa::RescaleOp op, Refusals &refusals) {
  FailureOr<RescaleParams> params =
      readRescale(op, refusals, /*isAnySign=*/true);
  if (failed(params) || failed(checkUniform(op, *params, refusals)))
    return nullptr;
  for (Value value : {op.getInput(), op.getOutput()})
    if (shapeOf(value).empty() || shapeOf(value).size() > 4 ||
        llvm::product_of(shapeOf(value)) == 0)
      return refusals.refuse(op,
                             "expected a static shape of 1 to 4 dimensions, "
                             "but got ",
                             value.getType());
  if (failed(checkBytes(op, cast<ShapedType>(op.getType()), 8, "output",
                        refusals)))
    return nullptr;
  if (op.getInputUnsigned() && !isBoundary(op, op.getInput()))
    return refusals.refuse(op,
                           "expected unsigned 'input' to be an argument of a "
                           "function that nobody calls, and read by nothing "
                           "else, but got ",
                           op.getInput().getType());
  if (op.getOutputUnsigned() && !isBoundary(op, op.getOutput()))
    return refusals.refuse(op,
                           "expected unsigned 'output' to be the result of a "
                           "function that nobody calls, and read by nothing "
                           "else, but got ",
                           op.getOutput().getType());
  return std::make_unique<UnsignedGroup>(op, *params);
}
