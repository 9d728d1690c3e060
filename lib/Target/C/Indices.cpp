// SPDX-License-Identifier: Apache-2.0

#include "LayerPrinter.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

/// How C compares by `predicate`.
static const char *getComparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return " == ";
  case arith::CmpIPredicate::ne:
    return " != ";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return " < ";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return " <= ";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return " > ";
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return " >= ";
  }
  llvm_unreachable("all predicates are handled");
}

static bool isUnsigned(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getPredicate() >= arith::CmpIPredicate::ult;
  return isa<arith::DivUIOp, arith::RemUIOp, arith::MinUIOp, arith::MaxUIOp>(
      op);
}

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::DivUIOp, arith::RemUIOp>(
      op);
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
      .Case<arith::DivSIOp, arith::DivUIOp>(
          [&](Operation *) { return a + " / " + b; })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](Operation *) { return a + " % " + b; })
      .Case<arith::MinSIOp, arith::MinUIOp>(
          [&](Operation *) { return choose(" < "); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          [&](Operation *) { return choose(" > "); })
      .Case([&](arith::AndIOp op) {
        return a + (op.getType().isInteger(1) ? " && " : " & ") + b;
      })
      .Case([&](arith::OrIOp op) {
        return a + (op.getType().isInteger(1) ? " || " : " | ") + b;
      })
      .Case([&](arith::IndexCastOp) { return a; })
      .Case([&](arith::CmpIOp op) {
        return a + getComparison(op.getPredicate()) + b;
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

bool c::isAddress(Value value) {
  auto memref = dyn_cast<MemRefType>(value.getType());
  return memref && isScattered(memref);
}

std::string c::declareVariable(Value value, StringRef name, bool isConst) {
  StringRef qualifier = isConst ? "const " : "";
  if (isAddress(value))
    return (qualifier + "local_addr_t " + name).str();
  if (isa<MemRefType>(value.getType()))
    return ("int8_t *" + qualifier + name).str();
  std::string type = "int32_t";
  if (value.getType().isInteger(1))
    type = "bool";
  else if (hasElementType(value.getType()))
    type = getElementType(value.getType()).type;
  return (qualifier + type + " " + name).str();
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

Expression c::getExpression(Operation *op, const IndexNames &names) {
  if (!hasIndices(op) || op->getNumResults() != 1)
    return {};
  auto getName = [&](unsigned i) {
    return i < op->getNumOperands() ? names.lookup(op->getOperand(i))
                                    : std::string();
  };
  if (isa<arith::SelectOp>(op))
    return {getName(0) + " ? " + getName(1) + " : " + getName(2)};
  StringRef cast = isUnsigned(op) ? "(uint32_t)" : "";
  Expression result = {
      combine(op, (cast + getName(0)).str(), (cast + getName(1)).str()),
      isUnsigned(op) && !isa<arith::CmpIOp>(op)};
  // After an error the divisor may be 0.
  if (isDivision(op) && !getConstantIntValue(op->getOperand(1)))
    result.text = "status == MLI_STATUS_OK ? " + result.text +
                  (result.isUnsigned ? " : 0u" : " : 0");
  return result;
}
