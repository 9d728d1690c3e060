// SPDX-License-Identifier: Apache-2.0
//
// Rules of strides, and of which buffers of a kernel may be one.

#include "KernelContract.h"

#include "mli/Contract/Memory.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

static_assert(ShapedType::kDynamic == contract::unknownStride);

/// The memref whose strides a kernel gets; null for a tensor, and for a buffer
/// that is gathered from several NPUs first.
static MemRefType stridedBuffer(Operand operand) {
  auto memref = dyn_cast<MemRefType>(operand.type);
  return memref && !isScattered(memref) ? memref : MemRefType();
}

LogicalResult contract::verifyStrides(Operation *op, Operand operand) {
  MemRefType memref = stridedBuffer(operand);
  if (!memref)
    return success();
  int64_t offset;
  SmallVector<int64_t> strides;
  // T6
  if (failed(getStridesAndOffset(memref, strides, offset)))
    return op->emitOpError("expected '")
           << operand.name << "' to have a strided layout, but got " << memref;
  std::optional<StrideViolation> fault = findOverlappingStrides(
      strides.size(), [&](uint32_t dim) { return memref.getDimSize(dim); },
      [&](uint32_t dim) { return strides[dim]; });
  // T7
  if (fault)
    return op->emitOpError("expected stride ")
           << fault->dim << " of '" << operand.name << "' to be at least "
           << fault->expected << ", but got " << strides[fault->dim];
  return success();
}

LogicalResult contract::verifyUnitStrides(Operation *op,
                                          ArrayRef<Operand> operands) {
  for (Operand operand : operands) {
    MemRefType memref = stridedBuffer(operand);
    if (!memref || memref.getRank() == 0)
      continue;
    int64_t stride = getStridesAndOffset(memref).first.back();
    // T8
    if (ShapedType::isStatic(stride) && stride != 1)
      return op->emitOpError("expected innermost stride of '")
             << operand.name << "' to be 1, but got " << stride;
  }
  return success();
}

/// Strides of `memref` that are known are those of a dense one.
static bool mayBeContiguous(MemRefType memref) {
  SmallVector<int64_t> strides = getStridesAndOffset(memref).first;
  return !contract::findGap(
      strides.size(), [&](uint32_t dim) { return memref.getDimSize(dim); },
      [&](uint32_t dim) { return strides[dim]; });
}

bool mli::isContiguous(MemRefType memref) {
  int64_t offset;
  SmallVector<int64_t> strides;
  return isIdentity(memref) ||
         (memref.hasStaticShape() &&
          succeeded(getStridesAndOffset(memref, strides, offset)) &&
          llvm::none_of(strides, ShapedType::isDynamic) &&
          mayBeContiguous(memref));
}

static LogicalResult verifyContiguous(Operation *op, Operand operand) {
  MemRefType memref = stridedBuffer(operand);
  // T19
  if (memref && !mayBeContiguous(memref))
    return op->emitOpError("expected '")
           << operand.name << "' to be contiguous, but got " << memref;
  return success();
}

LogicalResult contract::verifyMemory(Operation *op,
                                     ArrayRef<Operand> operands) {
  for (Operand operand : operands) {
    Memory memory = operand.contract->memory;
    bool hasUnitStride = memory == Memory::UnitInnerStride ||
                         memory == Memory::DialectContiguous;
    bool isContiguous =
        memory == Memory::Contiguous || memory == Memory::DialectContiguous;
    if ((hasUnitStride && failed(verifyUnitStrides(op, {operand}))) ||
        (isContiguous && failed(verifyContiguous(op, operand))))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

/// Whether `written` is written and may not be the buffer of `operand`.
static bool forbidsSharing(OpOperand &written, OpOperand &operand) {
  const contract::Tensor *target = getContract(written);
  return target && target->sharing == contract::Sharing::Written &&
         !mayBeSame(*getContract(operand), *target);
}

LogicalResult contract::verifySharing(Operation *op) {
  for (OpOperand &written : op->getOpOperands())
    for (OpOperand &operand : op->getOpOperands())
      // T18
      if (&operand != &written && operand.get() == written.get() &&
          isa<MemRefType>(written.get().getType()) &&
          forbidsSharing(written, operand))
        return op->emitOpError("expected '")
               << getName(written) << "' to be another buffer than '"
               << getName(operand) << "', but got the same";
  return success();
}
