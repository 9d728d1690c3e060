// SPDX-License-Identifier: Apache-2.0

#include "InsertionChain.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

Uses mli::getOtherUses(Value value, Operation *inserter) {
  Uses uses;
  while (value) {
    for (OpOperand &use : value.getUses())
      if (use.getOwner() != inserter)
        uses.push_back(&use);
    auto reshape = value.getDefiningOp<ReshapeOp>();
    inserter = reshape;
    value = reshape ? reshape.getSource() : Value();
  }
  return uses;
}

/// The kernel that `use` is an operand of; null if it is of something else.
static DestinationStyleOpInterface getKernel(OpOperand &use) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  bool isKernel = kernel && isa_and_nonnull<MLIDialect>(kernel->getDialect());
  return isKernel ? kernel : DestinationStyleOpInterface();
}

bool mli::isKernelInput(OpOperand &use) {
  DestinationStyleOpInterface kernel = getKernel(use);
  return kernel && kernel.isDpsInput(&use);
}

bool mli::isKernelDestination(OpOperand &use) {
  DestinationStyleOpInterface kernel = getKernel(use);
  return kernel && kernel.isDpsInit(&use);
}

bool mli::isPartialMove(OpOperand &use) {
  auto mov = dyn_cast<MovOp>(use.getOwner());
  return mov && mov.isDpsInit(&use) && mli::detail::readsInit(use);
}

/// Whether each of `uses` of a slice can read the slice of the buffer after
/// `insertion` wrote it, if it is a kernel before `last`, the last step of the
/// chain, or the complete tensor, if it is after `last`.
static bool canRedirect(const Uses &uses, Operation *insertion,
                        Operation *last) {
  return llvm::all_of(uses, [&](OpOperand *use) {
    Operation *user = last->getBlock()->findAncestorOpInBlock(*use->getOwner());
    return user && (last->isBeforeInBlock(user) ||
                    (isKernelInput(*use) && insertion->isBeforeInBlock(user)));
  });
}

/// Whether no two of `insertions` into one tensor overlap.
static bool areInsertionsDisjoint(ArrayRef<tensor::InsertSliceOp> insertions) {
  SmallVector<SliceBox> boxes;
  for (tensor::InsertSliceOp insert : insertions) {
    std::optional<SliceBox> box = SliceBox::get(insert);
    if (!box)
      return false;
    boxes.push_back(std::move(*box));
  }
  return areDisjoint(boxes);
}

//===----------------------------------------------------------------------===//
// Whether a chain can be bufferized
//===----------------------------------------------------------------------===//

/// Whether `destination` is the slice that `insert` writes.
static bool isDestinationOf(Operation *destination,
                            tensor::InsertSliceOp insert) {
  auto slice = dyn_cast_if_present<OffsetSizeAndStrideOpInterface>(destination);
  return slice && isa<tensor::ExtractSliceOp, SubtensorOp>(destination) &&
         destination->getOperand(0) == insert.getDest() &&
         destination->getBlock() == insert->getBlock() &&
         destination->getResult(0).getType() == insert.getSourceType() &&
         slice.getMixedOffsets() == insert.getMixedOffsets() &&
         slice.getMixedSizes() == insert.getMixedSizes() &&
         llvm::all_of(insert.getStaticStrides(),
                      [](int64_t step) { return step == 1; });
}

Operation *mli::findDestination(tensor::InsertSliceOp insert) {
  auto source = dyn_cast<OpResult>(stripReshapes(insert.getSource()));
  auto kernel = source
                    ? dyn_cast<DestinationStyleOpInterface>(source.getOwner())
                    : nullptr;
  if (!kernel || kernel->getBlock() != insert->getBlock())
    return nullptr;
  Value init = kernel.getTiedOpOperand(source)->get();
  auto reshape = init.getDefiningOp<ReshapeOp>();
  if (reshape && init.hasOneUse())
    init = reshape.getSource();
  Operation *destination = init.getDefiningOp();
  return init.hasOneUse() && isDestinationOf(destination, insert) ? destination
                                                                  : nullptr;
}

/// Whether other operations use the source of an insertion of `step`.
static bool hasOtherUses(const InsertionStep &step) {
  return !step.otherUses.empty() || llvm::any_of(step.body, hasOtherUses);
}

/// Whether all other uses of sources can read the buffer or the complete tensor
/// instead.
bool InsertionChain::canRedirectOtherUses(ArrayRef<InsertionStep> steps) const {
  if (llvm::none_of(steps, hasOtherUses))
    return true;
  SmallVector<tensor::InsertSliceOp> all;
  for (const InsertionStep &step : steps) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(step.op);
    if (!insert || !canRedirect(step.otherUses, insert, steps.back().op) ||
        !canRedirectOtherUses(step.body))
      return false;
    all.push_back(insert);
  }
  return areInsertionsDisjoint(all);
}

static Uses getUses(Operation *slice) {
  return llvm::to_vector<0>(llvm::make_pointer_range(slice->getUses()));
}

/// Whether no step after a slice between steps writes what the slice reads.
bool InsertionChain::canRedirectSlices() const {
  if (llvm::all_of(
          steps, [](const InsertionStep &step) { return step.slices.empty(); }))
    return true;
  std::vector<SliceBox> later;
  SliceBox allLater;
  for (const InsertionStep &step : llvm::reverse(steps)) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(step.op);
    std::optional<SliceBox> written =
        insert ? SliceBox::get(insert) : std::nullopt;
    if (!written)
      return &step == &steps.front() && step.slices.empty();
    if (later.empty())
      allLater = *written;
    allLater.include(*written);
    later.push_back(std::move(*written));
    auto isRedirectable = [&](Operation *slice) {
      std::optional<SliceBox> read =
          SliceBox::get(cast<OffsetSizeAndStrideOpInterface>(slice));
      auto isDisjoint = [&](const SliceBox &box) {
        return read->isDisjoint(box);
      };
      return read && slice->getBlock() == steps.back().op->getBlock() &&
             (isDisjoint(allLater) || llvm::all_of(later, isDisjoint)) &&
             canRedirect(getUses(slice), slice, steps.back().op);
    };
    if (!llvm::all_of(step.slices, isRedirectable))
      return false;
  }
  return true;
}

bool InsertionChain::isProfitable() const {
  Value init = getInit();
  constexpr int64_t many = 32; // So many justify a copy of the initial tensor.
  bool isEmpty = init.getDefiningOp<tensor::EmptyOp>() != nullptr;
  bool isCopied = !isEmpty && !isReadOnly(init);
  // Local memory has no room for a copy that was not planned.
  if (!isEmpty && isLocal(init.getType()))
    return false;
  bool isLong = insertions >= (isCopied ? many : 2) || moves >= many;
  return isLong && final && !final.use_empty() && canRedirectOtherUses(steps) &&
         canRedirectSlices();
}

//===----------------------------------------------------------------------===//
// Finding a chain
//===----------------------------------------------------------------------===//

InsertionChain::InsertionChain(OpOperand &first, bool mayHaveSlices)
    : first(&first) {
  std::optional<InsertionStep> step = getFirstStep(first);
  if (!step)
    return;
  steps.push_back(std::move(*step));
  final = collect(getResult(steps.back()), steps, mayHaveSlices);
}

/// The first step, which may be a kernel that computes the initial tensor.
std::optional<InsertionStep> InsertionChain::getFirstStep(OpOperand &use) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  if (!kernel || !isa_and_nonnull<MLIDialect>(kernel->getDialect()) ||
      isPartialMove(use))
    return getStep(use);
  if (!use.get().getDefiningOp<tensor::EmptyOp>() || !kernel.isDpsInit(&use))
    return std::nullopt;
  return InsertionStep{kernel, nullptr,
                       kernel.getTiedOpResult(&use).getResultNumber()};
}

/// The step of `insert`, with the slice that a kernel or a nested chain
/// computes its source into.
InsertionStep InsertionChain::getInsertion(tensor::InsertSliceOp insert) {
  ++insertions;
  if (Operation *destination = findDestination(insert)) {
    InsertionStep step{insert, destination};
    step.otherUses = getOtherUses(insert.getSource(), insert);
    return step;
  }
  constexpr int maxUsers = 8; // Most of many are slices of other insertions.
  int seen = 0;
  for (Operation *user : insert.getDest().getUsers()) {
    if (++seen > maxUsers)
      break;
    if (user == insert || !isDestinationOf(user, insert))
      continue;
    InsertionStep step{insert, user};
    Value source = collect(user->getResult(0), step.body);
    if (!step.body.empty() && source == insert.getSource()) {
      step.otherUses = getOtherUses(source, insert);
      return step;
    }
  }
  return {insert};
}

/// The step that writes to the tensor `use`; nothing if its owner does not.
std::optional<InsertionStep> InsertionChain::getStep(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (&use != &insert.getDestMutable())
      return std::nullopt;
    return getInsertion(insert);
  }
  if (isPartialMove(use)) {
    ++moves;
    return InsertionStep{op};
  }
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || !loop.getTiedLoopResult(&use))
    return std::nullopt;
  InsertionStep step{op, nullptr,
                     loop.getTiedLoopResult(&use).getResultNumber()};
  Value last = collect(loop.getTiedLoopRegionIterArg(&use), step.body);
  if (step.body.empty() || !last.hasOneUse() ||
      loop.getYieldedValues()[step.result] != last)
    return std::nullopt;
  ++loops;
  return step;
}

bool mli::isReadSlice(Operation *op, Value source) {
  return isa<SubtensorOp>(op) || (isa<tensor::ExtractSliceOp>(op) &&
                                  getElementTypeOrSelf(op->getResult(0)) ==
                                      getElementTypeOrSelf(source));
}

/// Whether all of `reads` of `value` run before the step `next` writes to it.
static bool arePerformedBefore(ArrayRef<OpOperand *> reads,
                               const InsertionStep &next, Value value) {
  return llvm::all_of(reads, [&](OpOperand *read) {
    Operation *user =
        value.getParentBlock()->findAncestorOpInBlock(*read->getOwner());
    return user && user->isBeforeInBlock(next.getBegin());
  });
}

/// The step that writes to `value`, if all other uses are slices and kernels
/// that read it.
std::optional<InsertionStep> InsertionChain::findNext(Value value,
                                                      bool mayHaveSlices) {
  std::optional<InsertionStep> next;
  SmallVector<Operation *, 0> slices;
  Uses reads;
  for (OpOperand &use : value.getUses()) {
    if (isa<tensor::ExtractSliceOp, SubtensorOp>(use.getOwner())) {
      slices.push_back(use.getOwner());
      continue;
    }
    if (isKernelInput(use)) {
      reads.push_back(&use);
      continue;
    }
    if (next)
      return std::nullopt;
    next = getStep(use);
    // A step in a loop would start from the same value in each iteration.
    if (!next || use.getOwner()->getBlock() != value.getParentBlock())
      return std::nullopt;
  }
  if (!next || !arePerformedBefore(reads, *next, value))
    return std::nullopt;
  llvm::erase(slices, next->destination);
  auto isSlice = [&](Operation *op) { return isReadSlice(op, value); };
  if (!slices.empty() && !(mayHaveSlices && llvm::all_of(slices, isSlice)))
    return std::nullopt;
  next->slices = std::move(slices);
  next->reads = std::move(reads);
  return next;
}

/// Adds all steps from `value` on to `steps`. Returns the tensor after them.
Value InsertionChain::collect(Value value, std::vector<InsertionStep> &steps,
                              bool mayHaveSlices) {
  while (std::optional<InsertionStep> next = findNext(value, mayHaveSlices)) {
    value = getResult(*next);
    steps.push_back(std::move(*next));
  }
  return value;
}
