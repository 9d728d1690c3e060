// SPDX-License-Identifier: Apache-2.0
//
// Functions of single elements whose tables have all codes: only how a number
// becomes a code is left to them.

#include "TFLiteBounds.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mli;
using namespace mli::fuzz;
using schema::ActivationFunctionType;

/// How near to a middle a number may be rounded to either side: functions of
/// libraries have errors.
static constexpr double numberError = 1e-6;

/// Sets the codes of the numbers that `compute` gives for each element of input
/// `input`.
static void setNumbers(TFLiteRun &run, size_t input,
                       llvm::function_ref<double(double)> compute,
                       ActivationFunctionType activation) {
  const TFLiteOperand &output = run.outputs[0];
  Bounds limits = clip(output, activation);
  run.setEach(0, [&](int64_t i) {
    double number = compute(run.inputs[input].getReal(i));
    // A function that is no number there gives 0, and infinities the last code.
    number = std::isnan(number) ? 0 : std::clamp(number, -1e9, 1e9);
    return round(static_cast<long double>(number) / output.getScale() +
                     static_cast<long double>(output.getZero()),
                 numberError, limits);
  });
}

namespace {
struct Named {
  const char *name;
  double (*compute)(double);
};
} // namespace

static constexpr Named functions[] = {
    {"CEIL", [](double x) { return std::ceil(x); }},
    {"COS", [](double x) { return std::cos(x); }},
    {"ELU", [](double x) { return x < 0 ? std::exp(x) - 1 : x; }},
    {"EXP", [](double x) { return std::exp(x); }},
    {"FLOOR", [](double x) { return std::floor(x); }},
    {"HARD_SWISH",
     [](double x) { return x <= -3  ? 0
                           : x >= 3 ? x
                                    : x * x / 6 + x / 2; }},
    {"LOG", [](double x) { return std::log(x); }},
    {"NEG", [](double x) { return -x; }},
    {"RELU_0_TO_1", [](double x) { return x <= 0   ? 0
                                          : x >= 1 ? 1
                                                   : x; }},
    {"ROUND", [](double x) { return std::rint(x); }},
    {"RSQRT", [](double x) { return std::pow(x, -0.5); }},
    {"SIGN", [](double x) { return x < 0   ? -1.0
                                   : x > 0 ? 1.0
                                           : 0.0; }},
    {"SIN", [](double x) { return std::sin(x); }},
    {"SQRT", [](double x) { return std::pow(x, 0.5); }},
    {"SQUARE", [](double x) { return x * x; }},
};

static double gelu(double x, bool isApproximate) {
  if (isApproximate)
    return x / (1 + std::exp(-2 * std::sqrt(2 / M_PI) *
                             (x + 0.044715 * std::pow(x, 3))));
  return x * 0.5 * (1 + std::erf(x * M_SQRT1_2));
}

static void computeWithNumber(TFLiteRun &run, double (*compute)(double, double),
                              ActivationFunctionType activation) {
  bool isSecond =
      run.inputs[1].getNumElements() == 1 && run.inputs[1].tensor->isConstant;
  double number = run.inputs[isSecond ? 1 : 0].getReal(0);
  auto function = [&](double x) {
    return isSecond ? compute(x, number) : compute(number, x);
  };
  setNumbers(run, isSecond ? 0 : 1, function, activation);
}

/// How much of a number a fixed-point format of 16 bits drops that holds
/// numbers up to `most`.
static double getWideStep(double most) {
  return std::exp2(std::floor(std::log2(most)) + 1 - 15);
}

/// The greatest number of `operand`, without its sign.
static double getMost(const TFLiteOperand &operand) {
  Bounds limits = operand.getLimits();
  auto zero = static_cast<double>(operand.getZero());
  return operand.getScale() * std::max(zero - limits.low, limits.high - zero);
}

/// Both operands have one format of 16 bits, and so has the square.
static void computeSquaredDifference(TFLiteRun &run) {
  const TFLiteOperand &left = run.inputs[0], &right = run.inputs[1],
                      &output = run.outputs[0];
  double most = getMost(left) + getMost(right), step = getWideStep(most);
  double squares = getWideStep(std::min(most * most, 2 * getMost(output)));
  run.setEach(0, [&](int64_t i) {
    double difference =
        std::abs(left.getReal(broadcast(left, output.getShape(), i)) -
                 right.getReal(broadcast(right, output.getShape(), i)));
    // Two formats of 15 bits, and two roundings.
    double error = step + std::ldexp(most, -14);
    double number = difference * difference / output.getScale();
    return round(number + static_cast<double>(output.getZero()),
                 middle + (error * (2 * difference + error) + squares) /
                              output.getScale(),
                 output.getLimits());
  });
}

static void computeLogSoftmax(TFLiteRun &run) {
  const TFLiteOperand &input = run.inputs[0], &output = run.outputs[0];
  int64_t size = input.getShape().empty() ? 1 : input.getShape().back();
  auto count = static_cast<double>(size);
  double range = std::max(256 * input.getScale(), std::log(2 * count));
  // The input and the results are rounded; the greatest probability is, too.
  double error = 3 * getWideStep(2 * range) + count * 8 * 0x1p-15 + 0x1p-10;
  run.setEach(0, [&](int64_t i) {
    double sum = 0, x = input.getReal(i);
    for (int64_t k = 0, row = i / size * size; k < size; ++k)
      sum += std::exp(input.getReal(row + k) - x);
    return round(-std::log(sum) / output.getScale() +
                     static_cast<double>(output.getZero()),
                 middle + error / output.getScale(), output.getLimits());
  });
}

bool fuzz::computeFunctions(TFLiteRun &run) {
  constexpr auto none = ActivationFunctionType::NONE;
  llvm::StringRef name = run.op->name;
  for (const Named &function : functions)
    if (name == function.name) {
      setNumbers(run, 0, function.compute, none);
      return true;
    }
  if (name == "SQUARED_DIFFERENCE") {
    computeSquaredDifference(run);
  } else if (name == "LOG_SOFTMAX") {
    computeLogSoftmax(run);
  } else if (name == "GELU") {
    bool isApproximate = run.getOptions<schema::GeluOptions>().approximate();
    setNumbers(run, 0, [&](double x) { return gelu(x, isApproximate); }, none);
  } else if (name == "DIV") {
    computeWithNumber(
        run, [](double a, double b) { return a / b; },
        run.getOptions<schema::ActivationOptions>()
            .fused_activation_function());
  } else if (name == "POW") {
    computeWithNumber(
        run, [](double a, double b) { return std::pow(a, b); }, none);
  } else {
    return false;
  }
  return true;
}
