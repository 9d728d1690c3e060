// SPDX-License-Identifier: Apache-2.0
//
// Finds where two runs part: the first layer with another result, the element
// and its place.

#ifndef MLI_EXECUTION_RUNCOMPARISON_H
#define MLI_EXECUTION_RUNCOMPARISON_H

#include "mli/Execution/LayerList.h"
#include "mli/Execution/Similarity.h"

namespace mli {

/// A layer of a run beside that of another.
struct LayerDifference {
  const LayerValue *layer;
  /// Why they were not compared; empty if they were.
  std::string obstacle = {};
  /// The name that the other run has for it, and its type, where they differ.
  std::string otherName = {}, otherType = {};
  Difference difference = {};
  Similarity similarity = {};
  /// The first element that differs, in both runs.
  double expected = 0, got = 0;
};

/// A result of a run beside a reference.
struct ResultDifference {
  size_t elements = 0;
  Difference difference = {};
  Similarity similarity = {};
};

/// Compares `result`, of `type`, with `reference`, which has as many elements.
ResultDifference compareResult(mlir::RankedTensorType type,
                               const HostTensor &result,
                               const HostTensor &reference);

/// What decides whether tensors are near enough: equal bytes, or whatever is
/// set.
struct Tolerance {
  /// The greatest distance of two quantised values, or of two numbers.
  std::optional<double> maxDistance = {};
  /// In dB.
  std::optional<double> minSqnr = {};

  bool holds(const Difference &difference, const Similarity &similarity) const;
};

/// Compares `run` on `inputs`, of `entry` on tensors, with `other`, layer by
/// layer. The names of layers may differ; an error reports the first whose
/// kernel or shape does, and inputs that are not those of the other run.
llvm::Expected<std::vector<LayerDifference>>
compareRuns(mlir::func::FuncOp entry, const Recording &run,
            llvm::ArrayRef<HostTensor> inputs, const RecordedRun &other);

} // namespace mli

#endif // MLI_EXECUTION_RUNCOMPARISON_H
