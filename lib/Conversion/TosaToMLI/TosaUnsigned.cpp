// SPDX-License-Identifier: Apache-2.0
//
// Legalizes the rescales at the inputs and outputs of uint8 networks: a value
// is held as `value ^ 0x80`, with the zero point less 128.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/IR/AttributeNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

class UnsignedCluster : public Cluster {
public:
  UnsignedCluster(tosa::RescaleOp op, RescaleParams params)
      : Cluster(op, op), op(op), params(std::move(params)) {}

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
  /// Marks the arguments and results of the function that callers see as
  /// unsigned. An argument that is multiplied by 0 is not read, so it is not
  /// marked.
  void markSignature() const {
    auto function = op->getParentOfType<func::FuncOp>();
    auto unit = UnitAttr::get(op->getContext());
    if (op.getInputUnsigned() && !params.isConstant())
      function.setArgAttr(cast<BlockArgument>(op.getInput()).getArgNumber(),
                          unsignedAttrName, unit);
    if (op.getOutputUnsigned())
      function.setResultAttr(op->use_begin()->getOperandNumber(),
                             unsignedAttrName, unit);
  }

  // The accessors of an operation are not const, although it is a pointer.
  mutable tosa::RescaleOp op;
  RescaleParams params;
};

} // namespace

/// Whether `value` is an argument or result of a function without callers, and
/// `op` is all that uses or defines it.
static bool isBoundary(tosa::RescaleOp op, Value value) {
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!function || !value.hasOneUse() || !function.getBody().hasOneBlock() ||
      !SymbolTable::symbolKnownUseEmpty(function, function->getParentOp()))
    return false;
  return isa<BlockArgument>(value) || isa<func::ReturnOp>(*value.user_begin());
}

ClusterPtr raising::matchUnsigned(tosa::RescaleOp op, MatchFailures &failures) {
  FailureOr<RescaleParams> params =
      readRescale(op, failures, /*isAnySign=*/true);
  if (failed(params) || failed(checkUniform(op, *params, failures)))
    return nullptr;
  for (Value value : {op.getInput(), op.getOutput()})
    if (getShape(value).empty() || getShape(value).size() > 4 ||
        llvm::product_of(getShape(value)) == 0)
      return failures.reject(op,
                             "expected a static shape of 1 to 4 dimensions, "
                             "but got ",
                             value.getType());
  if (failed(checkBytes(op, cast<ShapedType>(op.getType()), 8, "output",
                        failures)))
    return nullptr;
  if (op.getInputUnsigned() && !isBoundary(op, op.getInput()))
    return failures.reject(op,
                           "expected unsigned 'input' to be an argument of a "
                           "function without callers, and without other "
                           "users, but got ",
                           op.getInput().getType());
  if (op.getOutputUnsigned() && !isBoundary(op, op.getOutput()))
    return failures.reject(op,
                           "expected unsigned 'output' to be the result of a "
                           "function without callers, and without other "
                           "users, but got ",
                           op.getOutput().getType());
  return std::make_unique<UnsignedCluster>(op, *params);
}
