// SPDX-License-Identifier: Apache-2.0
//
// Imports elementwise arithmetic.

#include "Operands.h"
#include "Options.h"
#include "Wide/WideLayers.h"

#include "mli/Analysis/CodeRanges.h"
#include "mli/Frontend/Broadcast.h"
#include "mli/Frontend/ShiftedMap.h"
#include "mli/Frontend/Sums.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::ActivationFunctionType;
using schema::BuiltinOptions;

//===----------------------------------------------------------------------===//
// Sums with constants
//===----------------------------------------------------------------------===//

/// The numbers of operand `index` for each channel of a result of `shape`,
/// real; nothing unless it is a constant of 8 bits that all rows share.
static std::optional<SmallVector<double>>
readChannels(GraphImporter &importer, int32_t index, ArrayRef<int64_t> shape) {
  const Tensor &tensor = importer.getTensor(index);
  ArrayRef<int64_t> own = dropLeadingOnes(tensor.shape);
  int64_t channels = shape.back();
  if (own.size() > 1 || (own.size() == 1 && own[0] != channels))
    return std::nullopt;
  std::optional<SmallVector<double>> numbers = readNumbers(importer, index);
  if (numbers && own.empty())
    numbers->assign(channels, double(numbers->front()));
  return numbers;
}

namespace {
/// An operand of a sum, and its sign there.
struct Summand {
  Value value;
  int32_t tensor;
  double sign;
};
} // namespace

/// The sum of `variable` and `constant`, rounded once; null if the kernel is as
/// good, or has to be taken.
static Value createConstantSum(GraphImporter &importer, const Summand &variable,
                               const Summand &constant, int32_t output,
                               Type element, ArrayRef<int64_t> shape,
                               const Clip &clip) {
  auto out = dyn_cast<Sa8Type>(element);
  auto type = cast<RankedTensorType>(variable.value.getType());
  if (importer.getImportOptions().sums == SumForm::Kernel || !out ||
      !isa<Sa8Type>(type.getElementType()) ||
      type.getNumElements() != llvm::product_of(shape))
    return {};
  auto numbers = readChannels(importer, constant.tensor, shape);
  if (!numbers)
    return {};
  mli::quant::QuantParams in = getParams(variable.value),
                          params = out.getParams().front();
  double scale = importer.getScale(variable.tensor);
  for (double &number : *numbers)
    number *= constant.sign / scale;
  mli::quant::CodeRange range = getCodeRange(variable.value);
  ShiftedMap map = {variable.sign,
                    *numbers,
                    scale / importer.getScale(output),
                    {range.low - in.zeroPoint, range.high - in.zeroPoint},
                    params,
                    clip.limits};
  // The kernel rounds each operand, whose formats have 15 bits.
  auto round = [&](double number, int32_t tensor, Value value) {
    double format =
        mli::quant::realScale(getParams(value)) / importer.getScale(tensor);
    return std::floor(number * scale * format / mli::quant::realScale(params) +
                      0.5);
  };
  auto kernel = [&](double value, double number) {
    return round(variable.sign * value, variable.tensor, variable.value) +
           round(number, constant.tensor, constant.value);
  };
  return mli::createConstantSum(importer, variable.value, map, out, clip,
                                kernel);
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

namespace {
/// Operands of one shape, of one element, or of one slice that is broadcast.
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

/// Creates `KernelOp` of two operands that `readOperand` returned.
template <typename KernelOp>
static Value createBinary(GraphImporter &importer, Value left, Value right,
                          Type element, ArrayRef<int64_t> shape,
                          const Clip &clip) {
  constexpr bool isSum =
      llvm::is_one_of<KernelOp, EltwiseAddOp, EltwiseSubOp>::value;
  bool isExact = false;
  if constexpr (isSum)
    isExact = needsExactSum(importer.getImportOptions().sums, left, right,
                            element, clip.limits);
  auto compute = [&](Value lhs, Value rhs, Value init) -> Value {
    Value result;
    if (isExact)
      result = createExactSum<KernelOp>(importer, lhs, rhs, init);
    else
      result = importer.createOp<KernelOp>(lhs, rhs, init);
    return createClip(importer, result, clip);
  };
  return createBroadcast(importer, left, right, element, shape, compute);
}

/// Imports arithmetic of two operands. With `isOrder` the kernel compares
/// quantized values, so both operands are converted to the output's format.
template <typename KernelOp>
static LogicalResult importArithmetic(GraphImporter &importer,
                                      ActivationFunctionType activation,
                                      bool isOrder = false) {
  FailureOr<Binary> binary = readBinary(importer);
  if (failed(binary))
    return failure();
  if (importer.getTensor(binary->output).type == schema::TensorType::INT16) {
    if (isOrder)
      return importWideOrder(importer, std::is_same_v<KernelOp, EltwiseMaxOp>);
    if (std::is_same_v<KernelOp, EltwiseMulOp>)
      return importWideProduct(importer, activation);
    return importWideSum(importer, std::is_same_v<KernelOp, EltwiseSubOp>,
                         activation);
  }
  FailureOr<mli::quant::QuantParams> params =
      importer.getParams(binary->output);
  if (failed(params))
    return failure();
  FailureOr<mli::quant::Limits> limits =
      getLimits(importer, activation, importer.getScale(binary->output),
                params->zeroPoint);
  SmallVector<int64_t> shape =
      getBroadcastShape(importer.getShape(binary->output));
  FailureOr<Value> left = readOperand(importer, binary->left, shape);
  FailureOr<Value> right = readOperand(importer, binary->right, shape);
  FailureOr<Type> element = importer.getElement(binary->output);
  if (failed(limits) || failed(left) || failed(right) || failed(element))
    return failure();
  if (isOrder && getElementTypeOrSelf(*left) != getElementTypeOrSelf(*right)) {
    left = importer.createConvert(*left, *element);
    right = importer.createConvert(*right, *element);
  }
  Clip clip = chooseClip(*limits, *params);
  constexpr bool isDifference = std::is_same_v<KernelOp, EltwiseSubOp>;
  if (std::is_same_v<KernelOp, EltwiseAddOp> || isDifference) {
    Summand first = {*left, binary->left, 1},
            second = {*right, binary->right, isDifference ? -1.0 : 1.0};
    Value sum = createConstantSum(importer, first, second, binary->output,
                                  *element, shape, clip);
    if (!sum)
      sum = createConstantSum(importer, second, first, binary->output, *element,
                              shape, clip);
    if (sum) {
      importer.define(binary->output, sum);
      return success();
    }
  }
  importer.define(
      binary->output,
      createBinary<KernelOp>(importer, *left, *right, *element, shape, clip));
  return success();
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
