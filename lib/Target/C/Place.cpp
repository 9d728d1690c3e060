// SPDX-License-Identifier: Apache-2.0

#include "Place.h"

#include "mli/Calls/LocalPlace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <numeric>

using namespace mlir;
using namespace mli;
using namespace mli::c;

static int64_t getElementBytes(Type element) {
  return elementWidth(element) / 8;
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// Whether `value` is the allocation of a buffer with a local address.
static AllocOp getLocalAlloc(Value value) {
  auto alloc = value.getDefiningOp<AllocOp>();
  bool isPlaced = alloc && alloc.getAddress() && isLocal(alloc.getType());
  return isPlaced ? alloc : AllocOp();
}

/// What `buffer` is as a base; none if it is no base itself.
static std::optional<Place::Base> getBase(Value buffer) {
  if (auto argument = dyn_cast<BlockArgument>(buffer))
    return isa<func::FuncOp>(argument.getOwner()->getParentOp())
               ? Place::Base::Argument
               : Place::Base::Carried;
  Operation *op = buffer.getDefiningOp();
  if (isa<ConstantOp>(op))
    return Place::Base::Constant;
  if (isa<scf::ForOp, scf::IfOp, arith::SelectOp>(op))
    return Place::Base::Carried;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> c::getKnownStrides(MemRefType type) {
  if (isScattered(type))
    return failure();
  return getStaticStrides(type);
}

/// The type of `buffer`, or the one before casts that forget sizes or strides.
static MemRefType getKnownType(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  while (auto forgets = buffer.getDefiningOp<memref::CastOp>()) {
    buffer = forgets.getSource();
    auto before = dyn_cast<MemRefType>(buffer.getType());
    bool isKnown = type.hasStaticShape() && succeeded(getKnownStrides(type));
    if (isKnown || !before)
      break;
    type = before;
  }
  return type;
}

/// Adds `factor` bytes for each of `index`.
static void addStep(Place &place, OpFoldResult index, int64_t factor) {
  if (std::optional<int64_t> known = getConstantIntValue(index))
    place.bytes += *known * factor;
  else
    place.steps.push_back({cast<Value>(index), factor});
}

/// Adds where a block in local memory begins.
static void addLocalBlock(Place &place, SubtensorOp op) {
  auto source = cast<MemRefType>(op.getSource().getType());
  place.bytes +=
      calls::getLocalDistance(source, op.getStaticOffsets(),
                              op.getStaticSizes(), findTarget(op).getValue());
  for (auto [dim, offset] : llvm::enumerate(op.getMixedOffsets()))
    if (auto index = dyn_cast<Value>(offset))
      addStep(place, index,
              calls::getLocalStep(source, static_cast<int64_t>(dim)));
}

/// Adds where a block of its source begins.
static LogicalResult addBlock(Place &place, OffsetSizeAndStrideOpInterface op) {
  MemRefType source = getKnownType(op->getOperand(0));
  FailureOr<SmallVector<int64_t>> strides = getKnownStrides(source);
  if (failed(strides))
    return op->emitOpError("expected static strides, which C output needs, but "
                           "got ")
           << source;
  int64_t bytes = getElementBytes(source.getElementType());
  for (auto [offset, stride] : llvm::zip_equal(op.getMixedOffsets(), *strides))
    addStep(place, offset, stride * bytes);
  return success();
}

/// Goes from the buffer that `op` defines to the one that it is of.
static FailureOr<Value> stepBack(Operation *op, Place &place) {
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    addStep(place, view.getByteShift(), 1);
    return view.getSource();
  }
  if (auto block = dyn_cast<SubtensorOp>(op);
      block && isLocal(block.getSource().getType())) {
    addLocalBlock(place, block);
    return block.getSource();
  }
  if (isa<SubtensorOp, memref::SubViewOp>(op)) {
    if (failed(addBlock(place, cast<OffsetSizeAndStrideOpInterface>(op))))
      return failure();
    return op->getOperand(0);
  }
  if (isa<ReshapeOp, memref::CastOp, memref::CollapseShapeOp,
          memref::ExpandShapeOp>(op))
    return op->getOperand(0);
  if (isa<memref::AllocOp, memref::AllocaOp, AllocOp>(op))
    return op->emitOpError("expected a buffer in the arena, where "
                           "mli-assign-addresses places those of static sizes, "
                           "but got ")
           << op->getResult(0).getType();
  return op->emitOpError("expected a view of an argument or a constant, but "
                         "got ")
         << op->getResult(0).getType();
}

/// Reports at `buffer` that distances in `place` are more than C has.
static LogicalResult verifyDistances(const Place &place, Value buffer) {
  auto isSmall = [](int64_t number) { return llvm::isInt<32>(number); };
  if (isSmall(place.bytes) && llvm::all_of(place.steps, [&](const auto &step) {
        return isSmall(step.second);
      }))
    return success();
  return emitError(buffer.getLoc(), "expected a buffer and its steps within "
                                    "2147483647 bytes, which C output has, but "
                                    "got ")
         << buffer.getType() << " at " << place.bytes;
}

/// The place of `buffer`, however far it is.
static FailureOr<Place> findAnyPlace(Value buffer) {
  Place place;
  while (true) {
    if (AllocOp alloc = getLocalAlloc(buffer)) {
      place.bytes += *alloc.getAddress();
      return place;
    }
    if (std::optional<Place::Base> base = getBase(buffer)) {
      place.base = *base;
      place.root = buffer;
      return place;
    }
    FailureOr<Value> source = stepBack(buffer.getDefiningOp(), place);
    if (failed(source))
      return failure();
    buffer = *source;
  }
}

FailureOr<Place> c::findPlace(Value buffer) {
  FailureOr<Place> place = findAnyPlace(buffer);
  if (failed(place) || failed(verifyDistances(*place, buffer)))
    return failure();
  return place;
}

int64_t c::findAddressFactor(const Place &place, const layout::Target &target) {
  int64_t factor = std::abs(place.bytes);
  for (const auto &[index, bytes] : place.steps)
    factor = std::gcd(factor, bytes);
  if (place.base == Place::Base::Carried)
    factor =
        std::gcd(factor, layout::getAlignment(getTensorLayout(
                             cast<MemRefType>(place.root.getType()), target)));
  return factor;
}

FailureOr<Extent> c::findExtent(const calls::TensorArgument &tensor) {
  MemRefType type = getKnownType(tensor.operand->get());
  auto reject = [&](StringRef expected) {
    return tensor.operand->getOwner()->emitOpError("expected ")
           << expected << ", which C output needs, but got "
           << tensor.getType();
  };
  if (!type.hasStaticShape())
    return reject("static sizes");
  FailureOr<SmallVector<int64_t>> known = getKnownStrides(type);
  if (failed(known))
    return reject("elements at static strides");
  SmallVector<int64_t> strides = calls::getStrides(type);
  FailureOr<Place> place = findPlace(tensor.operand->get());
  if (failed(place))
    return failure();
  if (!tensor.reshaped.empty())
    return Extent{*place, llvm::to_vector(tensor.reshaped),
                  computeStrides(tensor.reshaped)};
  const calls::Part &part = tensor.block;
  Extent extent = {*place, {}, strides};
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t offset = part.offsets.empty() ? 0 : part.offsets[dim];
    extent.place.bytes +=
        offset * (*known)[dim] * getElementBytes(type.getElementType());
    extent.shape.push_back(part.sizes.empty() ? type.getDimSize(dim) - offset
                                              : part.sizes[dim]);
  }
  // U5
  if (extent.shape.empty()) {
    extent.shape.push_back(1);
    extent.strides.push_back(1);
  }
  if (int64_t bytes = extent.getBytes(tensor.element); bytes > INT32_MAX)
    return reject("at most 2147483647 bytes");
  return extent;
}

int64_t Extent::getBytes(Type element) const {
  int64_t reach = 1;
  for (auto [size, stride] : llvm::zip_equal(shape, strides))
    reach += (size - 1) * stride;
  return reach * getElementBytes(element);
}
