// SPDX-License-Identifier: Apache-2.0

#include "Slices.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::reducer;

bool reducer::isSliceable(ShapedType type) {
  if (!type.hasStaticShape())
    return false;
  auto element = dyn_cast<QuantizedType>(type.getElementType());
  return !element || !element.isPerAxis() ||
         (element.getAxis() < type.getRank() &&
          type.getDimSize(element.getAxis()) ==
              static_cast<int64_t>(element.getNumParams()));
}

RankedTensorType reducer::getBlockType(Value source, const TensorBlock &block) {
  return cast<RankedTensorType>(SubtensorOp::inferBlockType(
      cast<ShapedType>(source.getType()), block.offsets, block.sizes));
}

Value reducer::createSlice(OpBuilder &builder, Location loc, Value source,
                           const TensorBlock &block) {
  auto type = cast<RankedTensorType>(source.getType());
  if (type.getShape() == ArrayRef(block.sizes))
    return source;
  SmallVector<OpFoldResult> offsets =
      getAsIndexOpFoldResult(builder.getContext(), block.offsets);
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), block.sizes);
  RankedTensorType blockType = getBlockType(source, block);
  // Parameters along an axis are cut by ours alone.
  if (blockType.getElementType() != type.getElementType())
    return SubtensorOp::create(builder, loc, source, offsets, sizes);
  SmallVector<OpFoldResult> steps(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, blockType, source,
                                        offsets, sizes, steps);
}

std::optional<TensorBlock> reducer::getBlock(Operation *op) {
  if (!isa<tensor::ExtractSliceOp, SubtensorOp>(op))
    return std::nullopt;
  auto slice = cast<OffsetSizeAndStrideOpInterface>(op);
  auto source = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!source || !result || !isSliceable(source) ||
      source.getRank() != result.getRank())
    return std::nullopt;
  TensorBlock block{SmallVector<int64_t>(slice.getStaticOffsets()),
                    SmallVector<int64_t>(slice.getStaticSizes())};
  bool isStatic = !ShapedType::isDynamicShape(block.offsets) &&
                  !ShapedType::isDynamicShape(block.sizes);
  bool hasSteps = llvm::any_of(slice.getStaticStrides(),
                               [](int64_t step) { return step != 1; });
  if (!isStatic || hasSteps || getBlockType(op->getOperand(0), block) != result)
    return std::nullopt;
  return block;
}

Value reducer::createMergedSlice(OpBuilder &builder, Location loc, Value source,
                                 const TensorBlock &block) {
  Operation *slice = source.getDefiningOp();
  std::optional<TensorBlock> outer = slice ? getBlock(slice) : std::nullopt;
  if (!outer)
    return createSlice(builder, loc, source, block);
  TensorBlock both = block;
  for (auto [offset, first] : llvm::zip_equal(both.offsets, outer->offsets))
    offset += first;
  return createSlice(builder, loc, slice->getOperand(0), both);
}

/// Whether `op` and what uses it can go, together with those of `seen`.
static bool isUnused(Operation *op, llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (!seen.insert(op).second)
    return true;
  Operation *parent = op->getParentOp();
  bool isPart =
      isa_and_nonnull<LoopLikeOpInterface, RegionBranchOpInterface>(parent);
  if (op->hasTrait<OpTrait::IsTerminator>())
    return isPart && isUnused(parent, seen);
  return wouldOpBeTriviallyDead(op) &&
         llvm::all_of(op->getUsers(),
                      [&](Operation *user) { return isUnused(user, seen); });
}

bool reducer::isUnused(Operation *op) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  return ::isUnused(op, seen);
}

llvm::DenseSet<Operation *> reducer::findSlices(func::FuncOp func) {
  llvm::DenseSet<Operation *> slices;
  func.walk([&](Operation *op) {
    if (isa<tensor::ExtractSliceOp, SubtensorOp>(op))
      slices.insert(op);
  });
  return slices;
}
