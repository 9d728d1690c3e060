// SPDX-License-Identifier: Apache-2.0

#include "CauseText.h"

#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;

namespace {

class LocalSliceViewAnalysis {
public:
  LocalSliceViewAnalysis(MemRefType source, ArrayRef<int64_t> offsets,
                         ArrayRef<int64_t> sizes, TargetAttr target)
      : source(source), layout(cast<LayoutAttr>(source.getLayout())),
        offsets(offsets), sizes(sizes), target(target.getValue()) {}

  std::optional<CopyCause> run() const;

private:
  std::optional<CopyCause> checkStart(int64_t start) const;
  CopyCause cutGroup(const layout::Violation &problem) const;
  std::string alignedText(int64_t needed) const;

  MemRefType source;
  LayoutAttr layout;
  ArrayRef<int64_t> offsets, sizes;
  layout::Target target;
};

} // namespace

/// Suggests the slice with its bounds moved out to whole groups.
CopyCause
LocalSliceViewAnalysis::cutGroup(const layout::Violation &problem) const {
  bool isMatrix = layout.getColumns() != 0;
  int64_t group =
      isMatrix ? layout.getColumns() : layout::packFactor(layout.getMode());
  LayoutDim dim = isMatrix ? LayoutDim::w : LayoutDim::n;
  SmallVector<int64_t> starts(offsets), extents(sizes);
  for (auto [i, local] : llvm::enumerate(layout.getDims())) {
    if (local != dim || ShapedType::isDynamic(starts[i]))
      continue;
    int64_t end = llvm::alignTo(starts[i] + extents[i], group);
    starts[i] -= starts[i] % group;
    extents[i] = std::min(end, source.getDimSize(i)) - starts[i];
  }
  return {CopyReason::cut_group, layout::toString(problem),
          viewText(starts, extents)};
}

/// Operands in local memory start at a multiple of 4 bytes; on one NPU they are
/// plain memory. `start` is that of the first slice there is.
// L30
std::optional<CopyCause>
LocalSliceViewAnalysis::checkStart(int64_t start) const {
  int64_t needed = layout.getNpus() == 1 ? 1 : 4;
  int64_t rest = start % needed;
  for (auto [i, offset] : llvm::enumerate(offsets)) {
    if (!ShapedType::isDynamic(offset))
      continue;
    SmallVector<int64_t> first(offsets.size(), 0), next(offsets.size(), 0);
    next[i] = 1;
    int64_t bytes = locate(source, next, target).offset -
                    locate(source, first, target).offset;
    rest = rest != 0 ? rest : bytes % needed;
  }
  if (rest == 0)
    return std::nullopt;
  return CopyCause{CopyReason::misaligned_start,
                   join({"expected start in local memory to be divisible by ",
                         llvm::Twine(needed), ", but got ",
                         llvm::Twine(start + rest - start % needed)}),
                   alignedText(needed)};
}

/// The smallest block that holds the slice and starts as it must: widened from
/// the innermost dimension on.
std::string LocalSliceViewAnalysis::alignedText(int64_t needed) const {
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
    extents[i] =
        isKnown ? extents[i] + starts[i] - start : source.getDimSize(i);
    starts[i] = start;
    layout::Result<layout::Subtensor> part =
        getSubtensor(source, starts, extents, target);
    if (part && part->layout.offset % needed == 0)
      break;
  }
  return viewText(starts, extents);
}

std::optional<CopyCause> LocalSliceViewAnalysis::run() const {
  for (auto [i, offset, size] : llvm::enumerate(offsets, sizes))
    if (ShapedType::isDynamic(size) ||
        (ShapedType::isDynamic(offset) &&
         needsKnownOffset(layout, static_cast<int64_t>(i))))
      return CopyCause{
          std::nullopt,
          join({"expected offset and size of dimension ", llvm::Twine(i),
                ", which decide the layout, to be attributes, but "
                "got a value"}),
          "a slice for each offset"};
  layout::Result<layout::Subtensor> part =
      getSubtensor(source, offsets, sizes, target);
  return part ? checkStart(part->layout.offset) : cutGroup(part.violation());
}

std::optional<CopyCause> mli::judgeLocalSlice(MemRefType source,
                                              ArrayRef<int64_t> offsets,
                                              ArrayRef<int64_t> sizes,
                                              TargetAttr target) {
  return LocalSliceViewAnalysis(source, offsets, sizes, target).run();
}
