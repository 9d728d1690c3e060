// SPDX-License-Identifier: Apache-2.0
//
// Kernels that read one part of a whole and compute another part of it. Parts
// that are no rows behind each other lie between each other's elements, and
// most kernels take no memory that does.

#include "LegalizeSubtensors.h"

#include "mli/IR/EmptyTensor.h"
#include "mli/IR/KernelOperands.h"
#include "mli/Quant/Memory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;

namespace {

/// Where the elements of a tensor are put.
struct Place {
  /// What the whole, and all in it, is built in.
  tensor::EmptyOp root;
  /// The view of a buffer for the root; null where that is not known.
  MemRefType view;
  /// Not the root itself.
  bool isPart = false;
};

class PartConflicts {
public:
  PartConflicts(MLIRContext *context, CopyLog &log)
      : rewriter(context), log(log) {}

  /// Notes where `op`, behind all that it uses, puts its results.
  void locate(Operation *op);
  /// Has `op` read and write different memory where it has to.
  void separate(DestinationStyleOpInterface op);

private:
  Place lookup(Value value) const { return places.lookup(value); }
  /// The operand that lies between the elements of what `init` writes; null if
  /// none does.
  OpOperand *findConflict(DestinationStyleOpInterface op, OpOperand &init);
  void computeElsewhere(DestinationStyleOpInterface op, OpOperand &init,
                        const CopyCause &cause);
  void readElsewhere(OpOperand &source, const CopyCause &cause);

  IRRewriter rewriter;
  CopyLog &log;
  llvm::DenseMap<Value, Place> places;
};

} // namespace

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static MemRefType viewOf(MemRefType whole, tensor::ExtractSliceOp slice) {
  if (!whole)
    return {};
  return memref::SubViewOp::inferRankReducedResultType(
      slice.getType().getShape(), whole, slice.getMixedOffsets(),
      slice.getMixedSizes(), slice.getMixedStrides());
}

static MemRefType viewOf(MemRefType whole, SubtensorOp slice) {
  return whole ? dyn_cast_or_null<MemRefType>(slice.inferResultType(whole))
               : MemRefType();
}

static MemRefType viewOf(MemRefType whole, ReshapeOp reshape) {
  auto type = cast<ShapedType>(reshape.getResult().getType());
  if (!whole || !type.hasStaticShape() ||
      !meetsNeed(whole, MemoryNeed::Contiguous))
    return {};
  return ReshapeOp::inferViewType(whole, type.getShape(),
                                  type.getElementType());
}

void PartConflicts::locate(Operation *op) {
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    RankedTensorType type = empty.getType();
    MemRefType view;
    if (type.hasStaticShape())
      view = MemRefType::get(type.getShape(), type.getElementType());
    places[empty] = {empty, view};
    return;
  }
  auto derive = [&](auto slice) {
    Place whole = lookup(slice->getOperand(0));
    if (whole.root)
      places[slice->getResult(0)] = {whole.root, viewOf(whole.view, slice),
                                     /*isPart=*/true};
  };
  if (auto slice = dyn_cast<SubtensorOp>(op))
    return derive(slice);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return derive(slice);
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return derive(reshape);
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!kernel)
    return;
  for (OpResult result : op->getResults())
    if (Place place = lookup(kernel.getTiedOpOperand(result)->get());
        place.root)
      places[result] = place;
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

/// The first element of `view` and the one behind the last, in its whole;
/// nothing if they are not known.
static std::optional<std::pair<int64_t, int64_t>> rangeOf(MemRefType view) {
  int64_t begin;
  SmallVector<int64_t> strides;
  if (!view || !view.hasStaticShape() ||
      failed(view.getStridesAndOffset(strides, begin)) ||
      ShapedType::isDynamic(begin) || ShapedType::isDynamicShape(strides))
    return std::nullopt;
  if (view.getNumElements() == 0)
    return std::pair(begin, begin);
  int64_t end = begin + 1;
  for (auto [extent, stride] : llvm::zip_equal(view.getShape(), strides))
    end += (extent - 1) * stride;
  return std::pair(begin, end);
}

static bool haveOneShape(MemRefType a, MemRefType b) {
  return a.getShape() == b.getShape() &&
         a.getElementType() == b.getElementType() &&
         a.getStridesAndOffset().first == b.getStridesAndOffset().first;
}

/// Whether a kernel takes `a` for `operand` and `b` for `written`, which are
/// parts of one whole and have no element in common.
static bool mayLie(MemRefType a, OpOperand &operand, MemRefType b,
                   OpOperand &written) {
  auto first = rangeOf(a), second = rangeOf(b);
  if (!first || !second)
    return false;
  if (first->second <= second->first || second->second <= first->first)
    return true;
  const contract::Tensor *read = getContract(operand);
  const contract::Tensor *target = getContract(written);
  // T18
  return read && target &&
         contract::sharingOf(*read, *target) == contract::Sharing::InPlace &&
         haveOneShape(a, b);
}

OpOperand *PartConflicts::findConflict(DestinationStyleOpInterface op,
                                       OpOperand &init) {
  Place written = lookup(init.get());
  if (!written.isPart)
    return nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    Place other = lookup(operand.get());
    if (operand.get() != init.get() && other.isPart &&
        other.root == written.root &&
        !mayLie(other.view, operand, written.view, init))
      return &operand;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// `op` writes memory of its own instead of `init`, and what puts its result
/// into the whole moves it there.
void PartConflicts::computeElsewhere(DestinationStyleOpInterface op,
                                     OpOperand &init, const CopyCause &cause) {
  Value view = init.get();
  rewriter.setInsertionPoint(op);
  init.set(createEmptyLike(rewriter, view));
  SmallVector<Value> shapes = {op.getTiedOpResult(&init)};
  SmallVector<tensor::InsertSliceOp> insertions;
  while (!shapes.empty())
    for (OpOperand &use : shapes.pop_back_val().getUses()) {
      if (auto reshape = dyn_cast<ReshapeOp>(use.getOwner()))
        shapes.push_back(reshape.getResult());
      auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
      if (insert && &use == &insert.getSourceMutable())
        insertions.push_back(insert);
    }
  for (tensor::InsertSliceOp insert : insertions)
    moveIntoPlace(rewriter, insert, insert.getLoc(), cause, log);
  log.dropInPlace();
  // The view, and what it is another shape of.
  while (isa<SubtensorOp, ReshapeOp>(view.getDefiningOp()) &&
         view.use_empty()) {
    Operation *dead = view.getDefiningOp();
    places.erase(view);
    view = dead->getOperand(0);
    rewriter.eraseOp(dead);
  }
}

/// What a move reads is moved out of the whole first.
void PartConflicts::readElsewhere(OpOperand &source, const CopyCause &cause) {
  Operation *op = source.getOwner();
  rewriter.setInsertionPoint(op);
  Value between = createEmptyLike(rewriter, source.get());
  log.addCopy(op->getLoc(), cause, cast<ShapedType>(source.get().getType()));
  source.set(MovOp::create(rewriter, op->getLoc(), source.get(), between,
                           getReasonAttr(op->getContext(), cause))
                 ->getResult(0));
}

void PartConflicts::separate(DestinationStyleOpInterface op) {
  if (!isa_and_nonnull<MLIDialect>(op->getDialect()))
    return;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    OpOperand *conflict = findConflict(op, init);
    if (!conflict)
      continue;
    CopyCause cause = {
        CopyReason::placed_elsewhere,
        ("expected what '" + op->getName().getStringRef() +
         "' writes to be apart from operand " +
         llvm::Twine(conflict->getOperandNumber()) +
         ", but got parts of one whole with elements between each other's")
            .str(),
        "parts along the outermost dimension"};
    if (isa<MovOp>(op))
      readElsewhere(*conflict, cause);
    else
      computeElsewhere(op, init, cause);
  }
}

void mli::separateParts(ModuleOp module, CopyLog &log) {
  PartConflicts conflicts(module.getContext(), log);
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tensor::EmptyOp, SubtensorOp, tensor::ExtractSliceOp, ReshapeOp,
            DestinationStyleOpInterface>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto kernel = dyn_cast<DestinationStyleOpInterface>(op))
      conflicts.separate(kernel);
    conflicts.locate(op);
  }
}
