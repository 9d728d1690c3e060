// SPDX-License-Identifier: Apache-2.0
//
// The least over all cuts of the bytes that each part needs at least.

#include "mli/Analysis/ArenaBound.h"

#include "ArenaBoundParts.h"

using namespace mlir;
using namespace mli;
using namespace mli::bound;

/// The fewest bytes of all cuts of `steps` steps, without stripes.
// I6
static int64_t findFewest(const Parts &parts, size_t steps) {
  // Of all steps in front of each one.
  std::vector<int64_t> fewest = {0};
  for (size_t end = 1; end <= steps; ++end) {
    int64_t best = std::max(fewest.back(), parts.getWhole(end - 1).bytes);
    parts.forEachStream(end, [&](const Part &part, int64_t least) {
      best = std::min(best, std::max(fewest[part.begin], part.bytes));
      return least < best;
    });
    fewest.push_back(best);
  }
  return fewest.back();
}

/// All parts of fewer than `most` bytes, by their ends.
static std::vector<Part> findBelow(const Parts &parts, size_t steps,
                                   const ArenaBoundOptions &options,
                                   int64_t most) {
  std::vector<Part> found;
  for (size_t end = 1; end <= steps; ++end) {
    found.push_back(parts.getWhole(end - 1));
    parts.forEachStream(end, [&](const Part &part, int64_t least) {
      found.push_back(part);
      return least < most;
    });
    for (int64_t count = 2; count <= options.stripes; ++count)
      llvm::append_range(found, parts.getStriped(end, count, options, most));
  }
  llvm::erase_if(found, [&](const Part &part) { return part.bytes >= most; });
  return found;
}

/// The fewest bytes with stripes, where those without take `most`.
// I7
static int64_t findFewestOfStripes(const Parts &parts, size_t steps,
                                   const ArenaBoundOptions &options,
                                   int64_t most) {
  std::vector<Part> found = findBelow(parts, steps, options, most);
  std::vector<int64_t> sizes = {most};
  for (const Part &part : found)
    sizes.push_back(part.bytes);
  llvm::sort(sizes);
  // Whether parts of at most `bytes` compute few enough products again.
  auto isEnough = [&](int64_t bytes) {
    std::vector<int64_t> again(steps + 1, options.again + 1);
    again.front() = 0;
    for (const Part &part : found)
      if (part.bytes <= bytes)
        again[part.end] =
            std::min(again[part.end], again[part.begin] + part.again);
    return bytes >= most || again.back() <= options.again;
  };
  return *llvm::partition_point(
      sizes, [&](int64_t bytes) { return !isEnough(bytes); });
}

std::optional<ArenaBound> mli::getArenaBound(func::FuncOp function,
                                             const ArenaBoundOptions &options) {
  if (!function.getBody().hasOneBlock())
    return std::nullopt;
  std::optional<Graph> graph = Graph::get(function.getBody().front(), options);
  if (!graph)
    return std::nullopt;
  Parts parts(*graph);
  size_t steps = graph->steps.size();
  ArenaBound bound;
  for (size_t number = 0; number < steps; ++number)
    bound.wholeBytes = std::max(bound.wholeBytes, parts.getWhole(number).bytes);
  bound.bytes = findFewest(parts, steps);
  if (options.stripes > 1)
    bound.bytes = findFewestOfStripes(parts, steps, options, bound.bytes);
  return bound;
}
