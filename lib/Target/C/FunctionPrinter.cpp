// SPDX-License-Identifier: Apache-2.0

#include "FunctionPrinter.h"

#include "mli/IR/KernelOperands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

LogicalResult FunctionPrinter::print(Writer &layers, Writer &body) {
  this->layers = &layers;
  this->body = &body;
  func::FuncOp op = function.op;
  if (!op.getBody().hasOneBlock())
    return op.emitError("expected '")
           << op.getSymName() << "' to have loops and conditions of scf, but "
           << "got " << op.getBody().getBlocks().size() << " blocks";
  return printBlock(op.getBody().front());
}

LogicalResult FunctionPrinter::printBlock(mlir::Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(printOp(&op)))
      return failure();
  return success();
}

LogicalResult FunctionPrinter::printOp(Operation *op) {
  // Buffers are part of what reads or writes them.
  if (op->getNumResults() == 1 && isa<MemRefType>(op->getResult(0).getType()) &&
      op->getNumRegions() == 0)
    return success();
  if (isa<scf::ForOp>(op))
    return printFor(op);
  if (isa<scf::IfOp>(op))
    return printIf(op);
  if (auto call = dyn_cast<func::CallOp>(op))
    return printCall(call);
  if (isa<memref::CopyOp>(op))
    return printCopy(op);
  if (isa<memref::LoadOp, memref::StoreOp>(op))
    return printAccess(op);
  if (isa<KernelOpInterface>(op))
    return printLayer(op);
  return printIndex(op);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static FailureOr<calls::Call> getCall(Operation *op) {
  if (auto move = dyn_cast<MovOp>(op))
    return calls::getCall(move);
  if (auto table = dyn_cast<LutOp>(op))
    return calls::getCall(table);
  return calls::getCall(cast<KernelOpInterface>(op));
}

LogicalResult FunctionPrinter::printLayer(Operation *op) {
  FailureOr<calls::Call> call = getCall(op);
  if (failed(call))
    return failure();
  size_t number = network.layers.size();
  std::string name = "layer_" + std::to_string(number);
  FailureOr<std::string> arguments =
      LayerPrinter(function, descriptions, indices, op)
          .print(*call, name, *layers);
  if (failed(arguments))
    return failure();
  network.layers.push_back({op, describePlace(op), countProducts(op)});
  StringRef base = function.isEntry ? "&base" : "base";
  body->statement("LAYER(" + Twine(number) + ", " + name + "(" + base +
                  *arguments + "))");
  return success();
}

/// A pointer to the bytes of `buffer`, without gaps.
FailureOr<std::string> FunctionPrinter::getPointer(Value buffer) {
  FailureOr<Place> place = findPlace(buffer);
  if (failed(place))
    return failure();
  if (std::optional<std::string> table = descriptions.getAddress(*place))
    return "READ_ONLY(int8_t, " + *table + ")";
  return descriptions.getPointer(
      function, *place, descriptions.getDistance(*place),
      function.isEntry ? "base." : "base->",
      [&](Value index) { return indices.lookup(index); });
}

LogicalResult FunctionPrinter::printCopy(Operation *op) {
  auto copy = cast<memref::CopyOp>(op);
  for (Value buffer : {copy.getSource(), copy.getTarget()})
    if (auto type = dyn_cast<MemRefType>(buffer.getType());
        !type || !type.hasStaticShape() || !isContiguous(type))
      return op->emitOpError("expected buffers of static sizes without gaps, "
                             "which C output needs, but got ")
             << buffer.getType();
  FailureOr<std::string> from = getPointer(copy.getSource());
  FailureOr<std::string> to = getPointer(copy.getTarget());
  if (failed(from) || failed(to))
    return failure();
  auto type = cast<MemRefType>(copy.getSource().getType());
  int64_t bytes =
      type.getNumElements() * getElementType(type.getElementType()).bytes;
  body->conditional("status == MLI_STATUS_OK", "(void)memcpy(" + *to + ", " +
                                                   *from + ", " + Twine(bytes) +
                                                   ");");
  return success();
}

/// A pointer to the element that `op`, which loads or stores, has.
FailureOr<std::string> FunctionPrinter::getElement(Operation *op, Value buffer,
                                                   ValueRange subscripts) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  if (!hasElementType(type.getElementType()))
    return op->emitOpError("expected elements that C output has, but got ")
           << type.getElementType();
  if (ShapedType::isDynamicShape(strides))
    return op->emitOpError("expected static strides, which C output needs, but "
                           "got ")
           << type;
  FailureOr<std::string> pointer = getPointer(buffer);
  if (failed(pointer))
    return failure();
  int64_t bytes = getElementType(type.getElementType()).bytes;
  for (auto [index, stride] : llvm::zip_equal(subscripts, strides))
    *pointer +=
        " + " + indices.lookup(index) + " * " + std::to_string(stride * bytes);
  return pointer;
}

LogicalResult FunctionPrinter::printAccess(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    FailureOr<std::string> pointer =
        getElement(op, load.getMemRef(), load.getIndices());
    if (failed(pointer))
      return failure();
    const char *type =
        getElementType(load.getMemRefType().getElementType()).type;
    body->statement(Twine("const ") + type + " " + addVariable(load) +
                    " = *(const " + type + " *)(const void *)(" + *pointer +
                    ");");
    return success();
  }
  auto store = cast<memref::StoreOp>(op);
  FailureOr<std::string> pointer =
      getElement(op, store.getMemRef(), store.getIndices());
  if (failed(pointer))
    return failure();
  const char *type =
      getElementType(store.getMemRefType().getElementType()).type;
  body->statement(Twine("*(") + type + " *)(void *)(" + *pointer +
                  ") = " + indices.lookup(store.getValueToStore()) + ";");
  return success();
}

LogicalResult FunctionPrinter::printCall(func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  const Function &called = network.getFunction(callee);
  std::string bases;
  for (Value operand : op.getArgOperands()) {
    FailureOr<std::string> pointer = getPointer(operand);
    if (failed(pointer))
      return failure();
    bases += (bases.empty() ? "" : ", ") + *pointer;
  }
  if (network.options.weights == CWeights::Blob)
    bases += (bases.empty() ? "" : ", ") +
             std::string(function.isEntry ? "base.weights" : "base->weights");
  if (bases.empty())
    bases = "0";
  body->line("{");
  body->indent();
  body->statement("const " + called.bases + " callee = {" + bases + "};");
  body->conditional("status == MLI_STATUS_OK",
                    "status = " + called.name + "(&callee);");
  body->outdent();
  body->line("}");
  return success();
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

std::string FunctionPrinter::addVariable(Value index) {
  std::string name = "i" + std::to_string(numIndices++);
  indices[index] = name;
  return name;
}

/// Declares a variable for each of `values`, which are indices, and what it is
/// first, if that is known.
LogicalResult FunctionPrinter::declareVariables(Operation *op,
                                                ValueRange values,
                                                ValueRange first) {
  for (auto [i, value] : llvm::enumerate(values)) {
    if (!value.getType().isIntOrIndex())
      return op->emitOpError("expected to give indices, but got ")
             << value.getType();
    std::string begin = first.empty() ? "0" : indices.lookup(first[i]);
    body->statement("int32_t " + addVariable(value) + " = " + begin + ";");
  }
  return success();
}

/// Assigns what `block` yields to `variables`, all at once.
void FunctionPrinter::assignYielded(mlir::Block &block, ValueRange variables) {
  OperandRange yielded = block.getTerminator()->getOperands();
  SmallVector<std::string> names;
  for (Value value : yielded) {
    names.push_back(indices.lookup(value));
    if (yielded.size() == 1)
      continue;
    std::string name = "next" + std::to_string(numIndices++);
    body->statement("const int32_t " + name + " = " + names.back() + ";");
    names.back() = name;
  }
  for (auto [variable, name] : llvm::zip_equal(variables, names))
    body->statement(indices.lookup(variable) + " = " + name + ";");
}

LogicalResult FunctionPrinter::printFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  if (failed(declareVariables(op, loop.getRegionIterArgs(), loop.getInits())))
    return failure();
  for (auto [result, carried] :
       llvm::zip_equal(loop.getResults(), loop.getRegionIterArgs()))
    indices[result] = indices.lookup(carried);
  std::string index = addVariable(loop.getInductionVar());
  body->line("int32_t " + index + ";");
  body->statement("for (" + index + " = " +
                  indices.lookup(loop.getLowerBound()) +
                  "; status == MLI_STATUS_OK && " + index + " < " +
                  indices.lookup(loop.getUpperBound()) + "; " + index +
                  " += " + indices.lookup(loop.getStep()) + ") {");
  body->indent();
  if (failed(printBlock(*loop.getBody())))
    return failure();
  assignYielded(*loop.getBody(), loop.getRegionIterArgs());
  body->outdent();
  body->line("}");
  return success();
}

LogicalResult FunctionPrinter::printIf(Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  if (failed(declareVariables(op, branch.getResults(), {})))
    return failure();
  std::string condition = indices.lookup(branch.getCondition());
  for (Region &region : branch->getRegions()) {
    if (region.empty())
      continue;
    body->statement(region.getRegionNumber() == 0
                        ? "if (" + condition + " != 0) {"
                        : "} else {");
    body->indent();
    if (failed(printBlock(region.front())))
      return failure();
    assignYielded(region.front(), branch.getResults());
    body->outdent();
  }
  body->line("}");
  return success();
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

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

/// The expression of `op` with operands `a` and `b`; empty for what C does not
/// have.
static std::string getExpression(Operation *op, const std::string &a,
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
      .Case([&](arith::AndIOp) { return a + " & " + b; })
      .Case([&](arith::OrIOp) { return a + " | " + b; })
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
  if (isa<cf::AssertOp>(op))
    return true;
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

LogicalResult FunctionPrinter::printIndex(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<IntegerAttr>(constant.getValue());
    if (value && value.getValue().isSignedIntN(32)) {
      APInt bits = value.getValue();
      indices[constant] =
          toLiteral(bits.getBitWidth() == 1 ? int64_t(bits.getBoolValue())
                                            : bits.getSExtValue());
      return success();
    }
  }
  auto getName = [&](unsigned i) {
    return i < op->getNumOperands() ? indices.lookup(op->getOperand(i))
                                    : std::string();
  };
  std::string text;
  if (hasIndices(op))
    text = getExpression(op, getName(0), getName(1));
  if (isa<arith::SelectOp>(op) && hasIndices(op) && !getName(1).empty())
    text = getName(0) + " != 0 ? " + getName(1) + " : " + getName(2);
  if (auto check = dyn_cast<cf::AssertOp>(op)) {
    body->conditional("status == MLI_STATUS_OK && " + getName(0) + " == 0",
                      "status = MLI_STATUS_BAD_FUNC_CFG;");
    return success();
  }
  if (text.empty() || op->getNumResults() != 1)
    return op->emitOpError("expected an operation that C output has, a kernel, "
                           "a loop or arithmetic on indices, but got '")
           << op->getName() << "'";
  body->statement("const int32_t " + addVariable(op->getResult(0)) + " = " +
                  text + ";");
  return success();
}
