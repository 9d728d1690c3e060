// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-double-buffer: transfers in parallel with kernels of a block.

#include "DoubleBuffer.h"

#include "EngineCost.h"

#include "mli/Analysis/MovedBytes.h"
#include "mli/IR/MLIParallel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Adds the accesses of `op` itself to `uses`; returns false if they are not
/// known.
static bool addUses(Operation *op, SmallVectorImpl<BufferUse> &uses) {
  if (isa<AllocOp, ConstantOp, memref::AllocOp, ParallelOp, ParallelEndOp>(
          op) ||
      isPure(op))
    return true;
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  bool isCopy = isa<memref::CopyOp>(op);
  if (!isCopy && !(kernel && isa<MLIDialect>(op->getDialect()) &&
                   kernel.hasPureBufferSemantics()))
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()))
      uses.push_back({getViewedBuffer(operand.get()),
                      isCopy ? operand.getOperandNumber() == 1
                             : kernel.isDpsInit(&operand)});
  return true;
}

std::optional<SmallVector<BufferUse, 4>> mli::findBufferUses(Operation *op) {
  SmallVector<BufferUse, 4> uses;
  WalkResult walk = op->walk([&](Operation *inner) {
    return addUses(inner, uses) ? WalkResult::advance()
                                : WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    return std::nullopt;
  return uses;
}

/// Whether no other buffer aliases `buffer`; those with given addresses may
/// overlap.
static bool isNoAlias(Value buffer) {
  Operation *op = buffer.getDefiningOp();
  if (auto alloc = dyn_cast_or_null<AllocOp>(op))
    return !alloc.getAddress();
  return op ? isa<memref::AllocOp, ConstantOp, memref::GetGlobalOp>(op)
            : isa<func::FuncOp>(buffer.getParentBlock()->getParentOp());
}

bool mli::mayAlias(Value one, Value other) {
  if (one == other)
    return true;
  if (isLocal(one.getType()) != isLocal(other.getType()))
    return false;
  return !isNoAlias(one) || !isNoAlias(other);
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

namespace {

/// Overlaps the transfers of one block.
class BlockOverlap {
public:
  BlockOverlap(Block &block, LocalProfile &profile, const OverlapRules &rules,
               OverlapCounts &counts)
      : block(block), profile(profile), rules(rules), counts(counts) {}

  void run();

private:
  /// A kernel that transfers can overlap with.
  struct Slot {
    Operation *kernel;
    /// The cost of the kernel that no transfer overlaps with yet.
    double left;
  };

  Slot *findSlot(Operation *op);
  bool isDependent(Operation *op, ArrayRef<BufferUse> own);
  bool hasRoom(Operation *kernel, Value buffer);
  Slot *chooseSlot(Operation *transfer);
  void overlap(Operation *transfer, Slot &slot);
  void explain(Operation *transfer) const;

  Block &block;
  LocalProfile &profile;
  const OverlapRules &rules;
  OverlapCounts &counts;
  llvm::MapVector<Operation *, Slot> slots;
  /// Why the current transfer does not overlap.
  std::string reason;
};

} // namespace

/// The largest number of kernels that a transfer moves across.
static constexpr int maxDistance = 4;

static Operation *getKernel(Operation *op) {
  if (isLocalCompute(op))
    return op;
  auto parallel = dyn_cast<ParallelOp>(op);
  if (!parallel)
    return nullptr;
  for (Operation &inner : parallel.getBody().front())
    if (isLocalCompute(&inner))
      return &inner;
  return nullptr;
}

BlockOverlap::Slot *BlockOverlap::findSlot(Operation *op) {
  Operation *kernel = getKernel(op);
  auto *found = kernel ? slots.find(kernel) : slots.end();
  return found == slots.end() ? nullptr : &found->second;
}

/// Whether a transfer that uses `own` can not move across `op`, as they access
/// one buffer.
// Z12
bool BlockOverlap::isDependent(Operation *op, ArrayRef<BufferUse> own) {
  std::optional<SmallVector<BufferUse, 4>> uses = findBufferUses(op);
  if (!uses) {
    reason = "'" + op->getName().getStringRef().str() + "' is in between";
    return true;
  }
  for (const BufferUse &use : *uses)
    for (const BufferUse &mine : own)
      if ((use.isWritten || mine.isWritten) &&
          mayAlias(use.buffer, mine.buffer)) {
        Operation *kernel = getKernel(op);
        reason = "'" + (kernel ? kernel : op)->getName().getStringRef().str() +
                 "' uses its buffers";
        return true;
      }
  return false;
}

bool BlockOverlap::hasRoom(Operation *kernel, Value buffer) {
  if (profile.isLive(buffer, kernel))
    return true;
  int64_t bytes = profile.getBytes(kernel) + profile.getBytes(buffer);
  if (bytes <= rules.capacity)
    return true;
  reason = "its overlap would take " + std::to_string(bytes) +
           " bytes of each NPU, of " + std::to_string(rules.capacity);
  return false;
}

/// The kernel that hides maxHidden of the cost of `transfer`, of several the
/// nearest.
BlockOverlap::Slot *BlockOverlap::chooseSlot(Operation *transfer) {
  bool isIn = isMovedIn(transfer);
  Value buffer = getLocalSide(transfer);
  SmallVector<BufferUse, 4> own = *findBufferUses(transfer);
  double cost = profile.getCost().getTransferCost(transfer), maxHidden = 0;
  Slot *best = nullptr;
  int distance = 0;
  reason =
      isIn ? "there is no kernel before it" : "there is no kernel after it";
  for (Operation *op = isIn ? transfer->getPrevNode() : transfer->getNextNode();
       op; op = isIn ? op->getPrevNode() : op->getNextNode()) {
    Slot *slot = findSlot(op);
    // Transfers that overlap with one kernel keep their order.
    if (isDependent(slot ? slot->kernel : op, own) ||
        (slot && !hasRoom(slot->kernel, buffer)))
      break;
    if (!slot)
      continue;
    double hidden = std::min(cost, slot->left);
    if (best ? hidden > maxHidden : (hidden > 0 || !rules.onlyIfItPays)) {
      best = slot;
      maxHidden = hidden;
    }
    if (!best)
      reason = "the kernels around it are busy with other moves";
    if (maxHidden >= cost || ++distance == maxDistance || isDependent(op, own))
      break;
  }
  return best;
}

/// The operations between `first` and `transfer` that it uses, in program
/// order: views and allocations, which can move before `first`.
static SmallVector<Operation *> collectSources(Operation *transfer,
                                               Operation *first) {
  llvm::SmallPtrSet<Operation *, 8> needed;
  auto need = [&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp())
        needed.insert(source);
  };
  need(transfer);
  SmallVector<Operation *> sources;
  // The walk is backwards, as users come after the operations.
  for (Operation *op = transfer->getPrevNode(); op != first;
       op = op->getPrevNode())
    if (needed.contains(op)) {
      need(op);
      sources.push_back(op);
    }
  std::reverse(sources.begin(), sources.end());
  return sources;
}

static ParallelOp makeParallel(Operation *kernel, OverlapCounts &counts) {
  if (auto parallel = dyn_cast<ParallelOp>(kernel->getParentOp()))
    return parallel;
  OpBuilder builder(kernel);
  auto parallel = ParallelOp::create(builder, kernel->getLoc());
  builder.createBlock(&parallel.getBody());
  ParallelEndOp::create(builder, kernel->getLoc());
  kernel->moveBefore(parallel.getBody().front().getTerminator());
  ++counts.parallels;
  return parallel;
}

/// Moves `transfer` into the parallel of the kernel of `slot`, after earlier
/// transfers in and before later transfers out.
void BlockOverlap::overlap(Operation *transfer, Slot &slot) {
  Operation *anchor = getParallelOrSelf(slot.kernel);
  bool isIn = isMovedIn(transfer);
  SmallVector<Operation *> sources;
  if (isIn)
    sources = collectSources(transfer, anchor);
  Value buffer = getLocalSide(transfer);
  // The buffer lives while all kernels run that the transfer moves across.
  Operation *end = isIn ? transfer : anchor->getNextNode();
  for (Operation *op = isIn ? anchor : transfer; op != end;
       op = op->getNextNode())
    if (Slot *crossed = findSlot(op))
      profile.extend(buffer, crossed->kernel);
  for (Operation *source : sources)
    source->moveBefore(anchor);
  ParallelOp parallel = makeParallel(slot.kernel, counts);
  Block &body = parallel.getBody().front();
  transfer->moveBefore(isIn ? body.getTerminator() : &body.front());
  slot.left -= std::min(slot.left, profile.getCost().getTransferCost(transfer));
  ++counts.moves;
}

void BlockOverlap::explain(Operation *transfer) const {
  if (!rules.explains)
    return;
  transfer->emitRemark("exposed transfer: ")
      << getMovedBytes(cast<MovOp>(transfer)) << " bytes, as " << reason;
}

void BlockOverlap::run() {
  SmallVector<Operation *> in, out;
  for (Operation &op : block) {
    if (isLocalCompute(&op))
      slots.insert({&op, {&op, profile.getCost().getKernelCost(&op)}});
    else if (isTransfer(&op))
      (isMovedIn(&op) ? in : out).push_back(&op);
  }
  // Transfers out come first, as a later transfer in may move further then. The
  // last one of them comes first, so that they keep their order.
  SmallVector<Operation *> order(llvm::reverse(out));
  llvm::append_range(order, in);
  for (Operation *transfer : order)
    if (Slot *slot = chooseSlot(transfer))
      overlap(transfer, *slot);
    else
      explain(transfer);
}

void mli::overlapMoves(Block &block, LocalProfile &profile,
                       const OverlapRules &rules, OverlapCounts &counts) {
  BlockOverlap(block, profile, rules, counts).run();
}
