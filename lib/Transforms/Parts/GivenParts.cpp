// SPDX-License-Identifier: Apache-2.0
//
// The parts that a file says.

#include "PartPlan.h"

#include "Transforms/Streams/FormStreams.h"
#include "Transforms/TileSelection/TileFailures.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using mli::tiling::TileOverride;
using mli::tiling::TileOverrides;
using mli::tiling::TilePlan;

namespace {

/// Reads the parts of one function.
class GivenPartReader {
public:
  GivenPartReader(FunctionOpInterface function, const PartGraph &all,
                  const PartRules &rules, const TileOverrides &overrides)
      : function(function), all(all), rules(rules), overrides(overrides) {
    for (auto [number, vertex] : llvm::enumerate(all.graph.vertices))
      numbers[vertex.op] = number;
    for (const auto &[op, name] : streams::nameKernels(function))
      kernels.emplace_back(op, name);
  }

  FailureOr<std::vector<GivenPart>> read();

private:
  FailureOr<std::optional<GivenPart>> readTiles(StringRef key,
                                                const TileOverride &tile);

  FunctionOpInterface function;
  const PartGraph &all;
  const PartRules &rules;
  const TileOverrides &overrides;
  llvm::DenseMap<Operation *, size_t> numbers;
  std::vector<std::pair<Operation *, std::string>> kernels;
};

} // namespace

/// The tiles of kernel `key`; nothing if it is of another block.
FailureOr<std::optional<GivenPart>>
GivenPartReader::readTiles(StringRef key, const TileOverride &tile) {
  size_t number = kernels.size();
  StringRef digits = key.rsplit(':').second;
  // Z8
  if (digits.getAsInteger(10, number) || number >= kernels.size() ||
      kernels[number].second != key)
    return function.emitError("expected 'overrides' to name one of ")
           << kernels.size() << " kernels of '" << function.getName()
           << "', counted from 0, but got '" << key << "'";
  Operation *root = kernels[number].first;
  auto vertex = numbers.find(root);
  if (vertex == numbers.end())
    return std::optional<GivenPart>();
  GivenPart part{vertex->second, vertex->second + 1, {}, false, {}};
  llvm::DenseSet<size_t> fused;
  for (size_t other : tile.fused) {
    auto before =
        other < number ? numbers.find(kernels[other].first) : numbers.end();
    if (before == numbers.end())
      return tiling::rejectFused(root, tile.fused);
    fused.insert(before->second);
    part.begin = std::min(part.begin, before->second);
    // Z8
    if (overrides.tiles.contains(kernels[other].second))
      return kernels[other].first->emitOpError(
                 "expected 'overrides' to say its tiles or to fuse it, but "
                 "got both, '")
             << kernels[other].second << "' and 'fused' of '" << key << "'";
  }
  std::unique_ptr<tiling::TileGroup> group;
  if (fused.size() == part.end - part.begin - 1)
    group = makeGroup(all, {part.begin, part.end, {}, {}});
  if (!group)
    return tiling::rejectFused(root, tile.fused);
  TileOverride asked = tile;
  asked.isDoubled = rules.cost.overlap != 0.0;
  FailureOr<TilePlan> plan = checkTiles(
      *group, asked, rules.getRoom(part.begin, part.end), rules.cost);
  if (failed(plan))
    return failure();
  part.tiles = plan->tiles;
  part.isDoubled = plan->isDoubled;
  return std::optional<GivenPart>(std::move(part));
}

FailureOr<std::vector<GivenPart>> GivenPartReader::read() {
  std::vector<GivenPart> parts;
  SmallVector<StringRef> keys(overrides.tiles.keys());
  llvm::sort(keys);
  bool hasFailed = false;
  for (StringRef key : keys) {
    if (key.rsplit(':').first != function.getName())
      continue;
    FailureOr<std::optional<GivenPart>> part =
        readTiles(key, overrides.tiles.find(key)->second);
    hasFailed |= failed(part);
    if (succeeded(part) && *part)
      parts.push_back(std::move(**part));
  }
  FailureOr<std::vector<streams::StreamPart>> overridden =
      streams::readStreamOverrides(function, all.graph, overrides);
  if (hasFailed || failed(overridden))
    return failure();
  for (const streams::StreamPart &stream : *overridden) {
    PartRange range = {stream.begin, stream.end, {}, {}};
    std::string why;
    // ST8
    if (!StreamChoices(all, range, rules.cost)
             .find(*stream.shape, rules.getRoom(range.begin, range.end), &why))
      return all.graph.vertices[stream.end - 1].op->emitOpError(
                 "expected 'overrides' to have streams that local memory "
                 "holds, but ")
             << why;
    parts.push_back({stream.begin, stream.end, {}, false, stream.shape});
  }
  llvm::sort(parts, [](const GivenPart &one, const GivenPart &other) {
    return one.begin < other.begin;
  });
  return parts;
}

FailureOr<std::vector<GivenPart>>
mli::parts::readGivenParts(FunctionOpInterface function, const PartGraph &all,
                           const PartRules &rules,
                           const TileOverrides &overrides) {
  return GivenPartReader(function, all, rules, overrides).read();
}
