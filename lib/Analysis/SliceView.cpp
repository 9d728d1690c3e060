// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/SliceView.h"

#include "CauseText.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mli;

namespace {

/// Judges one slice of one source. Each check returns what it finds wrong.
class SliceViewAnalysis {
public:
  SliceViewAnalysis(ShapedType source, const Slice &slice, TargetAttr target)
      : source(source), slice(slice), target(target), kept(slice.getKeptDims()),
        rank(source.getRank()) {
    dispatch(slice.offsets, offsets);
    dispatch(slice.sizes, sizes);
    dispatch(slice.steps, steps);
  }

  SliceView run() {
    SliceView view;
    if (auto cause = checkSizes())
      return {{}, cause};
    if (auto cause = checkQuantisedAxis())
      return {{}, cause};
    if (auto cause = checkSteps())
      return {{}, forbidCopy(*cause)};
    view.blocks = makeBlocks();
    if (view.blocks.empty())
      return {{}, forbidCopy(innerUnitDims())};
    auto memref = dyn_cast<MemRefType>(source);
    if (memref && isa<LayoutAttr>(memref.getLayout()))
      if (auto cause = judgeLocalSlice(memref, offsets, sizes, target))
        return {{}, forbidCopy(*cause)};
    return view;
  }

private:
  static void dispatch(ArrayRef<OpFoldResult> mixed,
                       SmallVectorImpl<int64_t> &known) {
    SmallVector<Value> values;
    dispatchIndexOpFoldResults(mixed, values, known);
  }

  QuantizedType perAxis() const {
    auto type = dyn_cast<QuantizedType>(source.getElementType());
    return type && type.isPerAxis() ? type : QuantizedType();
  }

  std::optional<CopyCause> checkQuantisedAxis() const;
  std::optional<CopyCause> checkSizes() const;
  std::optional<CopyCause> checkSteps() const;
  std::string spansText() const;
  CopyCause innerUnitDims() const;
  bool hasTypeOfBlock() const;
  SmallVector<SliceView::Block, 2> makeBlocks() const;
  CopyCause forbidCopy(CopyCause cause) const;

  ShapedType source;
  const Slice &slice;
  TargetAttr target;
  SmallVector<int64_t> kept, offsets, sizes, steps;
  int64_t rank;
};

/// Parameters go with their indices: they are known, and there is a dimension
/// that they belong to.
std::optional<CopyCause> SliceViewAnalysis::checkQuantisedAxis() const {
  QuantizedType type = perAxis();
  if (!type)
    return std::nullopt;
  int32_t axis = type.getAxis();
  if (ShapedType::isDynamic(offsets[axis]) ||
      ShapedType::isDynamic(sizes[axis]))
    return CopyCause{
        std::nullopt,
        join({"expected offset and size of the quantised axis ",
              llvm::Twine(axis), " to be attributes, but got a value"}),
        "a slice for each offset"};
  if (slice.dropped.test(axis))
    return CopyCause{std::nullopt,
                     join({"expected the quantised axis ", llvm::Twine(axis),
                           " to be kept, but got rank ",
                           llvm::Twine(kept.size()), ", which drops it"}),
                     "a slice that keeps it"};
  return std::nullopt;
}

/// No tensor of the runtime is without elements.
std::optional<CopyCause> SliceViewAnalysis::checkSizes() const {
  const auto *empty = llvm::find(sizes, 0);
  if (empty == sizes.end())
    return std::nullopt;
  return CopyCause{
      std::nullopt,
      join({"expected size of dimension ", llvm::Twine(empty - sizes.begin()),
            " to be at least 1, but got 0"}),
      "a slice that has elements"};
}

/// The block that holds all steps, as far out as it is one.
std::string SliceViewAnalysis::spansText() const {
  SmallVector<int64_t> spans(sizes);
  for (auto [span, step] : llvm::zip_equal(spans, steps))
    if (ShapedType::isDynamic(span) || ShapedType::isDynamic(step))
      span = ShapedType::kDynamic;
    else
      span = (span - 1) * step + 1;
  auto memref = dyn_cast<MemRefType>(source);
  if (memref && isa<LayoutAttr>(memref.getLayout()))
    if (auto cause = judgeLocalSlice(memref, offsets, spans, target))
      return cause->alternative;
  return viewText(offsets, spans);
}

std::optional<CopyCause> SliceViewAnalysis::checkSteps() const {
  for (int64_t i = 0; i < rank; ++i) {
    if (steps[i] == 1)
      continue;
    if (sizes[i] == 1)
      continue;
    if (!ShapedType::isDynamic(steps[i]) && steps[i] < 1)
      return CopyCause{
          std::nullopt,
          join({"expected step of dimension ", llvm::Twine(i),
                " to be at least 1, but got ", llvm::Twine(steps[i])}),
          "a slice whose indices go up"};
    // A step that is not known is no mov, which has its steps as attributes.
    auto reason = ShapedType::isDynamic(steps[i]) ? std::optional<CopyReason>()
                                                  : CopyReason::strided_step;
    return CopyCause{
        reason,
        join({"expected step of dimension ", llvm::Twine(i),
              " to be 1, but got ",
              ShapedType::isDynamic(steps[i]) ? std::string("a value")
                                              : std::to_string(steps[i])}),
        spansText()};
  }
  return std::nullopt;
}

CopyCause SliceViewAnalysis::innerUnitDims() const {
  SmallVector<int64_t> ruled =
      SubtensorOp::getKeptDims(sizes, static_cast<int64_t>(kept.size()));
  return {CopyReason::inner_unit_dims,
          join({"expected the first dimensions of size 1 to be dropped, which "
                "keeps ",
                listText(ruled), ", but got ", listText(kept)}),
          join({viewText(offsets, sizes), " without dropping"})};
}

/// Whether the block that drops the first dimensions of size 1 has the type of
/// the slice, which drops others: dimensions of size 1 are alike but for their
/// strides.
bool SliceViewAnalysis::hasTypeOfBlock() const {
  auto memref = dyn_cast<MemRefType>(source);
  if (memref && isa<LayoutAttr>(memref.getLayout()))
    return false;
  SmallVector<int64_t> strides(rank, 0);
  if (memref)
    strides = memref.getStridesAndOffset().first;
  QuantizedType type = perAxis();
  SmallVector<int64_t> ruled =
      SubtensorOp::getKeptDims(sizes, static_cast<int64_t>(kept.size()));
  return llvm::all_of(llvm::zip_equal(ruled, kept), [&](auto dims) {
    auto [blockDim, dim] = dims;
    return blockDim == dim ||
           (sizes[blockDim] == sizes[dim] &&
            strides[blockDim] == strides[dim] &&
            !ShapedType::isDynamic(strides[dim]) &&
            !(type && llvm::is_contained({dim, blockDim}, type.getAxis())));
  });
}

/// One block, if the dimensions that it drops are the first of size 1. Else
/// those of size 1 that stay are kept whole, so that they do not go, and cut by
/// a second block; those that are already of size 1 in the source cannot be
/// told from others.
SmallVector<SliceView::Block, 2> SliceViewAnalysis::makeBlocks() const {
  auto newRank = static_cast<int64_t>(kept.size());
  SliceView::Block whole{slice.offsets, slice.sizes, newRank};
  if (SubtensorOp::getKeptDims(sizes, newRank) == kept)
    return {whole};
  Builder builder(source.getContext());
  SliceView::Block first = whole;
  SliceView::Block second{{}, {}, newRank};
  for (int64_t i = 0; i < rank; ++i) {
    if (slice.dropped.test(i))
      continue;
    bool isLate = sizes[i] == 1 && slice.dropped.find_next(i) != -1;
    if (isLate && (source.isDynamicDim(i) || source.getDimSize(i) == 1))
      return hasTypeOfBlock() ? SmallVector<SliceView::Block, 2>{whole}
                              : SmallVector<SliceView::Block, 2>();
    if (isLate) {
      first.offsets[i] = builder.getIndexAttr(0);
      first.sizes[i] = builder.getIndexAttr(source.getDimSize(i));
    }
    second.offsets.push_back(isLate ? slice.offsets[i]
                                    : OpFoldResult(builder.getIndexAttr(0)));
    second.sizes.push_back(slice.sizes[i]);
  }
  return {first, second};
}

/// No pass moves elements with an axis, and no move in local memory takes an
/// offset that is a value.
CopyCause SliceViewAnalysis::forbidCopy(CopyCause cause) const {
  if (QuantizedType type = perAxis(); type && cause.reason) {
    cause.text = join({"expected a view, as no pass moves elements that are "
                       "quantised along axis ",
                       llvm::Twine(type.getAxis()), ", but got: ", cause.text});
    cause.reason = std::nullopt;
  }
  auto memref = dyn_cast<MemRefType>(source);
  bool isAtValue = ShapedType::isDynamicShape(offsets);
  if (cause.reason && memref && isa<LayoutAttr>(memref.getLayout()) &&
      (isAtValue || ShapedType::isDynamicShape(sizes))) {
    cause.text = join({"expected a view, as no move in local memory takes ",
                       isAtValue ? "an offset" : "a size",
                       " that is a value, but got: ", cause.text});
    cause.reason = std::nullopt;
  }
  return cause;
}

} // namespace

SliceView mli::getSliceView(ShapedType source, const Slice &slice,
                            TargetAttr target) {
  return SliceViewAnalysis(source, slice, target).run();
}
