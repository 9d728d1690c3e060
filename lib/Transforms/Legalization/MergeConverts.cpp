// SPDX-License-Identifier: Apache-2.0
//
// A rewrite of mli-legalize-conversions: merges converts of adjacent slices.

#include "Legalization.h"

#include "ConversionProof.h"
#include "ConvertPairs.h"
#include "DataMovement.h"

#include "mli/Analysis/SliceView.h"
#include "mli/IR/EmptyTensor.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Insertions
//===----------------------------------------------------------------------===//

namespace {

/// A value that an operation inserts at static offsets into a tensor.
struct Insertion {
  Value value;
  SmallVector<int64_t> offsets;
  Value dest;
};

} // namespace

/// The insertion that `op` is; nothing if it is none, or one with dynamic
/// offsets or of a slice of a value.
static std::optional<Insertion> getInsertion(Operation *op) {
  if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(op)) {
    auto isOne = [](int64_t step) { return step == 1; };
    if (insert.getSourceType().getRank() != insert.getDestType().getRank() ||
        ShapedType::isDynamicShape(insert.getStaticOffsets()) ||
        !llvm::all_of(insert.getStaticStrides(), isOne))
      return std::nullopt;
    return Insertion{insert.getSource(),
                     llvm::to_vector(insert.getStaticOffsets()),
                     insert.getDest()};
  }
  auto mov = dyn_cast_or_null<MovOp>(op);
  if (!mov || !mov.hasPureTensorSemantics() || !mov.isPartial() ||
      getMovedOperands(mov).empty() || !mov.getOffsets().empty() ||
      !mov.getSizes().empty() || !mov.getSteps().empty() ||
      !mov.getPermutation().empty())
    return std::nullopt;
  return Insertion{mov.getInput(), llvm::to_vector(mov.getDstOffsets()),
                   mov.getInit()};
}

/// The chain of insertions into an empty tensor that `op` is the last of; none
/// if it is not, or the chain has other uses.
static SmallVector<Insertion> getChain(Operation *op) {
  for (OpOperand &use : op->getResult(0).getUses())
    if (std::optional<Insertion> next = getInsertion(use.getOwner());
        next && next->dest == use.get())
      return {};
  SmallVector<Insertion> chain;
  while (std::optional<Insertion> insertion = getInsertion(op)) {
    chain.push_back(*insertion);
    op = insertion->dest.getDefiningOp();
    if (isa_and_nonnull<tensor::EmptyOp>(op))
      return chain;
    if (!isMovedOnce(insertion->dest))
      return {};
  }
  return {};
}

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// The dimension along which `insertions` follow each other and fill `shape`;
/// nothing if there is none. Sorts them by their offsets in it.
static std::optional<int64_t> findDim(MutableArrayRef<Insertion> insertions,
                                      ArrayRef<int64_t> shape) {
  const auto *differs =
      std::mismatch(shape.begin(), shape.end(),
                    getShape(insertions.front().value).begin())
          .first;
  if (differs == shape.end())
    return std::nullopt;
  int64_t dim = differs - shape.begin();
  llvm::sort(insertions, [&](const Insertion &a, const Insertion &b) {
    return a.offsets[dim] < b.offsets[dim];
  });
  SmallVector<int64_t> next(shape.size(), 0);
  for (const Insertion &insertion : insertions) {
    SmallVector<int64_t> sizes(getShape(insertion.value));
    int64_t size = std::exchange(sizes[dim], shape[dim]);
    if (insertion.offsets != next || ArrayRef(sizes) != shape)
      return std::nullopt;
    next[dim] += size;
  }
  return next[dim] == shape[dim] ? std::optional(dim) : std::nullopt;
}

bool mli::isConcatOrInsertion(Operation *op) {
  return isa<tensor::ConcatOp>(op) || getInsertion(op);
}

/// The values that `op` puts together in their order, and the dimension along
/// which they follow each other.
static std::optional<std::pair<int64_t, SmallVector<Value>>>
getConcatOperands(Operation *op) {
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return {{concat.getDim(), llvm::to_vector(concat.getInputs())}};
  SmallVector<Insertion> chain = getChain(op);
  ArrayRef<int64_t> shape = getShape(op->getResult(0));
  if (chain.empty() || ShapedType::isDynamicShape(shape))
    return std::nullopt;
  std::optional<int64_t> dim = findDim(chain, shape);
  if (!dim)
    return std::nullopt;
  return {{*dim, llvm::map_to_vector(chain, [](const Insertion &insertion) {
             return insertion.value;
           })}};
}

//===----------------------------------------------------------------------===//
// Converts
//===----------------------------------------------------------------------===//

/// The slice whose convert `value` is; null if it is none or has other uses.
static OffsetSizeAndStrideOpInterface getConvertedSlice(Value value) {
  auto convert = value.getDefiningOp<ConvertOp>();
  if (!convert || !value.hasOneUse() || !keepsMemory(convert) ||
      getPerAxisType(getElementTypeOrSelf(convert.getInput())) ||
      getPerAxisType(getElementTypeOrSelf(convert.getInit())))
    return {};
  Operation *slice = convert.getInput().getDefiningOp();
  return isa_and_nonnull<SubtensorOp, tensor::ExtractSliceOp>(slice)
             ? cast<OffsetSizeAndStrideOpInterface>(slice)
             : OffsetSizeAndStrideOpInterface();
}

/// Creates the slice of type `type` that `first` and the adjacent slices are
/// together.
static Value createMergedSlice(OpBuilder &builder,
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

ConvertOp mli::mergeConverts(IRRewriter &rewriter, Operation *op) {
  auto operands = getConcatOperands(op);
  if (!operands || operands->second.size() < 2)
    return {};
  auto &[dim, values] = *operands;
  SmallVector<OffsetSizeAndStrideOpInterface> slices;
  for (Value value : values) {
    OffsetSizeAndStrideOpInterface slice = getConvertedSlice(value);
    if (!slice ||
        (!slices.empty() && (slice->getName() != slices.front()->getName() ||
                             !areAdjacent(slices.back(), slice, dim))))
      return {};
    slices.push_back(slice);
  }
  Value result = op->getResult(0);
  DataMovement movement(result);
  rewriter.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(result.getType());
  Value all = createMergedSlice(
      rewriter, slices.front(),
      cast<RankedTensorType>(
          type.clone(getElementTypeOrSelf(slices.front()->getResult(0)))));
  auto merged =
      ConvertOp::create(rewriter, op->getLoc(), all,
                        createEmptyLike(rewriter, all, type.getElementType()));
  rewriter.replaceAllUsesWith(result, merged->getResult(0));
  movement.eraseDead(rewriter);
  for (OffsetSizeAndStrideOpInterface slice : slices)
    if (isOpTriviallyDead(slice))
      rewriter.eraseOp(slice);
  return merged;
}
