// SPDX-License-Identifier: Apache-2.0

#include "BufferCopies.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/Contract/Contract.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

/// The tensor that `value` is written into or is a view of; null for others.
static Value getAliasSource(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (isa<tensor::ExtractSliceOp, SubtensorOp, ReshapeOp>(op))
    return op->getOperand(0);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return insert.getDest();
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  return kernel ? kernel.getTiedOpOperand(cast<OpResult>(value))->get()
                : Value();
}

/// The first operation after `writer` in its block that uses `value`.
static Operation *findNextUser(Value value, Operation *writer) {
  Operation *next = nullptr;
  for (Operation *user : value.getUsers())
    if (user != writer && user->getBlock() == writer->getBlock() &&
        writer->isBeforeInBlock(user) && (!next || user->isBeforeInBlock(next)))
      next = user;
  return next;
}

bool mli::isReadOnly(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? isa<FunctionOpInterface>(argument.getOwner()->getParentOp())
                  : matchPattern(value, m_Constant());
}

/// Why `writer` can not write to the buffer of `value` itself.
static CopyCause getConflictCause(Operation *writer, Value value) {
  CopyCause cause{CopyReason::still_needed,
                  ("expected the destination of '" +
                   writer->getName().getStringRef() +
                   "' to have no later use, but got ")
                      .str(),
                  "a tensor that the function computes itself"};
  for (; value; value = getAliasSource(value)) {
    if (isReadOnly(value)) {
      cause.text += isa<BlockArgument>(value)
                        ? "an argument, which the caller keeps"
                        : "a constant";
      return cause;
    }
    if (Operation *reader = findNextUser(value, writer)) {
      cause.text +=
          ("one that '" + reader->getName().getStringRef() + "' reads after it")
              .str();
      cause.alternative = "reading it before that";
      return cause;
    }
  }
  cause.text += "one that has";
  cause.alternative = "reading it before that";
  return cause;
}

BufferCopies::BufferCopies(ModuleOp module) {
  int64_t next = 0;
  module.walk([&](func::FuncOp function) { functions[function] = next++; });
}

void BufferCopies::note(Operation *op, CopyCause cause) {
  auto key = DistinctAttr::create(UnitAttr::get(op->getContext()));
  op->setDiscardableAttr(causeAttrName, key);
  causes[key] = std::move(cause);
}

void BufferCopies::noteInsertion(Operation *op) {
  auto insertion = dyn_cast<tensor::InsertSliceOp>(op);
  SliceView view =
      insertion ? getSliceView(insertion.getDestType(), *Slice::of(op), {})
                : SliceView();
  if (view.cause && view.cause->reason)
    return note(op, *view.cause);
  note(op, {CopyReason::placed_elsewhere,
            "expected the source of 'tensor.insert_slice' to be computed in "
            "its destination, but got " +
                describeProducer(op->getOperand(0), op->getBlock()),
            "a kernel that writes it there"});
}

void BufferCopies::noteInit(Operation *op, Operation *writer) {
  Value begin = op->getOperand(0);
  if (isReadOnly(begin))
    return note(op, getConflictCause(writer, begin));
  Operation *source = begin.getDefiningOp();
  std::string got = "a value that a loop carries";
  if (isa_and_nonnull<bufferization::ToTensorOp>(source))
    got = "the destination of other insertions";
  else if (source)
    got = "a value of '" + source->getName().getStringRef().str() + "'";
  note(op,
       {CopyReason::placed_elsewhere,
        "expected the destination of many insertions to be an empty tensor, "
        "an argument, a constant or the result of a kernel, but got " +
            got,
        "inserting them into an empty tensor"});
}

void BufferCopies::noteCauses(ModuleOp module) {
  module.walk([&](bufferization::AllocTensorOp op) {
    if (op.getCopy() && !op->use_empty())
      note(op, getConflictCause(*op->user_begin(), op.getCopy()));
  });
  module.walk([&](tensor::InsertSliceOp op) { noteInsertion(op); });
}

//===----------------------------------------------------------------------===//
// Causes
//===----------------------------------------------------------------------===//

/// Why the result `from` of a function is not computed in its out parameter.
static CopyCause getResultCause(func::ReturnOp op, Value from, StringRef got) {
  auto operand = llvm::find(op.getOperands(), from);
  std::string which =
      operand == op.getOperands().end()
          ? "the result"
          : "result " + std::to_string(operand - op.getOperands().begin());
  return {CopyReason::placed_elsewhere,
          ("expected " + which +
           " to be computed in the buffer that the caller passes, but got " +
           got)
              .str(),
          "a kernel that writes it there"};
}

/// Describes `buffer`, which is returned.
static std::string describeResult(Value buffer) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  if (!alloc)
    return describeProducer(buffer, buffer.getParentBlock());
  return alloc.getType().hasStaticShape() ? "the buffer of another result"
                                          : "a buffer of dynamic size";
}

/// Why the kernel `op` does not take `from` as an input, or `to` as an init, as
/// it is.
static std::optional<CopyCause> getKernelCause(Operation *op, Value from,
                                               Value to) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  for (Value buffer : {from, to}) {
    auto type = cast<MemRefType>(buffer.getType());
    for (OpOperand &operand : op->getOpOperands()) {
      auto operandType = dyn_cast<ShapedType>(operand.get().getType());
      if (!operandType || operandType.getShape() != type.getShape() ||
          operandType.getElementType() != type.getElementType() ||
          (buffer == to && !(kernel && kernel.isDpsInit(&operand))))
        continue;
      if (std::optional<CopyCause> cause = getCopyCause(operand, type))
        return cause;
    }
  }
  return std::nullopt;
}

CopyCause BufferCopies::getCause(Operation *op, Value from, Value to) {
  if (Attribute key = op->getDiscardableAttr(causeAttrName))
    if (auto found = causes.find(key); found != causes.end())
      return found->second;
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return getResultCause(end, from, describeResult(from));
  if (isa_and_nonnull<MLIDialect>(op->getDialect()))
    if (std::optional<CopyCause> cause = getKernelCause(op, from, to))
      return *cause;
  return {CopyReason::placed_elsewhere,
          ("expected the operand of '" + op->getName().getStringRef() +
           "' to be computed in its buffer, but got another one")
              .str(),
          "a kernel that writes it there"};
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The buffer that `buffer` is a view of, or the tensor that becomes it.
static Value findViewedBuffer(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      buffer = view.getViewSource();
    else if (auto tensor = dyn_cast<bufferization::ToBufferOp>(op))
      buffer = tensor.getTensor();
    else if (auto memory = dyn_cast<bufferization::ToTensorOp>(op))
      buffer = memory.getBuffer();
    else
      break;
  }
  return buffer;
}

static bool areSameSlices(Operation *left, Operation *right);

/// The strides of the dimensions of `type` with more than one index, and its
/// offset.
static std::pair<SmallVector<int64_t>, int64_t>
getUsedStrides(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<int64_t> taken;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
    if (size != 1)
      taken.push_back(stride);
  return {taken, offset};
}

/// Whether both are views of the same elements in the same order.
static bool isSameMemory(Value one, Value other) {
  if (one == other)
    return true;
  auto left = cast<MemRefType>(one.getType());
  auto right = cast<MemRefType>(other.getType());
  if (left.getShape() != right.getShape() ||
      getUsedStrides(left) != getUsedStrides(right))
    return false;
  auto [strides, offset] = getUsedStrides(left);
  if (!ShapedType::isDynamic(offset) && !ShapedType::isDynamicShape(strides))
    return findViewedBuffer(one) == findViewedBuffer(other);
  Operation *from = stripReshapes(one).getDefiningOp();
  Operation *to = stripReshapes(other).getDefiningOp();
  return from && to && areSameSlices(from, to);
}

/// Whether both are the same slice of the same memory.
static bool areSameSlices(Operation *left, Operation *right) {
  auto one = dyn_cast<OffsetSizeAndStrideOpInterface>(left);
  auto other = dyn_cast<OffsetSizeAndStrideOpInterface>(right);
  return one && other && one.getMixedOffsets() == other.getMixedOffsets() &&
         one.getMixedSizes() == other.getMixedSizes() &&
         one.getMixedStrides() == other.getMixedStrides() &&
         isSameMemory(left->getOperand(0), right->getOperand(0));
}

/// Creates loops that copy element by element.
static void copyElements(OpBuilder &builder, Location loc, Value from,
                         Value to) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  int64_t rank = cast<MemRefType>(from.getType()).getRank();
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < rank; ++i)
    sizes.push_back(memref::DimOp::create(builder, loc, from, i));
  scf::buildLoopNest(
      builder, loc, SmallVector<Value>(rank, zero), sizes,
      SmallVector<Value>(rank, one),
      [&](OpBuilder &inner, Location loc, ValueRange indices) {
        Value element = memref::LoadOp::create(inner, loc, from, indices);
        memref::StoreOp::create(inner, loc, element, to, indices);
      });
}

/// Creates a copy: by the runtime, which takes strides, but not all ranks and
/// no quantisation along an axis; by `memref.copy`, if both are contiguous; or
/// else by loops.
static void createCopy(OpBuilder &builder, Location loc, Value from, Value to,
                       CopyReasonAttr reason) {
  auto isDense = [](Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    return type.getLayout().isIdentity() ||
           memref::isStaticShapeAndContiguousRowMajor(type);
  };
  auto type = cast<MemRefType>(from.getType());
  Type element = type.getElementType();
  auto quantized = dyn_cast<QuantizedType>(element);
  bool isRuntimeType = element.isF32() || (quantized && !quantized.isPerAxis());
  if ((isRuntimeType && contract::rankRange.contains(type.getRank())) ||
      mli::isLocal(from.getType()) || mli::isLocal(to.getType()))
    MovOp::create(builder, loc, from, to, reason);
  else if (isDense(from) && isDense(to))
    memref::CopyOp::create(builder, loc, from, to);
  else
    copyElements(builder, loc, from, to);
}

LogicalResult BufferCopies::copy(OpBuilder &builder, Location loc, Value from,
                                 Value to) {
  if (isSameMemory(from, to))
    return success();
  int64_t rank = cast<MemRefType>(from.getType()).getRank();
  bool isOfLocal = mli::isLocal(from.getType()) || mli::isLocal(to.getType());
  if (isOfLocal && rank > contract::rankRange.most)
    return emitError(loc, "expected a copy in local memory to have at most ")
           << contract::rankRange.most << " dimensions, but got " << rank;
  Block *block = builder.getInsertionBlock();
  Operation *op = builder.getInsertionPoint() == block->end()
                      ? block->getParentOp()
                      : &*builder.getInsertionPoint();
  createCopy(builder, loc, from, to, add(op, getCause(op, from, to), from));
  return success();
}

CopyReasonAttr BufferCopies::add(Operation *op, const CopyCause &cause,
                                 Value copied) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    function = op->getParentOfType<func::FuncOp>();
  copies.emplace(functions.lookup(function),
                 Copy{op->getLoc(), cause, cast<ShapedType>(copied.getType())});
  return getReasonAttr(op->getContext(), cause);
}

void BufferCopies::report(CopyRemarks &remarks) {
  for (const auto &[function, copy] : copies)
    remarks.addCopy(copy.loc, copy.cause, copy.copied);
}

void BufferCopies::separateResults(func::ReturnOp op) {
  OpBuilder builder(op);
  llvm::SmallPtrSet<Value, 4> seen;
  for (OpOperand &operand : op->getOpOperands()) {
    Value buffer = operand.get();
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type || !type.hasStaticShape() || seen.insert(buffer).second)
      continue;
    Value own = memref::AllocOp::create(builder, op.getLoc(), type);
    operand.set(own);
    CopyCause cause = getResultCause(op, own, "the buffer of another result");
    createCopy(builder, op.getLoc(), buffer, own, add(op, cause, own));
  }
}
