// SPDX-License-Identifier: Apache-2.0
//
// Finds a lower bound of the cost of a stream: whatever its shape, it moves
// what it reads and makes once, and calls each kernel once.

#include "PartChoices.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using mli::streams::MapShape;
using mli::streams::RowRead;
using mli::streams::StreamValue;
using mli::streams::StreamVertex;
using mli::tiling::DimRange;

/// Whether stripes need not read all columns of `read`: some are between its
/// windows, before the first one or after the last one.
static bool leavesColumns(const RowRead &read) {
  if (!read.columns)
    return false;
  const DimRange &columns = *read.columns;
  int64_t last = columns.iterations - 1;
  return columns.use.isPart || columns.stride > columns.extent ||
         columns.of({0, 1}).lower > 0 ||
         columns.of({last, last + 1}).upper < columns.size;
}

StreamCostBound::StreamCostBound(const PartGraph &all,
                                 const tiling::CostModel &cost)
    : all(all), cost(cost) {
  llvm::DenseMap<Value, unsigned> reads;
  for (const PartKernel &kernel : all.kernels)
    for (const PartWeights &read : kernel.weights)
      ++reads[read.tensor];
  Sums sum;
  sums.reserve(all.kernels.size() + 1);
  sums.push_back(sum);
  for (auto [kernel, vertex] :
       llvm::zip_equal(all.kernels, all.graph.vertices)) {
    sum.macs += kernel.macsPerNpu;
    for (const PartWeights &read : kernel.weights)
      if (!read.value && reads[read.tensor] == 1)
        sum.weightBytes += read.movedBytes;
    sum.sparse += llvm::any_of(vertex.rowReads, leavesColumns);
    sums.push_back(sum);
  }
}

double StreamCostBound::get(const PartRange &range) const {
  const Sums &before = sums[range.begin], &after = sums[range.end];
  auto kernels = static_cast<double>(range.end - range.begin);
  int64_t rowBytes = 0, moves = 0;
  auto addMove = [&](size_t value) {
    if (const std::optional<MapShape> &map = all.graph.values[value].map)
      rowBytes += map->rows * map->rowBytes / map->columns * map->columns;
    ++moves;
  };
  SmallVector<size_t> movedIn;
  for (size_t number = range.begin; number < range.end; ++number) {
    const StreamVertex &vertex = all.graph.vertices[number];
    for (const RowRead &read : vertex.rowReads) {
      const StreamValue &from = all.graph.values[read.value];
      if ((from.producer && *from.producer >= range.begin) ||
          llvm::is_contained(range.inside, read.value) ||
          llvm::is_contained(movedIn, read.value))
        continue;
      movedIn.push_back(read.value);
      addMove(read.value);
    }
    for (size_t result : vertex.results)
      if (all.graph.values[result].livesAt(range.end) &&
          (all.values[result].isSaved ||
           !llvm::is_contained(range.kept, result)))
        addMove(result);
  }
  double rows = cost.byte * static_cast<double>(rowBytes);
  if (before.sparse != after.sparse)
    rows = 0;
  double products = cost.mac * static_cast<double>(after.macs - before.macs);
  double bound =
      rows + products - cost.overlap.value_or(0) * std::min(rows, products) +
      cost.byte * static_cast<double>(after.weightBytes - before.weightBytes) +
      cost.call * (kernels + static_cast<double>(moves)) + cost.code * kernels;
  // Sums in another order may differ in their last digits.
  constexpr double rounding = 1e-9;
  return bound * (1 - rounding);
}
