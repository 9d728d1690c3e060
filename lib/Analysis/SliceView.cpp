// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/SliceView.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

std::optional<Slice> Slice::of(Operation *op) {
  auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
  if (!slice)
    return std::nullopt;
  Slice result{slice.getMixedOffsets(),
               slice.getMixedSizes(),
               slice.getMixedStrides(),
               {}};
  using Dropped = std::optional<llvm::SmallBitVector>;
  Dropped dropped =
      llvm::TypeSwitch<Operation *, Dropped>(op)
          .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp,
                memref::SubViewOp>([](auto op) { return op.getDroppedDims(); })
          .Case([](SubtensorOp op) {
            llvm::SmallBitVector all(op.getStaticSizes().size(), true);
            for (int64_t kept : op.getKeptDims())
              all.reset(kept);
            return all;
          })
          .Default([](Operation *) { return std::nullopt; });
  if (!dropped)
    return std::nullopt;
  result.dropped = *dropped;
  if (auto subtensor = dyn_cast<SubtensorOp>(op))
    result.steps.assign(result.sizes.size(),
                        Builder(op->getContext()).getIndexAttr(1));
  return result;
}

SmallVector<int64_t> Slice::getKeptDims() const {
  SmallVector<int64_t> kept;
  for (int64_t i = 0, e = sizes.size(); i < e; ++i)
    if (!dropped.test(i))
      kept.push_back(i);
  return kept;
}

//===----------------------------------------------------------------------===//
// Judgement
//===----------------------------------------------------------------------===//

namespace {

std::string numberText(int64_t value) {
  return ShapedType::isDynamic(value) ? "?" : std::to_string(value);
}

/// `[4, ?, 8]`.
std::string listText(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(values, os,
                        [&](int64_t value) { os << numberText(value); });
  os << "]";
  return text;
}

std::string join(std::initializer_list<llvm::Twine> parts) {
  std::string text;
  for (const llvm::Twine &part : parts)
    text += part.str();
  return text;
}

std::string viewText(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
  return join({"a view of ", listText(sizes), " from ", listText(offsets)});
}

/// Judges one slice of one source. Each check returns what it finds wrong.
class Judge {
public:
  Judge(ShapedType source, const Slice &slice, TargetAttr target)
      : source(source), slice(slice), target(target), kept(slice.getKeptDims()),
        rank(source.getRank()) {
    dispatch(slice.offsets, offsets);
    dispatch(slice.sizes, sizes);
    dispatch(slice.steps, steps);
  }

  SliceView run() {
    SliceView view;
    if (auto cause = checkQuantisedAxis())
      return {{}, cause};
    if (auto cause = checkSteps())
      return {{}, forbidCopy(*cause)};
    view.blocks = makeBlocks();
    if (view.blocks.empty())
      return {{}, forbidCopy(innerUnitDims())};
    if (auto cause = checkLocal())
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
  std::optional<CopyCause> checkSteps() const;
  CopyCause innerUnitDims() const;
  SmallVector<SliceView::Block, 2> makeBlocks() const;
  std::optional<CopyCause> checkLocal() const;
  std::optional<CopyCause> checkStart(LayoutAttr layout,
                                      const layout::Subtensor &part) const;
  std::string alignedText(int64_t needed) const;
  CopyCause forbidCopy(CopyCause cause) const;
  std::string wholeGroups(int64_t group, LayoutDim dim) const;

  ShapedType source;
  const Slice &slice;
  TargetAttr target;
  SmallVector<int64_t> kept, offsets, sizes, steps;
  int64_t rank;
};

/// Parameters go with their indices: they are known, and there is a dimension
/// that they belong to.
std::optional<CopyCause> Judge::checkQuantisedAxis() const {
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

std::optional<CopyCause> Judge::checkSteps() const {
  for (int64_t i = 0; i < rank; ++i) {
    if (steps[i] == 1)
      continue;
    if (sizes[i] == 1)
      continue;
    SmallVector<int64_t> spans(sizes);
    for (auto [span, step] : llvm::zip_equal(spans, steps))
      if (ShapedType::isDynamic(span) || ShapedType::isDynamic(step))
        span = ShapedType::kDynamic;
      else
        span = (span - 1) * step + 1;
    // What is not known is no mov, which has its steps as attributes.
    auto reason = ShapedType::isDynamic(steps[i]) ? std::optional<CopyReason>()
                                                  : CopyReason::strided_step;
    return CopyCause{
        reason,
        join({"expected step of dimension ", llvm::Twine(i),
              " to be 1, but got ",
              ShapedType::isDynamic(steps[i]) ? std::string("a value")
                                              : std::to_string(steps[i])}),
        viewText(offsets, spans)};
  }
  return std::nullopt;
}

CopyCause Judge::innerUnitDims() const {
  SmallVector<int64_t> ruled =
      SubtensorOp::getKeptDims(sizes, static_cast<int64_t>(kept.size()));
  return {CopyReason::inner_unit_dims,
          join({"expected the first dimensions of size 1 to be dropped, which "
                "keeps ",
                listText(ruled), ", but got ", listText(kept)}),
          join({viewText(offsets, sizes), " without dropping"})};
}

/// One block, if the dimensions that it drops are the first of size 1. Else
/// those of size 1 that stay are kept whole, so that they do not go, and cut by
/// a second block.
SmallVector<SliceView::Block, 2> Judge::makeBlocks() const {
  auto newRank = static_cast<int64_t>(kept.size());
  if (SubtensorOp::getKeptDims(sizes, newRank) == kept)
    return {{slice.offsets, slice.sizes, newRank}};
  Builder builder(source.getContext());
  SliceView::Block first{slice.offsets, slice.sizes, newRank};
  SliceView::Block second{{}, {}, newRank};
  for (int64_t i = 0; i < rank; ++i) {
    if (slice.dropped.test(i))
      continue;
    bool isLate = sizes[i] == 1 && slice.dropped.find_next(i) != -1;
    if (isLate && (source.isDynamicDim(i) || source.getDimSize(i) == 1))
      return {};
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

/// The slice with its bounds in dimension `dim` moved out to multiples of
/// `group`.
std::string Judge::wholeGroups(int64_t group, LayoutDim dim) const {
  auto layout = cast<LayoutAttr>(cast<MemRefType>(source).getLayout());
  SmallVector<int64_t> starts(offsets), extents(sizes);
  for (auto [i, local] : llvm::enumerate(layout.getDims())) {
    if (local != dim || ShapedType::isDynamic(starts[i]))
      continue;
    int64_t end = llvm::alignTo(starts[i] + extents[i], group);
    starts[i] -= starts[i] % group;
    extents[i] = std::min(end, source.getDimSize(i)) - starts[i];
  }
  return viewText(starts, extents);
}

/// Operands in local memory start at a multiple of 4 bytes; on one NPU they are
/// plain memory.
// L30
std::optional<CopyCause>
Judge::checkStart(LayoutAttr layout, const layout::Subtensor &part) const {
  int64_t needed = layout.getNpus() == 1 ? 1 : 4;
  int64_t start = part.layout.offset % needed;
  auto type = cast<MemRefType>(source);
  for (auto [i, offset] : llvm::enumerate(offsets)) {
    if (!ShapedType::isDynamic(offset))
      continue;
    SmallVector<int64_t> first(rank, 0), next(rank, 0);
    next[i] = 1;
    int64_t bytes = locate(type, next, target.getValue()).offset -
                    locate(type, first, target.getValue()).offset;
    start = start != 0 ? start : bytes % needed;
  }
  if (start == 0)
    return std::nullopt;
  return CopyCause{CopyReason::misaligned_start,
                   join({"expected start in local memory to be divisible by ",
                         llvm::Twine(needed), ", but got ",
                         llvm::Twine(part.layout.offset + start -
                                     part.layout.offset % needed)}),
                   alignedText(needed)};
}

/// The smallest block that holds the slice and starts as it must: widened from
/// the innermost dimension on.
std::string Judge::alignedText(int64_t needed) const {
  auto type = cast<MemRefType>(source);
  auto layout = cast<LayoutAttr>(type.getLayout());
  SmallVector<int64_t> starts(offsets), extents(sizes);
  int64_t elements =
      std::max<int64_t>(needed * 8 / elementWidth(source.getElementType()), 1);
  for (LayoutDim dim : {LayoutDim::w, LayoutDim::h, LayoutDim::n}) {
    const auto *found = llvm::find(layout.getDims(), dim);
    if (found == layout.getDims().end())
      continue;
    int64_t i = found - layout.getDims().begin();
    bool isKnown = !ShapedType::isDynamic(starts[i]);
    int64_t start =
        dim == LayoutDim::w && isKnown ? starts[i] - starts[i] % elements : 0;
    extents[i] = isKnown ? extents[i] + starts[i] - start : type.getDimSize(i);
    starts[i] = start;
    layout::Result<layout::Subtensor> part =
        getSubtensor(type, starts, extents, target.getValue());
    if (part && part->layout.offset % needed == 0)
      break;
  }
  return viewText(starts, extents);
}

std::optional<CopyCause> Judge::checkLocal() const {
  auto memref = dyn_cast<MemRefType>(source);
  auto layout = memref ? dyn_cast<LayoutAttr>(memref.getLayout()) : nullptr;
  if (!layout)
    return std::nullopt;
  for (int64_t i = 0; i < rank; ++i)
    if (ShapedType::isDynamic(sizes[i]) ||
        (ShapedType::isDynamic(offsets[i]) && needsKnownOffset(layout, i)))
      return CopyCause{
          std::nullopt,
          join({"expected offset and size of dimension ", llvm::Twine(i),
                ", which decide the layout, to be attributes, but "
                "got a value"}),
          "a slice for each offset"};
  layout::Result<layout::Subtensor> part =
      getSubtensor(memref, offsets, sizes, target.getValue());
  if (part)
    return checkStart(layout, *part);
  bool isMatrix = layout.getColumns() != 0;
  return CopyCause{CopyReason::cut_group, layout::toString(part.problem()),
                   wholeGroups(isMatrix ? layout.getColumns()
                                        : layout::packFactor(layout.getMode()),
                               isMatrix ? LayoutDim::w : LayoutDim::n)};
}

/// No move takes parameters along an axis, nor offsets that are values in local
/// memory.
CopyCause Judge::forbidCopy(CopyCause cause) const {
  if (QuantizedType type = perAxis(); type && cause.reason) {
    cause.text = join({"expected a view, as no move takes elements that are "
                       "quantised along axis ",
                       llvm::Twine(type.getAxis()), ", but got: ", cause.text});
    cause.reason = std::nullopt;
  }
  auto memref = dyn_cast<MemRefType>(source);
  if (cause.reason && memref && isa<LayoutAttr>(memref.getLayout()) &&
      ShapedType::isDynamicShape(offsets)) {
    cause.text = join({"expected a view, as no move in local memory takes an "
                       "offset that is a value, but got: ",
                       cause.text});
    cause.reason = std::nullopt;
  }
  return cause;
}

} // namespace

SliceView mli::getSliceView(ShapedType source, const Slice &slice,
                            TargetAttr target) {
  return Judge(source, slice, target).run();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

std::optional<CopyCause> mli::getCopyCause(OpOperand &operand,
                                           MemRefType type) {
  MemoryNeed need = getMemoryNeed(operand);
  if (meetsNeed(type, need))
    return std::nullopt;
  std::string name =
      join({"operand ", llvm::Twine(operand.getOperandNumber()), " of '",
            operand.getOwner()->getName().getStringRef(), "'"});
  auto [strides, offset] = type.getStridesAndOffset();
  if (need == MemoryNeed::UnitInner)
    return CopyCause{CopyReason::kernel_layout,
                     join({"expected innermost stride of ", name,
                           " to be 1, but got ", numberText(strides.back())}),
                     "a slice that keeps the last dimension"};
  if (meetsNeed(type, MemoryNeed::Contiguous))
    return CopyCause{CopyReason::kernel_layout,
                     join({"expected ", name,
                           " to start its buffer, but got "
                           "offset ",
                           numberText(offset)}),
                     "a kernel that writes the slice by itself"};
  return CopyCause{
      CopyReason::kernel_contiguous,
      join({"expected ", name, " to be contiguous, but got shape ",
            listText(type.getShape()), " with strides ", listText(strides)}),
      "a slice along dimension 0 only"};
}

std::optional<int64_t> mli::getElementBytes(ShapedType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  return type.getNumElements() * elementWidth(type.getElementType()) / 8;
}
