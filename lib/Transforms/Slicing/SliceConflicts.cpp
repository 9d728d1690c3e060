// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-legalize-subtensors: resolves the conflicts of kernels that
// read one slice of a tensor and write another. Slices along other dimensions
// than the outermost one interleave in memory, which most kernels do not take.

#include "LegalizeSubtensors.h"

#include "mli/Contract/Memory.h"
#include "mli/IR/EmptyTensor.h"
#include "mli/IR/KernelOperands.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

namespace {

/// The memory of a tensor that is computed in a slice of another one.
struct SliceLocation {
  /// The outermost destination tensor.
  Value root;
  /// Whether the tensor is not all of `root`.
  bool isSlice = false;
  /// Whether something was written into that memory. Until then what cannot be
  /// written, an argument or a constant, has its own.
  bool isWritten = false;
};

class SliceConflicts {
public:
  SliceConflicts(MLIRContext *context, CopyRemarks &remarks)
      : rewriter(context), remarks(remarks) {}

  /// Records the locations of the results of `op`, whose operands have theirs.
  void locate(Operation *op);
  /// Copies what `op` reads or writes where its operands conflict.
  void resolve(DestinationStyleOpInterface op);

private:
  SliceLocation lookup(Value value) const { return locations.lookup(value); }
  /// The same; a value without a location is a root.
  SliceLocation getLocation(Value value) const;
  /// The type of the slice of a buffer for the root that `value` is; null where
  /// not known.
  MemRefType getView(Value value);
  /// The operand whose memory interleaves with that of `init` although the
  /// kernel does not take this; null if there is none.
  OpOperand *findConflict(DestinationStyleOpInterface op, OpOperand &init);
  void writeNewTensor(DestinationStyleOpInterface op, OpOperand &init,
                      const CopyCause &cause);
  void readCopy(OpOperand &source, const CopyCause &cause);

  IRRewriter rewriter;
  CopyRemarks &remarks;
  llvm::DenseMap<Value, SliceLocation> locations;
  /// What `getView` answers of values that have a location.
  llvm::DenseMap<Value, MemRefType> views;
};

} // namespace

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

static MemRefType getViewType(MemRefType source, tensor::ExtractSliceOp slice) {
  if (!source)
    return {};
  return memref::SubViewOp::inferRankReducedResultType(
      slice.getType().getShape(), source, slice.getMixedOffsets(),
      slice.getMixedSizes(), slice.getMixedStrides());
}

static MemRefType getViewType(MemRefType source, SubtensorOp slice) {
  return source ? dyn_cast_or_null<MemRefType>(slice.inferResultType(source))
                : MemRefType();
}

static MemRefType getViewType(MemRefType source, ReshapeOp reshape) {
  auto type = cast<ShapedType>(reshape.getResult().getType());
  if (!source || !type.hasStaticShape() ||
      !meetsRequirement(source, StrideRequirement::Contiguous))
    return {};
  return ReshapeOp::inferViewType(source, type.getShape(),
                                  type.getElementType());
}

/// Whether a write into `value` is one into a copy of it.
static bool isReadOnly(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? isa<FunctionOpInterface>(argument.getOwner()->getParentOp())
                  : isa<ConstantOp>(value.getDefiningOp());
}

SliceLocation SliceConflicts::getLocation(Value value) const {
  auto known = locations.find(value);
  if (known != locations.end() || !isa<RankedTensorType>(value.getType()))
    return lookup(value);
  return {value, /*isSlice=*/false, /*isWritten=*/!isReadOnly(value)};
}

/// The value whose memory that of `value`, which has a location, is in.
static Value getTiedSource(Value value) {
  Operation *op = value.getDefiningOp();
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  return kernel ? kernel.getTiedOpOperand(cast<OpResult>(value))->get()
                : op->getOperand(0);
}

MemRefType SliceConflicts::getView(Value value) {
  SmallVector<Value> pending;
  for (; locations.contains(value) && !views.contains(value);
       value = getTiedSource(value))
    pending.push_back(value);
  MemRefType view = views.lookup(value);
  auto type = cast<RankedTensorType>(value.getType());
  if (!locations.contains(value) && type.hasStaticShape())
    view = MemRefType::get(type.getShape(), type.getElementType());
  for (Value derived : llvm::reverse(pending)) {
    view = llvm::TypeSwitch<Operation *, MemRefType>(derived.getDefiningOp())
               .Case<SubtensorOp, tensor::ExtractSliceOp, ReshapeOp>(
                   [&](auto slice) { return getViewType(view, slice); })
               .Case<DestinationStyleOpInterface>([&](auto) { return view; });
    views[derived] = view;
  }
  return view;
}

void SliceConflicts::locate(Operation *op) {
  if (isa<SubtensorOp, tensor::ExtractSliceOp, ReshapeOp>(op)) {
    SliceLocation source = getLocation(op->getOperand(0));
    if (source.root)
      locations[op->getResult(0)] = {source.root, /*isSlice=*/true,
                                     source.isWritten};
    return;
  }
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!kernel)
    return;
  for (OpResult result : op->getResults())
    if (SliceLocation location =
            getLocation(kernel.getTiedOpOperand(result)->get());
        location.root) {
      location.isWritten = true;
      locations[result] = location;
    }
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

/// The half-open range of elements of the root that `view` spans; nothing if it
/// is not known.
static std::optional<std::pair<int64_t, int64_t>>
getElementRange(MemRefType view) {
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

static bool haveSameStrides(MemRefType a, MemRefType b) {
  return a.getShape() == b.getShape() &&
         a.getElementType() == b.getElementType() &&
         a.getStridesAndOffset().first == b.getStridesAndOffset().first;
}

/// Whether a kernel takes `a` for `operand` and `b` for `written`, disjoint
/// slices of one buffer.
static bool takesMemory(MemRefType a, OpOperand &operand, MemRefType b,
                        OpOperand &written) {
  auto first = getElementRange(a), second = getElementRange(b);
  if (!first || !second)
    return false;
  if (first->second <= second->first || second->second <= first->first)
    return true;
  const contract::Tensor *read = getContract(operand);
  const contract::Tensor *target = getContract(written);
  // T18
  return read && target &&
         contract::getSharing(*read, *target) == contract::Sharing::InPlace &&
         haveSameStrides(a, b);
}

OpOperand *SliceConflicts::findConflict(DestinationStyleOpInterface op,
                                        OpOperand &init) {
  SliceLocation written = lookup(init.get());
  if (!written.isSlice)
    return nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    SliceLocation other = lookup(operand.get());
    if (operand.get() != init.get() && other.isSlice && other.isWritten &&
        other.root == written.root &&
        !takesMemory(getView(operand.get()), operand, getView(init.get()),
                     init))
      return &operand;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Lets `op` write a new tensor instead of `init`, and moves its result to the
/// destination before each insertion.
void SliceConflicts::writeNewTensor(DestinationStyleOpInterface op,
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
    moveIntoDestination(rewriter, insert, insert.getLoc(), cause, remarks);
  remarks.dropInPlace();
  // The slice and its reshape may be dead now.
  while (isa_and_nonnull<SubtensorOp, ReshapeOp>(view.getDefiningOp()) &&
         view.use_empty()) {
    Operation *dead = view.getDefiningOp();
    locations.erase(view);
    views.erase(view);
    view = dead->getOperand(0);
    rewriter.eraseOp(dead);
  }
}

/// Lets a move read a copy of `source`.
void SliceConflicts::readCopy(OpOperand &source, const CopyCause &cause) {
  Operation *op = source.getOwner();
  rewriter.setInsertionPoint(op);
  Value between = createEmptyLike(rewriter, source.get());
  remarks.addCopy(op->getLoc(), cause,
                  cast<ShapedType>(source.get().getType()));
  source.set(MovOp::create(rewriter, op->getLoc(), source.get(), between,
                           getReasonAttr(op->getContext(), cause))
                 ->getResult(0));
}

void SliceConflicts::resolve(DestinationStyleOpInterface op) {
  if (!isa_and_nonnull<MLIDialect>(op->getDialect()))
    return;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    OpOperand *conflict = findConflict(op, init);
    if (!conflict)
      continue;
    CopyCause cause = {CopyReason::placed_elsewhere,
                       ("expected the result of '" +
                        op->getName().getStringRef() +
                        "' to be in memory apart from operand " +
                        llvm::Twine(conflict->getOperandNumber()) +
                        ", but got interleaved slices of one tensor")
                           .str(),
                       "slices along the outermost dimension"};
    if (isa<MovOp>(op))
      readCopy(*conflict, cause);
    else
      writeNewTensor(op, init, cause);
  }
}

void mli::resolveSliceConflicts(ModuleOp module, CopyRemarks &remarks) {
  SliceConflicts conflicts(module.getContext(), remarks);
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<SubtensorOp, tensor::ExtractSliceOp, ReshapeOp,
            DestinationStyleOpInterface>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto kernel = dyn_cast<DestinationStyleOpInterface>(op))
      conflicts.resolve(kernel);
    conflicts.locate(op);
  }
}
