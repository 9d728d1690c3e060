// SPDX-License-Identifier: Apache-2.0

#include "MoveOverlap.h"

#include "mli/Analysis/MovedBytes.h"
#include "mli/IR/MLIParallel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Adds what `op` itself does; false if that is not known.
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

/// Whether nothing else has the bytes of `buffer`: two addresses that were
/// given may well overlap.
static bool isOnItsOwn(Value buffer) {
  Operation *op = buffer.getDefiningOp();
  if (auto alloc = dyn_cast_or_null<AllocOp>(op))
    return !alloc.getAddress();
  return op ? isa<memref::AllocOp, ConstantOp, memref::GetGlobalOp>(op)
            : isa<func::FuncOp>(buffer.getParentBlock()->getParentOp());
}

bool mli::mayShareBytes(Value one, Value other) {
  if (one == other)
    return true;
  if (isLocal(one.getType()) != isLocal(other.getType()))
    return false;
  return !isOnItsOwn(one) || !isOnItsOwn(other);
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

namespace {

/// One block, kernel by kernel.
class BlockOverlap {
public:
  BlockOverlap(Block &block, LocalProfile &profile, const OverlapRules &rules,
               OverlapCounts &counts)
      : block(block), profile(profile), rules(rules), counts(counts) {}

  void run();

private:
  /// A kernel that moves may run along with.
  struct Slot {
    Operation *kernel;
    /// What of its time no move fills yet.
    double left;
  };

  Slot *findSlot(Operation *op);
  bool isInTheWay(Operation *op, Operation *transfer);
  bool hasRoom(Operation *kernel, Value buffer);
  Slot *chooseSlot(Operation *transfer);
  void place(Operation *transfer, Slot &slot);
  void explain(Operation *transfer) const;

  Block &block;
  LocalProfile &profile;
  const OverlapRules &rules;
  OverlapCounts &counts;
  llvm::MapVector<Operation *, Slot> slots;
  /// Why the last transfer that was looked at stays where it is.
  std::string reason;
};

} // namespace

/// Kernels that a move is at most brought along with further away.
static constexpr int maxDistance = 4;

static Operation *kernelOf(Operation *op) {
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
  Operation *kernel = kernelOf(op);
  auto *found = kernel ? slots.find(kernel) : slots.end();
  return found == slots.end() ? nullptr : &found->second;
}

/// Whether `op` and `transfer` have to run in their order.
// Z12
bool BlockOverlap::isInTheWay(Operation *op, Operation *transfer) {
  std::optional<SmallVector<BufferUse, 4>> uses = findBufferUses(op);
  if (!uses) {
    reason = "'" + op->getName().getStringRef().str() + "' is in between";
    return true;
  }
  SmallVector<BufferUse, 4> own = *findBufferUses(transfer);
  for (const BufferUse &use : *uses)
    for (const BufferUse &mine : own)
      if ((use.isWritten || mine.isWritten) &&
          mayShareBytes(use.buffer, mine.buffer)) {
        Operation *kernel = kernelOf(op);
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
  reason = "it would take " + std::to_string(bytes) +
           " bytes of each NPU, of " + std::to_string(rules.capacity);
  return false;
}

/// The kernel that hides most of `transfer`, of several the nearest.
BlockOverlap::Slot *BlockOverlap::chooseSlot(Operation *transfer) {
  bool isIn = isMovedIn(transfer);
  Value buffer = getLocalSide(transfer);
  double cost = profile.getCost().ofTransfer(transfer), most = 0;
  Slot *best = nullptr;
  int distance = 0;
  reason = isIn ? "there is no kernel in front of it"
                : "there is no kernel behind it";
  for (Operation *op = isIn ? transfer->getPrevNode() : transfer->getNextNode();
       op; op = isIn ? op->getPrevNode() : op->getNextNode()) {
    Slot *slot = findSlot(op);
    // Moves keep their order where they run along with one kernel.
    if (isInTheWay(slot ? slot->kernel : op, transfer) ||
        (slot && !hasRoom(slot->kernel, buffer)))
      break;
    if (!slot)
      continue;
    double hidden = std::min(cost, slot->left);
    if (best ? hidden > most : (hidden > 0 || !rules.onlyIfItPays)) {
      best = slot;
      most = hidden;
    }
    if (!best)
      reason = "the kernels around it are busy with other moves";
    if (most >= cost || ++distance == maxDistance || isInTheWay(op, transfer))
      break;
  }
  return best;
}

/// What `transfer` follows from behind `first`, in program order: views and
/// allocations, which can as well stand in front.
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
  // Backwards: what needs an operation is behind it.
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

/// Those that were in front of the kernel run first, in the order that they
/// had.
void BlockOverlap::place(Operation *transfer, Slot &slot) {
  Operation *anchor = getParallelOrSelf(slot.kernel);
  bool isIn = isMovedIn(transfer);
  SmallVector<Operation *> sources;
  if (isIn)
    sources = collectSources(transfer, anchor);
  Value buffer = getLocalSide(transfer);
  // All kernels on the way.
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
  slot.left -= std::min(slot.left, profile.getCost().ofTransfer(transfer));
  ++counts.moves;
}

void BlockOverlap::explain(Operation *transfer) const {
  if (!rules.explains)
    return;
  transfer->emitRemark("waited for: ")
      << getMovedBytes(cast<MovOp>(transfer)) << " bytes, as " << reason;
}

void BlockOverlap::run() {
  SmallVector<Operation *> in, out;
  for (Operation &op : block) {
    if (isLocalCompute(&op))
      slots.insert({&op, {&op, profile.getCost().ofKernel(&op)}});
    else if (isTransfer(&op))
      (isMovedIn(&op) ? in : out).push_back(&op);
  }
  // Out first: what is moved in later may then go further than these do. The
  // last of them first, so that their order stays.
  SmallVector<Operation *> order(llvm::reverse(out));
  llvm::append_range(order, in);
  for (Operation *transfer : order)
    if (Slot *slot = chooseSlot(transfer))
      place(transfer, *slot);
    else
      explain(transfer);
}

void mli::overlapMoves(Block &block, LocalProfile &profile,
                       const OverlapRules &rules, OverlapCounts &counts) {
  BlockOverlap(block, profile, rules, counts).run();
}
