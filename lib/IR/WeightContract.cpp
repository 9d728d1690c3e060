// SPDX-License-Identifier: Apache-2.0
//
// What kernels with weights take: element kinds, formats, scales of the bias.

#include "KernelContract.h"

#include "mli/Quant/Accumulate.h"
#include "mli/Quant/Contract.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

LogicalResult contract::verifyKinds(Operation *op, const Weighted &operands) {
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

LogicalResult contract::verifyFracBits(Operation *op, Operand input,
                                       Operand weights,
                                       ArrayRef<Operand> sums) {
  int products = input.quantized().getParam(0).fracBits +
                 weights.quantized().getParam(0).fracBits;
  for (Operand sum : sums) {
    int fracBits = sum.quantized().getParam(0).fracBits;
    // C2
    if (fracBits > products)
      return op->emitOpError("expected 'fracBits' of '")
             << sum.name << "' to be at most the products' " << products
             << ", but got " << fracBits;
  }
  return success();
}

LogicalResult contract::verifyZeroPoints(Operation *op,
                                         ArrayRef<Operand> operands) {
  for (Operand operand : operands)
    for (size_t i = 0; i < operand.quantized().getNumParams(); ++i) {
      int16_t zeroPoint = operand.quantized().getParam(i).zeroPoint;
      // C3
      if (!weightZeroPointRange.contains(zeroPoint))
        return op->emitOpError("expected zero point ")
               << i << " of '" << operand.name << "' to be 0, but got "
               << zeroPoint;
    }
  return success();
}

LogicalResult contract::verifyBiasScale(Operation *op, Operand inputOperand,
                                        Operand weightsOperand,
                                        Operand biasOperand) {
  quant::QuantParams input = inputOperand.quantized().getParam(0);
  QuantizedType weights = weightsOperand.quantized();
  QuantizedType bias = biasOperand.quantized();
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
  if (failed(contract::verifyZeroPoints(op, {operands.weights, operands.bias})))
    return failure();
  return contract::verifyBiasScale(op, operands.input, operands.weights,
                                   operands.bias);
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
  return verifyFracBits(op, operands.input, operands.weights,
                        {operands.bias, operands.init});
}
