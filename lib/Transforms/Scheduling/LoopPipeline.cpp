// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-double-buffer: software pipelines of loops.

#include "DoubleBuffer.h"

#include "EngineCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mli;

namespace {

/// The software pipeline of one loop.
class LoopPipeline {
public:
  LoopPipeline(scf::ForOp loop, LocalProfile &profile,
               const OverlapRules &rules)
      : loop(loop), profile(profile), rules(rules) {}

  /// Why the loop can not or should not be pipelined; empty if it should.
  std::string findObstacle();
  void rewrite();

private:
  bool classify(Operation &op);
  bool isOwn(Value buffer) {
    Operation *op = buffer.getDefiningOp();
    return op && op->getBlock() == loop.getBody() && isa<AllocOp>(op) &&
           !cast<AllocOp>(op).getAddress();
  }
  std::string checkBuffers();
  std::string checkMemory();
  std::string checkProfit() const;

  /// An iteration: its number, which selects one of each pair of buffers, and
  /// the value of the induction variable.
  struct Iteration {
    int64_t number;
    Value index;
  };
  void emit(ArrayRef<Operation *> ops, Iteration iteration);
  void emitSource(Operation *op, IRMapping &map);
  Iteration peeled(int64_t number);
  void emitSteady(int64_t pairs);
  void emitIteration(Iteration before, Iteration now, Iteration after);

  scf::ForOp loop;
  LocalProfile &profile;
  const OverlapRules &rules;
  int64_t trips = 0, first = 0, step = 0;
  SmallVector<Operation *> in, compute, out;
  /// The buffers of transfers in program order, each with the pair that
  /// replaces it.
  llvm::MapVector<Value, std::array<Value, 2>> streamed;
  llvm::MapVector<Operation *, int64_t> kernelBytes;
  std::string reason;
  OpBuilder builder{loop.getContext()};
};

} // namespace

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Sorts `op` into `in`, `compute` and `out`. Returns false, with a reason, if
/// it is neither a transfer nor a kernel.
bool LoopPipeline::classify(Operation &op) {
  if (isTransfer(&op)) {
    (isMovedIn(&op) ? in : out).push_back(&op);
    streamed.insert({getLocalSide(&op), {}});
    return true;
  }
  std::optional<SmallVector<BufferUse, 4>> uses = findBufferUses(&op);
  bool isInLocal = uses && llvm::all_of(*uses, [](const BufferUse &use) {
                     return isLocal(use.buffer.getType());
                   });
  if (!isInLocal || op.getNumRegions() > 0) {
    reason = "'" + op.getName().getStringRef().str() +
             "' is neither a kernel nor a move";
    return false;
  }
  if (!uses->empty())
    compute.push_back(&op);
  return true;
}

/// Checks that no transfer in depends on a transfer out of another iteration,
/// and that nothing else writes what is moved in.
std::string LoopPipeline::checkBuffers() {
  for (auto &[buffer, copies] : streamed)
    if (!isOwn(buffer))
      return "it moves a buffer that lives across iterations";
  // A loop may have hundreds of transfers, but writes few buffers of the
  // system.
  llvm::SmallSetVector<Value, 4> stored;
  for (Operation *store : out)
    stored.insert(getSystemSide(store));
  llvm::DenseSet<Value> written;
  for (Operation *op : llvm::concat<Operation *const>(compute, out)) {
    SmallVector<BufferUse, 4> uses = *findBufferUses(op);
    for (const BufferUse &use : uses)
      if (use.isWritten || isTransfer(op))
        written.insert(use.buffer);
  }
  for (Operation *load : in) {
    Value source = getSystemSide(load);
    if (llvm::any_of(stored,
                     [&](Value buffer) { return mayAlias(source, buffer); }))
      return "it reads what it writes";
    if (written.contains(getLocalSide(load)))
      return "it writes what it moves in";
  }
  return "";
}

std::string LoopPipeline::checkMemory() {
  int64_t all = 0;
  for (auto &[buffer, copies] : streamed)
    all += 2 * profile.getBytes(buffer);
  for (Operation *op : compute) {
    if (!isLocalCompute(op))
      continue;
    int64_t extra = all;
    for (auto &[buffer, copies] : streamed)
      if (profile.isLive(buffer, op))
        extra -= profile.getBytes(buffer);
    kernelBytes[op] = extra;
    int64_t bytes = profile.getBytes(op) + extra;
    if (bytes > rules.capacity)
      return "two of each buffer would take " + std::to_string(bytes) +
             " bytes of each NPU, of " + std::to_string(rules.capacity);
  }
  return "";
}

/// The number of copies of each kernel of the loop in the pipelined program.
static int64_t countCopies(int64_t trips) {
  return trips < 4 ? trips : 4 + trips % 2;
}

std::string LoopPipeline::checkProfit() const {
  double moves = 0, kernels = 0;
  for (Operation *transfer : llvm::concat<Operation *const>(in, out))
    moves += profile.getCost().getTransferCost(transfer);
  for (auto &[op, bytes] : kernelBytes)
    kernels += profile.getCost().getKernelCost(op);
  const tiling::CostModel &cost = profile.getCost().model;
  double gain = std::min(moves, kernels) * static_cast<double>(trips - 1);
  double code = cost.code * static_cast<double>(countCopies(trips) - 1) *
                static_cast<double>(kernelBytes.size());
  if (!rules.onlyIfItPays || gain > code)
    return "";
  return "it would hide " + std::to_string(static_cast<int64_t>(gain)) +
         ", less than the " + std::to_string(static_cast<int64_t>(code)) +
         " that more code costs";
}

// Z13
std::string LoopPipeline::findObstacle() {
  std::optional<APInt> count = loop.getStaticTripCount();
  std::optional<int64_t> from = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> by = getConstantIntValue(loop.getStep());
  if (!count || !from || !by)
    return "its bounds are not known";
  trips = count->getSExtValue();
  first = *from;
  step = *by;
  if (loop.getNumRegionIterArgs() > 0)
    return "it carries " + std::to_string(loop.getNumRegionIterArgs()) +
           " values";
  if (trips < 2)
    return "it runs once";
  for (Operation &op : loop.getBody()->without_terminator())
    if (!classify(op))
      return reason;
  if (streamed.empty())
    return "it moves nothing";
  for (std::string problem : {checkBuffers(), checkMemory(), checkProfit()})
    if (!problem.empty())
      return problem;
  return "";
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Clones `op` and the operations of the loop that it uses, unless `map` has
/// them.
void LoopPipeline::emitSource(Operation *op, IRMapping &map) {
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (source && source->getBlock() == loop.getBody() &&
        !map.contains(operand))
      emitSource(source, map);
  }
  Operation *copy = builder.clone(*op, map);
  if (auto alloc = dyn_cast<AllocOp>(op))
    profile.copyBuffer(copy->getResult(0), alloc.getResult());
  auto *kernel = kernelBytes.find(op);
  if (kernel == kernelBytes.end())
    return;
  profile.copyKernel(copy, op, kernel->second);
  for (auto &[buffer, copies] : streamed)
    for (Value own : copies)
      profile.assumeLive(own, copy);
}

void LoopPipeline::emit(ArrayRef<Operation *> ops, Iteration iteration) {
  IRMapping map;
  map.map(loop.getInductionVar(), iteration.index);
  for (auto &[buffer, copies] : streamed)
    map.map(buffer, copies[iteration.number % 2]);
  for (Operation *op : ops)
    emitSource(op, map);
}

LoopPipeline::Iteration LoopPipeline::peeled(int64_t number) {
  return {number, arith::ConstantIndexOp::create(builder, loop.getLoc(),
                                                 first + number * step)};
}

void LoopPipeline::emitIteration(Iteration before, Iteration now,
                                 Iteration after) {
  emit(out, before);
  emit(compute, now);
  emit(in, after);
}

/// Emits the loop of the iterations from 1 on, two in each of `pairs`.
void LoopPipeline::emitSteady(int64_t pairs) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto steady = scf::ForOp::create(builder, loc, constant(first + step),
                                   constant(first + (1 + 2 * pairs) * step),
                                   constant(2 * step));
  steady->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(steady.getBody());
  Value index = steady.getInductionVar();
  auto at = [&](int64_t iterations) -> Iteration {
    Value moved = iterations == 0
                      ? index
                      : arith::AddIOp::create(builder, loc, index,
                                              constant(iterations * step))
                            .getResult();
    // The first iteration, 1, has an odd number.
    return {3 + iterations, moved};
  };
  Iteration before = at(-1), one = at(0), other = at(1), after = at(2);
  emitIteration(before, one, other);
  emitIteration(one, other, after);
}

void LoopPipeline::rewrite() {
  builder.setInsertionPoint(loop);
  for (auto &[buffer, copies] : streamed)
    for (Value &copy : copies) {
      copy = builder.clone(*buffer.getDefiningOp())->getResult(0);
      profile.copyBuffer(copy, buffer);
    }
  emit(in, peeled(0));
  emit(compute, peeled(0));
  emit(in, peeled(1));
  int64_t pairs = (trips - 2) / 2;
  if (pairs > 0)
    emitSteady(pairs);
  if (trips % 2 != 0)
    emitIteration(peeled(trips - 3), peeled(trips - 2), peeled(trips - 1));
  emit(out, peeled(trips - 2));
  emit(compute, peeled(trips - 1));
  emit(out, peeled(trips - 1));
  loop.erase();
}

void mli::pipelineLoop(scf::ForOp loop, LocalProfile &profile,
                       const OverlapRules &rules, OverlapCounts &counts) {
  LoopPipeline pipeline(loop, profile, rules);
  std::string reason = pipeline.findObstacle();
  if (!reason.empty()) {
    if (rules.explains)
      loop->emitRemark("no software pipeline: ") << reason;
    return;
  }
  pipeline.rewrite();
  ++counts.loops;
}
