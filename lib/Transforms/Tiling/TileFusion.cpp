// SPDX-License-Identifier: Apache-2.0

#include "LoopIndex.h"
#include "Tile.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

/// Adds to `loops` that dimension `dim` of `value`, used as `use`, has the tile
/// `offset`, `size`.
static LogicalResult addTile(LoopTile &loops, DimAccess use,
                             OpFoldResult offset, OpFoldResult size,
                             Value value, int64_t dim) {
  // Which windows of a halo are complete is not known for each tile.
  if (use.kind != DimAccess::Kind::Loop)
    return success(knownIndex(offset) == 0 && isSizeOf(size, value, dim));
  if (loops.isOpen(use.loop)) {
    loops.offsets[use.loop] = offset;
    loops.sizes[use.loop] = size;
    return success();
  }
  return success(isEqualConstantIntOrValue(loops.offsets[use.loop], offset) &&
                 isEqualConstantIntOrValue(loops.sizes[use.loop], size));
}

FailureOr<LoopTile> mli::tiling::loopsOfResult(const KernelModel &model,
                                               unsigned number,
                                               ArrayRef<OpFoldResult> offsets,
                                               ArrayRef<OpFoldResult> sizes) {
  // Elements around the block come from the init.
  if (!model.blockOffsets.empty())
    return failure();
  OpOperand *init = model.dps().getDpsInitOperand(number);
  LoopTile loops(model.loops.size());
  for (auto [dim, use] :
       llvm::enumerate(model.operands[init->getOperandNumber()]))
    if (failed(addTile(loops, use, offsets[dim], sizes[dim], init->get(),
                       static_cast<int64_t>(dim))))
      return failure();
  return loops;
}

FailureOr<LoopTile> mli::tiling::loopsOfOperands(const KernelModel &model,
                                                 ArrayRef<unsigned> numbers,
                                                 ArrayRef<Sizes> allOffsets,
                                                 ArrayRef<Sizes> allSizes) {
  LoopTile loops(model.loops.size());
  for (auto [number, offsets, sizes] :
       llvm::zip_equal(numbers, allOffsets, allSizes)) {
    OpOperand &operand = model.op->getOpOperand(number);
    if (number >= model.operands.size() ||
        (model.dps().isDpsInit(&operand) && !model.blockOffsets.empty()))
      return failure();
    for (auto [dim, use] : llvm::enumerate(model.operands[number]))
      if (failed(addTile(loops, use, offsets[dim], sizes[dim], operand.get(),
                         static_cast<int64_t>(dim))))
        return failure();
  }
  return loops;
}

void mli::tiling::closeLoops(OpBuilder &builder, const KernelModel &model,
                             LoopTile &loops) {
  if (llvm::all_of(loops.offsets, [](OpFoldResult offset) { return offset; }))
    return;
  Sizes whole = getLoopSizes(builder, model);
  for (size_t i = 0; i < whole.size(); ++i)
    if (loops.isOpen(i)) {
      loops.offsets[i] = builder.getIndexAttr(0);
      loops.sizes[i] = whole[i];
    }
}

bool mli::tiling::isComputed(const KernelModel &model, const LoopTile &loops) {
  return !rejectTile(model, makeTile(model, loops.offsets, loops.sizes));
}
