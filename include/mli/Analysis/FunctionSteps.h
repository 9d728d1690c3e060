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
  std::string layer;
  bool isMove = false;
  /// Its runs in one run of the function.
  int64_t runs = 1;
};

/// The name of the layer that `op` is of: that in its location, or its place in
/// the source, or what it does.
std::string findLayer(mlir::Operation *op);

/// The steps of `function` in program order.
std::vector<FunctionStep> findSteps(mlir::func::FuncOp function,
                                    const BufferLifetimes &lifetimes);

} // namespace mli

#endif // MLI_ANALYSIS_FUNCTIONSTEPS_H
