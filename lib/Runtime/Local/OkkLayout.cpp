// SPDX-License-Identifier: Apache-2.0
//
// The OKK functions that compute strides.

#include "Runtime/Local/LocalMemory.h"
#include "Runtime/Local/OkkCall.h"
#include "mli/Layout/Strides.h"

namespace mli::rt {
namespace {

using layout::Dims;
using layout::Result;
using layout::Violation;

/// The name that the C API has for what a problem of strides names.
Violation renamed(Violation problem) {
  if (std::string_view(problem.parameter) == "start_npu")
    problem.parameter = "start_idx";
  return problem;
}

/// Stores what `compute` returns for `shape`, or zeros with a report.
template <typename Compute>
void storeStrides(const char *function, dim4 *stride, const dim4 *shape,
                  Compute compute) {
  OkkCall call(function);
  if (!call.checkNotNull("stride", stride))
    return;
  *stride = {0, 0, 0, 0};
  if (!call.checkNotNull("shape", shape))
    return;
  Result<Dims> result = compute(Dims{shape->n, shape->c, shape->h, shape->w});
  if (!result) {
    call.check(MLI_STATUS_ARGUMENT_ERROR, renamed(result.violation()));
    return;
  }
  if (!call.checkRange("n stride", result->n, 0, INT32_MAX) ||
      !call.checkRange("c stride", result->c, 0, INT32_MAX))
    return;
  *stride = {static_cast<int>(result->n), static_cast<int>(result->c),
             static_cast<int>(result->h), static_cast<int>(result->w)};
}

void storeAligned(const char *function, int64_t bytes, dim4 *stride,
                  int startNpu, const dim4 *shape) {
  storeStrides(function, stride, shape, [&](const Dims &dims) {
    return layout::alignedStrides(dims, bytes, startNpu, localTarget());
  });
}

} // namespace
} // namespace mli::rt

using namespace mli::rt;

// NOLINTBEGIN(readability-identifier-naming): the C names.

#define MLI_ALIGNED_STRIDE(width)                                              \
  void okk_128_byte_aligned_stride_for_##width##bit(                           \
      dim4 *stride, int start_idx, const dim4 *shape) {                        \
    storeAligned("okk_128_byte_aligned_stride_for_" #width "bit", (width) / 8, \
                 stride, start_idx, shape);                                    \
  }
MLI_ALIGNED_STRIDE(32)
MLI_ALIGNED_STRIDE(16)
MLI_ALIGNED_STRIDE(8)
#undef MLI_ALIGNED_STRIDE

void okk_compact_stride(dim4 *stride, int start_idx, const dim4 *shape) {
  storeStrides("okk_compact_stride", stride, shape, [&](const Dims &dims) {
    return mli::layout::compactStrides(dims, start_idx, localTarget());
  });
}

void okk_continuous_stride(dim4 *stride, const dim4 *shape) {
  storeStrides("okk_continuous_stride", stride, shape,
               mli::layout::continuousStrides);
}

// NOLINTEND(readability-identifier-naming)
