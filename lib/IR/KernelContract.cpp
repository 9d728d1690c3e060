// SPDX-License-Identifier: Apache-2.0

#include "KernelContract.h"

#include "mli/Quant/Accumulate.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

LogicalResult contract::verifyTensors(Operation *op,
                                      ArrayRef<Operand> operands) {
  for (Operand operand : operands) {
    // T1
    if (operand.type.getRank() > 4)
      return op->emitOpError("expected '")
             << operand.name << "' to have at most 4 dimensions, but got "
             << operand.type.getRank();
    QuantizedType type = operand.quantized();
    if (!type || !type.isPerAxis())
      continue;
    // T2
    if (type.getAxis() >= operand.type.getRank())
      return op->emitOpError("expected quantised axis of '")
             << operand.name << "' to be less than its rank "
             << operand.type.getRank() << ", but got " << type.getAxis();
    int64_t size = operand.type.getDimSize(type.getAxis());
    // T3
    if (ShapedType::isStatic(size) &&
        size != static_cast<int64_t>(type.getNumParams()))
      return op->emitOpError("expected '")
             << operand.name << "' to have " << size
             << " sets of parameters, one for each index of dimension "
             << type.getAxis() << ", but got " << type.getNumParams();
  }
  return success();
}

LogicalResult contract::verifyActivation(Operation *op, Operand operand) {
  QuantizedType type = operand.quantized();
  if (!type)
    return success();
  // T4
  if (type.isPerAxis())
    return op->emitOpError("expected '")
           << operand.name << "' to be quantised per tensor, but got axis "
           << type.getAxis();
  int16_t zeroPoint = type.getParam(0).zeroPoint;
  // T5
  if (zeroPoint < INT8_MIN || zeroPoint > INT8_MAX)
    return op->emitOpError("expected zero point of '")
           << operand.name << "' to be in [-128, 127], but got " << zeroPoint;
  return success();
}

LogicalResult contract::verifySameElement(Operation *op, Operand left,
                                          Operand right) {
  // T6
  if (left.element() != right.element())
    return op->emitOpError("expected '")
           << right.name << "' to have the element type of '" << left.name
           << "' " << left.element() << ", but got " << right.element();
  return success();
}

LogicalResult contract::verifySameShape(Operation *op, Operand left,
                                        Operand right) {
  // T7
  if (failed(verifyCompatibleShape(left.type, right.type)))
    return op->emitOpError("expected '")
           << right.name << "' to have the shape of '" << left.name << "' ["
           << left.type.getShape() << "], but got [" << right.type.getShape()
           << "]";
  return success();
}

LogicalResult contract::verifySameDim(Operation *op, Operand left, int64_t i,
                                      Operand right, int64_t j) {
  int64_t expected = left.type.getDimSize(i);
  int64_t actual = right.type.getDimSize(j);
  // T8
  if (ShapedType::isStatic(expected) && ShapedType::isStatic(actual) &&
      expected != actual)
    return op->emitOpError("expected dimension ")
           << j << " of '" << right.name << "' to be dimension " << i << " of '"
           << left.name << "', " << expected << ", but got " << actual;
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
  // T9
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
    // T10
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
    // T11
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
  // T12
  if (weights.isPerAxis() && weights.getAxis() != operands.outputAxis)
    return op->emitOpError("expected quantised axis of 'weights' to be ")
           << operands.outputAxis << ", but got " << weights.getAxis();
  // T13
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
    // T14
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

/// `values` has `count` entries of a uint8 field, none below `least`.
static LogicalResult verifyList(Operation *op, StringRef name,
                                ArrayRef<int64_t> values, size_t count,
                                int64_t least) {
  // T15
  if (values.size() != count)
    return op->emitOpError("expected '")
           << name << "' to have " << count << " entries, but got "
           << values.size();
  for (int64_t value : values)
    // T16
    if (ShapedType::isStatic(value) && (value < least || value > UINT8_MAX))
      return op->emitOpError("expected '")
             << name << "' to be in [" << least << ", 255], but got " << value;
  return success();
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
    // T17
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
  // T18
  if (needed > input + before + after)
    return op->emitOpError("expected dimension ")
           << dim << " of 'input' with padding to be at least " << needed
           << ", which " << result << " windows need, but got "
           << input + before + after;
  return success();
}

LogicalResult contract::verifyWindow(Operation *op, const Window &window) {
  if (failed(verifyList(op, "pad", window.padding, 4, 0)) ||
      failed(verifyList(op, "strides", window.strides, 2, 1)) ||
      failed(verifyList(op, "dilations", window.dilations, 2, 1)) ||
      failed(verifyListOfOperandsOrIntegers(op, "pad", 4, window.padding,
                                            window.dynamicPadding)))
    return failure();
  for (int dim : {0, 1})
    if (failed(verifyExtent(op, window, dim)))
      return failure();
  return success();
}
