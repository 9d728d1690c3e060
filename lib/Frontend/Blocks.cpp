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

SmallVector<int64_t> TensorBlock::getShape() const {
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(sizes))
    shape.push_back(llvm::divideCeil(size, getStep(dim)));
  return shape;
}

/// Merges dimensions of shapes of which kernels have less, where the block
/// stays one: those of which it has one index, with the next, and those of
/// which it has all, with the one before.
PlacedBlock::PlacedBlock(ArrayRef<int64_t> dims, const TensorBlock &of) {
  SmallVector<int64_t> counts = of.getShape();
  for (auto [dim, extent] : llvm::enumerate(dims)) {
    int64_t offset = of.offsets[dim];
    int64_t step = counts[dim] == 1 ? 1 : of.getStep(dim);
    int64_t size = counts[dim] == 1 ? 1 : of.sizes[dim];
    bool isAll = size == extent && step == 1;
    bool isNext = !shape.empty() && block.sizes.back() == 1;
    bool isInner = !shape.empty() && isAll && block.steps.back() == 1;
    if (dims.size() <= maxDims || (!isNext && !isInner)) {
      shape.push_back(extent);
      block.offsets.push_back(offset);
      block.sizes.push_back(size);
      block.steps.push_back(step);
      continue;
    }
    shape.back() *= extent;
    block.offsets.back() = block.offsets.back() * extent + offset;
    block.sizes.back() *= size;
    block.steps.back() = step;
  }
}

TensorBlock PlacedBlock::withAll(size_t first, size_t end) const {
  TensorBlock all = block;
  for (size_t dim = first; dim < end; ++dim) {
    all.offsets[dim] = 0;
    all.sizes[dim] = shape[dim];
    all.steps[dim] = 1;
  }
  return all;
}

/// `value` in `shape`, if kernels have as many dimensions.
static Value finish(TensorBuilder &tensors, Value value,
                    ArrayRef<int64_t> shape) {
  return shape.size() > maxDims ? value : tensors.createReshape(value, shape);
}

/// The block of a source that has as many dimensions as kernels.
static Value createSlice(TensorBuilder &tensors, Value source,
                         const TensorBlock &block) {
  auto list = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(tensors.getContext(), numbers);
  };
  return tensors.createOp<tensor::ExtractSliceOp>(
      source, list(block.offsets), list(block.getShape()), list(block.steps));
}

/// The same as a move.
static Value createCopy(TensorBuilder &tensors, Value source,
                        const TensorBlock &block) {
  Value init =
      tensors.createEmpty(getElementTypeOrSelf(source), block.getShape());
  auto mov =
      MovOp::create(tensors.getBuilder(), tensors.getLoc(), source, init);
  mov.setOffsets(block.offsets);
  mov.setSizes(block.sizes);
  if (llvm::any_of(block.steps, [](int64_t step) { return step != 1; }))
    mov.setSteps(block.steps);
  return mov.getResult(0);
}

Value mli::createBlock(TensorBuilder &tensors, Value source,
                       ArrayRef<int64_t> shape, const TensorBlock &block,
                       bool isCopied) {
  SmallVector<int64_t> result = block.getShape();
  if (ArrayRef(result) == shape)
    return finish(tensors, source, shape);
  PlacedBlock placed(shape, block);
  size_t rank = placed.shape.size();
  if (rank <= maxDims) {
    Value seen = tensors.createReshape(source, placed.shape);
    return finish(tensors,
                  isCopied ? createCopy(tensors, seen, placed.block)
                           : createSlice(tensors, seen, placed.block),
                  result);
  }
  // The first dimensions first, which leaves least to move.
  TensorBlock front = placed.withAll(maxDims, rank);
  Value taken = createBlock(tensors, source, placed.shape, front, isCopied);
  placed.shape = front.getShape();
  return finish(tensors,
                createBlock(tensors, taken, placed.shape,
                            placed.withAll(0, maxDims), isCopied),
                result);
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
