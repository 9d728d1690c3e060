// SPDX-License-Identifier: Apache-2.0

#include "FormStreams.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

std::optional<int64_t> mli::streams::findBound(func::FuncOp function,
                                               ArrayRef<StreamSchedule> given,
                                               ArenaBoundOptions options) {
  options.stripedKernels = maxKernels;
  if (options.again > 0)
    options.stripes = maxStripes;
  for (const StreamSchedule &schedule : given) {
    options.stripes = std::max(options.stripes, schedule.shape.stripes);
    options.stripedKernels =
        std::max(options.stripedKernels, schedule.end - schedule.begin);
  }
  if (std::optional<ArenaBound> bound = getArenaBound(function, options))
    return bound->bytes;
  return std::nullopt;
}
