// SPDX-License-Identifier: Apache-2.0
//
// Each sum has only what is there at one time in any stream of these kernels:
// whole values and rings all the time, and what is neither at the kernel that
// reads or makes it.

#include "ArenaBoundStream.h"

using namespace mlir;
using namespace mli;
using namespace mli::bound;

/// The columns of the step in front are an equal part of a result for others,
/// and what its readers need.
// I7
bool Stripe::grow() {
  const Step &step = graph.steps[getBegin() - 1];
  if (!step.isByRow)
    return false;
  size_t result = step.results.front();
  const ArenaValue &value = graph.values[result];
  Interval needed = {0, 0};
  auto add = [&](Interval more) {
    if (needed.isEmpty())
      needed = more;
    else if (!more.isEmpty())
      needed.extend(more);
  };
  if (value.isUsedFrom(end)) {
    if (value.columns < count)
      return false;
    add({value.columns * number / count, value.columns * (number + 1) / count});
  }
  for (size_t user : value.users) {
    if (user >= end)
      break;
    Interval made = getColumns(user);
    for (const RowRead &read : graph.steps[user].reads)
      if (read.value == result && read.columns && !made.isEmpty())
        add({read.columns->getFirst(made.lower),
             read.columns->getEnd(made.upper)});
  }
  columns.push_back(needed);
  return true;
}

bool Stream::grow() {
  if (!graph.steps[begin - 1].isByRow)
    return false;
  --begin;
  rows.emplace_back();
  size_t result = graph.steps[begin].results.front();
  const ArenaValue &value = graph.values[result];
  if (value.isUsedFrom(end))
    whole += getBytes(value);
  else if (kept[result].isRing)
    rings += kept[result].rows * getRowBytes(value);
  else
    addRows(result);
  return true;
}

/// Adds value `number`, which is there in its maker and in its users.
void Stream::addRows(size_t number) {
  const ArenaValue &value = graph.values[number];
  const KeptRows &own = kept[number];
  int64_t bytes = own.rows * getRowBytes(value);
  getStep(begin).result = bytes;
  most = std::max(most, bytes);
  for (size_t user : value.users) {
    StepRows &there = getStep(user);
    there.inputs += bytes;
    if (llvm::is_contained(graph.steps[user].replaceable, number))
      there.replaceable = std::max(there.replaceable, bytes);
    most = std::max(most, there.getBytes());
  }
  int64_t missing = own.sourceRows - kept[own.source].rows;
  if (missing > 0 && !graph.values[own.source].isUsedFrom(end))
    gathered.push_back({bytes, own.source, missing});
}

/// The bytes that rows take which wait for each other. Of any of them, either
/// all sources have more rows; or the maker of one runs, with rows of its own,
/// while those wait.
int64_t Stream::getGatheredBytes() const {
  // What is there when the maker runs, what is missing, and the source.
  SmallVector<std::tuple<int64_t, int64_t, size_t>> waiting;
  for (const GatheredRows &gathered : gathered) {
    const ArenaValue &source = graph.values[gathered.source];
    if (*source.maker >= begin)
      waiting.emplace_back(
          getStep(*source.maker).getBytes() + gathered.bytes - most,
          gathered.missing * getRowBytes(source), gathered.source);
  }
  llvm::sort(waiting, std::greater<>());
  int64_t bytes = 0, ahead = 0;
  SmallVector<size_t> sources;
  for (auto [running, missing, source] : waiting) {
    if (!llvm::is_contained(sources, source))
      ahead += missing;
    sources.push_back(source);
    bytes = std::max(bytes, std::min(ahead, running));
  }
  return bytes;
}
