// SPDX-License-Identifier: Apache-2.0

#include "BufferCopies.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/LocalMemory.h"
#include "mli/Quant/Contract.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

/// What `value` is written into or seen in; null if it is the first.
static Value comesFrom(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<tensor::ExtractSliceOp, SubtensorOp, ReshapeOp>(
          [](auto view) { return view.getSource(); })
      .Case([](tensor::InsertSliceOp insert) { return insert.getDest(); })
      .Case([&](DestinationStyleOpInterface kernel) {
        return kernel.getTiedOpOperand(cast<OpResult>(value))->get();
      })
      .Default([](Operation *) { return Value(); });
}

/// The next operation behind `writer` that uses `value`.
static Operation *findReader(Value value, Operation *writer) {
  Operation *next = nullptr;
  for (Operation *user : value.getUsers())
    if (user != writer && user->getBlock() == writer->getBlock() &&
        writer->isBeforeInBlock(user) && (!next || user->isBeforeInBlock(next)))
      next = user;
  return next;
}

bool mli::isKept(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? isa<FunctionOpInterface>(argument.getOwner()->getParentOp())
                  : matchPattern(value, m_Constant());
}

/// Why `writer` does not get the buffer of `value` itself.
static CopyCause conflictOf(Operation *writer, Value value) {
  CopyCause cause{CopyReason::still_needed,
                  ("expected what '" + writer->getName().getStringRef() +
                   "' writes to be needed by no one else, but got ")
                      .str(),
                  "a tensor that the function computes itself"};
  for (; value; value = comesFrom(value)) {
    if (isKept(value)) {
      cause.text += isa<BlockArgument>(value)
                        ? "an argument, which the caller keeps"
                        : "a constant";
      return cause;
    }
    if (Operation *reader = findReader(value, writer)) {
      cause.text += ("one that '" + reader->getName().getStringRef() +
                     "' reads behind it")
                        .str();
      cause.alternative = "reading it before that";
      return cause;
    }
  }
  cause.text += "one that is";
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
            "its place, but got " +
                whyElsewhere(op->getOperand(0), op->getBlock()),
            "a kernel that writes it there"});
}

void BufferCopies::noteBegin(Operation *op, Operation *writer) {
  Value begin = op->getOperand(0);
  if (isKept(begin))
    return note(op, conflictOf(writer, begin));
  Operation *source = begin.getDefiningOp();
  std::string got = "what a loop carries";
  if (isa_and_nonnull<bufferization::ToTensorOp>(source))
    got = "what other parts are inserted into";
  else if (source)
    got = "a value of '" + source->getName().getStringRef().str() + "'";
  note(op, {CopyReason::placed_elsewhere,
            "expected what many parts are inserted into to be empty, an "
            "argument, a constant or what a kernel computes, but got " +
                got,
            "inserting them into an empty tensor"});
}

void BufferCopies::noteCauses(ModuleOp module) {
  module.walk([&](bufferization::AllocTensorOp op) {
    if (op.getCopy() && !op->use_empty())
      note(op, conflictOf(*op->user_begin(), op.getCopy()));
  });
  module.walk([&](tensor::InsertSliceOp op) { noteInsertion(op); });
}

//===----------------------------------------------------------------------===//
// Causes
//===----------------------------------------------------------------------===//

/// Why a result of a function is not computed in the buffer that it goes to.
static CopyCause resultCause(func::ReturnOp op, Value from, StringRef got) {
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

/// What `buffer`, which is returned, is.
static std::string describeResult(Value buffer) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  if (!alloc)
    return whyElsewhere(buffer, buffer.getParentBlock());
  return alloc.getType().hasStaticShape() ? "the buffer of another result"
                                          : "a buffer of dynamic size";
}

/// Why the kernel `op` does not take what is copied for it: what it reads, or
/// what it writes.
static std::optional<CopyCause> kernelCause(Operation *op, Value from,
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

CopyCause BufferCopies::causeOf(Operation *op, Value from, Value to) {
  if (Attribute key = op->getDiscardableAttr(causeAttrName))
    if (auto found = causes.find(key); found != causes.end())
      return found->second;
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return resultCause(end, from, describeResult(from));
  if (isa_and_nonnull<MLIDialect>(op->getDialect()))
    if (std::optional<CopyCause> cause = kernelCause(op, from, to))
      return *cause;
  return {CopyReason::placed_elsewhere,
          ("expected what '" + op->getName().getStringRef() +
           "' gets to be computed in its buffer, but got another one")
              .str(),
          "a kernel that writes it there"};
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// What `buffer` is a view of: a buffer, or the tensor that becomes one.
static Value findRoot(Value buffer) {
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

static bool isSlicedAlike(Operation *left, Operation *right);

/// The strides of `type` that are taken, which those of dimensions of one index
/// are not, and its offset.
static std::pair<SmallVector<int64_t>, int64_t>
getTakenStrides(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<int64_t> taken;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
    if (size != 1)
      taken.push_back(stride);
  return {taken, offset};
}

/// Whether both see the same elements of one buffer in the same order.
static bool isSamePlace(Value one, Value other) {
  if (one == other)
    return true;
  auto left = cast<MemRefType>(one.getType());
  auto right = cast<MemRefType>(other.getType());
  if (left.getShape() != right.getShape() ||
      getTakenStrides(left) != getTakenStrides(right))
    return false;
  auto [strides, offset] = getTakenStrides(left);
  if (!ShapedType::isDynamic(offset) && !ShapedType::isDynamicShape(strides))
    return findRoot(one) == findRoot(other);
  Operation *from = findWhole(one).getDefiningOp();
  Operation *to = findWhole(other).getDefiningOp();
  return from && to && isSlicedAlike(from, to);
}

/// Whether both are the same slice of one place.
static bool isSlicedAlike(Operation *left, Operation *right) {
  auto one = dyn_cast<OffsetSizeAndStrideOpInterface>(left);
  auto other = dyn_cast<OffsetSizeAndStrideOpInterface>(right);
  return one && other && one.getMixedOffsets() == other.getMixedOffsets() &&
         one.getMixedSizes() == other.getMixedSizes() &&
         one.getMixedStrides() == other.getMixedStrides() &&
         isSamePlace(left->getOperand(0), right->getOperand(0));
}

/// Copies element by element.
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

/// Quantised buffers are copied by the runtime, which knows strides but no
/// buffers of many scales or dimensions; nothing else does where there are
/// gaps.
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
  bool isOfRuntime = element.isF32() || (quantized && !quantized.isPerAxis());
  if ((isOfRuntime && contract::rankRange.contains(type.getRank())) ||
      mli::isLocal(from.getType()) || mli::isLocal(to.getType()))
    MovOp::create(builder, loc, from, to, reason);
  else if (isDense(from) && isDense(to))
    memref::CopyOp::create(builder, loc, from, to);
  else
    copyElements(builder, loc, from, to);
}

LogicalResult BufferCopies::copy(OpBuilder &builder, Location loc, Value from,
                                 Value to) {
  if (isSamePlace(from, to))
    return success();
  int64_t rank = cast<MemRefType>(from.getType()).getRank();
  bool isOfLocal = mli::isLocal(from.getType()) || mli::isLocal(to.getType());
  if (isOfLocal && rank > contract::rankRange.most)
    return emitError(loc, "expected what is copied in local memory to have at "
                          "most ")
           << contract::rankRange.most << " dimensions, but got " << rank;
  Block *block = builder.getInsertionBlock();
  Operation *op = builder.getInsertionPoint() == block->end()
                      ? block->getParentOp()
                      : &*builder.getInsertionPoint();
  createCopy(builder, loc, from, to, add(op, causeOf(op, from, to), from));
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

void BufferCopies::report(CopyLog &log) {
  for (const auto &[function, copy] : copies)
    log.addCopy(copy.loc, copy.cause, copy.copied);
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
    CopyCause cause = resultCause(op, own, "the buffer of another result");
    createCopy(builder, op.getLoc(), buffer, own, add(op, cause, own));
  }
}
