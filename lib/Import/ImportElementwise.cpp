// SPDX-License-Identifier: Apache-2.0
//
// Importing arithmetic, element by element.

#include "Operands.h"
#include "Options.h"
#include "WideLayers.h"

#include "mli/Analysis/CodeRanges.h"
#include "mli/Frontend/Broadcast.h"
#include "mli/Frontend/Sums.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::ActivationFunctionType;
using schema::BuiltinOptions;

//===----------------------------------------------------------------------===//
// Exact sums
//===----------------------------------------------------------------------===//

/// What the rules for real networks leave to sums.
static constexpr double greatestShare = 0.15;

static mli::quant::QuantParams paramsOf(Value value) {
  return cast<Sa8Type>(getElementTypeOrSelf(value)).getParams().front();
}

/// All codes of `operand`, in units of `out`: the one that a constant has, or
/// all that there are.
static SmallVector<double> termsOf(Value operand,
                                   const mli::quant::QuantParams &out) {
  mli::quant::QuantParams in = paramsOf(operand);
  double ratio = mli::quant::realScale(in) / mli::quant::realScale(out);
  mli::quant::CodeRange codes = getCodeRange(operand);
  if (codes.count() > 1)
    codes = mli::quant::allCodes(8);
  SmallVector<double> terms;
  for (int32_t code : llvm::seq_inclusive(codes.low, codes.high))
    terms.push_back(ratio * (code - in.zeroPoint));
  return terms;
}

/// The share of all pairs of codes whose sum, each term rounded, is another
/// code than the rounded sum. A difference has the same.
static double shareOff(ArrayRef<double> left, ArrayRef<double> right,
                       const mli::quant::QuantParams &out,
                       const mli::quant::Limits &limits) {
  double zero = out.zeroPoint, low = limits.low, high = limits.high;
  auto rounded = [](double number) { return std::floor(number + 0.5); };
  auto code = [&](double sum) { return std::clamp(sum + zero, low, high); };
  size_t count = 0;
  for (double a : left) {
    double first = rounded(a);
    for (double b : right)
      if (code(first + rounded(b)) != code(rounded(a + b)))
        ++count;
  }
  return static_cast<double>(count) /
         static_cast<double>(left.size() * right.size());
}

/// Whether the sum of `left` and `right`, in `element` and clipped to `limits`,
/// is to be rounded once, in fx16: never for other types than sa8.
static bool needsExactSum(GraphImporter &importer, Value left, Value right,
                          Type element, const mli::quant::Limits &limits) {
  SumForm form = importer.getImportOptions().sums;
  bool isBytes = llvm::all_of(TypeRange{left.getType(), right.getType()},
                              [](Type type) {
                                return isa<Sa8Type>(getElementTypeOrSelf(type));
                              }) &&
                 isa<Sa8Type>(element);
  if (form == SumForm::Kernel || !isBytes)
    return false;
  mli::quant::QuantParams out = cast<Sa8Type>(element).getParams().front();
  return form == SumForm::Exact ||
         shareOff(termsOf(left, out), termsOf(right, out), out, limits) >
             greatestShare;
}

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
