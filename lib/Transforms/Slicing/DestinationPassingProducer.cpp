// SPDX-License-Identifier: Apache-2.0
//
// Finds the producers of inserted values, and whether they can write a slice of
// a destination.

#include "DestinationPassing.h"

#include "mli/Analysis/BufferLifetimes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mli;

std::optional<Producer> DestinationPassingRewriter::findProducer(Value value,
                                                                 Block *block) {
  Value result = stripReshapes(value);
  Operation *op = result.getDefiningOp();
  if (!op || op->getBlock() != block)
    return std::nullopt;
  if (tensor::EmptyOp destination = destinations.lookup(result)) {
    Producer producer{{}, destination, result};
    for (OpOperand &use : destination->getUses())
      producer.inits.push_back(&use);
    return producer;
  }
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!kernel || !positions.count(op))
    return std::nullopt;
  OpOperand *init = kernel.getTiedOpOperand(cast<OpResult>(result));
  if (!init->get().getDefiningOp<tensor::EmptyOp>())
    return std::nullopt;
  return Producer{{init}, op, result};
}

/// The type of the slice of `destination` for `inserted`, both of static shape,
/// with dimensions of size 1 dropped down to rank `rank`; null if there is
/// none.
static ShapedType getSliceType(ShapedType destination,
                               const InsertedValue &inserted, int64_t rank) {
  auto type = cast<RankedTensorType>(inserted.value.getType());
  SmallVector<int64_t> offsets;
  SmallVector<Value> values;
  dispatchIndexOpFoldResults(inserted.offsets, values, offsets);
  if (!values.empty() || !type.hasStaticShape() ||
      !destination.hasStaticShape() ||
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
  return SubtensorOp::inferResultType(destination, offsets, type.getShape(),
                                      rank, {});
}

DestinationSlice DestinationPassingRewriter::createDestinationSlice(
    Value destination, const InsertedValue &inserted,
    const Producer &producer) {
  auto type = cast<RankedTensorType>(producer.value.getType());
  if (inserted.value == producer.value)
    return {createSlice(destination, inserted), inserted, {}};
  Location loc = producer.value.getLoc();
  if (getSliceType(cast<RankedTensorType>(destination.getType()), inserted,
                   type.getRank()) == type) {
    InsertedValue computed = inserted;
    computed.value = producer.value;
    SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(
        rewriter.getContext(),
        cast<RankedTensorType>(inserted.value.getType()).getShape());
    return {SubtensorOp::create(rewriter, loc, destination, inserted.offsets,
                                sizes, type.getRank()),
            computed, sizes};
  }
  return {ReshapeOp::create(rewriter, loc, type,
                            createSlice(destination, inserted)),
          inserted,
          {}};
}

/// Whether all users of `value` but `known` read it with the strides of `view`.
static bool doReadersTake(Value value, MemRefType view, Operation *known) {
  constexpr unsigned maxUses = 64; // Each insertion checks all of them.
  if (value.hasNUsesOrMore(maxUses))
    return false;
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user == known)
      return true;
    auto kernel = dyn_cast<DestinationStyleOpInterface>(user);
    return isa<tensor::ConcatOp, tensor::PadOp>(user) ||
           (kernel && isa_and_nonnull<MLIDialect>(user->getDialect()) &&
            kernel.isDpsInput(&use) &&
            meetsRequirement(view, getStrideRequirement(use)));
  });
}

/// The reshape of `result` from which other reshapes, with one use each, lead
/// to `value`; null if there is none.
static ReshapeOp findFirstReshape(Value value, Value result) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  while (reshape.getSource() != result) {
    if (!reshape.getSource().hasOneUse())
      return {};
    reshape = reshape.getSource().getDefiningOp<ReshapeOp>();
  }
  return reshape;
}

/// The buffer that a kernel whose result is of `type` writes if `view` is the
/// slice for `inserted` of a destination of type `buffer`; null if a view can
/// not have the shape of the result.
static MemRefType getReshapedView(MemRefType view, MemRefType buffer,
                                  const InsertedValue &inserted,
                                  RankedTensorType type) {
  ShapedType reduced = getSliceType(buffer, inserted, type.getRank());
  if (reduced && reduced.getShape() == type.getShape() &&
      reduced.getElementType() == type.getElementType())
    return cast<MemRefType>(reduced);
  if (!meetsRequirement(view, StrideRequirement::Contiguous))
    return {};
  return ReshapeOp::inferViewType(view, type.getShape(), type.getElementType());
}

bool DestinationPassingRewriter::takesSlice(const Producer &producer,
                                            RankedTensorType destination,
                                            const InsertedValue &inserted,
                                            Operation *inserter) {
  auto buffer =
      MemRefType::get(destination.getShape(), destination.getElementType());
  ShapedType block =
      getSliceType(buffer, inserted,
                   cast<RankedTensorType>(inserted.value.getType()).getRank());
  if (!block)
    return false;
  auto view = cast<MemRefType>(block);
  Operation *user = inserter;
  if (inserted.value != producer.value) {
    // Its other users read a reshape of the slice.
    if (!doReadersTake(inserted.value, view, inserter) ||
        (!inserted.value.hasOneUse() &&
         !meetsRequirement(view, StrideRequirement::Contiguous)))
      return false;
    view = getReshapedView(view, buffer, inserted,
                           cast<RankedTensorType>(producer.value.getType()));
    user = findFirstReshape(inserted.value, producer.value);
    // The slices of an inner destination can not be of another shape.
    if (!view || !user || isa<tensor::EmptyOp>(producer.first))
      return false;
  }
  return doReadersTake(producer.value, view, user) &&
         llvm::all_of(producer.inits, [&](OpOperand *operand) {
           return meetsRequirement(view, getStrideRequirement(*operand));
         });
}
