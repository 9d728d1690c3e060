// SPDX-License-Identifier: Apache-2.0
//
// What kernels with weights take: element kinds, formats, scales of the bias.

#include "KernelContract.h"

#include "mli/Quant/Accumulate.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

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
