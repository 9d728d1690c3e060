// SPDX-License-Identifier: Apache-2.0
//
// Legalizes functions of 8 bits by tables, and arithmetic that is one.

#include "TosaOperands.h"

#include "mli/Frontend/CodeTable.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

/// A table of anything, between scales and zero points that `constraints`
/// relate.
class MapCluster : public Cluster {
public:
  MapCluster(Operation *root, Operation *subject, Value input,
             SmallVector<Constraint> constraints, const CodeTable &table)
      : Cluster(root, subject), input(input),
        constraints(std::move(constraints)), table(table) {}

  SmallVector<Constraint> getConstraints() const override {
    return constraints;
  }

  Value emit(Emitter &emitter) const override {
    auto element = cast<Sa8Type>(emitter.getElement(getResult()));
    return createCodeTable(emitter, emitter.read(input, getFlatShape(input)),
                           element, table);
  }

private:
  Value input;
  SmallVector<Constraint> constraints;
  CodeTable table;
};

} // namespace

ClusterPtr raising::createTable(Operation *op, Value input,
                                ArrayRef<int64_t> entries) {
  CodeTable table;
  llvm::copy(entries, table.begin());
  Value result = op->getResult(0);
  return std::make_unique<MapCluster>(
      op, op, input,
      SmallVector<Constraint>{Constraint::same(input, input),
                              Constraint::same(result, result)},
      table);
}

bool raising::isOneCode(const Operand &left, const Operand &right,
                        bool isProduct) {
  if (left.isNumber() || right.isNumber())
    return true;
  bool isOneFactor = isProduct || left.params.factors == right.params.factors;
  return left.value == right.value && left.shape == right.shape &&
         (left.params.inputZero != right.params.inputZero || !isOneFactor);
}

/// The result of `op` for two numbers.
static double compute(Operation *op, double left, double right) {
  if (isa<tosa::AddOp>(op))
    return left + right;
  if (isa<tosa::SubOp>(op))
    return left - right;
  if (isa<tosa::MaximumOp>(op))
    return std::max(left, right);
  if (isa<tosa::MinimumOp>(op))
    return std::min(left, right);
  return left * right;
}

static CodeTable computeTable(Operation *op, const RescaleParams &rescale,
                              const Operand &left, const Operand &right) {
  auto getNumber = [](const Operand &operand, int code) {
    return operand.getNumber(operand.isNumber()
                                 ? static_cast<double>(*getSplat(operand.value))
                                 : code);
  };
  CodeTable table;
  for (int code = INT8_MIN; code <= INT8_MAX; ++code) {
    double exact = compute(op, getNumber(left, code), getNumber(right, code)) *
                   rescale.factors.front();
    table[code - INT8_MIN] = static_cast<int8_t>(std::clamp<double>(
        std::floor(exact + 0.5) + static_cast<double>(rescale.outputZero),
        INT8_MIN, INT8_MAX));
  }
  return table;
}

ClusterPtr raising::matchMap(Operation *op, tosa::RescaleOp root,
                             const RescaleParams &rescale, const Operand &left,
                             const Operand &right, MatchFailures &failures) {
  if (left.isNumber() && right.isNumber())
    return failures.reject(op, "expected an operand that is no constant, but "
                               "got two");
  const Operand &input = left.isNumber() ? right : left;
  if (llvm::product_of(input.shape) != llvm::product_of(getShape(root)))
    return failures.reject(op, "expected a tensor of ", root.getType(),
                           " and a number, but got ", input.value.getType());
  SmallVector<Constraint> constraints{
      Constraint::same(input.value, input.value),
      Constraint::zeroPoint(root.getOutput(), rescale.outputZero)};
  double ratio = input.params.factors.front() * rescale.factors.front();
  if (left.isNumber() || right.isNumber()) {
    constraints.push_back(
        Constraint::zeroPoint(input.value, input.params.inputZero));
    if (!isa<tosa::MulOp>(op) && ratio > 0)
      constraints.push_back(
          Constraint::ratio(input.value, root.getOutput(), ratio));
  }
  return std::make_unique<MapCluster>(root, op, input.value,
                                      std::move(constraints),
                                      computeTable(op, rescale, left, right));
}
