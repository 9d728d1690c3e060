// SPDX-License-Identifier: Apache-2.0
//
// What parts are computed into, and whether that may be a view of a whole.

#include "SlicePlacement.h"

#include "mli/Analysis/BufferLifetimes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mli;

std::optional<PartRoot> Placement::findRoot(Value part, Block *block) {
  Value value = findWhole(part);
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block)
    return std::nullopt;
  if (tensor::EmptyOp whole = wholes.lookup(value)) {
    PartRoot root{{}, whole, value};
    for (OpOperand &use : whole->getUses())
      root.operands.push_back(&use);
    return root;
  }
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!kernel || !positions.count(op))
    return std::nullopt;
  OpOperand *init = kernel.getTiedOpOperand(cast<OpResult>(value));
  if (!init->get().getDefiningOp<tensor::EmptyOp>())
    return std::nullopt;
  return PartRoot{{init}, op, value};
}

/// The view of `part` of `whole`, both of known sizes, without as many
/// dimensions of size 1 as makes it of rank `rank`; null if there is none.
static ShapedType typeOfView(ShapedType whole, const TensorPart &part,
                             int64_t rank) {
  auto type = cast<RankedTensorType>(part.value.getType());
  SmallVector<int64_t> offsets;
  SmallVector<Value> values;
  dispatchIndexOpFoldResults(part.offsets, values, offsets);
  if (!values.empty() || !type.hasStaticShape() || !whole.hasStaticShape() ||
      SubtensorOp::getKeptDims(type.getShape(), rank).size() !=
          static_cast<size_t>(rank))
    return {};
  auto element = dyn_cast<QuantizedType>(type.getElementType());
  if (element && element.isPerAxis()) {
    // An insertion keeps the element type, and so the number of the axis.
    int32_t axis = element.getAxis();
    SmallVector<int64_t> kept = SubtensorOp::getKeptDims(type.getShape(), rank);
    if (axis >= rank || kept[axis] != axis)
      return {};
  }
  return SubtensorOp::inferResultType(whole, offsets, type.getShape(), rank,
                                      {});
}

PartPlace Placement::placeOf(Value whole, const TensorPart &part,
                             const PartRoot &root) {
  auto type = cast<RankedTensorType>(root.value.getType());
  if (part.value == root.value)
    return {viewOf(whole, part), part, {}};
  Location loc = root.value.getLoc();
  if (typeOfView(cast<RankedTensorType>(whole.getType()), part,
                 type.getRank()) == type) {
    TensorPart computed = part;
    computed.value = root.value;
    SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(
        rewriter.getContext(),
        cast<RankedTensorType>(part.value.getType()).getShape());
    return {SubtensorOp::create(rewriter, loc, whole, part.offsets, sizes,
                                type.getRank()),
            computed, sizes};
  }
  return {
      ReshapeOp::create(rewriter, loc, type, viewOf(whole, part)), part, {}};
}

/// Whether all that uses `value` but `known` reads it with the strides of
/// `view`.
static bool takesViewToo(Value value, MemRefType view, Operation *known) {
  constexpr unsigned most = 64; // These are asked at each insertion.
  if (value.hasNUsesOrMore(most))
    return false;
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user == known)
      return true;
    auto kernel = dyn_cast<DestinationStyleOpInterface>(user);
    return isa<tensor::ConcatOp, tensor::PadOp>(user) ||
           (kernel && isa_and_nonnull<MLIDialect>(user->getDialect()) &&
            kernel.isDpsInput(&use) && meetsNeed(view, getMemoryNeed(use)));
  });
}

/// The reshape of `value` that `part` is, maybe through others that nothing
/// else uses; null if there is no such.
static ReshapeOp firstReshape(Value part, Value value) {
  auto reshape = part.getDefiningOp<ReshapeOp>();
  while (reshape.getSource() != value) {
    if (!reshape.getSource().hasOneUse())
      return {};
    reshape = reshape.getSource().getDefiningOp<ReshapeOp>();
  }
  return reshape;
}

/// What the kernel of `type` sees in `view`, of `part` in a whole of type
/// `buffer`; null if it has no such shape there.
static MemRefType reshapedView(MemRefType view, MemRefType buffer,
                               const TensorPart &part, RankedTensorType type) {
  ShapedType reduced = typeOfView(buffer, part, type.getRank());
  if (reduced && reduced.getShape() == type.getShape() &&
      reduced.getElementType() == type.getElementType())
    return cast<MemRefType>(reduced);
  if (!meetsNeed(view, MemoryNeed::Contiguous))
    return {};
  return ReshapeOp::inferViewType(view, type.getShape(), type.getElementType());
}

bool Placement::takesView(const PartRoot &root, RankedTensorType whole,
                          const TensorPart &part, Operation *inserter) {
  auto buffer = MemRefType::get(whole.getShape(), whole.getElementType());
  ShapedType block = typeOfView(
      buffer, part, cast<RankedTensorType>(part.value.getType()).getRank());
  if (!block)
    return false;
  auto view = cast<MemRefType>(block);
  Operation *user = inserter;
  if (part.value != root.value) {
    // Others that read it in its own shape take that for a reshape.
    if (!takesViewToo(part.value, view, inserter) ||
        (!part.value.hasOneUse() && !meetsNeed(view, MemoryNeed::Contiguous)))
      return false;
    view = reshapedView(view, buffer, part,
                        cast<RankedTensorType>(root.value.getType()));
    user = firstReshape(part.value, root.value);
    // An inner whole has places of its own, not of another shape.
    if (!view || !user || isa<tensor::EmptyOp>(root.first))
      return false;
  }
  return takesViewToo(root.value, view, user) &&
         llvm::all_of(root.operands, [&](OpOperand *operand) {
           return meetsNeed(view, getMemoryNeed(*operand));
         });
}
