// SPDX-License-Identifier: Apache-2.0

#include "Tile.h"

#include "LoopIndex.h"
#include "MovTile.h"
#include "TileOperands.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

/// The tensor that `value` was before the loops around it took it up.
static Value beforeLoops(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop =
        dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
    OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
    if (!init)
      break;
    value = init->get();
  }
  return value;
}

namespace {
/// A size as it was before it was passed on: a constant or value, or a
/// dimension of a tensor or buffer that nothing is known of.
struct Origin {
  /// Dimension `dim` of `source`.
  Origin(Value source, int64_t dim) : dim(dim) {
    for (value = beforeLoops(source); !size;) {
      int64_t known = cast<ShapedType>(value.getType()).getDimSize(dim);
      Operation *op = value.getDefiningOp();
      if (ShapedType::isStatic(known))
        size = IntegerAttr::get(IndexType::get(value.getContext()), known);
      else if (auto cast = dyn_cast_if_present<tensor::CastOp>(op))
        value = beforeLoops(cast.getSource());
      else if (auto dps = dyn_cast_if_present<DestinationStyleOpInterface>(op))
        value = beforeLoops(
            dps.getTiedOpOperand(llvm::cast<OpResult>(value))->get());
      else if (auto empty = dyn_cast_if_present<tensor::EmptyOp>(op))
        size = empty.getMixedSizes()[dim];
      else
        break;
    }
  }

  static Origin of(OpFoldResult size) {
    auto computed = dyn_cast<Value>(size);
    Operation *op = computed ? computed.getDefiningOp() : nullptr;
    if (auto query = dyn_cast_if_present<ShapedDimOpInterface>(op))
      if (auto dim = getConstantIntValue(query.getDimension()))
        return {query.getShapedValue(), *dim};
    Origin origin;
    std::optional<int64_t> known = knownIndex(size);
    origin.size = known ? OpFoldResult(IntegerAttr::get(
                              IndexType::get(size.getContext()), *known))
                        : size;
    return origin;
  }

  bool operator==(const Origin &other) const {
    if (size && other.size)
      return isEqualConstantIntOrValue(size, other.size);
    return !size && !other.size && value == other.value && dim == other.dim;
  }

  OpFoldResult size;
  Value value;
  int64_t dim = 0;

private:
  Origin() = default;
};
} // namespace

bool mli::tiling::isSizeOf(OpFoldResult size, Value value, int64_t dim) {
  return Origin::of(size) == Origin(value, dim);
}

OpFoldResult mli::tiling::getInitSize(OpBuilder &builder, Location loc,
                                      Value init, int64_t dim) {
  if (!cast<ShapedType>(init.getType()).isDynamicDim(dim))
    return getSize(builder, loc, init, dim);
  Origin origin(init, dim);
  if (origin.size)
    return getValueOrCreateConstantIndexOp(builder, loc, origin.size);
  return getSize(builder, loc, origin.value, dim);
}

Tile mli::tiling::makeTile(const KernelModel &model,
                           ArrayRef<OpFoldResult> offsets,
                           ArrayRef<OpFoldResult> sizes) {
  Tile tile{llvm::to_vector(offsets), llvm::to_vector(sizes), {}};
  Value init = model.dps().getDpsInits().back();
  for (size_t i = 0; i < model.loops.size(); ++i)
    tile.isWhole.push_back(!offsets[i] ||
                           (knownIndex(offsets[i]) == 0 &&
                            isSizeOf(sizes[i], init, static_cast<int64_t>(i))));
  return tile;
}

static std::string tileText(const Tile &tile, unsigned loop) {
  auto text = [](OpFoldResult value) {
    std::optional<int64_t> known = knownIndex(value);
    return known ? std::to_string(*known) : "?";
  };
  return "offset " + text(tile.offsets[loop]) + " and size " +
         text(tile.sizes[loop]);
}

//===----------------------------------------------------------------------===//
// Tiles that are rejected
//===----------------------------------------------------------------------===//

/// The dimension of `type` that its parameters vary along; -1 if none.
static int32_t getAxis(Type type) {
  auto quantized =
      dyn_cast<QuantizedType>(cast<ShapedType>(type).getElementType());
  return quantized ? quantized.getAxis() : -1;
}

/// Parameters are in the type, so which of them a tile has is known.
static std::optional<MatchFailure> rejectAxisCut(const KernelModel &model,
                                                 const Tile &tile) {
  for (auto [i, uses] : llvm::enumerate(model.operands)) {
    int32_t axis = getAxis(model.op->getOperand(i).getType());
    if (axis < 0 || uses[axis].kind == DimAccess::Kind::Full)
      continue;
    unsigned loop = uses[axis].loop;
    bool isKnown =
        knownIndex(tile.offsets[loop]) && knownIndex(tile.sizes[loop]);
    // N2
    if (!tile.isWhole[loop] && !isKnown)
      return MatchFailure{
          loop, "have a constant offset and size, as it cuts the "
                "quantised axis " +
                    std::to_string(axis) + " of operand " + std::to_string(i)};
  }
  return std::nullopt;
}

/// Tiles are cut before the buffers of local memory get their layouts.
static std::optional<MatchFailure> rejectPlaced(const KernelModel &model,
                                                const Tile &tile) {
  for (auto [i, uses] : llvm::enumerate(model.operands)) {
    auto memref = dyn_cast<MemRefType>(model.op->getOperand(i).getType());
    if (!memref || !isa<LayoutAttr>(memref.getLayout()))
      continue;
    for (DimAccess use : uses)
      // N8
      if (use.kind != DimAccess::Kind::Full && !tile.isWhole[use.loop])
        return MatchFailure{use.loop, "be whole, as operand " +
                                          std::to_string(i) +
                                          " has a layout of local memory"};
  }
  return std::nullopt;
}

std::optional<MatchFailure> mli::tiling::rejectTile(const KernelModel &model,
                                                    const Tile &tile) {
  for (auto [i, kind] : llvm::enumerate(model.loops)) {
    auto loop = static_cast<unsigned>(i);
    // N1
    if (kind != utils::IteratorType::parallel && !tile.isWhole[i])
      return MatchFailure{loop,
                          "be whole, as the kernel needs all of it at once"};
    bool isGroups = llvm::any_of(model.operands.front(), [&](DimAccess use) {
      return use.kind == DimAccess::Kind::Groups && use.loop == loop;
    });
    // N3
    if (isGroups && !tile.isWhole[i] &&
        !getGroupCut(model.groups, tile.offsets[i], tile.sizes[i]))
      return MatchFailure{
          loop, model.groups.filters == 0
                    ? "be whole, as the filters of a group are not known"
                    : "be whole groups of " +
                          std::to_string(model.groups.filters) +
                          " filters, or part of one"};
  }
  if (auto mov = dyn_cast<MovOp>(model.op))
    if (std::optional<MatchFailure> failure = rejectMovTile(mov, tile))
      return failure;
  if (std::optional<MatchFailure> failure = rejectPlaced(model, tile))
    return failure;
  return rejectAxisCut(model, tile);
}

std::optional<MatchFailure>
mli::tiling::rejectInsertion(const KernelModel &model, const Tile &tile,
                             unsigned number) {
  OpOperand *init = model.dps().getDpsInitOperand(number);
  int32_t axis = getAxis(init->get().getType());
  if (axis < 0)
    return std::nullopt;
  unsigned loop = model.operands[init->getOperandNumber()][axis].loop;
  // N6
  if (!tile.isWhole[loop])
    return MatchFailure{loop,
                        "be whole, as the result is quantised along it and no "
                        "tensor takes a tile of other parameters"};
  return std::nullopt;
}

InFlightDiagnostic mli::tiling::diagnose(const KernelModel &model,
                                         const MatchFailure &failure,
                                         const Tile &tile) {
  return model.op->emitOpError("expected tile of dimension ")
         << failure.loop << " to " << failure.condition << ", but got "
         << tileText(tile, failure.loop);
}
