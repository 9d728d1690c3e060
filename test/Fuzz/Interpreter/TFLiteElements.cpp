// SPDX-License-Identifier: Apache-2.0
//
// Functions of elements and of rows.

#include "TFLiteBounds.h"

#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mli;
using namespace mli::fuzz;
using schema::ActivationFunctionType;

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

int64_t fuzz::broadcast(const TFLiteOperand &input,
                        llvm::ArrayRef<int64_t> shape, int64_t index) {
  llvm::ArrayRef<int64_t> own = input.getShape();
  int64_t step = 1, from = 0;
  for (size_t i = 1; i <= own.size(); ++i) {
    int64_t extent = own[own.size() - i],
            place = index % shape[shape.size() - i];
    from += extent == 1 ? 0 : place * step;
    step *= extent;
    index /= shape[shape.size() - i];
  }
  return from;
}

static void computeArithmetic(TFLiteRun &run, llvm::StringRef name) {
  const TFLiteOperand &left = run.inputs[0], &right = run.inputs[1],
                      &output = run.outputs[0];
  const auto *options = static_cast<const schema::ActivationOptions *>(
      run.op->table->builtin_options());
  Bounds limits = clip(output, options ? options->fused_activation_function()
                                       : ActivationFunctionType::NONE);
  run.setEach(0, [&](int64_t i) {
    long double a = left.getReal(broadcast(left, output.getShape(), i)),
                b = right.getReal(broadcast(right, output.getShape(), i));
    long double real = name == "ADD" ? a + b : name == "SUB" ? a - b : a * b;
    long double number =
        real / output.getScale() + static_cast<long double>(output.getZero());
    // Products of 16 bits are rounded twice.
    if (!output.isByte())
      return around(number, name == "MUL" ? 2 : 1, limits);
    if (name == "MUL")
      return round(number, middle, limits);
    // The kernel rounds each operand, whose scales have 15 bits.
    long double error =
        middle +
        std::ldexp((std::abs(a) + std::abs(b)) / output.getScale(), -14);
    return within(number, error, limits);
  });
}

static void computeOrder(TFLiteRun &run, bool isMax) {
  const TFLiteOperand &left = run.inputs[0], &right = run.inputs[1],
                      &output = run.outputs[0];
  auto choose = [&](double a, double b) {
    return isMax ? std::max(a, b) : std::min(a, b);
  };
  run.setEach(0, [&](int64_t i) {
    Bounds a = move(left, broadcast(left, output.getShape(), i), output),
           b = move(right, broadcast(right, output.getShape(), i), output);
    return Bounds{choose(a.low, b.low), choose(a.high, b.high)};
  });
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

/// Errors of a function as real numbers: of codes of 8 bits, and of 16.
struct Errors {
  double narrow = 0, wide = 0;
};

/// `function` of each element as a real number, off by `errors`.
static void
computeEach(TFLiteRun &run, Errors errors,
            llvm::function_ref<double(double, int64_t)> function,
            ActivationFunctionType activation = ActivationFunctionType::NONE) {
  const TFLiteOperand &input = run.inputs[0], &output = run.outputs[0];
  Bounds limits = clip(output, activation);
  run.setEach(0, [&](int64_t i) {
    long double number =
        static_cast<long double>(function(input.getReal(i), i)) /
            output.getScale() +
        static_cast<long double>(output.getZero());
    if (output.isByte())
      return round(number, middle + errors.narrow / output.getScale(), limits);
    return around(number, std::ceil(1 + errors.wide / output.getScale()),
                  limits);
  });
}

static void computeRelu(TFLiteRun &run, ActivationFunctionType activation) {
  computeEach(run, {}, [](double x, int64_t) { return x; }, activation);
}

static void computeSlope(TFLiteRun &run, double alpha) {
  computeEach(run, {},
              [&](double x, int64_t) { return x < 0 ? alpha * x : x; });
}

static void computePrelu(TFLiteRun &run) {
  const TFLiteOperand &alpha = run.inputs[1];
  int64_t count = alpha.getNumElements();
  computeEach(run, {}, [&](double x, int64_t i) {
    return x < 0 ? alpha.getReal(i % count) * x : x;
  });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static int64_t getRowSize(const TFLiteOperand &input) {
  return input.getShape().empty() ? 1 : input.getShape().back();
}

static void computeSoftmax(TFLiteRun &run) {
  const TFLiteOperand &input = run.inputs[0];
  double beta = run.getOptions<schema::SoftmaxOptions>().beta();
  int64_t size = getRowSize(input);
  // A scale of 16 bits that is no power of two moves numbers by a step.
  int exponent;
  double step = input.getScale() * beta;
  bool isExact = std::frexp(step, &exponent) == 0.5;
  double wide =
      std::ldexp(6, -15) + (isExact ? 0 : std::min(1.0, std::expm1(2 * step)));
  computeEach(run, {1.0 / 256, wide}, [&](double x, int64_t i) {
    double sum = 0;
    for (int64_t k = 0, row = i / size * size; k < size; ++k)
      sum += std::exp(beta * (input.getReal(row + k) - x));
    return 1 / sum;
  });
}

static void computeL2Normalization(TFLiteRun &run) {
  const TFLiteOperand &input = run.inputs[0];
  int64_t size = getRowSize(input);
  computeEach(run, {1.0 / 128}, [&](double x, int64_t i) {
    double sum = 0;
    for (int64_t k = 0, row = i / size * size; k < size; ++k)
      sum += input.getReal(row + k) * input.getReal(row + k);
    return sum == 0 ? 0 : x / std::sqrt(sum);
  });
}

static void computeArgMax(TFLiteRun &run) {
  const TFLiteOperand &input = run.inputs[0];
  auto rank = static_cast<int64_t>(input.getShape().size());
  int64_t axis = run.getInteger(1), after = 1;
  axis += axis < 0 ? rank : 0;
  for (int64_t dim = axis + 1; dim < rank; ++dim)
    after *= input.getExtent(dim);
  int64_t extent = input.getExtent(axis);
  run.setEach(0, [&](int64_t i) {
    int64_t first = i / after * extent * after + i % after, found = 0;
    for (int64_t k = 1; k < extent; ++k)
      if (input.codes[first + k * after] > input.codes[first + found * after])
        found = k;
    return Bounds{static_cast<double>(found), static_cast<double>(found)};
  });
}

bool fuzz::computeElements(TFLiteRun &run) {
  using Function = void (*)(TFLiteRun &);
  auto function =
      llvm::StringSwitch<Function>(run.op->name)
          .Case("ADD", [](TFLiteRun &r) { computeArithmetic(r, "ADD"); })
          .Case("SUB", [](TFLiteRun &r) { computeArithmetic(r, "SUB"); })
          .Case("MUL", [](TFLiteRun &r) { computeArithmetic(r, "MUL"); })
          .Case("MAXIMUM", [](TFLiteRun &r) { computeOrder(r, true); })
          .Case("MINIMUM", [](TFLiteRun &r) { computeOrder(r, false); })
          .Case("RELU",
                [](TFLiteRun &r) {
                  computeRelu(r, ActivationFunctionType::RELU);
                })
          .Case("RELU6",
                [](TFLiteRun &r) {
                  computeRelu(r, ActivationFunctionType::RELU6);
                })
          .Case("RELU_N1_TO_1",
                [](TFLiteRun &r) {
                  computeRelu(r, ActivationFunctionType::RELU_N1_TO_1);
                })
          .Case("LEAKY_RELU",
                [](TFLiteRun &r) {
                  computeSlope(
                      r, r.getOptions<schema::LeakyReluOptions>().alpha());
                })
          .Case("ABS", [](TFLiteRun &r) { computeSlope(r, -1); })
          .Case("PRELU", computePrelu)
          .Case("LOGISTIC",
                [](TFLiteRun &r) {
                  computeEach(r, {1.0 / 256, 0x1p-13}, [](double x, int64_t) {
                    return 1 / (1 + std::exp(-x));
                  });
                })
          .Case("TANH",
                [](TFLiteRun &r) {
                  computeEach(r, {1.0 / 128, 0x1.8p-13},
                              [](double x, int64_t) { return std::tanh(x); });
                })
          .Case("SOFTMAX", computeSoftmax)
          .Case("L2_NORMALIZATION", computeL2Normalization)
          .Case("ARG_MAX", computeArgMax)
          .Default(nullptr);
  if (function)
    function(run);
  return function != nullptr;
}
