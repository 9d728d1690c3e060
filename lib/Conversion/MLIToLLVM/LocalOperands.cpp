// SPDX-License-Identifier: Apache-2.0

#include "LocalOperands.h"

#include "StatusChecks.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/MLIParallel.h"
#include "mli/Runtime/C/mli_local.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static int64_t getBytes(MemRefType memref) {
  return elementWidth(memref.getElementType()) / 8;
}

/// The rest of `shape` after the offsets of `block`, or its sizes.
static SmallVector<int64_t> getShape(ArrayRef<int64_t> shape,
                                     calls::Part block) {
  if (!block.sizes.empty())
    return llvm::to_vector(block.sizes);
  SmallVector<int64_t> left(shape);
  for (auto [i, offset] : llvm::enumerate(block.offsets))
    left[i] -= offset;
  return left;
}

/// The last dimensions of local memory, for `rank` dimensions in order.
static ArrayRef<LayoutDim> lastDims(int64_t rank) {
  static constexpr LayoutDim dims[] = {LayoutDim::n, LayoutDim::c, LayoutDim::h,
                                       LayoutDim::w};
  return ArrayRef(dims).take_back(rank);
}

static constexpr int64_t layout::Dims::*getStrides[] = {
    &layout::Dims::n, &layout::Dims::c, &layout::Dims::h, &layout::Dims::w};

int64_t mli::getLocalStep(MemRefType memref, int64_t dim) {
  auto layout = dyn_cast<LayoutAttr>(memref.getLayout());
  if (!layout)
    return memref.getStridesAndOffset().first[dim] * getBytes(memref);
  layout::Dims strides = layout.getStrides();
  auto role = static_cast<size_t>(layout.getDims()[dim]);
  return strides.*getStrides[role] * layout::packFactor(layout.getMode()) *
         getBytes(memref);
}

int64_t mli::getLocalDistance(MemRefType source, ArrayRef<int64_t> offsets,
                              ArrayRef<int64_t> sizes,
                              const layout::Target &target) {
  if (auto layout = dyn_cast<LayoutAttr>(source.getLayout())) {
    layout::Result<layout::Subtensor> part =
        getSubtensor(source, offsets, sizes, target);
    assert(part && "the verifier has looked");
    return layout::getAddress(part->layout) -
           layout::getAddress({layout.getStartNpu(), 0}, target);
  }
  int64_t distance = 0;
  for (auto [dim, offset] : llvm::enumerate(offsets))
    if (ShapedType::isStatic(offset))
      distance += offset * getLocalStep(source, static_cast<int64_t>(dim));
  return distance;
}

std::optional<LocalOperands::Place> LocalOperands::find(MemRefType memref,
                                                        calls::Part block) {
  const layout::Target &target = findTarget(op).getValue();
  SmallVector<int64_t> sizes = getShape(memref.getShape(), block);
  SmallVector<int64_t> offsets(block.offsets);
  offsets.resize(sizes.size(), 0);
  bool isWhole = ArrayRef(sizes) == memref.getShape();
  auto layout = dyn_cast<LayoutAttr>(memref.getLayout());
  Place place = {
      layout::Kind::Strided, layout::Mode::None, 0, {}, {}, 0, sizes};
  if (!layout) {
    place.dims.assign(lastDims(memref.getRank()).begin(),
                      lastDims(memref.getRank()).end());
    place.strides = {0, 0, 0, 0};
    for (auto [i, dim] : llvm::enumerate(place.dims))
      place.strides.*getStrides[static_cast<size_t>(dim)] =
          getLocalStep(memref, static_cast<int64_t>(i)) / getBytes(memref);
    place.distance = getLocalDistance(memref, offsets, sizes, target);
    return place;
  }
  if (!isWhole) {
    layout::Result<layout::Subtensor> part =
        getSubtensor(memref, offsets, sizes, target);
    if (!part)
      return std::nullopt;
    place.distance = getLocalDistance(memref, offsets, sizes, target);
    layout = LayoutAttr::get(op->getContext(), part->layout, layout.getDims());
  }
  place.kind = layout.getKind();
  place.mode = layout.getMode();
  place.columns = layout.getColumns();
  place.strides = layout.getStrides();
  place.dims.assign(layout.getDims().begin(), layout.getDims().end());
  return place;
}

// The struct built below has no padding.
static_assert(sizeof(mli_local_tensor) == 36 &&
              offsetof(mli_local_tensor, address) == 0 &&
              offsetof(mli_local_tensor, strides) == 4 &&
              offsetof(mli_local_tensor, kind) == 20 &&
              offsetof(mli_local_tensor, mode) == 24 &&
              offsetof(mli_local_tensor, columns) == 28 &&
              offsetof(mli_local_tensor, dims) == 32);

// Kinds, modes and dimensions are those of the Layout library in both.
static_assert(MLI_LOCAL_STRIDED == static_cast<int>(layout::Kind::Strided) &&
              MLI_LOCAL_MODE_2IC == static_cast<int>(layout::Mode::TwoIC) &&
              MLI_LOCAL_DIM_W == static_cast<int>(LayoutDim::w));

/// A pointer to an `mli_local_tensor` for `place` in a buffer at `address`.
Value LocalOperands::describe(const Place &place, Value address) {
  SmallVector<Field> dims, strides;
  for (LayoutDim dim : place.dims)
    dims.push_back(calls.byte(static_cast<int64_t>(dim)));
  // A scalar is described as one dimension.
  dims.resize(MLI_MAX_RANK, calls.byte(MLI_LOCAL_DIM_W));
  for (int64_t layout::Dims::*stride : getStrides)
    strides.push_back(calls.word(place.strides.*stride));
  return calls.readOnly({calls.shift(address, place.distance),
                         calls.words(strides),
                         calls.word(static_cast<int64_t>(place.kind)),
                         calls.word(static_cast<int64_t>(place.mode)),
                         calls.word(place.columns), calls.bytes(dims)});
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void LocalOperands::call(StringRef name, Value first, Value second) {
  calls.checkedCall(name, {first, second}, describeCall(op));
}

Value LocalOperands::denseTensor(Type element, ArrayRef<int64_t> shape,
                                 const Field &memory) {
  int64_t bytes =
      ShapedType::getNumElements(shape) * (elementWidth(element) / 8);
  return calls.tensorAt(element, shape, computeStrides(shape), memory, bytes);
}

/// Which engine reads, or writes, what is at `local` and in the shape of
/// `tensor`, where two of them run at the same time.
void LocalOperands::recordAccess(Value local, Value tensor, Access access) {
  if (!op->hasAttr(parallelAttrName))
    return;
  Value engine =
      calls.i32(ParallelOp::isMove(op) ? MLI_LOCAL_MOVES : MLI_LOCAL_KERNELS);
  calls.checkedCall(
      "mli_local_use",
      {local, tensor, engine, calls.i32(access == Access::Read ? 0 : 1)},
      describeCall(op));
}

Value LocalOperands::getPointer(Value address) {
  if (Value memory = calls.findMemory(localAttrName))
    return calls.addressIn(memory, address);
  return calls.call("okk_local_mem_addr", {calls.i32(0), address},
                    LLVM::LLVMPointerType::get(op->getContext()));
}

/// A tensor for the block, which is in the argument that is local memory.
Value LocalOperands::inArgument(MemRefType memref, Value address,
                                calls::Part block) {
  SmallVector<int64_t> shape = getShape(memref.getShape(), block);
  SmallVector<int64_t> strides = calls::getStrides(memref);
  int64_t distance = 0, reach = 1;
  for (auto [dim, offset] : llvm::enumerate(block.offsets))
    distance += offset * getLocalStep(memref, static_cast<int64_t>(dim));
  for (auto [size, stride] : llvm::zip_equal(shape, strides))
    reach += (size - 1) * stride;
  return calls.tensorAt(
      memref.getElementType(), shape, strides,
      getPointer(calls.toValue(calls.shift(address, distance))),
      reach * getBytes(memref));
}

Value LocalOperands::view(MemRefType memref, const Place &place, Value address,
                          Access access) {
  Value tensor =
      denseTensor(memref.getElementType(), place.shape, calls.quad(0));
  Value local = describe(place, address);
  recordAccess(local, tensor, access);
  call("mli_local_view", local, tensor);
  return tensor;
}

/// `bytes` of scratch memory, which start at `offset`.
Value LocalOperands::scratch(int64_t bytes, int64_t &offset) {
  offset = scratchUsed;
  scratchUsed += static_cast<int64_t>(llvm::alignTo(bytes, 64));
  return calls.sharedScratch(offset, bytes);
}

/// A copy of the block, or, where that has no layout of its own, of the whole,
/// in which the block is.
Value LocalOperands::copy(MemRefType memref, Value address, Access access,
                          calls::Part block) {
  Type element = memref.getElementType();
  std::optional<Place> place = find(memref, block);
  bool isDisjoint = place.has_value();
  if (!isDisjoint)
    place = find(memref, {});
  int64_t offset;
  Value memory = scratch(
      ShapedType::getNumElements(place->shape) * getBytes(memref), offset);
  Value tensor = denseTensor(element, place->shape, memory);
  Value local = describe(*place, address);
  recordAccess(local, tensor, access);
  if (access != Access::Write || !isDisjoint)
    call("mli_local_gather", local, tensor);
  // A move sets the shape of its tensor to that of what it moves.
  if (access != Access::Read)
    written.push_back(
        {isa<MovOp>(op) ? denseTensor(element, place->shape, memory) : tensor,
         local});
  if (isDisjoint)
    return tensor;
  SmallVector<int64_t> strides = computeStrides(memref.getShape());
  int64_t first = 0, last = 0;
  SmallVector<int64_t> shape = getShape(memref.getShape(), block);
  for (auto [i, stride] : llvm::enumerate(strides)) {
    first += block.offsets[i] * stride;
    last += (shape[i] - 1) * stride;
  }
  Value start = LLVM::GEPOp::create(
      builder, op->getLoc(), memory.getType(), builder.getI8Type(), memory,
      LLVM::GEPArg(static_cast<int32_t>(first * getBytes(memref))));
  return calls.tensorAt(element, shape, strides, start,
                        (last + 1) * getBytes(memref));
}

Value LocalOperands::tensor(MemRefType memref, Value converted, Access access,
                            calls::Part block) {
  if (!isLocal(memref))
    return calls.tensor(memref, converted, block);
  if (isArgument())
    return inArgument(memref, converted, block);
  int64_t offset;
  SmallVector<int64_t> strides;
  if (!isScattered(memref) && memref.getRank() > 0 &&
      succeeded(memref.getStridesAndOffset(strides, offset)))
    if (std::optional<Place> place = find(memref, block))
      return view(memref, *place, converted, access);
  return copy(memref, converted, access, block);
}

void LocalOperands::writeBack() {
  for (const Written &operand : written)
    call("mli_local_scatter", operand.tensor, operand.local);
}

bool LocalOperands::move(MemRefType local, Value address, calls::Part block,
                         llvm::function_ref<Value()> makeTensor, bool toLocal) {
  std::optional<Place> place = find(local, block);
  if (!place)
    return false;
  Value tensor = makeTensor();
  Value description = describe(*place, address);
  recordAccess(description, tensor, toLocal ? Access::Write : Access::Read);
  if (toLocal)
    call("mli_local_scatter", tensor, description);
  else
    call("mli_local_gather", description, tensor);
  return true;
}

void LocalOperands::copyElements(const Block &source, const Block &target) {
  std::optional<Place> from = find(source.memref, source.part);
  std::optional<Place> to = find(target.memref, target.part);
  Type element = source.memref.getElementType();
  int64_t offset;
  Value memory =
      scratch(ShapedType::getNumElements(from->shape) * getBytes(source.memref),
              offset);
  Value local = describe(*from, source.address);
  Value tensor = denseTensor(element, from->shape, memory);
  recordAccess(local, tensor, Access::Read);
  call("mli_local_gather", local, tensor);
  local = describe(*to, target.address);
  tensor = denseTensor(element, to->shape, memory);
  recordAccess(local, tensor, Access::Write);
  call("mli_local_scatter", tensor, local);
}

void LocalOperands::poison(MemRefType memref, Value address) {
  if (isArgument())
    return;
  Place place = *find(memref, {});
  Value tensor = calls.getShape(memref.getElementType(), place.shape,
                                computeStrides(place.shape));
  call("mli_local_poison", describe(place, address), tensor);
}

//===----------------------------------------------------------------------===//
// Target
//===----------------------------------------------------------------------===//

static_assert(sizeof(mli_local_target) == 20 &&
              offsetof(mli_local_target, npus) == 0 &&
              offsetof(mli_local_target, npu_bytes) == 4 &&
              offsetof(mli_local_target, banks) == 8 &&
              offsetof(mli_local_target, unit) == 12 &&
              offsetof(mli_local_target, dma_align) == 16);

/// Whether there are buffers in local memory in `function`.
static bool hasLocalBuffers(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isLocal)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void mli::prepareLocalMemory(func::FuncOp function,
                             SymbolTableCollection &symbols) {
  auto isMemory = [&](BlockArgument argument) {
    return function.getArgAttr(argument.getArgNumber(), localAttrName);
  };
  if (function.isExternal() || !hasLocalBuffers(function) ||
      llvm::any_of(function.getArguments(), isMemory))
    return;
  const layout::Target &target = findTarget(function).getValue();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  CallBuilder calls(
      builder, function.getLoc(),
      symbols.getSymbolTable(function->getParentOfType<ModuleOp>()));
  Value numbers =
      calls.readOnly({calls.word(target.npus),
                      calls.word(static_cast<int32_t>(target.npuBytes)),
                      calls.word(static_cast<int32_t>(target.banks)),
                      calls.word(static_cast<int32_t>(target.unit)),
                      calls.word(static_cast<int32_t>(target.dmaAlignment))});
  calls.checkedCall("mli_local_prepare", numbers, describeCall(function));
}
