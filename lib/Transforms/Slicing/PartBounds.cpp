// SPDX-License-Identifier: Apache-2.0

#include "PartBounds.h"

using namespace mlir;
using namespace mli;

bool PartBounds::isApart(const PartBounds &other) const {
  for (size_t dim = 0; dim < begin.size(); ++dim)
    if (end[dim] <= other.begin[dim] || other.end[dim] <= begin[dim])
      return true;
  return false;
}

void PartBounds::include(const PartBounds &other) {
  for (size_t dim = 0; dim < begin.size(); ++dim) {
    begin[dim] = std::min(begin[dim], other.begin[dim]);
    end[dim] = std::max(end[dim], other.end[dim]);
  }
}

std::optional<PartBounds> mli::boundsOf(OffsetSizeAndStrideOpInterface slice) {
  if (ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
      ShapedType::isDynamicShape(slice.getStaticSizes()) ||
      !llvm::all_of(slice.getStaticStrides(),
                    [](int64_t step) { return step == 1; }))
    return std::nullopt;
  PartBounds bounds;
  for (auto [offset, size] :
       llvm::zip_equal(slice.getStaticOffsets(), slice.getStaticSizes())) {
    bounds.begin.push_back(offset);
    bounds.end.push_back(offset + size);
  }
  return bounds;
}

/// The first of the groups that a cut across dimension `dim` divides `parts`,
/// sorted, into; all of them if there is no such cut.
static size_t sizeOfFirstGroup(ArrayRef<const PartBounds *> parts, size_t dim) {
  int64_t end = parts.front()->end[dim];
  size_t size = 1;
  for (; size < parts.size() && parts[size]->begin[dim] < end; ++size)
    end = std::max(end, parts[size]->end[dim]);
  return size;
}

static bool arePairwiseApart(ArrayRef<const PartBounds *> parts) {
  constexpr size_t few = 16;
  if (parts.size() > few)
    return false;
  for (; !parts.empty(); parts = parts.drop_front())
    for (const PartBounds *other : parts.drop_front())
      if (!parts.front()->isApart(*other))
        return false;
  return true;
}

/// Reorders `parts`.
static bool areDisjoint(MutableArrayRef<const PartBounds *> parts) {
  if (parts.size() < 2)
    return true;
  for (size_t dim = 0; dim < parts.front()->begin.size(); ++dim) {
    llvm::sort(parts, [&](const PartBounds *a, const PartBounds *b) {
      return a->begin[dim] < b->begin[dim];
    });
    if (sizeOfFirstGroup(parts, dim) == parts.size())
      continue;
    while (!parts.empty()) {
      size_t size = sizeOfFirstGroup(parts, dim);
      if (!areDisjoint(parts.take_front(size)))
        return false;
      parts = parts.drop_front(size);
    }
    return true;
  }
  return arePairwiseApart(parts);
}

bool mli::areDisjoint(ArrayRef<PartBounds> parts) {
  SmallVector<const PartBounds *> sorted(llvm::make_pointer_range(parts));
  return ::areDisjoint(sorted);
}
