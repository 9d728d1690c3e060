// SPDX-License-Identifier: Apache-2.0

#include "KernelContract.h"

#include "mli/IR/LocalMemory.h"
#include "mli/Quant/Contract.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

std::string contract::shapeText(ShapedType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(type.getShape(), os, [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      os << "?";
    else
      os << size;
  });
  os << "]";
  return text;
}

/// Dimensions that an mli_tensor can hold, as far as they are known.
static LogicalResult verifySizes(Operation *op, Operand operand) {
  uint64_t bits = elementWidth(operand.element());
  for (int64_t i = 0; i < operand.type.getRank(); ++i) {
    if (operand.type.isDynamicDim(i))
      continue;
    int64_t size = operand.type.getDimSize(i);
    // T2
    if (!contract::extentRange.contains(size))
      return op->emitOpError("expected dimension ")
             << i << " of '" << operand.name
             << "' to be in [1, 2147483647], but got " << size;
    bits = llvm::SaturatingMultiply(bits, static_cast<uint64_t>(size));
  }
  // T3
  if (bits / 8 > static_cast<uint64_t>(contract::tensorBytesRange.most))
    return op->emitOpError("expected '")
           << operand.name << "' to have at most 2147483647 bytes, but got "
           << bits / 8;
  return success();
}

/// One set of parameters, or one for each index of the quantised axis.
static LogicalResult verifyAxis(Operation *op, Operand operand) {
  QuantizedType type = operand.quantized();
  if (!type || !type.isPerAxis())
    return success();
  // T4
  if (type.getAxis() >= operand.type.getRank())
    return op->emitOpError("expected quantised axis of '")
           << operand.name << "' to be less than its rank "
           << operand.type.getRank() << ", but got " << type.getAxis();
  int64_t size = operand.type.getDimSize(type.getAxis());
  // T5
  if (ShapedType::isStatic(size) &&
      size != static_cast<int64_t>(type.getNumParams()))
    return op->emitOpError("expected '")
           << operand.name << "' to have " << size
           << " sets of parameters, one for each index of dimension "
           << type.getAxis() << ", but got " << type.getNumParams();
  return success();
}

/// The memref whose strides a kernel gets; null for a tensor, and for a buffer
/// that is gathered from several NPUs first.
static MemRefType stridedBuffer(Operand operand) {
  auto memref = dyn_cast<MemRefType>(operand.type);
  return memref && !isScattered(memref) ? memref : MemRefType();
}

/// Strides that an mli_tensor can hold: no two indices share an element, and
/// the last dimension is the innermost.
static LogicalResult verifyStrides(Operation *op, Operand operand) {
  MemRefType memref = stridedBuffer(operand);
  if (!memref)
    return success();
  int64_t offset;
  SmallVector<int64_t> strides;
  // T6
  if (failed(memref.getStridesAndOffset(strides, offset)))
    return op->emitOpError("expected '")
           << operand.name << "' to have a strided layout, but got " << memref;
  int64_t least = 1;
  for (int64_t i = memref.getRank() - 1; i >= 0; --i) {
    if (ShapedType::isDynamic(strides[i]))
      return success();
    // T7
    if (strides[i] < least)
      return op->emitOpError("expected stride ")
             << i << " of '" << operand.name << "' to be at least " << least
             << ", but got " << strides[i];
    least = strides[i];
    if (memref.isDynamicDim(i))
      continue;
    uint64_t next =
        llvm::SaturatingMultiply<uint64_t>(least, memref.getDimSize(i));
    least = static_cast<int64_t>(std::min<uint64_t>(next, INT64_MAX));
  }
  return success();
}

LogicalResult contract::verifyTensors(Operation *op,
                                      ArrayRef<Operand> operands) {
  for (Operand operand : operands) {
    // T1
    if (!contract::rankRange.contains(operand.type.getRank()))
      return op->emitOpError("expected '")
             << operand.name << "' to have at most 4 dimensions, but got "
             << operand.type.getRank();
    if (failed(verifySizes(op, operand)) || failed(verifyAxis(op, operand)) ||
        failed(verifyPlacement(op, operand)) ||
        failed(verifyStrides(op, operand)))
      return failure();
  }
  return success();
}

LogicalResult contract::verifyUnitStrides(Operation *op,
                                          ArrayRef<Operand> operands) {
  for (Operand operand : operands) {
    MemRefType memref = stridedBuffer(operand);
    if (!memref || memref.getRank() == 0)
      continue;
    int64_t stride = memref.getStridesAndOffset().first.back();
    // T8
    if (ShapedType::isStatic(stride) && stride != 1)
      return op->emitOpError("expected innermost stride of '")
             << operand.name << "' to be 1, but got " << stride;
  }
  return success();
}

/// Strides of `memref` that are known are those of a dense one.
static bool mayBeContiguous(MemRefType memref) {
  SmallVector<int64_t> strides = memref.getStridesAndOffset().first;
  int64_t dense = 1;
  for (int64_t i = memref.getRank() - 1; i >= 0; --i) {
    // Of one index no stride is ever taken.
    if (memref.getDimSize(i) == 1)
      continue;
    if (ShapedType::isStatic(strides[i]) && strides[i] != dense)
      return false;
    if (memref.isDynamicDim(i))
      return true;
    dense *= memref.getDimSize(i);
  }
  return true;
}

bool contract::isContiguous(MemRefType memref) {
  int64_t offset;
  SmallVector<int64_t> strides;
  return succeeded(memref.getStridesAndOffset(strides, offset)) &&
         llvm::none_of(strides, ShapedType::isDynamic) &&
         mayBeContiguous(memref);
}

LogicalResult contract::verifyContiguous(Operation *op,
                                         ArrayRef<Operand> operands) {
  for (Operand operand : operands) {
    MemRefType memref = stridedBuffer(operand);
    // T19
    if (memref && !mayBeContiguous(memref))
      return op->emitOpError("expected '")
             << operand.name << "' to be contiguous, but got " << memref;
  }
  return success();
}

LogicalResult contract::verifyMemory(Operation *op,
                                     ArrayRef<Operand> operands) {
  for (Operand operand : operands) {
    Memory memory = operand.contract->memory;
    if ((memory == Memory::Rows && failed(verifyUnitStrides(op, {operand}))) ||
        (memory == Memory::Contiguous &&
         failed(verifyContiguous(op, {operand}))))
      return failure();
  }
  return success();
}

LogicalResult contract::verifyPerTensor(Operation *op, Operand operand) {
  QuantizedType type = operand.quantized();
  // T9
  if (type && type.isPerAxis())
    return op->emitOpError("expected '")
           << operand.name << "' to be quantised per tensor, but got axis "
           << type.getAxis();
  return success();
}

LogicalResult contract::verifyActivation(Operation *op, Operand operand) {
  QuantizedType type = operand.quantized();
  if (!type)
    return success();
  if (failed(verifyPerTensor(op, operand)))
    return failure();
  int16_t zeroPoint = type.getParam(0).zeroPoint;
  const Range &range = operand.contract->zeroPoints;
  // T10, E5
  if (!range.contains(zeroPoint))
    return op->emitOpError("expected zero point of '")
           << operand.name << "' to be in [" << range.least << ", "
           << range.most << "], but got " << zeroPoint;
  return success();
}

LogicalResult contract::verifySameElement(Operation *op, Operand left,
                                          Operand right) {
  // T11
  if (left.element() != right.element())
    return op->emitOpError("expected '")
           << right.name << "' to have the element type of '" << left.name
           << "' " << left.element() << ", but got " << right.element();
  return success();
}

LogicalResult contract::verifySameKind(Operation *op, Operand left,
                                       Operand right) {
  // E1
  if (left.element().getTypeID() != right.element().getTypeID())
    return op->emitOpError("expected '")
           << right.name << "' to have elements of the kind of '" << left.name
           << "' " << left.element() << ", but got " << right.element();
  return success();
}

LogicalResult contract::verifyFixedElement(Operation *op, Operand operand,
                                           Type expected) {
  // E2
  if (operand.element() != expected)
    return op->emitOpError("expected '")
           << operand.name << "' to have elements of " << expected
           << ", which the kernel gives, but got " << operand.element();
  return success();
}

LogicalResult contract::verifySameShape(Operation *op, Operand left,
                                        Operand right) {
  // T12
  if (failed(verifyCompatibleShape(left.type, right.type)))
    return op->emitOpError("expected '")
           << right.name << "' to have the shape of '" << left.name << "' "
           << shapeText(left.type) << ", but got " << shapeText(right.type);
  return success();
}

LogicalResult contract::verifySameDim(Operation *op, Operand left, int64_t i,
                                      Operand right, int64_t j) {
  int64_t expected = left.type.getDimSize(i);
  int64_t actual = right.type.getDimSize(j);
  // T13
  if (ShapedType::isStatic(expected) && ShapedType::isStatic(actual) &&
      expected != actual)
    return op->emitOpError("expected dimension ")
           << j << " of '" << right.name << "' to be dimension " << i << " of '"
           << left.name << "', " << expected << ", but got " << actual;
  return success();
}

LogicalResult contract::verifyDim(Operation *op, Operand operand, int64_t i,
                                  int64_t size, Meaning meaning) {
  int64_t actual = operand.type.getDimSize(i);
  // C7, C10, T20
  if (ShapedType::isStatic(size) && ShapedType::isStatic(actual) &&
      size != actual)
    return op->emitOpError("expected dimension ")
           << i << " of '" << operand.name << "' to be " << meaning(size)
           << ", but got " << actual;
  return success();
}

LogicalResult contract::verifyShapes(Operation *op, ArrayRef<Operand> operands,
                                     Sizes &sizes, Meaning meaning) {
  for (const Operand &operand : operands) {
    std::optional<Mismatch> mismatch =
        sizes.match(*operand.contract, [&](uint32_t dim) {
          return operand.type.getDimSize(operand.dimension(dim));
        });
    if (!mismatch)
      continue;
    int64_t dim = operand.dimension(mismatch->dim);
    const Operand *model = llvm::find_if(operands, [&](const Operand &other) {
      return other.contract == mismatch->model;
    });
    if (model == operands.end())
      return verifyDim(op, operand, dim, mismatch->expected, meaning);
    return verifySameDim(op, *model, model->dimension(mismatch->modelDim),
                         operand, dim);
  }
  return success();
}

LogicalResult contract::verifyElements(Operation *op, Operand input,
                                       ArrayRef<Operand> operands, Sizes &sizes,
                                       Meaning meaning) {
  sizes.bind('i', input.type.hasStaticShape() ? input.type.getNumElements()
                                              : ShapedType::kDynamic);
  return verifyShapes(op, operands, sizes, meaning);
}

LogicalResult contract::verifyPermutation(Operation *op, Operand input,
                                          Operand init,
                                          ArrayRef<int64_t> permutation) {
  // D13
  if (input.type.getRank() != init.type.getRank())
    return op->emitOpError("expected 'init' to have rank ")
           << input.type.getRank() << ", but got " << init.type.getRank();
  // D14
  if (!isPermutationVector(permutation))
    return op->emitOpError("expected 'permutation' to name each dimension "
                           "once, but got [")
           << permutation << "]";
  return success();
}

LogicalResult contract::verifySameContainer(Operation *op, Operand source,
                                            Operand result) {
  // D6
  if (isa<TensorType>(source.type) != isa<TensorType>(result.type))
    return op->emitOpError("expected 'result' to be a ")
           << (isa<TensorType>(source.type) ? "tensor" : "memref")
           << " as 'source', but got " << result.type;
  return success();
}

LogicalResult contract::verifyMaps(Operation *op, Operand input, Operand init) {
  if (failed(verifyTensors(op, {input, init})) ||
      failed(verifyMemory(op, {input, init})))
    return failure();
  return verifySameShape(op, input, init);
}

LogicalResult contract::verifyAxisAttr(Operation *op, int64_t axis,
                                       int64_t rank) {
  // E3
  if (axis < -1 || axis >= rank)
    return op->emitOpError("expected 'axis' to be in [-1, ")
           << rank - 1 << "], but got " << axis;
  return success();
}

LogicalResult contract::verifyApart(Operation *op, Value input, Value init) {
  // T18
  if (isa<MemRefType>(init.getType()) && input == init)
    return op->emitOpError("expected 'init' to be another buffer than 'input', "
                           "but got the same");
  return success();
}
