// SPDX-License-Identifier: Apache-2.0

#include "mli/Calls/LocalOperand.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mli;
using namespace mli::calls;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

int64_t LocalOperand::countElements() const {
  return ShapedType::getNumElements(place.shape);
}

LocalOperand calls::getLocalOperand(MemRefType memref, Part block,
                                    Access access,
                                    const layout::Target &target) {
  LocalOperand operand;
  if (std::optional<LocalPlace> place = findLocalPlace(memref, block, target)) {
    operand.place = *place;
    operand.isView = memref.getRank() > 0 && hasStrides(memref);
  } else {
    operand.place = *findLocalPlace(memref, {}, target);
    operand.isPart = true;
    operand.strides = computeStrides(memref.getShape());
    operand.shape = getBlockShape(memref, block);
    for (auto [offset, stride] :
         llvm::zip_equal(block.offsets, operand.strides))
      operand.first += offset * stride;
  }
  // What is around a part stays.
  operand.isGathered =
      !operand.isView && (access != Access::Write || operand.isPart);
  operand.isScattered = !operand.isView && access != Access::Read;
  return operand;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// The sizes of what `op` moves; empty if they are not known.
static SmallVector<int64_t> getMovedSizes(MovOp op) {
  auto source = cast<MemRefType>(op.getInput().getType());
  auto target = cast<MemRefType>(op.getInit().getType());
  SmallVector<int64_t> sizes(op.getSizes());
  sizes.resize(source.getRank(), 0);
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (size != 0)
      continue;
    bool isKnown = !source.isDynamicDim(i);
    if (!isKnown && op.isPartial())
      return {};
    int64_t first = op.getOffsets().empty() ? 0 : op.getOffsets()[i];
    size = isKnown ? source.getDimSize(i) - first : target.getDimSize(i);
  }
  return sizes;
}

/// Finds the place of `move` from a buffer of type `source` to one of type
/// `target`.
static bool findPlace(LocalMove &move, Operation *op, Type source,
                      Type target) {
  move.isToLocal = isLocal(target);
  std::optional<LocalPlace> place =
      findLocalPlace(cast<MemRefType>(move.isToLocal ? target : source),
                     move.isToLocal ? move.getTarget() : move.getSource(),
                     findTarget(op).getValue());
  if (place)
    move.place = *place;
  return place.has_value();
}

std::optional<LocalMove> calls::findLocalMove(MovOp op) {
  Type source = op.getInput().getType(), target = op.getInit().getType();
  auto isOne = [](int64_t step) { return step == 1; };
  if (!(isLocal(source) || isLocal(target)) || isPadded(op) ||
      !op.getPermutation().empty() || !llvm::all_of(op.getSteps(), isOne))
    return std::nullopt;
  LocalMove move = {op.getOffsets(), op.getDstOffsets(), getMovedSizes(op)};
  bool isScalar = cast<ShapedType>(source).getRank() == 0;
  if ((move.sizes.empty() && !isScalar) || !findPlace(move, op, source, target))
    return std::nullopt;
  return move;
}

LocalMove calls::getLocalMove(memref::CopyOp op) {
  LocalMove move;
  bool isFound =
      findPlace(move, op, op.getSource().getType(), op.getTarget().getType());
  assert(isFound && "all of a buffer has a place");
  (void)isFound;
  return move;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int64_t CopyMemory::take(int64_t bytes) {
  int64_t offset = end;
  end += static_cast<int64_t>(llvm::alignTo(bytes, alignment));
  return offset;
}
