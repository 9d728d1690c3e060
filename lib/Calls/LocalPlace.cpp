// SPDX-License-Identifier: Apache-2.0

#include "mli/Calls/LocalPlace.h"

using namespace mlir;
using namespace mli;
using namespace mli::calls;

static int64_t getBytes(MemRefType memref) {
  return elementWidth(memref.getElementType()) / 8;
}

SmallVector<int64_t> calls::getBlockShape(MemRefType memref, Part block) {
  if (!block.sizes.empty())
    return llvm::to_vector(block.sizes);
  SmallVector<int64_t> left(memref.getShape());
  for (auto [i, offset] : llvm::enumerate(block.offsets))
    left[i] -= offset;
  return left;
}

bool calls::hasStrides(MemRefType memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return !isScattered(memref) &&
         succeeded(memref.getStridesAndOffset(strides, offset));
}

/// The last dimensions of local memory, for `rank` dimensions in order.
static ArrayRef<LayoutDim> lastDims(int64_t rank) {
  static constexpr LayoutDim dims[] = {LayoutDim::n, LayoutDim::c, LayoutDim::h,
                                       LayoutDim::w};
  return ArrayRef(dims).take_back(rank);
}

static constexpr int64_t layout::Dims::*strideMembers[] = {
    &layout::Dims::n, &layout::Dims::c, &layout::Dims::h, &layout::Dims::w};

int64_t calls::getLocalStep(MemRefType memref, int64_t dim) {
  auto layout = dyn_cast<LayoutAttr>(memref.getLayout());
  if (!layout)
    return memref.getStridesAndOffset().first[dim] * getBytes(memref);
  layout::Dims strides = layout.getStrides();
  auto role = static_cast<size_t>(layout.getDims()[dim]);
  return strides.*strideMembers[role] * layout::packFactor(layout.getMode()) *
         getBytes(memref);
}

int64_t calls::getLocalDistance(MemRefType source, ArrayRef<int64_t> offsets,
                                ArrayRef<int64_t> sizes,
                                const layout::Target &target) {
  if (auto layout = dyn_cast<LayoutAttr>(source.getLayout())) {
    layout::Result<layout::Subtensor> part =
        getSubtensor(source, offsets, sizes, target);
    assert(part && "the verifier has looked");
    return layout::getAddress(part->layout) -
           layout::getAddress({layout.getStartNpu(), 0}, target);
  }
  int64_t distance = 0;
  for (auto [dim, offset] : llvm::enumerate(offsets))
    if (ShapedType::isStatic(offset))
      distance += offset * getLocalStep(source, static_cast<int64_t>(dim));
  return distance;
}

std::array<LayoutDim, MLI_MAX_RANK> LocalPlace::getStructDims() const {
  // A scalar is described as one dimension.
  std::array<LayoutDim, MLI_MAX_RANK> all;
  all.fill(LayoutDim::w);
  llvm::copy(dims, all.begin());
  return all;
}

std::optional<LocalPlace> calls::findLocalPlace(MemRefType memref, Part block,
                                                const layout::Target &target) {
  LocalPlace place;
  place.shape = getBlockShape(memref, block);
  SmallVector<int64_t> offsets(block.offsets);
  offsets.resize(place.shape.size(), 0);
  auto layout = dyn_cast<LayoutAttr>(memref.getLayout());
  if (!layout) {
    place.dims.assign(lastDims(memref.getRank()).begin(),
                      lastDims(memref.getRank()).end());
    for (auto [i, dim] : llvm::enumerate(place.dims))
      place.strides.*strideMembers[static_cast<size_t>(dim)] =
          getLocalStep(memref, static_cast<int64_t>(i)) / getBytes(memref);
    place.distance = getLocalDistance(memref, offsets, place.shape, target);
    return place;
  }
  if (ArrayRef(place.shape) != memref.getShape()) {
    layout::Result<layout::Subtensor> part =
        getSubtensor(memref, offsets, place.shape, target);
    if (!part)
      return std::nullopt;
    place.distance = getLocalDistance(memref, offsets, place.shape, target);
    layout =
        LayoutAttr::get(memref.getContext(), part->layout, layout.getDims());
  }
  place.kind = layout.getKind();
  place.mode = layout.getMode();
  place.columns = layout.getColumns();
  place.strides = layout.getStrides();
  place.dims.assign(layout.getDims().begin(), layout.getDims().end());
  return place;
}
