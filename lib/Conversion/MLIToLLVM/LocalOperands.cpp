// SPDX-License-Identifier: Apache-2.0

#include "LocalOperands.h"

#include "StatusChecks.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/MLIParallel.h"
#include "mli/Runtime/C/mli_local.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

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
Value LocalOperands::describe(const calls::LocalPlace &place, Value address) {
  SmallVector<Field> dims, strides;
  for (LayoutDim dim : place.getStructDims())
    dims.push_back(calls.byte(static_cast<int64_t>(dim)));
  for (int64_t stride : place.getStrides())
    strides.push_back(calls.word(stride));
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
  return calls.tensorAt(element, shape, computeStrides(shape), memory);
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
  int64_t distance = 0;
  for (auto [dim, offset] : llvm::enumerate(block.offsets))
    distance += offset * calls::getLocalStep(memref, static_cast<int64_t>(dim));
  return calls.tensorAt(
      memref.getElementType(), calls::getBlockShape(memref, block),
      calls::getStrides(memref),
      getPointer(calls.toValue(calls.shift(address, distance))));
}

Value LocalOperands::view(Type element, const calls::LocalPlace &place,
                          Value address, Access access) {
  Value tensor = denseTensor(element, place.shape, calls.quad(0));
  Value local = describe(place, address);
  recordAccess(local, tensor, access);
  call("mli_local_view", local, tensor);
  return tensor;
}

/// `bytes` of the memory for copies.
Value LocalOperands::takeMemory(int64_t bytes) {
  return calls.sharedScratch(copies.take(bytes), bytes);
}

/// A copy of the block, or of all of the buffer, in which the block is.
Value LocalOperands::copy(Type element, const calls::LocalOperand &operand,
                          Value address, Access access) {
  int64_t bytes = elementWidth(element) / 8;
  Value memory = takeMemory(operand.countElements() * bytes);
  Value tensor = denseTensor(element, operand.place.shape, memory);
  Value local = describe(operand.place, address);
  recordAccess(local, tensor, access);
  if (operand.isGathered)
    call("mli_local_gather", local, tensor);
  // A move sets the shape of its tensor to that of what it moves.
  if (operand.isScattered)
    written.push_back({isa<MovOp>(op)
                           ? denseTensor(element, operand.place.shape, memory)
                           : tensor,
                       local});
  if (!operand.isPart)
    return tensor;
  Value start = LLVM::GEPOp::create(
      builder, op->getLoc(), memory.getType(), builder.getI8Type(), memory,
      LLVM::GEPArg(static_cast<int32_t>(operand.first * bytes)));
  return calls.tensorAt(element, operand.shape, operand.strides, start);
}

Value LocalOperands::tensor(MemRefType memref, Value converted, Access access,
                            calls::Part block) {
  if (!isLocal(memref))
    return calls.tensor(memref, converted, block);
  if (isArgument())
    return inArgument(memref, converted, block);
  calls::LocalOperand operand =
      calls::getLocalOperand(memref, block, access, findTarget(op).getValue());
  Type element = memref.getElementType();
  return operand.isView ? view(element, operand.place, converted, access)
                        : copy(element, operand, converted, access);
}

void LocalOperands::writeBack() {
  for (const Written &operand : written)
    call("mli_local_scatter", operand.tensor, operand.local);
}

void LocalOperands::move(const calls::LocalMove &move, const Block &source,
                         const Block &target) {
  if (move.isToLocal) {
    Value tensor = this->tensor(source.memref, source.converted, Access::Read,
                                move.getSource());
    Value local = describe(move.place, target.converted);
    recordAccess(local, tensor, Access::Write);
    call("mli_local_scatter", tensor, local);
    return;
  }
  Value tensor =
      calls.tensor(target.memref, target.converted, move.getTarget());
  Value local = describe(move.place, source.converted);
  recordAccess(local, tensor, Access::Read);
  call("mli_local_gather", local, tensor);
}

void LocalOperands::copyElements(const Block &source, const Block &target) {
  const layout::Target &numbers = findTarget(op).getValue();
  calls::LocalPlace from =
      *calls::findLocalPlace(source.memref, source.part, numbers);
  calls::LocalPlace to =
      *calls::findLocalPlace(target.memref, target.part, numbers);
  Type element = source.memref.getElementType();
  Value memory = takeMemory(ShapedType::getNumElements(from.shape) *
                            (elementWidth(element) / 8));
  Value local = describe(from, source.converted);
  Value tensor = denseTensor(element, from.shape, memory);
  recordAccess(local, tensor, Access::Read);
  call("mli_local_gather", local, tensor);
  local = describe(to, target.converted);
  tensor = denseTensor(element, to.shape, memory);
  recordAccess(local, tensor, Access::Write);
  call("mli_local_scatter", tensor, local);
}

void LocalOperands::poison(MemRefType memref, Value address) {
  if (isArgument())
    return;
  calls::LocalPlace place =
      *calls::findLocalPlace(memref, {}, findTarget(op).getValue());
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
