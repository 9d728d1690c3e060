// SPDX-License-Identifier: Apache-2.0

#include "TileApply.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/MLI.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mli;

/// The dimensions of a feature map.
static constexpr int64_t mapRank = 3;

/// Whether `type` has one set of parameters, or none.
static bool hasOneScale(ShapedType type) {
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  return !quantized || quantized.getAxis() < 0;
}

/// `type` without its first dimensions; nothing unless these are all 1.
static RankedTensorType dropBatch(RankedTensorType type) {
  int64_t batches = type.getRank() - mapRank;
  if (batches <= 0 || llvm::any_of(type.getShape().take_front(batches),
                                   [](int64_t size) { return size != 1; }))
    return {};
  return type.clone(type.getShape().drop_front(batches));
}

/// The type that `op`, element by element, can compute instead of its own:
/// every operand has its shape, is one element or a table.
static RankedTensorType findMapType(Operation *op) {
  // The axis of slopes counts the dimensions that are dropped.
  if (!op->hasTrait<ElementwiseKernel>() || isa<PreluOp>(op) ||
      op->getNumResults() != 1)
    return {};
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  bool areAlike = llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (isTable(operand))
      return true;
    auto shaped = cast<ShapedType>(operand.get().getType());
    return hasOneScale(shaped) &&
           (shaped.getShape() == type.getShape() ||
            (shaped.hasStaticShape() && shaped.getNumElements() == 1));
  });
  // Operands of one element are all scalars, whose shapes have a meaning.
  return areAlike && type.hasStaticShape() && type.getNumElements() > 1
             ? dropBatch(type)
             : RankedTensorType();
}

/// `value` as a feature map.
static Value makeMap(RewriterBase &rewriter, Value value,
                     ArrayRef<int64_t> map) {
  auto type = cast<RankedTensorType>(value.getType());
  Type mapType = type.clone(map);
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (reshape && reshape.getSource().getType() == mapType)
    return reshape.getSource();
  if (value.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(rewriter, value.getLoc(), map,
                                   type.getElementType(), type.getEncoding());
  return ReshapeOp::create(rewriter, value.getLoc(), mapType, value);
}

static void computeOnMap(RewriterBase &rewriter, Operation *op,
                         RankedTensorType mapType) {
  rewriter.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (cast<ShapedType>(operand.getType()).getShape() == type.getShape())
      mapping.map(operand, makeMap(rewriter, operand, mapType.getShape()));
  Operation *kernel = rewriter.clone(*op, mapping);
  kernel->getResult(0).setType(mapType);
  Value result = kernel->getResult(0);
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (auto reshape = dyn_cast<ReshapeOp>(user);
        reshape && reshape.getType() == mapType)
      rewriter.replaceOp(reshape, result);
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, result);
}

// Z10
void mli::tiling::dropUnitBatches(FunctionOpInterface function) {
  SmallVector<std::pair<Operation *, RankedTensorType>> kernels;
  function.walk([&](Operation *op) {
    if (RankedTensorType type = findMapType(op))
      kernels.emplace_back(op, type);
  });
  IRRewriter rewriter(function.getContext());
  for (auto [op, type] : kernels)
    computeOnMap(rewriter, op, type);
  function.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isa<ReshapeOp, tensor::EmptyOp>(op) && op->use_empty())
      rewriter.eraseOp(op);
  });
}
