// SPDX-License-Identifier: Apache-2.0
//
// Finds the part of a network in TOSA that runs alone, and cuts off the rest.

#include "TosaLegalization.h"

#include "mli/Conversion/InspectTosa.h"
#include "mli/IR/LocationNames.h"
#include "mli/IR/MLI.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

SmallVector<Operation *> raising::listOperations(ModuleOp module) {
  SmallVector<Operation *> operations;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isInTosa = isa_and_nonnull<tosa::TosaDialect>(op->getDialect()) &&
                    !isa<tosa::ConstOp, tosa::ConstShapeOp>(op);
    if (isInTosa || isa<KernelOpInterface>(op))
      operations.push_back(op);
  });
  return operations;
}

//===----------------------------------------------------------------------===//
// The part in front
//===----------------------------------------------------------------------===//

DependenceGraph::DependenceGraph(ArrayRef<Operation *> operations) {
  llvm::DenseMap<Operation *, size_t> indices;
  for (auto [i, op] : llvm::enumerate(operations)) {
    if (!isa<func::FuncOp>(op->getParentOp()) ||
        op->getBlock() != operations.front()->getBlock())
      return;
    indices[op] = i;
  }
  nodes.resize(operations.size());
  for (auto [i, op] : llvm::enumerate(operations)) {
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (auto it = indices.find(producer); it != indices.end())
        nodes[i].producers.push_back(it->second);
      else if (producer && producer->getNumOperands() > 0)
        nodes[i].hasOtherProducers = true;
    }
    for (Operation *user : op->getUsers()) {
      auto it = indices.find(user);
      if (it == indices.end())
        nodes[i].hasOtherUsers = true;
      else
        nodes[i].users.push_back(it->second);
    }
  }
}

/// Whether all that `node` needs is in the part: what it reads, and, as it is
/// only a step of a cluster unless it is a root, what reads it.
bool DependenceGraph::isComplete(const Node &node, bool isRoot) const {
  auto isKnown = [&](size_t index) { return nodes[index].isKnown; };
  return !node.hasOtherProducers && llvm::all_of(node.producers, isKnown) &&
         (isRoot || (!node.hasOtherUsers && llvm::all_of(node.users, isKnown)));
}

SmallVector<size_t>
DependenceGraph::findOutputs(const std::vector<bool> &isLeft,
                             const std::vector<bool> &isRoot) {
  for (auto [i, node] : llvm::enumerate(nodes))
    node.isKnown = !isLeft[i];
  for (bool isStable = false; !isStable;) {
    isStable = true;
    for (auto [i, node] : llvm::enumerate(nodes))
      if (node.isKnown && !isComplete(node, isRoot[i]))
        node.isKnown = isStable = false;
  }
  SmallVector<size_t> outputs;
  for (auto [i, node] : llvm::enumerate(nodes))
    if (node.isKnown &&
        (node.hasOtherUsers || llvm::any_of(node.users, [&](size_t user) {
           return !nodes[user].isKnown;
         })))
      outputs.push_back(i);
  return outputs;
}

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

/// Finds the operation that `name` is the name or the number of.
static FailureOr<Operation *>
findOutput(ModuleOp module, ArrayRef<Operation *> operations, StringRef name) {
  size_t index = 0;
  if (!name.getAsInteger(10, index)) {
    if (index < operations.size())
      return operations[index];
    return emitError(module.getLoc(), "expected an output to be one of ")
           << operations.size() << " operations, but got " << index;
  }
  for (Operation *op : operations)
    if (StringAttr found = findName(op->getLoc()); found && found == name)
      return op;
  return emitError(module.getLoc(),
                   "expected an output to be the name or number of an "
                   "operation, but got '")
         << name << "'";
}

/// Erases operations of `block` whose results nothing uses.
static void eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

LogicalResult mli::keepOutputs(ModuleOp module, ArrayRef<std::string> outputs) {
  SmallVector<Operation *> operations = listOperations(module);
  SmallVector<Value> results;
  func::FuncOp function;
  for (const std::string &name : outputs) {
    FailureOr<Operation *> op = findOutput(module, operations, name);
    if (failed(op))
      return failure();
    auto parent = dyn_cast<func::FuncOp>((*op)->getParentOp());
    if (!parent || (*op)->getNumResults() == 0 ||
        !parent.getBody().hasOneBlock())
      return (*op)->emitOpError(
          "expected an output to be a tensor in the body of a function, but "
          "got another operation");
    if (function && function != parent)
      return (*op)->emitOpError("expected outputs of one function, but got '")
             << function.getSymName() << "' and '" << parent.getSymName()
             << "'";
    function = parent;
    results.push_back((*op)->getResult(0));
  }
  if (!function.symbolKnownUseEmpty(module))
    return emitError(function.getLoc(), "expected outputs of a function that "
                                        "nothing calls, but got '")
           << function.getSymName() << "'";
  Block &body = function.getBody().front();
  body.getTerminator()->setOperands(results);
  function.removeResAttrsAttr();
  function.setType(FunctionType::get(function.getContext(),
                                     function.getArgumentTypes(),
                                     ValueRange(results).getTypes()));
  eraseDead(body);
  return success();
}
