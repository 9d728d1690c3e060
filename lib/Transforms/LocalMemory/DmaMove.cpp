// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-insert-moves: creates the moves of DMA instructions.

#include "InsertMoves.h"

#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;

/// The largest number of indices of `dim` that one instruction moves.
// L29
static int64_t getLimit(layout::Dim dim, const layout::LayoutChoice &choice,
                        const layout::Target &target) {
  constexpr int64_t maxIndices = 65535, maxChannels = 4095;
  // A multiple of the NPUs, so that each move starts on the same one.
  int64_t channels = target.npus <= maxChannels
                         ? maxChannels / target.npus * target.npus
                         : maxChannels;
  // A matrix is columns of W in each channel.
  if (choice.columns != 0 && dim == layout::Dim::W)
    return channels * choice.columns;
  return dim == layout::Dim::C ? channels : maxIndices;
}

Value mli::createMoves(OpBuilder &builder, Location loc, Value source,
                       Value init, const layout::LayoutChoice &choice,
                       const layout::Target &target, Pass::Statistic &count) {
  auto shape = cast<ShapedType>(source.getType()).getShape();
  SmallVector<int64_t> limits;
  bool isOne = true;
  for (auto [dim, size] : llvm::zip_equal(choice.dims, shape)) {
    limits.push_back(std::min(getLimit(dim, choice, target), size));
    isOne &= limits.back() == size;
  }
  if (isOne) {
    ++count;
    return MovOp::create(builder, loc, source, init).getResults().front();
  }
  SmallVector<int64_t> offsets(shape.size(), 0);
  while (true) {
    SmallVector<int64_t> sizes;
    for (auto [offset, limit, size] : llvm::zip_equal(offsets, limits, shape))
      sizes.push_back(std::min(limit, size - offset));
    auto mov = MovOp::create(builder, loc, source, init);
    mov.setOffsets(offsets);
    mov.setSizes(sizes);
    mov.setDstOffsets(offsets);
    ++count;
    init = mov.getResults().front();
    // The next offsets advance the last dimension first.
    size_t dim = shape.size();
    while (dim > 0 && (offsets[dim - 1] += limits[dim - 1]) >= shape[dim - 1])
      offsets[--dim] = 0;
    if (dim == 0)
      return init;
  }
}
