// SPDX-License-Identifier: Apache-2.0
//
// Kernels in real numbers: what integers stand for, without any rounding,
// saturation or wrap-around.

#ifndef MLI_TEST_FUZZ_INTERPRETER_REALKERNELS_H
#define MLI_TEST_FUZZ_INTERPRETER_REALKERNELS_H

#include "Call.h"

#include <optional>

namespace mli::fuzz {

/// Elements of the last result of `call`, as multiples of its scale from its
/// zero point on, so that a quantised value is one of them rounded; nothing for
/// kernels that only move elements, for cells, and for tables of callers.
std::optional<std::vector<long double>> computeReal(Call &call);

/// What the integers of a kernel were.
struct RangeNote {
  mlir::Operation *op;
  /// An intermediate was clipped to its type.
  bool isClipped = false;
  /// The greatest distance of a result from the real number, clipped to its
  /// type, in steps of its scale.
  double distance = 0;
};

/// The kernels of the reference, which note their ranges in `notes`: one for
/// each kernel that was computed.
std::unique_ptr<Kernels> createRangeKernels(std::vector<RangeNote> &notes);

/// The distance that rounding, tables and multipliers of few bits explain.
double getRoundingSteps(KernelOpInterface op);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_INTERPRETER_REALKERNELS_H
