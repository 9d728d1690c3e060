// SPDX-License-Identifier: Apache-2.0

#include "FunctionPrinter.h"

#include "mli/IR/MLIParallel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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
  if (isa<arith::SelectOp>(op) && isa<MemRefType>(op->getResult(0).getType()))
    return printSelection(op);
  if (isa<SubtensorOp>(op))
    return printBounds(op);
  // Buffers are part of what reads or writes them.
  if (op->getNumResults() == 1 && isa<MemRefType>(op->getResult(0).getType()) &&
      op->getNumRegions() == 0)
    return success();
  if (isa<scf::ForOp>(op))
    return printFor(op);
  if (isa<scf::IfOp>(op))
    return printIf(op);
  if (isa<ParallelOp>(op))
    return printParallel(op);
  if (auto call = dyn_cast<func::CallOp>(op))
    return printCall(call);
  if (isa<memref::CopyOp>(op))
    return printCopy(op);
  if (isa<memref::LoadOp, memref::StoreOp>(op))
    return printAccess(op);
  if (isa<MovOp, AdvanceOp>(op))
    return printMove(op);
  if (isa<KernelOpInterface>(op))
    return printLayer(op);
  return printIndex(op);
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
  auto handOn = [&](StringRef member) {
    function.readsBases = true;
    bases += bases.empty() ? "" : ", ";
    bases += (function.isEntry ? "base." : "base->") + member.str();
  };
  if (called.takesLocal())
    handOn("local");
  if (called.scratchBytes > 0)
    handOn("scratch");
  function.scratchBytes = std::max(function.scratchBytes, called.scratchBytes);
  if (called.readsTables)
    handOn("tables");
  function.readsTables |= called.readsTables;
  if (network.options.weights == CWeights::Blob)
    handOn("weights");
  if (called.numTensors > 0)
    handOn("tensors");
  function.numTensors = std::max(function.numTensors, called.numTensors);
  if (bases.empty())
    bases = "0";
  body->line("{");
  body->indent();
  body->statement(called.bases + " callee = {" + bases + "};");
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
  std::string name = (isa<MemRefType>(index.getType()) ? "p" : "i") +
                     std::to_string(numIndices++);
  indices[index] = name;
  return name;
}

/// Whether C has a variable for `type`.
static bool isIndexLike(Type type) {
  return type.isIndex() || type.isInteger(1) || type.isInteger(8) ||
         type.isInteger(16) || type.isInteger(32);
}

/// The declaration of a new variable for `value`.
std::string FunctionPrinter::declare(Value value, bool isConst) {
  network.helpers.conditions |= value.getType().isInteger(1);
  network.helpers.pointers |=
      isa<MemRefType>(value.getType()) && !isAddress(value);
  return declareVariable(value, addVariable(value), isConst);
}

/// What stands for `value`: an index, or a pointer to a buffer.
FailureOr<std::string> FunctionPrinter::getName(Value value) {
  return isa<MemRefType>(value.getType()) ? getPointer(value)
                                          : indices.lookup(value);
}

/// Declares a variable for each of `values`, indices or buffers, and what it is
/// first, if that is known.
LogicalResult FunctionPrinter::declareVariables(Operation *op,
                                                ValueRange values,
                                                ValueRange first) {
  for (auto [i, value] : llvm::enumerate(values)) {
    Type type = value.getType();
    if (!isIndexLike(type) && !isa<MemRefType>(type))
      return op->emitOpError("expected to give indices or buffers, but got ")
             << type;
    FailureOr<std::string> begin = std::string("0");
    if (!first.empty())
      begin = getName(first[i]);
    else if (value.getType().isInteger(1))
      begin = std::string("false");
    else if (isa<MemRefType>(value.getType()))
      begin = std::string(isAddress(value) ? "0u" : "NULL");
    if (failed(begin))
      return failure();
    body->statement(declare(value) + " = " + *begin + ";");
  }
  return success();
}

/// Assigns what `block` yields to `variables`, all at once.
LogicalResult FunctionPrinter::assignYielded(mlir::Block &block,
                                             ValueRange variables) {
  OperandRange yielded = block.getTerminator()->getOperands();
  SmallVector<std::string> names;
  for (Value value : yielded) {
    FailureOr<std::string> yield = getName(value);
    if (failed(yield))
      return failure();
    names.push_back(*yield);
    if (yielded.size() == 1)
      continue;
    std::string name = "next" + std::to_string(numIndices++);
    body->statement(declareVariable(value, name, /*isConst=*/true) + " = " +
                    names.back() + ";");
    names.back() = name;
  }
  for (auto [variable, name] : llvm::zip_equal(variables, names))
    body->statement(indices.lookup(variable) + " = " + name + ";");
  return success();
}

/// One buffer or another.
LogicalResult FunctionPrinter::printSelection(Operation *op) {
  auto selection = cast<arith::SelectOp>(op);
  FailureOr<std::string> first = getName(selection.getTrueValue());
  FailureOr<std::string> second = getName(selection.getFalseValue());
  if (failed(first) || failed(second))
    return failure();
  std::string condition = indices.lookup(selection.getCondition());
  body->statement(declare(selection, /*isConst=*/true) + " = " + condition +
                  " ? " + *first + " : " + *second + ";");
  return success();
}

LogicalResult FunctionPrinter::printFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  if (loop.getUnsignedCmp())
    return op->emitOpError("expected a loop that compares signed indices, but "
                           "got an unsigned one");
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
  if (failed(assignYielded(*loop.getBody(), loop.getRegionIterArgs())))
    return failure();
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
    body->statement(region.getRegionNumber() == 0 ? "if (" + condition + ") {"
                                                  : "} else {");
    body->indent();
    if (failed(printBlock(region.front())) ||
        failed(assignYielded(region.front(), branch.getResults())))
      return failure();
    body->outdent();
  }
  body->line("}");
  return success();
}

LogicalResult FunctionPrinter::printIndex(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (std::optional<std::string> literal = getLiteral(constant)) {
      network.helpers.conditions |= constant.getType().isInteger(1);
      indices[constant] = *literal;
      return success();
    }
  if (auto check = dyn_cast<cf::AssertOp>(op)) {
    body->conditional("status == MLI_STATUS_OK && !" +
                          indices.lookup(check.getArg()),
                      "status = MLI_STATUS_BAD_FUNC_CFG;");
    return success();
  }
  auto [text, isUnsigned] = getExpression(op, indices);
  if (text.empty())
    return op->emitOpError("expected an operation that C output has, a kernel, "
                           "a loop or arithmetic on indices, but got '")
           << op->getName() << "'";
  // MISRA has casts of variables, but none of what is computed.
  if (isUnsigned) {
    std::string number = "u" + std::to_string(numIndices++);
    body->statement("const uint32_t " + number + " = " + text + ";");
    text = "(int32_t)" + number;
  }
  body->statement(declare(op->getResult(0), /*isConst=*/true) + " = " + text +
                  ";");
  return success();
}
