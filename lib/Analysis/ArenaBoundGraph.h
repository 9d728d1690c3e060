// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a block and the tensors between them, as far as the bound of
// the arena depends on them, and the rows that streams keep.

#ifndef MLI_LIB_ANALYSIS_ARENABOUNDGRAPH_H
#define MLI_LIB_ANALYSIS_ARENABOUNDGRAPH_H

#include "mli/Allocation/Interval.h"
#include "mli/Analysis/ArenaBound.h"

namespace mli::bound {

/// The rows of a map that one row of a result reads, or the columns that one
/// column reads: a window that moves, or is spread over the result.
struct AxisWindow {
  int64_t stride = 1, extent = 1, before = 0, dilation = 1;
  bool isSpread = false;
  /// Rows or columns of the map and of the result.
  int64_t inputs = 1, results = 1;

  /// Those of the map that number `result` reads: none where its window is in
  /// padding.
  Interval getInputs(int64_t result) const;
  /// The end of what the first `count` of the result read.
  int64_t getEnd(int64_t count) const;
  /// The first that those from `result` on read; all of the map if none does.
  int64_t getFirst(int64_t result) const;
};

/// A tensor with memory of its own.
struct ArenaValue {
  /// Bytes in the arena: 0 if it is the caller's.
  int64_t bytes = 0;
  /// Of a map.
  int64_t rowBytes = 0, columns = 1;
  /// The step that makes it; nothing if it is there before the first.
  std::optional<size_t> maker;
  /// The steps that use it, ascending.
  llvm::SmallVector<size_t> users;
  /// Whether something behind the last step uses it.
  bool isReturned = false;
  /// The last step that all of it is live at, if no stream computes it.
  size_t liveUntil = 0;

  bool isUsedFrom(size_t step) const {
    return isReturned || (!users.empty() && users.back() >= step);
  }
};

/// An operand that is read row by row.
struct RowRead {
  size_t value;
  AxisWindow rows;
  /// Nothing if a reshape may move elements between columns.
  std::optional<AxisWindow> columns;
};

/// An operation that uses or makes values.
struct Step {
  /// The values that it makes.
  llvm::SmallVector<size_t, 1> results;
  llvm::SmallVector<size_t, 2> inputs;
  /// Inputs of which it is known which rows a row of the result reads.
  llvm::SmallVector<RowRead, 2> reads;
  /// Inputs that it may compute its result over.
  llvm::SmallVector<size_t, 2> replaceable;
  /// Whether it can compute its only result row by row.
  bool isByRow = false;
  /// Products of one column of that result.
  int64_t columnProducts = 0;
  /// Bytes of the arena of a function that it calls.
  int64_t calleeBytes = 0;
};

/// The rows of a map: the third dimension from behind, if those in front of it
/// are 1.
struct MapRows {
  /// No rows if `type` is no map.
  static MapRows get(mlir::Type type);

  int64_t count = 0, bytes = 0, columns = 1;
};

/// How a kernel with one result, a map, reads rows of `operand`, whose `value`
/// is not known here; nothing if it may read others for a row.
std::optional<RowRead> findRead(mlir::OpOperand &operand);

struct Graph {
  /// Nothing if a kernel of `block` has a result of unknown size.
  static std::optional<Graph> get(mlir::Block &block,
                                  const ArenaBoundOptions &options);

  std::vector<ArenaValue> values;
  std::vector<Step> steps;
};

/// What any stream keeps of a value that nothing outside of the stream uses.
struct KeptRows {
  /// Rows that are there at one time.
  int64_t rows = 1;
  /// Whether some of them are there at any time, so that their buffer lives all
  /// through the stream.
  bool isRing = false;
  /// A value that its rows are computed from, and the rows of that for which
  /// several rows of this value that wait for each other are computed without
  /// its maker in between. 0 if it has enough at any rate.
  size_t source = 0;
  int64_t sourceRows = 0;
};

/// The rows of each value of `graph`, whatever else is in the stream.
std::vector<KeptRows> findKeptRows(const Graph &graph);

} // namespace mli::bound

#endif // MLI_LIB_ANALYSIS_ARENABOUNDGRAPH_H
