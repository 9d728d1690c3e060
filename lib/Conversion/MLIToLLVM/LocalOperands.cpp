// SPDX-License-Identifier: Apache-2.0

#include "LocalOperands.h"

#include "StatusChecks.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/MLIParallel.h"
#include "mli/Runtime/C/mli_local_calls.h"

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
  Field first = calls.shift(address, place.distance);
  auto getFields = [&]() -> SmallVector<Field> {
    SmallVector<Field> dims, strides;
    for (LayoutDim dim : place.getStructDims())
      dims.push_back(calls.byte(static_cast<int64_t>(dim)));
    for (int64_t stride : place.getStrides())
      strides.push_back(calls.word(stride));
    return {first,
            calls.words(strides),
            calls.word(static_cast<int64_t>(place.kind)),
            calls.word(static_cast<int64_t>(place.mode)),
            calls.word(place.columns),
            calls.bytes(dims)};
  };
  if (!first.getKnown())
    return calls.readOnly(getFields());
  SmallVector<int64_t, 16> numbers = {
      *first.getKnown(), static_cast<int64_t>(place.kind),
      static_cast<int64_t>(place.mode), place.columns};
  for (LayoutDim dim : place.getStructDims())
    numbers.push_back(static_cast<int64_t>(dim));
  llvm::append_range(numbers, place.getStrides());
  return calls.readOnly(CallBuilder::Cached::Place, numbers, getFields);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value LocalOperands::denseTensor(Type element, ArrayRef<int64_t> shape,
                                 const Field &memory) {
  return calls.tensorAt(element, shape, computeStrides(shape), memory);
}

/// What calls look at that move, or place, dense elements.
Value LocalOperands::getType(Type element, ArrayRef<int64_t> shape) {
  return calls.getShape(element, shape, computeStrides(shape), Params::None);
}

// Accesses are numbered by engine, then by whether they write.
static_assert(MLI_LOCAL_READ_BY_MOVE == 1 + 2 * MLI_LOCAL_MOVES &&
              MLI_LOCAL_WRITTEN_BY_MOVE == 2 + 2 * MLI_LOCAL_MOVES &&
              MLI_LOCAL_READ_BY_KERNEL == 1 + 2 * MLI_LOCAL_KERNELS &&
              MLI_LOCAL_WRITTEN_BY_KERNEL == 2 + 2 * MLI_LOCAL_KERNELS);

/// Which engine reads, or writes, an operand, where two of them run at the same
/// time.
Value LocalOperands::getAccess(Access access) {
  if (!op->getDiscardableAttr(parallelAttrName))
    return calls.i32(MLI_LOCAL_UNDECLARED);
  int64_t engine = ParallelOp::isMove(op) ? MLI_LOCAL_MOVES : MLI_LOCAL_KERNELS;
  return calls.i32(1 + 2 * engine + (access == Access::Read ? 0 : 1));
}

/// Declares the access of an operand that no other call does.
void LocalOperands::recordAccess(Value local, Value tensor, Access access) {
  if (op->getDiscardableAttr(parallelAttrName))
    calls.chainedCall("mli_local_declare", {local, tensor, getAccess(access)},
                      op);
}

void LocalOperands::load(const CallBuilder::Described &source, Value local,
                         Value access) {
  calls.chainedCall("mli_local_load",
                    {source.type, source.first, local, access}, op);
}

void LocalOperands::store(Value local, const CallBuilder::Described &target,
                          Value access) {
  calls.chainedCall("mli_local_store",
                    {local, target.type, target.first, access}, op);
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
  Value type = calls.getShape(element, place.shape, computeStrides(place.shape),
                              Params::Known);
  Value tensor = calls.bytesOnStack(sizeof(mli_tensor));
  calls.chainedCall("mli_local_operand",
                    {describe(place, address), type, calls.paramLists(element),
                     getAccess(access), tensor},
                    op);
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
  CallBuilder::Described copied = {getType(element, operand.place.shape),
                                   takeMemory(operand.countElements() * bytes)};
  Value local = describe(operand.place, address);
  if (operand.isGathered)
    store(local, copied, getAccess(access));
  else
    recordAccess(local, copied.type, access);
  if (operand.isScattered)
    written.push_back({copied, local});
  Value memory = copied.first;
  if (!operand.isPart)
    return denseTensor(element, operand.place.shape, memory);
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
    load(operand.copied, operand.local, calls.i32(MLI_LOCAL_UNDECLARED));
}

void LocalOperands::move(const calls::LocalMove &move, const Block &source,
                         const Block &target) {
  // Each operation is made in a statement of its own: compilers choose the
  // order of arguments.
  if (!move.isToLocal) {
    Value local = describe(move.place, source.converted);
    CallBuilder::Described elements =
        calls.elements(target.memref, target.converted, move.getTarget());
    return store(local, elements, getAccess(Access::Read));
  }
  if (!isLocal(source.memref)) {
    CallBuilder::Described elements =
        calls.elements(source.memref, source.converted, move.getSource());
    Value local = describe(move.place, target.converted);
    return load(elements, local, getAccess(Access::Write));
  }
  Value tensor = this->tensor(source.memref, source.converted, Access::Read,
                              move.getSource());
  Value local = describe(move.place, target.converted);
  recordAccess(local, tensor, Access::Write);
  calls.checkedCall("mli_local_scatter", {tensor, local}, op);
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
  CallBuilder::Described copied = {getType(element, from.shape), memory};
  store(local, copied, getAccess(Access::Read));
  copied.type = getType(element, to.shape);
  local = describe(to, target.converted);
  load(copied, local, getAccess(Access::Write));
}

void LocalOperands::poison(MemRefType memref, Value address) {
  if (isArgument())
    return;
  calls::LocalPlace place =
      *calls::findLocalPlace(memref, {}, findTarget(op).getValue());
  calls.chainedCall(
      "mli_local_alloc",
      {describe(place, address), getType(memref.getElementType(), place.shape)},
      op);
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

void mli::prepareLocalMemory(func::FuncOp function, CallSymbols &symbols) {
  auto isMemory = [&](BlockArgument argument) {
    return function.getArgAttr(argument.getArgNumber(), localAttrName);
  };
  if (function.isExternal() || !hasLocalBuffers(function) ||
      llvm::any_of(function.getArguments(), isMemory))
    return;
  const layout::Target &target = findTarget(function).getValue();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  CallBuilder calls(builder, function.getLoc(), symbols,
                    function->getParentOfType<ModuleOp>());
  Value numbers =
      calls.readOnly({calls.word(target.npus),
                      calls.word(static_cast<int32_t>(target.npuBytes)),
                      calls.word(static_cast<int32_t>(target.banks)),
                      calls.word(static_cast<int32_t>(target.unit)),
                      calls.word(static_cast<int32_t>(target.dmaAlignment))});
  calls.checkedCall("mli_local_prepare", numbers, function);
}
