// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/BufferLifetimes.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mli;

int64_t BufferLifetimes::getTotalBytes() const {
  int64_t bytes = 0;
  for (const LiveRange &range : ranges)
    bytes += range.bytes;
  return bytes;
}

int64_t BufferLifetimes::getPeakBytes() const {
  // What changes at which position; at one position frees come first, since
  // ranges are half-open and negative changes sort before positive ones.
  SmallVector<std::pair<int64_t, int64_t>> changes;
  for (const LiveRange &range : ranges) {
    changes.push_back({range.begin, range.bytes});
    changes.push_back({range.end, -range.bytes});
  }
  llvm::sort(changes);
  int64_t live = 0, peak = 0;
  for (auto [position, change] : changes)
    peak = std::max(peak, live += change);
  return peak;
}

/// Bytes of `type`'s elements without gaps; nothing if some extent is dynamic.
static std::optional<int64_t> bytesOf(ShapedType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  Type element = type.getElementType();
  if (!isa<QuantizedType>(element) && !element.isIntOrFloat())
    return std::nullopt;
  return type.getNumElements() *
         static_cast<int64_t>(llvm::divideCeil(elementWidth(element), 8));
}

/// The data of `op` if it is a constant buffer.
static Attribute constantData(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return constant.getValue();
  auto read = dyn_cast<memref::GetGlobalOp>(op);
  if (!read)
    return {};
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, read.getNameAttr());
  return global ? global.getInitialValueAttr() : Attribute();
}

FailureOr<BufferLifetimes> mli::getBufferLifetimes(func::FuncOp function) {
  BufferLifetimes lifetimes;
  bool areSizesKnown = true;
  auto sizeOf = [&](Type type) {
    std::optional<int64_t> bytes = bytesOf(cast<ShapedType>(type));
    areSizesKnown &= bytes.has_value();
    return bytes.value_or(0);
  };

  for (Type type : function.getArgumentTypes())
    if (isa<MemRefType>(type))
      lifetimes.argumentBytes += sizeOf(type);

  int64_t position = 0;
  llvm::SmallDenseMap<Value, size_t> rangeOf;
  llvm::SmallDenseSet<Attribute> constants;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
      Value buffer = op->getResult(0);
      rangeOf[buffer] = lifetimes.ranges.size();
      lifetimes.ranges.push_back(
          {buffer, position, /*end=*/-1, sizeOf(buffer.getType())});
    } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      auto range = rangeOf.find(dealloc.getMemref());
      if (range != rangeOf.end())
        lifetimes.ranges[range->second].end = position;
    } else if (Attribute data = constantData(op)) {
      if (constants.insert(data).second)
        lifetimes.constantBytes += sizeOf(op->getResult(0).getType());
    }
    ++position;
  });
  for (LiveRange &range : lifetimes.ranges)
    if (range.end < 0)
      range.end = position;
  if (!areSizesKnown)
    return failure();
  return lifetimes;
}
