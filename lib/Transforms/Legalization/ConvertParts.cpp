// SPDX-License-Identifier: Apache-2.0

#include "ConvertParts.h"

#include "ConversionProof.h"
#include "ConvertPairs.h"
#include "MovedElements.h"

#include "mli/IR/EmptyTensor.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// The parts of a whole
//===----------------------------------------------------------------------===//

namespace {

struct Part {
  Value value;
  SmallVector<int64_t> offsets;
};

/// What one operation puts into a tensor.
struct Insertion {
  Part part;
  Value dest;
};

} // namespace

/// Nothing if `op` inserts less than all of a part, or nobody knows where.
static std::optional<Insertion> insertionOf(Operation *op) {
  if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(op)) {
    auto isOne = [](int64_t step) { return step == 1; };
    if (insert.getSourceType().getRank() != insert.getDestType().getRank() ||
        ShapedType::isDynamicShape(insert.getStaticOffsets()) ||
        !llvm::all_of(insert.getStaticStrides(), isOne))
      return std::nullopt;
    return Insertion{
        {insert.getSource(), llvm::to_vector(insert.getStaticOffsets())},
        insert.getDest()};
  }
  auto mov = dyn_cast_or_null<MovOp>(op);
  if (!mov || !mov.hasPureTensorSemantics() || !mov.isPartial() ||
      getMovedOperands(mov).empty() || !mov.getOffsets().empty() ||
      !mov.getSizes().empty() || !mov.getSteps().empty() ||
      !mov.getPermutation().empty())
    return std::nullopt;
  return Insertion{{mov.getInput(), llvm::to_vector(mov.getDstOffsets())},
                   mov.getInit()};
}

/// The parts that are inserted one after the other into an empty tensor; none
/// if there is more to it, or `op` is not the last insertion.
static SmallVector<Part> insertedParts(Operation *op) {
  for (OpOperand &use : op->getResult(0).getUses())
    if (std::optional<Insertion> next = insertionOf(use.getOwner());
        next && next->dest == use.get())
      return {};
  SmallVector<Part> parts;
  while (std::optional<Insertion> insertion = insertionOf(op)) {
    parts.push_back(insertion->part);
    op = insertion->dest.getDefiningOp();
    if (isa_and_nonnull<tensor::EmptyOp>(op))
      return parts;
    if (!isMovedOnce(insertion->dest))
      return {};
  }
  return {};
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// The dimension that `parts` follow each other in and fill `shape`, which
/// sorts them; nothing if there is none.
static std::optional<int64_t> findDim(MutableArrayRef<Part> parts,
                                      ArrayRef<int64_t> shape) {
  const auto *differs = std::mismatch(shape.begin(), shape.end(),
                                      shapeOf(parts.front().value).begin())
                            .first;
  if (differs == shape.end())
    return std::nullopt;
  int64_t dim = differs - shape.begin();
  llvm::sort(parts, [&](const Part &a, const Part &b) {
    return a.offsets[dim] < b.offsets[dim];
  });
  SmallVector<int64_t> next(shape.size(), 0);
  for (const Part &part : parts) {
    SmallVector<int64_t> sizes(shapeOf(part.value));
    int64_t size = std::exchange(sizes[dim], shape[dim]);
    if (part.offsets != next || ArrayRef(sizes) != shape)
      return std::nullopt;
    next[dim] += size;
  }
  return next[dim] == shape[dim] ? std::optional(dim) : std::nullopt;
}

bool mli::isWhole(Operation *op) {
  return isa<tensor::ConcatOp>(op) || insertionOf(op);
}

/// The parts of `whole` in their order, and the dimension that they follow each
/// other in.
static std::optional<std::pair<int64_t, SmallVector<Value>>>
partsOf(Operation *whole) {
  if (auto concat = dyn_cast<tensor::ConcatOp>(whole))
    return {{concat.getDim(), llvm::to_vector(concat.getInputs())}};
  SmallVector<Part> parts = insertedParts(whole);
  ArrayRef<int64_t> shape = shapeOf(whole->getResult(0));
  if (parts.empty() || ShapedType::isDynamicShape(shape))
    return std::nullopt;
  std::optional<int64_t> dim = findDim(parts, shape);
  if (!dim)
    return std::nullopt;
  return {{*dim, llvm::map_to_vector(
                     parts, [](const Part &part) { return part.value; })}};
}

//===----------------------------------------------------------------------===//
// One conversion
//===----------------------------------------------------------------------===//

/// The slice that `part` is a conversion of, if nobody else needs that.
static OffsetSizeAndStrideOpInterface convertedSlice(Value part) {
  auto convert = part.getDefiningOp<ConvertOp>();
  if (!convert || !part.hasOneUse() || !keepsMemory(convert) ||
      perAxis(elementOf(convert.getInput())) ||
      perAxis(elementOf(convert.getInit())))
    return {};
  Operation *slice = convert.getInput().getDefiningOp();
  return isa_and_nonnull<SubtensorOp, tensor::ExtractSliceOp>(slice)
             ? cast<OffsetSizeAndStrideOpInterface>(slice)
             : OffsetSizeAndStrideOpInterface();
}

/// What `first` and all that adjoin it see, which is of type `type`.
static Value sliceOfAll(OpBuilder &builder,
                        OffsetSizeAndStrideOpInterface first,
                        RankedTensorType type) {
  Value source = first->getOperand(0);
  if (source.getType() == type && type.hasStaticShape())
    return source;
  SmallVector<OpFoldResult> sizes = first.getMixedSizes();
  for (auto [size, known] : llvm::zip_equal(sizes, type.getShape()))
    if (ShapedType::isStatic(known))
      size = builder.getIndexAttr(known);
  if (isa<SubtensorOp>(first))
    return SubtensorOp::create(builder, first.getLoc(), source,
                               first.getMixedOffsets(), sizes, type.getRank());
  return tensor::ExtractSliceOp::create(builder, first.getLoc(), type, source,
                                        first.getMixedOffsets(), sizes,
                                        first.getMixedStrides());
}

ConvertOp mli::mergeConvertedParts(IRRewriter &rewriter, Operation *whole) {
  auto parts = partsOf(whole);
  if (!parts || parts->second.size() < 2)
    return {};
  auto &[dim, values] = *parts;
  SmallVector<OffsetSizeAndStrideOpInterface> slices;
  for (Value value : values) {
    OffsetSizeAndStrideOpInterface slice = convertedSlice(value);
    if (!slice ||
        (!slices.empty() && (slice->getName() != slices.front()->getName() ||
                             !areAdjacent(slices.back(), slice, dim))))
      return {};
    slices.push_back(slice);
  }
  Value result = whole->getResult(0);
  MovedElements moved(result);
  rewriter.setInsertionPoint(whole);
  auto type = cast<RankedTensorType>(result.getType());
  Value all = sliceOfAll(rewriter, slices.front(),
                         cast<RankedTensorType>(type.clone(
                             elementOf(slices.front()->getResult(0)))));
  auto merged =
      ConvertOp::create(rewriter, whole->getLoc(), all,
                        createEmptyLike(rewriter, all, type.getElementType()));
  rewriter.replaceAllUsesWith(result, merged->getResult(0));
  moved.eraseDead(rewriter);
  for (OffsetSizeAndStrideOpInterface slice : slices)
    if (isOpTriviallyDead(slice))
      rewriter.eraseOp(slice);
  return merged;
}
