// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-order: the steps of a block, what they wait for and the memory
// that they use.

#include "Order.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mli;

/// Adds `before` to the predecessors of `step`.
static void addPredecessors(ordering::Step &step, ArrayRef<int32_t> before) {
  auto &all = step.predecessors;
  all.insert(all.end(), before.begin(), before.end());
  llvm::sort(all);
  all.erase(llvm::unique(all), all.end());
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

int32_t BlockGraph::addStep(BlockStep step) {
  auto number = static_cast<int32_t>(steps.size());
  steps.push_back(step);
  problem.steps.emplace_back();
  if (step.op)
    stepNumbers[step.op] = number;
  return number;
}

/// The steps that `op` waits for, ascending. An operand of a concatenation
/// waits for no other one.
BlockGraph::Steps BlockGraph::findSources(Operation *op) const {
  bool isConcatenated = concatenationsByOp.contains(op);
  Steps found;
  op->walk([&](Operation *inner) {
    for (OpOperand &use : inner->getOpOperands()) {
      auto insert = dyn_cast<tensor::InsertSliceOp>(op);
      if (isConcatenated && (!insert || use.get() != insert.getSource()))
        continue;
      if (Operation *source = use.get().getDefiningOp())
        llvm::append_range(found, sources.lookup(source));
    }
  });
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  return found;
}

/// Adds a step behind all of `operands`.
void BlockGraph::addConcatenationEnd(const Concatenation &operands) {
  tensor::InsertSliceOp last = operands.back().insert;
  int32_t end = addStep({nullptr, last.getResult()});
  Steps writers;
  for (const InsertedOperand &operand : operands)
    writers.push_back(stepNumbers.lookup(getWriter(operand)));
  addPredecessors(problem.steps[end], writers);
  sources[last] = {end};
}

void BlockGraph::addOperation(Operation *op) {
  Steps found = findSources(op);
  const Concatenation *operands = concatenationsByOp.lookup(op);
  if (isFreelyMovable(op) || placed.contains(op)) {
    sources[op] = std::move(found);
  } else {
    int32_t step = addStep({op});
    addPredecessors(problem.steps[step], found);
    sources[op] = {step};
  }
  if (operands && operands->back().insert == op)
    addConcatenationEnd(*operands);
}

/// Operations with effects on memory keep their order.
void BlockGraph::orderEffects() {
  // A35
  int32_t last = -1;
  for (auto [i, step] : llvm::enumerate(steps)) {
    if (!step.op || isMemoryEffectFree(step.op))
      continue;
    if (last >= 0)
      addPredecessors(problem.steps[i], last);
    last = static_cast<int32_t>(i);
  }
}

/// The terminator, which is the last step, waits for all others.
void BlockGraph::connectEnd() {
  llvm::BitVector isFollowed(problem.steps.size());
  for (const ordering::Step &step : problem.steps)
    for (int32_t before : step.predecessors)
      isFollowed.set(before);
  Steps open;
  for (size_t i = 0; i + 1 < problem.steps.size(); ++i)
    if (!isFollowed.test(i))
      open.push_back(static_cast<int32_t>(i));
  if (!problem.steps.empty())
    addPredecessors(problem.steps.back(), open);
}

BlockGraph::BlockGraph(Block &block,
                       function_ref<int64_t(Operation *)> getBytes)
    : block(block), concatenations(findConcatenations(block)) {
  llvm::SmallPtrSet<Operation *, 8> concatenated;
  for (const Concatenation &operands : concatenations)
    for (const InsertedOperand &operand : operands) {
      concatenationsByOp[operand.insert] = &operands;
      concatenated.insert(operand.insert);
      concatenated.insert(getWriter(operand));
      if (!operand.slice)
        continue;
      concatenationsByOp[operand.slice] = &operands;
      placed.insert(operand.insert);
    }
  for (Operation &op : block)
    addOperation(&op);
  for (auto [i, step] : llvm::enumerate(steps))
    if (step.op)
      problem.steps[i].scratchBytes = getBytes(step.op);
  orderEffects();
  addBuffers(TensorMemory(block, concatenated));
  connectEnd();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static std::string findObstacle(const TensorMemory::Memory &memory) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Type type = memory.tensor.getType();
  if (isLocal(type))
    os << "expected tensors in system memory, but got " << type;
  else if (!memory.getBytes())
    os << "expected tensors of static shape, but got " << type;
  return text;
}

void BlockGraph::addBuffers(const TensorMemory &memory) {
  // A34
  ArrayRef<TensorMemory::Memory> memories = memory.getMemories();
  problem.buffers.resize(memories.size());
  for (auto [i, step] : llvm::enumerate(steps)) {
    auto number = static_cast<int32_t>(i);
    auto add = [&](int32_t used) {
      auto &users = problem.buffers[used].users;
      if (!memories[used].isReadOnly &&
          (users.empty() || users.back() != number))
        users.push_back(number);
    };
    if (!step.op) {
      add(memory.lookup(step.complete));
      continue;
    }
    llvm::for_each(memory.getRead(step.op), add);
    llvm::for_each(memory.getWritten(step.op), add);
  }
  for (auto [buffer, from] : llvm::zip_equal(problem.buffers, memories)) {
    if (from.isOwn()) {
      buffer.bytes = from.getBytes().value_or(0);
      if (obstacle.empty() && !buffer.users.empty())
        obstacle = findObstacle(from);
    }
    for (size_t i = 1; from.isOverwritten && i < buffer.users.size(); ++i)
      addPredecessors(problem.steps[buffer.users[i]], buffer.users[i - 1]);
  }
  for (const BlockStep &step : steps)
    if (step.op)
      addReplaceable(step.op, memory);
}

/// Lets a kernel compute over the inputs that the planner of addresses lets it.
void BlockGraph::addReplaceable(Operation *op, const TensorMemory &memory) {
  int32_t number = stepNumbers.lookup(op);
  ordering::Step &step = problem.steps[number];
  for (int32_t input : memory.getReplaceable(op)) {
    int32_t result = memory.lookup(op->getResult(0));
    const ordering::Buffer &written = problem.buffers[result];
    if (written.bytes == 0 || written.users.front() != number ||
        problem.buffers[input].bytes != written.bytes)
      continue;
    step.result = result;
    step.replaceable.push_back(input);
  }
}
