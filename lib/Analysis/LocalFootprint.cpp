// SPDX-License-Identifier: Apache-2.0
//
// Computes the footprint of a buffer in local memory, and its type on another
// NPU.

#include "mli/Analysis/MemoryProblem.h"

#include "mli/Layout/AddressFormula.h"
#include "mli/Layout/Policy.h"

using namespace mlir;
using namespace mli;

/// The layout of `type` as if it started on `startNpu`, its strides those of
/// its kind there.
static std::optional<layout::TensorLayout>
layoutAt(MemRefType type, const layout::Target &target, int64_t startNpu) {
  layout::TensorLayout request = getTensorLayout(type, target);
  request.startNpu = startNpu;
  layout::Result<layout::TensorLayout> result = layout::makeLayout(request);
  if (!result)
    return std::nullopt;
  return *result;
}

/// Bytes from the first element to the end of the last; nothing if not known.
static std::optional<int64_t> getSpan(MemRefType type) {
  int64_t offset, last = 0;
  SmallVector<int64_t> strides;
  std::optional<int64_t> dense = getDenseBytes(type);
  if (!dense || failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return std::nullopt;
  if (*dense == 0)
    return 0;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
    last += (size - 1) * stride;
  return (last + 1) * (*dense / type.getNumElements());
}

std::optional<LocalFootprint>
mli::getLocalFootprint(MemRefType type, const layout::Target &target,
                       int64_t startNpu, bool reusesEmptyBlocks) {
  LocalFootprint footprint;
  // A layout counts bytes, whatever the elements are.
  Type element = type.getElementType();
  if (!isa<QuantizedType>(element) &&
      (!element.isIntOrFloat() || elementWidth(element) % 8 != 0))
    return std::nullopt;
  if (!isa<LayoutAttr>(type.getLayout())) {
    std::optional<int64_t> span = getSpan(type);
    if (!span || target.npus != 1)
      return std::nullopt;
    footprint.bytes = *span;
    footprint.alignment = layout::wordAlignment(target);
    return footprint;
  }
  std::optional<layout::TensorLayout> layout = layoutAt(type, target, startNpu);
  if (!layout)
    return std::nullopt;
  footprint.bytes = layout::bytesPerNpu(*layout);
  footprint.alignment = layout::offsetAlignment(*layout);
  // L5
  footprint.npus = target.npus;
  if (reusesEmptyBlocks && layout::channelsPerNpu(*layout) == 1)
    footprint.npus = layout::packedShape(*layout).c;
  return footprint;
}

int64_t mli::getStartNpu(MemRefType type) {
  auto layout = dyn_cast<LayoutAttr>(type.getLayout());
  return layout ? layout.getStartNpu() : 0;
}

MemRefType mli::moveStartNpu(MemRefType type, MemRefType buffer,
                             int64_t startNpu, const layout::Target &target) {
  auto layout = dyn_cast<LayoutAttr>(type.getLayout());
  if (!layout)
    return type;
  layout::TensorLayout moved = getTensorLayout(type, target);
  int64_t distance = target.npus + startNpu - getStartNpu(buffer);
  moved.startNpu = layout::getNpu(distance, moved.startNpu, target.npus);
  // The N stride leads over whole block rows of the buffer, whose number may
  // be another one there.
  if (type == buffer ||
      moved.strides.n == getTensorLayout(buffer, target).strides.n)
    moved.strides.n = layoutAt(buffer, target, startNpu)->strides.n;
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      LayoutAttr::get(type.getContext(), moved, layout.getDims()),
      type.getMemorySpace());
}
