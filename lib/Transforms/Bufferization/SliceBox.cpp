// SPDX-License-Identifier: Apache-2.0

#include "InsertionChain.h"

using namespace mlir;
using namespace mli;

bool SliceBox::isDisjoint(const SliceBox &other) const {
  for (size_t dim = 0; dim < begin.size(); ++dim)
    if (end[dim] <= other.begin[dim] || other.end[dim] <= begin[dim])
      return true;
  return false;
}

void SliceBox::include(const SliceBox &other) {
  for (size_t dim = 0; dim < begin.size(); ++dim) {
    begin[dim] = std::min(begin[dim], other.begin[dim]);
    end[dim] = std::max(end[dim], other.end[dim]);
  }
}

std::optional<SliceBox> SliceBox::get(OffsetSizeAndStrideOpInterface slice) {
  if (ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
      ShapedType::isDynamicShape(slice.getStaticSizes()) ||
      !llvm::all_of(slice.getStaticStrides(),
                    [](int64_t step) { return step == 1; }))
    return std::nullopt;
  SliceBox box;
  for (auto [offset, size] :
       llvm::zip_equal(slice.getStaticOffsets(), slice.getStaticSizes())) {
    box.begin.push_back(offset);
    box.end.push_back(offset + size);
  }
  return box;
}

/// The number of boxes before the first hyperplane across dimension `dim` that
/// separates `boxes`, sorted in that dimension; all of them if there is none.
static size_t getFirstGroupSize(ArrayRef<const SliceBox *> boxes, size_t dim) {
  int64_t end = boxes.front()->end[dim];
  size_t size = 1;
  for (; size < boxes.size() && boxes[size]->begin[dim] < end; ++size)
    end = std::max(end, boxes[size]->end[dim]);
  return size;
}

static bool arePairwiseDisjoint(ArrayRef<const SliceBox *> boxes) {
  constexpr size_t maxBoxes = 16;
  if (boxes.size() > maxBoxes)
    return false;
  for (; !boxes.empty(); boxes = boxes.drop_front())
    for (const SliceBox *other : boxes.drop_front())
      if (!boxes.front()->isDisjoint(*other))
        return false;
  return true;
}

/// Whether no two of `boxes` overlap. Reorders them.
static bool areDisjoint(MutableArrayRef<const SliceBox *> boxes) {
  if (boxes.size() < 2)
    return true;
  for (size_t dim = 0; dim < boxes.front()->begin.size(); ++dim) {
    llvm::sort(boxes, [&](const SliceBox *a, const SliceBox *b) {
      return a->begin[dim] < b->begin[dim];
    });
    if (getFirstGroupSize(boxes, dim) == boxes.size())
      continue;
    while (!boxes.empty()) {
      size_t size = getFirstGroupSize(boxes, dim);
      if (!areDisjoint(boxes.take_front(size)))
        return false;
      boxes = boxes.drop_front(size);
    }
    return true;
  }
  return arePairwiseDisjoint(boxes);
}

bool mli::areDisjoint(ArrayRef<SliceBox> boxes) {
  SmallVector<const SliceBox *> sorted(llvm::make_pointer_range(boxes));
  return ::areDisjoint(sorted);
}
