// SPDX-License-Identifier: Apache-2.0
//
// The kernels and moves of a function on buffers, as the times of its memory.

#ifndef MLI_ANALYSIS_FUNCTIONSTEPS_H
#define MLI_ANALYSIS_FUNCTIONSTEPS_H

#include "mli/Analysis/BufferLifetimes.h"

#include <vector>

namespace mli {

/// An operation that computes, moves or calls.
struct FunctionStep {
  mlir::Operation *op = nullptr;
  /// Its positions.
  Interval time;
  /// The layer, as BufferNames.h has it, and its name alone if it has one.
  std::string layer, label;
  bool isMove = false;
  /// Its runs in one run of the function.
  int64_t runs = 1;
};

/// The steps of `function` in program order.
std::vector<FunctionStep> findSteps(mlir::func::FuncOp function,
                                    const BufferLifetimes &lifetimes);

} // namespace mli

#endif // MLI_ANALYSIS_FUNCTIONSTEPS_H
