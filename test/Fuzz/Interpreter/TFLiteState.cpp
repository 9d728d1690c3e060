// SPDX-License-Identifier: Apache-2.0
//
// Operators with state. What a variable holds is given by its values before and
// after the run.

#include "TFLiteBounds.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mli;
using namespace mli::fuzz;

/// What a code of the state has to be.
static std::string compare(double code, Bounds bounds, int64_t index) {
  if (bounds.contains(code))
    return "";
  return llvm::formatv("element {0} of the state: expected {1} to {2}, but got "
                       "{3}",
                       index, bounds.low, bounds.high, code);
}

/// Features of the input enter the memory, the oldest step leaves it: in the
/// program it is [steps, filters]. Then the filters over time.
std::string fuzz::computeSvdf(TFLiteRun &run, llvm::ArrayRef<double> before,
                              llvm::ArrayRef<double> after) {
  const TFLiteOperand &input = run.inputs[0], &features = run.inputs[1],
                      &time = run.inputs[2], &memory = run.inputs[4],
                      &output = run.outputs[0];
  const auto &options = run.getOptions<schema::SVDFOptions>();
  int64_t inputs = features.getExtent(1), filters = features.getExtent(0),
          steps = time.getExtent(1), rank = options.rank(),
          last = (steps - 1) * filters;
  for (int64_t i = 0; i < last; ++i)
    if (std::string text =
            compare(after[i], {before[i + filters], before[i + filters]}, i);
        !text.empty())
      return text;
  for (int64_t f = 0; f < filters; ++f) {
    int64_t sum = 0;
    for (int64_t k = 0; k < inputs; ++k)
      sum += input.get(k) * features.get(f * inputs + k);
    long double factor = static_cast<long double>(input.getScale()) *
                         features.getScale() / memory.getScale();
    Bounds bounds = round(static_cast<long double>(sum) * factor +
                              static_cast<long double>(memory.getZero()),
                          middle, memory.getLimits());
    if (std::string text = compare(after[last + f], bounds, last + f);
        !text.empty())
      return text;
  }
  Bounds limits = clip(output, options.fused_activation_function());
  run.setEach(0, [&](int64_t unit) {
    int64_t sum =
        run.hasInput(3) ? static_cast<int64_t>(run.inputs[3].codes[unit]) : 0;
    for (int64_t r = 0; r < rank; ++r)
      for (int64_t t = 0; t < steps; ++t) {
        int64_t filter = unit * rank + r;
        sum += (static_cast<int64_t>(after[t * filters + filter]) -
                memory.getZero()) *
               time.get(filter * steps + t);
      }
    long double factor = static_cast<long double>(memory.getScale()) *
                         time.getScale() / output.getScale();
    return round(static_cast<long double>(sum) * factor +
                     static_cast<long double>(output.getZero()),
                 middle, limits);
  });
  return "";
}
