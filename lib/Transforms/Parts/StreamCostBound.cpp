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
    : all(all), cost(cost), rowReaders(all.graph.values.size()) {
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
  for (auto [number, vertex] : llvm::enumerate(all.graph.vertices))
    for (const RowRead &read : vertex.rowReads)
      rowReaders[read.value].push_back(number);
  // Weights never move by rows.
  live = all.findLive([&](size_t value) {
    return all.graph.values[value].producer || !rowReaders[value].empty();
  });
}

/// Whether vertices of `range` read rows of `value`.
bool StreamCostBound::isReadByRow(size_t value, const PartRange &range) const {
  ArrayRef<size_t> readers = rowReaders[value];
  const size_t *reader = llvm::lower_bound(readers, range.begin);
  return reader != readers.end() && *reader < range.end;
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
  for (size_t value : live[range.begin])
    if (isReadByRow(value, range) && !llvm::is_contained(range.inside, value))
      addMove(value);
  for (size_t value : live[range.end]) {
    std::optional<size_t> producer = all.graph.values[value].producer;
    bool isResult = producer && *producer >= range.begin;
    if (isResult &&
        (all.values[value].isSaved || !llvm::is_contained(range.kept, value)))
      addMove(value);
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
