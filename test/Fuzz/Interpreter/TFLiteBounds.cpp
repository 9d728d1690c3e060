// SPDX-License-Identifier: Apache-2.0

#include "TFLiteBounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mli;
using namespace mli::fuzz;
using schema::ActivationFunctionType;

Bounds TFLiteOperand::getLimits() const {
  switch (tensor->type) {
  case schema::TensorType::INT8:
    return {-128, 127};
  case schema::TensorType::UINT8:
    return {0, 255};
  case schema::TensorType::INT16:
    return {-32768, 32767};
  case schema::TensorType::FLOAT32:
    return {-std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::infinity()};
  default:
    return {-2147483648.0, 2147483647.0};
  }
}

void TFLiteRun::setEach(size_t index,
                        llvm::function_ref<Bounds(int64_t)> compute) {
  std::vector<Bounds> &list = bounds[index];
  for (int64_t i = 0, e = outputs[index].getNumElements(); i < e; ++i)
    list.push_back(compute(i));
}

Bounds fuzz::clip(const TFLiteOperand &output,
                  ActivationFunctionType activation) {
  Bounds limits = output.getLimits();
  auto code = [&](float number) {
    float steps = std::round(number / static_cast<float>(output.getScale()));
    return std::clamp(steps + static_cast<double>(output.getZero()), limits.low,
                      limits.high);
  };
  switch (activation) {
  case ActivationFunctionType::RELU:
    return {code(0), limits.high};
  case ActivationFunctionType::RELU6:
    return {code(0), code(6)};
  case ActivationFunctionType::RELU_N1_TO_1:
    return {code(-1), code(1)};
  default:
    return limits;
  }
}

Bounds fuzz::convert(double number, const TFLiteOperand &output) {
  if (output.isFloat()) {
    // Scales have 15 bits.
    double error = std::ldexp(std::abs(number), -14);
    return {number - error, number + error};
  }
  long double code = static_cast<long double>(number) / output.getScale() +
                     static_cast<long double>(output.getZero());
  return output.isByte() ? round(code, middle, output.getLimits())
                         : around(code, 1, output.getLimits());
}

Bounds fuzz::move(const TFLiteOperand &input, int64_t index,
                  const TFLiteOperand &output) {
  if (input.isLike(output))
    return {input.codes[index], input.codes[index]};
  return convert(input.getReal(index), output);
}

bool fuzz::computeBounds(TFLiteRun &run) {
  run.bounds.resize(run.outputs.size());
  bool isKnown = computeProducts(run) || computeElements(run) ||
                 computeFunctions(run) || computeWindows(run) ||
                 computeMoves(run) || computeTakes(run);
  if (!isKnown)
    run.bounds.clear();
  return isKnown;
}
