// SPDX-License-Identifier: Apache-2.0
//
// Importing arithmetic, element by element.

#include "Imports.h"
#include "Operands.h"
#include "Options.h"
#include "Sums.h"
#include "WideLayers.h"

#include "mli/Frontend/Broadcast.h"
#include "mli/Frontend/Sums.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::ActivationFunctionType;
using schema::BuiltinOptions;

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

namespace {
/// Operands of one shape, or of one element, or of one slice for all.
struct Binary {
  int32_t left, right, output;
};
} // namespace

static FailureOr<Binary> readBinary(GraphImporter &importer) {
  FailureOr<int32_t> left = importer.getInput(0);
  FailureOr<int32_t> right = importer.getInput(1);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(left) || failed(right) || failed(output) ||
      failed(importer.checkElements(*output)))
    return failure();
  return Binary{*left, *right, *output};
}

/// Creates `KernelOp` of two operands that `readOperand` gave.
template <typename KernelOp>
static Value createBinary(GraphImporter &importer, Value left, Value right,
                          Type element, ArrayRef<int64_t> shape,
                          const Clip &clip) {
  constexpr bool isSum =
      llvm::is_one_of<KernelOp, EltwiseAddOp, EltwiseSubOp>::value;
  bool isExact = false;
  if constexpr (isSum)
    isExact = needsExactSum(importer, left, right, element, clip.limits);
  auto compute = [&](Value lhs, Value rhs, Value init) -> Value {
    Value result;
    if (isExact)
      result = createExactSum<KernelOp>(importer, lhs, rhs, init);
    else
      result = KernelOp::create(importer.getBuilder(), importer.getLoc(), lhs,
                                rhs, init)
                   .getResult(0);
    return createClip(importer, result, clip);
  };
  return createBroadcast(importer, left, right, element, shape, compute);
}

/// With `isOrder` the kernel compares codes: both operands are brought to the
/// output's format first.
template <typename KernelOp>
static LogicalResult importArithmetic(GraphImporter &importer,
                                      ActivationFunctionType activation,
                                      bool isOrder = false) {
  FailureOr<Binary> binary = readBinary(importer);
  if (failed(binary))
    return failure();
  constexpr bool isDifference = std::is_same_v<KernelOp, EltwiseSubOp>;
  if (std::is_same_v<KernelOp, EltwiseAddOp> || isDifference)
    if (importer.getTensor(binary->output).type == schema::TensorType::INT16)
      return importWideSum(importer, isDifference, activation);
  FailureOr<mli::quant::QuantParams> params =
      importer.getParams(binary->output);
  if (failed(params))
    return failure();
  FailureOr<mli::quant::Limits> limits =
      getLimits(importer, activation, importer.getScale(binary->output),
                params->zeroPoint);
  SmallVector<int64_t> shape = flatShape(importer.getShape(binary->output));
  FailureOr<Value> left = readOperand(importer, binary->left, shape);
  FailureOr<Value> right = readOperand(importer, binary->right, shape);
  FailureOr<Type> element = importer.getElement(binary->output);
  if (failed(limits) || failed(left) || failed(right) || failed(element))
    return failure();
  if (isOrder && getElementTypeOrSelf(*left) != getElementTypeOrSelf(*right)) {
    left = importer.createConvert(*left, *element);
    right = importer.createConvert(*right, *element);
  }
  importer.define(binary->output,
                  createBinary<KernelOp>(importer, *left, *right, *element,
                                         shape, chooseClip(*limits, *params)));
  return success();
}

/// The fused activation of the operator, none where it has no options.
static FailureOr<ActivationFunctionType> getActivation(GraphImporter &importer,
                                                       BuiltinOptions type) {
  if (importer.getOperator().table->builtin_options_type() ==
      BuiltinOptions::NONE)
    return ActivationFunctionType::NONE;
  auto options = getOptions<schema::ActivationOptions>(importer, type);
  if (failed(options))
    return failure();
  return (*options)->fused_activation_function();
}

template <typename KernelOp>
static LogicalResult importArithmetic(GraphImporter &importer,
                                      BuiltinOptions type) {
  FailureOr<ActivationFunctionType> activation = getActivation(importer, type);
  if (failed(activation))
    return failure();
  return importArithmetic<KernelOp>(importer, *activation);
}

LogicalResult tflite::importAdd(GraphImporter &importer) {
  return importArithmetic<EltwiseAddOp>(importer, BuiltinOptions::AddOptions);
}
LogicalResult tflite::importSub(GraphImporter &importer) {
  return importArithmetic<EltwiseSubOp>(importer, BuiltinOptions::SubOptions);
}
LogicalResult tflite::importMul(GraphImporter &importer) {
  return importArithmetic<EltwiseMulOp>(importer, BuiltinOptions::MulOptions);
}
LogicalResult tflite::importMaximum(GraphImporter &importer) {
  return importArithmetic<EltwiseMaxOp>(importer, ActivationFunctionType::NONE,
                                        /*isOrder=*/true);
}
LogicalResult tflite::importMinimum(GraphImporter &importer) {
  return importArithmetic<EltwiseMinOp>(importer, ActivationFunctionType::NONE,
                                        /*isOrder=*/true);
}
