// SPDX-License-Identifier: Apache-2.0
//
// Consecutive kernels that run as one segment of a schedule.

#ifndef MLI_LIB_ANALYSIS_MOVEBOUND_MOVEBOUNDSEGMENT_H
#define MLI_LIB_ANALYSIS_MOVEBOUND_MOVEBOUNDSEGMENT_H

#include "MoveBoundGraph.h"
#include "MoveBoundRounds.h"

namespace mli::movebound {

/// Where the whole values are that a segment reads.
enum class Whereabouts {
  System,
  /// In local memory until the segment ends.
  Segment,
  /// In local memory beyond it.
  Passing
};

/// The kernels [begin, end).
class Segment {
public:
  /// Without kernels.
  Segment(const MoveGraph &graph, size_t begin)
      : graph(graph), begin(begin), end(begin) {}

  /// Adds the next kernel.
  void grow();

  size_t getEnd() const { return end; }
  int64_t getConstantBytes() const { return constantBytes; }
  bool hasSums() const { return !sums.empty(); }
  /// What it reads of arguments and of values that other kernels make.
  llvm::ArrayRef<ValueRead> getReads() const { return reads; }
  /// Whether one of its kernels makes `value`.
  bool isMade(size_t value) const {
    std::optional<size_t> producer = graph.values[value].producer;
    return producer && *producer >= begin && *producer < end;
  }
  /// The values that it makes for what is outside.
  llvm::SmallVector<size_t, 4> getResults() const;

  /// Its sums over channels, of which those are listed that may run in several
  /// rounds. `isKept` is whether a result stays as a whole in local memory.
  std::vector<Sum>
  getSums(llvm::function_ref<bool(size_t)> isKept,
          llvm::function_ref<Whereabouts(size_t)> findInput) const;

private:
  llvm::SmallVector<int64_t>
  getGathered(llvm::function_ref<bool(size_t)> isKept) const;

  const MoveGraph &graph;
  size_t begin, end;
  int64_t constantBytes = 0;
  llvm::SmallVector<ValueRead, 4> reads;
  llvm::SmallVector<size_t> sums;
};

} // namespace mli::movebound

#endif // MLI_LIB_ANALYSIS_MOVEBOUND_MOVEBOUNDSEGMENT_H
