// SPDX-License-Identifier: Apache-2.0

#include "LayerPrinter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

/// How C compares by `predicate`; null for unsigned numbers, which indices are
/// not.
static const char *getComparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "==";
  case arith::CmpIPredicate::ne:
    return "!=";
  case arith::CmpIPredicate::slt:
    return "<";
  case arith::CmpIPredicate::sle:
    return "<=";
  case arith::CmpIPredicate::sgt:
    return ">";
  case arith::CmpIPredicate::sge:
    return ">=";
  default:
    return nullptr;
  }
}

/// The expression of `op` with operands `a` and `b`; empty for others.
static std::string combine(Operation *op, const std::string &a,
                           const std::string &b) {
  using Text = std::string;
  auto choose = [&](const char *comparison) {
    return "(" + a + comparison + b + " ? " + a + " : " + b + ")";
  };
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](arith::AddIOp) { return a + " + " + b; })
      .Case([&](arith::SubIOp) { return a + " - " + b; })
      .Case([&](arith::MulIOp) { return a + " * " + b; })
      .Case([&](arith::DivSIOp) { return a + " / " + b; })
      .Case([&](arith::RemSIOp) { return a + " % " + b; })
      .Case([&](arith::MinSIOp) { return choose(" < "); })
      .Case([&](arith::MaxSIOp) { return choose(" > "); })
      .Case([&](arith::AndIOp op) {
        return a + (op.getType().isInteger(1) ? " && " : " & ") + b;
      })
      .Case([&](arith::OrIOp op) {
        return a + (op.getType().isInteger(1) ? " || " : " | ") + b;
      })
      .Case([&](arith::IndexCastOp) { return a; })
      .Case([&](arith::CmpIOp op) {
        const char *comparison = getComparison(op.getPredicate());
        return comparison ? a + " " + comparison + " " + b : Text();
      })
      .Default([](Operation *) { return Text(); });
}

/// Whether C computes on what `op` takes and gives as numbers of 32 bits:
/// indices, i32, and i1 as the result of a comparison.
static bool hasIndices(Operation *op) {
  auto isIndex = [](Type type) { return type.isIndex() || type.isInteger(32); };
  if (isa<arith::AndIOp, arith::OrIOp>(op) &&
      op->getResult(0).getType().isInteger(1))
    return true;
  bool isComparison = isa<arith::CmpIOp>(op);
  SmallVector<Type> operands(op->getOperandTypes());
  ArrayRef<Type> numbers(operands);
  if (isa<arith::SelectOp>(op))
    numbers = numbers.drop_front();
  return llvm::all_of(numbers, isIndex) &&
         (isComparison || llvm::all_of(op->getResultTypes(), isIndex));
}

std::string c::declareVariable(Value value, StringRef name, bool isConst) {
  StringRef qualifier = isConst ? "const " : "";
  if (isa<MemRefType>(value.getType()))
    return ("int8_t *" + qualifier + name).str();
  StringRef type = value.getType().isInteger(1) ? "bool " : "int32_t ";
  return (qualifier + type + name).str();
}

std::optional<std::string> c::getLiteral(arith::ConstantOp op) {
  auto value = dyn_cast<IntegerAttr>(op.getValue());
  if (!value || !value.getValue().isSignedIntN(32))
    return std::nullopt;
  APInt bits = value.getValue();
  if (bits.getBitWidth() == 1)
    return bits.getBoolValue() ? "true" : "false";
  return toLiteral(bits.getSExtValue());
}

std::string c::getExpression(Operation *op, const IndexNames &names) {
  if (!hasIndices(op) || op->getNumResults() != 1)
    return {};
  auto getName = [&](unsigned i) {
    return i < op->getNumOperands() ? names.lookup(op->getOperand(i))
                                    : std::string();
  };
  if (isa<arith::SelectOp>(op))
    return getName(0) + " ? " + getName(1) + " : " + getName(2);
  return combine(op, getName(0), getName(1));
}
