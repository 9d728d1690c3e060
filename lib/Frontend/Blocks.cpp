// SPDX-License-Identifier: Apache-2.0
//
// Creates moves of blocks of tensors of any number of dimensions.

#include "mli/Frontend/Moves.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;

namespace {
/// A block and the shape of the tensor that it is of.
struct PlacedBlock {
  SmallVector<int64_t> shape;
  TensorBlock block;

  PlacedBlock(ArrayRef<int64_t> dims, const TensorBlock &of);

  /// The block that has all indices of the dimensions in [first, end).
  TensorBlock withAll(size_t first, size_t end) const;
};
} // namespace

/// Merges dimensions of shapes of which kernels have less, where the block
/// stays one: those of which it has one index, with the next, and those of
/// which it has all, with the one before.
PlacedBlock::PlacedBlock(ArrayRef<int64_t> dims, const TensorBlock &of) {
  for (auto [extent, offset, size] :
       llvm::zip_equal(dims, of.offsets, of.sizes)) {
    bool isAll = size == extent;
    bool canMerge = dims.size() > maxDims && !shape.empty() &&
                    (isAll || block.sizes.back() == 1);
    if (!canMerge) {
      shape.push_back(extent);
      block.offsets.push_back(offset);
      block.sizes.push_back(size);
      continue;
    }
    shape.back() *= extent;
    block.offsets.back() = block.offsets.back() * extent + offset;
    block.sizes.back() *= size;
  }
}

TensorBlock PlacedBlock::withAll(size_t first, size_t end) const {
  TensorBlock all = block;
  for (size_t dim = first; dim < end; ++dim) {
    all.offsets[dim] = 0;
    all.sizes[dim] = shape[dim];
  }
  return all;
}

/// `value` in `shape`, if kernels have as many dimensions.
static Value finish(TensorBuilder &tensors, Value value,
                    ArrayRef<int64_t> shape) {
  return shape.size() > maxDims ? value : tensors.createReshape(value, shape);
}

Value mli::createBlock(TensorBuilder &tensors, Value source,
                       ArrayRef<int64_t> shape, const TensorBlock &block) {
  PlacedBlock placed(shape, block);
  size_t rank = placed.shape.size();
  if (ArrayRef(block.sizes) == shape)
    return finish(tensors, source, shape);
  if (rank > maxDims) {
    // The first dimensions first, which leaves least to move.
    TensorBlock front = placed.withAll(maxDims, rank);
    Value taken = createBlock(tensors, source, placed.shape, front);
    for (size_t dim = 0; dim < maxDims; ++dim)
      placed.block.offsets[dim] = 0;
    return finish(tensors,
                  createBlock(tensors, taken, front.sizes, placed.block),
                  block.sizes);
  }
  auto list = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(tensors.getContext(), numbers);
  };
  Value taken = tensors.createOp<tensor::ExtractSliceOp>(
      tensors.createReshape(source, placed.shape), list(placed.block.offsets),
      list(placed.block.sizes), list(SmallVector<int64_t>(rank, 1)));
  return finish(tensors, taken, block.sizes);
}

Value mli::createPadded(TensorBuilder &tensors, Value source,
                        const TensorBlock &block, ArrayRef<int64_t> shape,
                        int64_t padding) {
  PlacedBlock placed(shape, block);
  size_t rank = placed.shape.size();
  if (ArrayRef(block.sizes) == shape)
    return finish(tensors, source, shape);
  if (rank > maxDims) {
    // The last dimensions first, while the others have least elements.
    size_t first = rank - maxDims + 1;
    PlacedBlock back = placed;
    for (size_t dim = 0; dim < first; ++dim) {
      back.shape[dim] = placed.block.sizes[dim];
      back.block.offsets[dim] = 0;
    }
    source = createPadded(tensors, source, back.block, back.shape, padding);
    return finish(tensors,
                  createPadded(tensors, source, placed.withAll(first, rank),
                               placed.shape, padding),
                  shape);
  }
  Value init =
      tensors.createSplat(getElementTypeOrSelf(source), placed.shape, padding);
  auto mov =
      MovOp::create(tensors.getBuilder(), tensors.getLoc(),
                    tensors.createReshape(source, placed.block.sizes), init);
  mov.setDstOffsets(placed.block.offsets);
  return finish(tensors, mov.getResult(0), shape);
}
