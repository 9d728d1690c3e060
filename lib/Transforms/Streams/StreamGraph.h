// SPDX-License-Identifier: Apache-2.0
//
// The operations of a block and the tensors between them as numbers, for
// mli-form-streams: which rows a kernel reads for rows of its result.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_STREAMGRAPH_H
#define MLI_LIB_TRANSFORMS_STREAMS_STREAMGRAPH_H

#include "Transforms/TileSelection/StaticKernel.h"

#include "mli/Analysis/MemoryProblem.h"

namespace mli::streams {

/// A feature map as rows: dimension `rowDim` of a tensor whose dimensions
/// before it are 1.
struct MapShape {
  /// Nothing if `type` is no map of static shape.
  static std::optional<MapShape> get(mlir::Type type);

  unsigned rowDim = 0;
  int64_t rows = 1, columns = 1, rowBytes = 0;
};

/// A buffer of the block: what a kernel computes, or what comes from outside.
struct StreamValue {
  /// A tensor that is all of it: what it is outside of the block, or the first.
  mlir::Value tensor;
  /// Bytes in the arena; 0 if it is the caller's or a constant.
  int64_t bytes = 0;
  /// Its rows; nothing if it is no map.
  std::optional<MapShape> map;
  /// The vertex that computes it; nothing if it comes from outside.
  std::optional<size_t> producer;
  /// The vertices that use it, ascending.
  llvm::SmallVector<size_t> users;
  /// Whether something after the last vertex uses it.
  bool isReturned = false;

  /// Whether vertices from `end` on, or what is after them, use it.
  bool livesAt(size_t end) const {
    return isReturned || (!users.empty() && users.back() >= end);
  }
};

/// Rows of a map that a kernel reads.
struct RowRead {
  /// Whether a transposed window spreads them over the result.
  bool isSpread() const {
    return rows.use.kind == tiling::DimAccess::Kind::Spread;
  }

  size_t value;
  /// The number of the operand.
  unsigned operand;
  /// The rows that follow from those of the result, and the columns.
  tiling::DimRange rows;
  std::optional<tiling::DimRange> columns;
};

/// An operation of the block.
struct StreamVertex {
  /// The rows that it reads of operand `number`; null if these are none.
  const RowRead *findRead(unsigned number) const {
    for (const RowRead &read : rowReads)
      if (read.operand == number)
        return &read;
    return nullptr;
  }

  mlir::Operation *op;
  /// The values that it makes or changes.
  llvm::SmallVector<size_t, 1> results;
  /// All values that it reads, and those that it needs whole.
  llvm::SmallVector<size_t> inputs, wholeInputs;
  /// What it reads by rows.
  llvm::SmallVector<RowRead, 2> rowReads;
  /// Values that its result may be computed over.
  llvm::SmallVector<size_t, 2> replaceable;
  /// Why it is in no stream; empty if it may be.
  std::string obstacle;
  /// Whether it computes some columns of its result from some of its inputs.
  bool hasStripes = false;
  /// Whether it moves rows into local memory, or out of it.
  bool isMovedIn = false, isMovedOut = false;
  /// Products, or elements of windows, that it sums up.
  int64_t work = 0;
  /// What else is in the arena while it runs: tables and scratch memory, the
  /// arena of a function that it calls, and what is in its regions.
  int64_t scratchBytes = 0;
};

/// What a graph is made with.
struct GraphOptions {
  /// Whether arguments and results of the function are in the arena, too.
  bool countsPorts = false;
  /// The arenas of functions that are called, by their names.
  const llvm::StringMap<int64_t> *callees = nullptr;
  /// Whether a tensor of unknown size counts as one without bytes.
  bool isLenient = false;
  /// Where the numbers of kernels are found; nowhere else if null.
  tiling::StaticKernels *kernels = nullptr;
  /// Divides the addresses of buffers.
  int64_t alignment = MemoryRules().systemAlignment;
};

struct StreamGraph {
  /// The graph of `block`. Fails if the size of a tensor is not known, after
  /// `explain` is called with the operation.
  static std::optional<StreamGraph>
  get(mlir::Block &block, const GraphOptions &options,
      llvm::function_ref<void(mlir::Operation *)> explain);

  /// Bytes in front of each vertex, and behind the last one, of what is live
  /// there: each value rounded up to a multiple of `alignment`.
  std::vector<int64_t> getLiveBytes() const;
  /// Bytes that vertex `number` adds to that if it runs whole.
  int64_t getWholeBytes(size_t number) const;

  /// Bytes of some rows and columns of value `number`, a map.
  int64_t getBytes(size_t number, int64_t rows, int64_t columns) const;

  int64_t alignment = 1;
  /// What `getBytes` asks; null where maps are dense.
  std::function<int64_t(size_t number, int64_t rows, int64_t columns)> measure;

  std::vector<StreamValue> values;
  std::vector<StreamVertex> vertices;
};

//===----------------------------------------------------------------------===//
// Obstacles
//===----------------------------------------------------------------------===//

/// Why `op` is in no stream, whatever its rows are; empty if nothing says so.
std::string findObstacle(mlir::Operation *op);
/// Why a result of `type` has no rows.
std::string explainNoMap(mlir::RankedTensorType type);

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_STREAMGRAPH_H
