// SPDX-License-Identifier: Apache-2.0
//
// mli-order moves kernels on tensors into the order in which the fewest bytes
// are live at once.

#include "Transforms/Ordering/Order.h"
#include "Transforms/Addresses/Addresses.h"

#include "mli/IR/KernelOperands.h"
#include "mli/Transforms/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-order"

namespace mli {
#define GEN_PASS_DEF_ORDER
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

/// Whether `function` has kernels on tensors.
static bool hasKernelsOnTensors(func::FuncOp function) {
  return function
      .walk([](DestinationStyleOpInterface kernel) {
        return kernel.hasPureTensorSemantics() ? WalkResult::interrupt()
                                               : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

/// Bytes of the arena that something takes while it runs: in the order of the
/// file, in the one that was found, and at least in any.
struct ArenaBytes {
  int64_t before = 0, after = 0, bound = 0;

  void include(const ArenaBytes &other) {
    before = std::max(before, other.before);
    after = std::max(after, other.after);
    bound = std::max(bound, other.bound);
  }
};

/// Finds the orders of the blocks of one function.
class FunctionOrder {
public:
  /// `callees` are the bytes of the functions that it calls.
  FunctionOrder(func::FuncOp function, int64_t budget,
                const llvm::StringMap<ArenaBytes> &callees)
      : function(function), budget(budget), callees(callees) {}

  /// Fails, with an obstacle, if some block can not be ordered.
  LogicalResult find();
  /// Applies the orders that have fewer bytes. Returns the number of blocks
  /// that they change.
  int64_t apply();

  const std::string &getObstacle() const { return obstacle; }
  /// Of the body.
  const ArenaBytes &getBytes() const { return bytes; }
  int64_t getNodes() const { return nodes; }

private:
  LogicalResult findIn(Block &block);
  ArenaBytes getBytesInside(Operation *op) const;

  func::FuncOp function;
  int64_t budget;
  const llvm::StringMap<ArenaBytes> &callees;
  std::vector<std::pair<std::unique_ptr<BlockGraph>, ordering::Order>> changes;
  /// Of the blocks in operations.
  llvm::DenseMap<Operation *, ArenaBytes> inside;
  ArenaBytes bytes;
  int64_t nodes = 0;
  std::string obstacle;
};

struct OrderPass : mli::impl::OrderBase<OrderPass> {
  using OrderBase::OrderBase;

  void runOnOperation() override;

private:
  void report(func::FuncOp function, const FunctionOrder &order,
              bool isChanged);
};

} // namespace

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

/// The bytes that `op` takes while it runs besides its operands.
ArenaBytes FunctionOrder::getBytesInside(Operation *op) const {
  ArenaBytes found = inside.lookup(op);
  if (auto call = dyn_cast<func::CallOp>(op))
    found.include(callees.lookup(call.getCallee()));
  int64_t scratch = getScratchBytes(op);
  found.include({scratch, scratch, scratch});
  return found;
}

LogicalResult FunctionOrder::findIn(Block &block) {
  // What is inside of an operation may have an unknown least.
  int64_t gap = 0;
  bool isChangedInside = false;
  auto graph = std::make_unique<BlockGraph>(block, [&](Operation *op) {
    ArenaBytes found = getBytesInside(op);
    gap = std::max(gap, found.after - found.bound);
    isChangedInside |= found.before != found.after;
    return found.after;
  });
  obstacle = graph->getObstacle();
  if (!obstacle.empty())
    return failure();
  ordering::Order order = ordering::findOrder(
      graph->getProblem(), std::max<int64_t>(budget - nodes, 0));
  nodes += order.nodes;
  bytes = {order.fileBytes, order.bytes,
           std::max<int64_t>(order.bound - gap, 0)};
  if (isChangedInside) {
    BlockGraph before(block,
                      [&](Operation *op) { return getBytesInside(op).before; });
    bytes.before = ordering::getFileBytes(before.getProblem());
  }
  if (order.bytes < order.fileBytes)
    changes.emplace_back(std::move(graph), std::move(order));
  return success();
}

LogicalResult FunctionOrder::find() {
  WalkResult result = function.walk([&](Block *block) {
    Region *region = block->getParent();
    if (!region->hasOneBlock()) {
      obstacle = "expected one block in a region, but got " +
                 std::to_string(region->getBlocks().size());
      return WalkResult::interrupt();
    }
    if (failed(findIn(*block)))
      return WalkResult::interrupt();
    if (block->getParentOp() != function)
      inside[block->getParentOp()].include(bytes);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

int64_t FunctionOrder::apply() {
  for (auto &[graph, order] : changes)
    graph->apply(order.steps);
  return static_cast<int64_t>(changes.size());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void OrderPass::report(func::FuncOp function, const FunctionOrder &order,
                       bool isChanged) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const ArenaBytes &bytes = order.getBytes();
  if (!order.getObstacle().empty()) {
    os << order.getObstacle();
  } else {
    os << bytes.after << " bytes live at once, ";
    if (isChanged)
      os << bytes.before << " before, ";
    if (bytes.after == bytes.bound)
      os << "the least of all orders, ";
    else
      os << "at least " << bytes.bound << " in any order, ";
    os << order.getNodes() << (order.getNodes() == 1 ? " node" : " nodes");
  }
  LDBG() << function.getSymName() << ": " << text;
  if (explain)
    emitRemark(function.getLoc(), isChanged ? "kernels in a new order: "
                                            : "kernels stay in their order: ")
        << text;
}

void OrderPass::runOnOperation() {
  FailureOr<SmallVector<func::FuncOp>> functions = sortByCalls(getOperation());
  if (failed(functions))
    return signalPassFailure();
  llvm::StringMap<ArenaBytes> callees;
  bool isChanged = false;
  for (func::FuncOp function : *functions) {
    if (!hasKernelsOnTensors(function))
      continue;
    FunctionOrder order(function, budget, callees);
    int64_t changed = succeeded(order.find()) ? order.apply() : 0;
    callees[function.getSymName()] = order.getBytes();
    numReordered += changed;
    numNodes += order.getNodes();
    isChanged |= changed > 0;
    report(function, order, changed > 0);
  }
  if (!isChanged)
    markAllAnalysesPreserved();
}
