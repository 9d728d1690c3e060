// SPDX-License-Identifier: Apache-2.0

#include "KernelContract.h"

#include "mli/Quant/Accumulate.h"

#include "llvm/Support/FormatVariadic.h"

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

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Dimensions that an mli_tensor can hold, as far as they are known.
static LogicalResult verifySizes(Operation *op, Operand operand) {
  uint64_t bits = elementWidth(operand.element());
  for (int64_t i = 0; i < operand.type.getRank(); ++i) {
    if (operand.type.isDynamicDim(i))
      continue;
    int64_t size = operand.type.getDimSize(i);
    // T2
    if (size < 1 || size > INT32_MAX)
      return op->emitOpError("expected dimension ")
             << i << " of '" << operand.name
             << "' to be in [1, 2147483647], but got " << size;
    bits = llvm::SaturatingMultiply(bits, static_cast<uint64_t>(size));
  }
  // T3
  if (bits / 8 > INT32_MAX)
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

/// Strides that an mli_tensor can hold: no two indices share an element, and
/// the last dimension is the innermost.
static LogicalResult verifyStrides(Operation *op, Operand operand) {
  auto memref = dyn_cast<MemRefType>(operand.type);
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
    if (operand.type.getRank() > 4)
      return op->emitOpError("expected '")
             << operand.name << "' to have at most 4 dimensions, but got "
             << operand.type.getRank();
    if (failed(verifySizes(op, operand)) || failed(verifyAxis(op, operand)) ||
        failed(verifyStrides(op, operand)))
      return failure();
  }
  return success();
}

LogicalResult contract::verifyUnitStrides(Operation *op,
                                          ArrayRef<Operand> operands) {
  for (Operand operand : operands) {
    auto memref = dyn_cast<MemRefType>(operand.type);
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

LogicalResult contract::verifyActivation(Operation *op, Operand operand) {
  QuantizedType type = operand.quantized();
  if (!type)
    return success();
  // T9
  if (type.isPerAxis())
    return op->emitOpError("expected '")
           << operand.name << "' to be quantised per tensor, but got axis "
           << type.getAxis();
  int16_t zeroPoint = type.getParam(0).zeroPoint;
  // T10
  if (zeroPoint < INT8_MIN || zeroPoint > INT8_MAX)
    return op->emitOpError("expected zero point of '")
           << operand.name << "' to be in [-128, 127], but got " << zeroPoint;
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

LogicalResult contract::verifyApart(Operation *op, Value input, Value init) {
  // T18
  if (isa<MemRefType>(init.getType()) && input == init)
    return op->emitOpError("expected 'init' to be another buffer than 'input', "
                           "but got the same");
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels with weights
//===----------------------------------------------------------------------===//

/// The element kinds that some kernel of the family is written for.
static LogicalResult verifyKinds(Operation *op,
                                 const contract::Weighted &operands) {
  Type input = operands.input.element(), weights = operands.weights.element(),
       bias = operands.bias.element(), init = operands.init.element();
  bool isSa = isa<Sa8Type>(input) && isa<Sa8Type>(weights) &&
              isa<Sa32Type>(bias) && isa<Sa8Type>(init);
  bool isFx16 = isa<Fx16Type>(input) && isa<Fx16Type>(init) &&
                ((isa<Fx16Type>(weights) && isa<Fx16Type>(bias)) ||
                 (isa<Fx8Type>(weights) && isa<Fx8Type>(bias)));
  bool isFx8 = isa<Fx8Type>(input) && isa<Fx8Type>(weights) &&
               isa<Fx8Type>(bias) && isa<Fx8Type>(init);
  // C1
  if (!isSa && !isFx16 && !(isFx8 && operands.allowsFx8))
    return op->emitOpError("expected element kinds of input, weights, bias and "
                           "result to be those of a kernel, but got ")
           << input << ", " << weights << ", " << bias << ", " << init;
  return success();
}

/// No kernel shifts a bias or a sum to the left of what it multiplies.
static LogicalResult verifyFracBits(Operation *op,
                                    const contract::Weighted &operands) {
  int products = operands.input.quantized().getParam(0).fracBits +
                 operands.weights.quantized().getParam(0).fracBits;
  for (Operand operand : {operands.bias, operands.init}) {
    int fracBits = operand.quantized().getParam(0).fracBits;
    // C2
    if (fracBits > products)
      return op->emitOpError("expected 'fracBits' of '")
             << operand.name << "' to be at most the products' " << products
             << ", but got " << fracBits;
  }
  return success();
}

static LogicalResult verifyZero(Operation *op, Operand operand) {
  for (size_t i = 0; i < operand.quantized().getNumParams(); ++i) {
    int16_t zeroPoint = operand.quantized().getParam(i).zeroPoint;
    // C3
    if (zeroPoint != 0)
      return op->emitOpError("expected zero point ")
             << i << " of '" << operand.name << "' to be 0, but got "
             << zeroPoint;
  }
  return success();
}

/// sa weights and bias: axes that go together, zero points 0, and a bias in
/// the scale of the products.
static LogicalResult verifySaWeights(Operation *op,
                                     const contract::Weighted &operands) {
  QuantizedType weights = operands.weights.quantized();
  QuantizedType bias = operands.bias.quantized();
  int32_t biasAxis = weights.isPerAxis() ? 0 : -1;
  // C4
  if (weights.isPerAxis() && weights.getAxis() != operands.outputAxis)
    return op->emitOpError("expected quantised axis of 'weights' to be ")
           << operands.outputAxis << ", but got " << weights.getAxis();
  // C5
  if (bias.getAxis() != biasAxis)
    return op->emitOpError("expected quantised axis of 'bias' to be ")
           << biasAxis << ", as weights have axis " << weights.getAxis()
           << ", but got " << bias.getAxis();
  if (failed(verifyZero(op, operands.weights)) ||
      failed(verifyZero(op, operands.bias)))
    return failure();

  quant::QuantParams input = operands.input.quantized().getParam(0);
  size_t numParams = std::min(weights.getNumParams(), bias.getNumParams());
  for (size_t i = 0; i < numParams; ++i) {
    // C6
    if (!quant::biasScaleMatches(input, weights.getParam(i), bias.getParam(i)))
      return op->emitOpError("expected scale ")
             << i << " of 'bias' to be input scale times weights scale, "
             << llvm::formatv("{0:e8}",
                              quant::realScale(input) *
                                  quant::realScale(weights.getParam(i)))
             << ", but got "
             << llvm::formatv("{0:e8}", quant::realScale(bias.getParam(i)));
  }
  return success();
}

LogicalResult contract::verifyWeighted(Operation *op,
                                       const Weighted &operands) {
  if (failed(verifyKinds(op, operands)) ||
      failed(verifyTensors(op, {operands.input, operands.weights, operands.bias,
                                operands.init})) ||
      failed(verifyUnitStrides(op, {operands.input, operands.weights,
                                    operands.bias, operands.init})) ||
      failed(verifyActivation(op, operands.input)) ||
      failed(verifyActivation(op, operands.init)))
    return failure();
  if (isa<Sa8Type>(operands.input.element()))
    return verifySaWeights(op, operands);
  return verifyFracBits(op, operands);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

LogicalResult contract::verifyRange(Operation *op, StringRef name,
                                    ArrayRef<int64_t> values, int64_t least,
                                    int64_t most) {
  for (int64_t value : values)
    // T14
    if (value < least || value > most)
      return op->emitOpError("expected '")
             << name << "' to be in [" << least << ", " << most << "], but got "
             << value;
  return success();
}

LogicalResult contract::verifyCount(Operation *op, StringRef name,
                                    ArrayRef<int64_t> values, size_t count) {
  // T15
  if (values.size() != count)
    return op->emitOpError("expected '")
           << name << "' to have " << count << " entries, but got "
           << values.size();
  return success();
}

LogicalResult contract::verifyFactors(Operation *op, StringRef name,
                                      ArrayRef<int64_t> values) {
  if (failed(verifyCount(op, name, values, 2)))
    return failure();
  return verifyRange(op, name, values, 1, UINT8_MAX);
}

/// Dimension `dim` (0 rows, 1 columns): padding stays below the window, and
/// the input holds all windows.
static LogicalResult verifyExtent(Operation *op, const contract::Window &window,
                                  int dim) {
  int64_t kernel = window.kernel[dim];
  if (ShapedType::isDynamic(kernel))
    return success();
  int64_t extent = (kernel - 1) * window.dilations[dim] + 1;
  int64_t before = window.padding[2 * dim], after = window.padding[2 * dim + 1];
  for (int64_t pad : {before, after})
    // T16
    if (ShapedType::isStatic(pad) && pad >= extent)
      return op->emitOpError("expected padding of dimension ")
             << dim << " to be less than the window of " << extent
             << ", but got " << pad;
  int64_t input = window.input.type.getDimSize(dim);
  int64_t result = window.init.type.getDimSize(dim);
  if (ShapedType::isDynamic(before) || ShapedType::isDynamic(after) ||
      ShapedType::isDynamic(input) || ShapedType::isDynamic(result))
    return success();
  int64_t needed = (result - 1) * window.strides[dim] + extent;
  // T17
  if (needed > input + before + after)
    return op->emitOpError("expected dimension ")
           << dim << " of 'input' with padding to be at least " << needed
           << ", which " << result << " windows need, but got "
           << input + before + after;
  return success();
}

LogicalResult contract::verifyWindow(Operation *op, const Window &window) {
  SmallVector<int64_t> padding;
  llvm::copy_if(window.padding, std::back_inserter(padding),
                ShapedType::isStatic);
  if (failed(verifyCount(op, "pad", window.padding, 4)) ||
      failed(verifyRange(op, "pad", padding, 0, UINT8_MAX)) ||
      failed(verifyFactors(op, "strides", window.strides)) ||
      failed(verifyFactors(op, "dilations", window.dilations)) ||
      failed(verifyListOfOperandsOrIntegers(op, "pad", 4, window.padding,
                                            window.dynamicPadding)))
    return failure();
  for (int dim : {0, 1})
    if (failed(verifyExtent(op, window, dim)))
      return failure();
  return success();
}
