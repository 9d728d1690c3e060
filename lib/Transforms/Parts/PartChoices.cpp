// SPDX-License-Identifier: Apache-2.0

#include "PartChoices.h"

#include "Transforms/TileSelection/TileFailures.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using mli::tiling::StaticKernel;
using mli::tiling::TileGroup;
using mli::tiling::TilePlan;

PartChoices::PartChoices(const PartGraph &all, const PartRules &rules)
    : all(all), rules(rules), numbers(all, rules.maxGroup),
      streamCostBound(all, rules.cost) {
  live = all.findLive(
      [&](size_t value) { return all.values[value].localBytes > 0; });
  findEnds();
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// Finds where no more is live than one kernel before or behind.
void PartChoices::findEnds() {
  size_t count = all.kernels.size();
  auto isStreamed = [&](size_t number) {
    return number < count && all.graph.vertices[number].obstacle.empty();
  };
  auto getBytes = [&](size_t vertex) {
    int64_t bytes = 0;
    for (size_t value : live[vertex])
      bytes += all.values[value].movedBytes;
    return bytes;
  };
  for (size_t vertex = 0; vertex <= count; ++vertex)
    isEnd.push_back(vertex == 0 || !isStreamed(vertex - 1) ||
                    !isStreamed(vertex) ||
                    (getBytes(vertex) <= getBytes(vertex - 1) &&
                     getBytes(vertex) <= getBytes(vertex + 1)));
}

const GivenPart *PartChoices::findGiven(const PartRange &range) const {
  for (const GivenPart &part : rules.given)
    if (part.begin < range.end && range.begin < part.end)
      return &part;
  return nullptr;
}

bool PartChoices::isTiled(const PartRange &range) const {
  if (const GivenPart *given = findGiven(range))
    return given->tiles.has_value();
  return range.end - range.begin <= rules.maxGroup;
}

bool PartChoices::isStreamed(const PartRange &range) const {
  if (const GivenPart *given = findGiven(range))
    return given->shape.has_value();
  size_t size = range.end - range.begin;
  return size > 1 && size <= rules.maxStream &&
         (size <= rules.maxGroup || (isEnd[range.begin] && isEnd[range.end]));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

const PartKernel &mli::parts::findKernel(const PartGraph &all,
                                         const PartRange &range,
                                         const StaticKernel &numbers) {
  for (size_t number = range.begin; number < range.end; ++number)
    if (all.kernels[number].numbers == &numbers)
      return all.kernels[number];
  llvm_unreachable("no kernel of the part computes that");
}

std::unique_ptr<TileGroup> mli::parts::makeGroup(const PartGraph &all,
                                                 const PartRange &range) {
  SmallVector<const StaticKernel *> members;
  for (size_t number = range.end; number-- > range.begin;) {
    ArrayRef<size_t> results = all.graph.vertices[number].results;
    if (!all.kernels[number].numbers)
      return nullptr;
    bool isInner = number + 1 < range.end;
    if (isInner && (results.size() != 1 || all.values[results[0]].isSaved ||
                    all.graph.values[results[0]].livesAt(range.end) ||
                    !all.isReadAlike(results[0])))
      return nullptr;
    members.push_back(all.kernels[number].numbers);
  }
  ArrayRef<size_t> results = all.graph.vertices[range.end - 1].results;
  auto group = std::make_unique<TileGroup>(
      members, all.operandBytes,
      [&](const StaticKernel &kernel, size_t operand) {
        std::optional<size_t> value =
            findKernel(all, range, kernel).values[operand];
        return value && (llvm::is_contained(range.inside, *value) ||
                         (llvm::is_contained(results, *value) &&
                          llvm::is_contained(range.kept, *value)));
      });
  if (group->getKernels().size() != members.size())
    return nullptr;
  return group;
}

/// Whether `tiles` of what is whole in local memory are views of it.
bool PartChoices::areViews(const PartRange &range, const TileGroup &group,
                           const tiling::TileSizes &tiles) const {
  bool areAll = true;
  group.forEachResidentPart(
      tiles, rules.unrolled,
      [&](const StaticKernel &kernel, size_t operand, ArrayRef<int64_t> offsets,
          ArrayRef<int64_t> sizes) {
        size_t value = *findKernel(all, range, kernel).values[operand];
        auto type = cast<ShapedType>(kernel.op->getOperand(operand).getType());
        areAll &= all.areViews(value, type.getShape(), offsets, sizes);
      });
  return areAll;
}

const TileGroup *PartChoices::getGroup(const PartRange &range) {
  auto [group, isNew] = groups.try_emplace(range);
  if (isNew)
    group->second = makeGroup(all, range);
  return group->second.get();
}

StreamChoices &PartChoices::getStreams(const PartRange &range) {
  auto [choices, isNew] = streams.try_emplace(range);
  if (isNew)
    choices->second = std::make_unique<StreamChoices>(all, range, rules.cost);
  return *choices->second;
}

/// The plans of all parts of the numbers of `range`.
PartChoices::KnownPlans &PartChoices::getKnownPlans(const PartRange &range) {
  auto find = [&](auto ofRange) -> KnownPlans & {
    return known[StringRef(reinterpret_cast<const char *>(ofRange.data()),
                           ofRange.size() * sizeof(*ofRange.data()))];
  };
  if (all.isPlain())
    return find(numbers.get(range));
  SmallVector<size_t> own = {range.begin, range.end, range.inside.size()};
  own.append(range.inside);
  own.append(range.kept);
  return find(ArrayRef(own));
}

/// The best tiles of `range`, or those that are given, if they fit.
std::optional<TilePlan> PartChoices::findTiles(const PartRange &range,
                                               int64_t room) {
  auto areLegal = [&](const tiling::TileSizes &sizes) {
    return areViews(range, *getGroup(range), sizes);
  };
  const GivenPart *given = findGiven(range);
  if (!given)
    return getKnownPlans(range).tiles.get(
        room, [&](int64_t bytes) -> std::optional<TilePlan> {
          const TileGroup *group = getGroup(range);
          if (!group)
            return std::nullopt;
          return searchTiles(*group, bytes, rules.cost,
                             rules.doubling == DoubleBuffering::On, areLegal);
        });
  const TileGroup *group = getGroup(range);
  if (!group)
    return std::nullopt;
  std::optional<TilePlan> plan =
      planTiles(*group, *given->tiles, rules.cost, given->isDoubled);
  if (plan && (plan->bytes > room || !areLegal(plan->tiles)))
    return std::nullopt;
  return plan;
}

std::optional<Part> PartChoices::computeTiled(const PartRange &range,
                                              int64_t room) {
  if (!isTiled(range))
    return std::nullopt;
  std::optional<TilePlan> plan = findTiles(range, room);
  if (!plan)
    return std::nullopt;
  Part part;
  part.range = range;
  // Tiles of one part are compared by what they waste, parts are not.
  part.cost = plan->score -
              rules.cost.waste * static_cast<double>(plan->counts.wastedBytes) -
              rules.cost.bank * static_cast<double>(plan->counts.bankConflicts);
  // What a whole kernel moves, mostly weights, is beside kernels around it.
  if (plan->tiles.order.empty())
    part.cost -=
        rules.cost.overlap.value_or(0) *
        std::min(rules.cost.byte * static_cast<double>(plan->counts.bytesMoved),
                 rules.cost.mac * static_cast<double>(plan->counts.macsPerNpu));
  // A result that stays moves out as well where it has to; a stream counts
  // that.
  for (size_t value : range.kept)
    if (all.values[value].isSaved)
      part.cost +=
          rules.cost.byte * static_cast<double>(all.values[value].movedBytes);
  // One kernel computes nothing twice, even if its tiles leave NPUs idle, and
  // what is given is no choice.
  if (range.end - range.begin > 1 && !findGiven(range)) {
    part.again = plan->counts.macsPerNpu;
    for (size_t number = range.begin; number < range.end; ++number)
      part.again -= all.kernels[number].macsPerNpu;
    part.again = std::max<int64_t>(part.again, 0);
  }
  part.bytes = plan->bytes;
  part.tiles = std::move(*plan);
  return part;
}

std::optional<Part> PartChoices::computeStream(const PartRange &range,
                                               int64_t room) {
  if (!isStreamed(range))
    return std::nullopt;
  const GivenPart *given = findGiven(range);
  std::optional<StreamChoice> choice =
      given ? getStreams(range).find(*given->shape, room)
            : getKnownPlans(range).streams.get(room, [&](int64_t bytes) {
                return getStreams(range).findCheapest(bytes);
              });
  if (!choice)
    return std::nullopt;
  Part part;
  part.range = range;
  part.bytes = choice->bytes;
  part.again = given ? 0 : choice->again;
  part.cost = choice->cost;
  part.stream = std::move(*choice);
  return part;
}

void PartChoices::forget(size_t begin) {
  auto forgetIn = [&](auto &parts) {
    parts.erase(parts.begin(), parts.lower_bound(PartRange{begin, 0, {}, {}}));
  };
  forgetIn(groups);
  forgetIn(streams);
}

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

PartReason PartChoices::explainNoTiles(const PartRange &range,
                                       int64_t room) const {
  if (range.end - range.begin > rules.maxGroup)
    return {"size of groups", "groups have at most " +
                                  std::to_string(rules.maxGroup) + " kernels"};
  std::unique_ptr<TileGroup> group = makeGroup(all, range);
  if (!group) {
    for (size_t number = range.begin; number + 1 < range.end; ++number)
      for (size_t result : all.graph.vertices[number].results)
        if (all.graph.values[result].livesAt(range.end))
          return {"used elsewhere",
                  "kernels outside of it use one of its inner results"};
    return {"no chain",
            "its kernels do not use results of each other as they are"};
  }
  if (searchTiles(*group, room, rules.cost))
    return {"no views", "tiles of tensors in local memory would not be views"};
  return {"memory", tiling::explainNoTiles(*group, room)};
}

std::string PartChoices::explainNoRows(const PartRange &range, int64_t room) {
  size_t size = range.end - range.begin;
  if (size > rules.maxStream)
    return "streams have at most " + std::to_string(rules.maxStream) +
           " kernels";
  for (size_t number = range.end; number-- > range.begin;)
    if (const std::string &why = all.graph.vertices[number].obstacle;
        !why.empty())
      return why;
  if (!isStreamed(range))
    return "fewer bytes are live one kernel earlier or later";
  std::string why;
  getStreams(range).find(streams::StreamShape(), room, &why);
  return why;
}

PartReason PartChoices::explain(const PartRange &range, int64_t room) {
  PartReason reason = explainNoTiles(range, room);
  reason.text =
      "in tiles, " + reason.text + "; in rows, " + explainNoRows(range, room);
  return reason;
}
