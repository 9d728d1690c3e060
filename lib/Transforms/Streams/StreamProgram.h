// SPDX-License-Identifier: Apache-2.0
//
// The calls of a stream as its program has them: under which conditions, and
// with which buffers.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_STREAMPROGRAM_H
#define MLI_LIB_TRANSFORMS_STREAMS_STREAMPROGRAM_H

#include "StreamSchedule.h"

namespace mli::streams {

/// Calls of kernels that run in the same iterations, in their order. Those that
/// differ in the same call, as in a last one of fewer rows, have one condition
/// for it.
struct CallBlock {
  struct Item {
    /// A kernel and its calls, if there are no branches.
    size_t vertex;
    CallRun run;
    /// The calls in front of `run`, and those from there on.
    std::vector<CallBlock> branches;
  };
  /// A buffer that exists in this block only.
  struct Buffer {
    size_t vertex;
    int64_t rows;
  };

  /// All calls of `vertices`, which are alike.
  CallBlock(const StreamSchedule &schedule, llvm::ArrayRef<size_t> vertices);

  llvm::SmallVector<size_t> vertices;
  std::vector<Item> items;
  llvm::SmallVector<Buffer> buffers;

private:
  using Runs = llvm::ArrayRef<CallRun>;

  CallBlock(const StreamSchedule &schedule, llvm::ArrayRef<size_t> vertices,
            llvm::ArrayRef<Runs> runs);
  void add(const StreamSchedule &schedule, llvm::ArrayRef<Runs> runs);
};

/// The calls of a stream one behind the other, in the order of its program.
class StreamProgram {
public:
  struct Call {
    size_t vertex;
    int64_t rows;
  };
  /// A buffer that exists from one call to another.
  struct Buffer {
    size_t vertex;
    int64_t rows;
    Interval live;
  };

  explicit StreamProgram(const StreamSchedule &schedule);

  llvm::ArrayRef<Call> getCalls() const { return calls; }
  /// The buffers that exist where kernels that are alike run only.
  llvm::ArrayRef<Buffer> getLocalBuffers() const { return buffers; }
  /// The calls in `places` of vertices.
  Interval getCalls(Interval places) const;

private:
  void add(const StreamSchedule &schedule, const CallBlock &block);

  std::vector<Call> calls;
  std::vector<Buffer> buffers;
  /// The calls at each place.
  std::vector<Interval> callsAt;
};

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_STREAMPROGRAM_H
