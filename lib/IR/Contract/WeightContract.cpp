// SPDX-License-Identifier: Apache-2.0
//
// Verifies kernels with weights: element types, formats, scales of the bias.

#include "KernelContract.h"
#include "VerifiedTypes.h"

#include "mli/Contract/Contract.h"
#include "mli/IR/KernelOperands.h"
#include "mli/Quant/Accumulate.h"
#include "mli/Quant/Formats.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

LogicalResult contract::verifyKinds(Operation *op, const Weighted &operands) {
  Type input = operands.input.element(), weights = operands.weights.element(),
       bias = operands.bias.element(), init = operands.init.element();
  // C1
  if (getKind(init) != getKind(input) ||
      !findKernel(operands.input.contract->family,
                  {getKind(input), getKind(weights), getKind(bias)}))
    return op->emitOpError("expected element kinds of input, weights, bias and "
                           "result to be those of a kernel, but got ")
           << input << ", " << weights << ", " << bias << ", " << init;
  return success();
}

LogicalResult contract::verifyFracBits(Operation *op, Operand input,
                                       Operand weights,
                                       ArrayRef<Operand> sums) {
  int products = contract::productFracBits(input.quantized().getParam(0),
                                           weights.quantized().getParam(0));
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

/// The sets of parameters of an sa type.
static ArrayRef<quant::QuantParams> getSaParams(const Operand &operand) {
  if (auto type = dyn_cast<Sa8Type>(operand.element()))
    return type.getParams();
  return cast<Sa32Type>(operand.element()).getParams();
}

LogicalResult contract::verifyZeroPoints(Operation *op,
                                         ArrayRef<Operand> operands) {
  for (Operand operand : operands) {
    for (auto [i, params] : llvm::enumerate(getSaParams(operand)))
      // C3
      if (!operand.contract->zeroPoints.contains(params.zeroPoint))
        return op->emitOpError("expected zero point ")
               << i << " of '" << operand.name << "' to be 0, but got "
               << params.zeroPoint;
  }
  return success();
}

LogicalResult contract::verifyBiasScale(Operation *op, Operand inputOperand,
                                        Operand weightsOperand,
                                        Operand biasOperand) {
  quant::QuantParams input = getSaParams(inputOperand).front();
  ArrayRef<quant::QuantParams> weights = getSaParams(weightsOperand);
  ArrayRef<quant::QuantParams> bias = getSaParams(biasOperand);
  for (size_t i = 0; i < std::min(weights.size(), bias.size()); ++i) {
    // C6
    if (!quant::biasScaleMatches(input, weights[i], bias[i]))
      return op->emitOpError("expected scale ")
             << i << " of 'bias' to be input scale times weights scale, "
             << llvm::formatv("{0:e8}", quant::realScale(input) *
                                            quant::realScale(weights[i]))
             << ", but got "
             << llvm::formatv("{0:e8}", quant::realScale(bias[i]));
  }
  return success();
}

/// sa weights and bias: axes that go together, zero points 0, and a bias in
/// the scale of the products.
static LogicalResult verifySaWeights(Operation *op,
                                     const contract::Weighted &operands) {
  QuantizedType weights = operands.weights.quantized();
  QuantizedType bias = operands.bias.quantized();
  int32_t axis = operands.weights.contract->axisIn(weights.isPerAxis());
  int32_t biasAxis = operands.bias.contract->axisIn(weights.isPerAxis());
  // C4
  if (weights.getAxis() != axis)
    return op->emitOpError("expected quantised axis of 'weights' to be ")
           << axis << ", but got " << weights.getAxis();
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

/// `all` are input, weights, bias and result.
static LogicalResult verifyWeightedTypes(Operation *op, ArrayRef<Operand> all) {
  contract::Weighted operands = {all[0], all[1], all[2], all[3]};
  if (failed(contract::verifyKinds(op, operands)) ||
      failed(contract::verifyTensors(op, all)) ||
      failed(contract::verifyMemory(op, all)) ||
      failed(contract::verifyActivation(op, operands.input)) ||
      failed(contract::verifyActivation(op, operands.init)))
    return failure();
  if (isa<Sa8Type>(operands.input.element()))
    return verifySaWeights(op, operands);
  return contract::verifyFracBits(op, operands.input, operands.weights,
                                  {operands.bias, operands.init});
}

LogicalResult contract::verifyWeighted(Operation *op,
                                       const Weighted &operands) {
  return verifyOnce(
      op, {operands.input, operands.weights, operands.bias, operands.init},
      verifyWeightedTypes);
}
