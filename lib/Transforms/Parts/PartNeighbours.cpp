// SPDX-License-Identifier: Apache-2.0

#include "PartNeighbours.h"

#include "Transforms/TileSelection/TileText.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using mli::tiling::numberText;

PartNeighbours::PartNeighbours(const PartGraph &all, ArrayRef<Part> parts,
                               const PartRules &rules, PartChoices &choices,
                               const KernelNames &names)
    : all(all), parts(parts), rules(rules), choices(choices), names(names),
      isReadInSystem(findReadsInSystem(all, parts)), stays(findStays(parts)),
      againLeft(rules.again) {
  for (const Part &part : parts)
    againLeft -= part.again;
}

/// The values that are whole in local memory in front of part `number`, and
/// those that move in before the one behind it.
PartNeighbours::Values PartNeighbours::findResidents(size_t number) const {
  Values residents;
  for (const auto &[value, time] : stays)
    if (time.first < number && time.second >= number)
      residents.push_back(value);
  for (size_t part : {number, number + 1})
    for (size_t value : parts[part].movedIn)
      if (!llvm::is_contained(residents, value))
        residents.push_back(value);
  return residents;
}

/// What of `residents` the vertices of `range` read, ascending.
static SmallVector<size_t, 4> findRead(const PartGraph &all,
                                       const PartRange &range,
                                       ArrayRef<size_t> residents) {
  SmallVector<size_t, 4> inside;
  for (size_t value : residents)
    if (llvm::any_of(all.graph.values[value].users, [&](size_t user) {
          return user >= range.begin && user < range.end;
        }))
      inside.push_back(value);
  llvm::sort(inside);
  return inside;
}

/// The cost of `range` with `residents` in local memory, if it computes at most
/// `again` products again; nothing if it does not fit.
std::optional<double> PartNeighbours::findCost(PartRange range,
                                               ArrayRef<size_t> residents,
                                               int64_t again) const {
  range.inside = findRead(all, range, residents);
  std::optional<double> cost;
  int64_t room = getRoom(range, residents);
  for (const std::optional<Part> &part :
       {choices.computeTiled(range, room), choices.computeStream(range, room)})
    if (part && part->again <= again && (!cost || part->cost < *cost))
      cost = part->cost;
  return cost;
}

int64_t PartNeighbours::getRoom(const PartRange &range,
                                ArrayRef<size_t> residents) const {
  return rules.getRoom(range.begin, range.end) - all.getBytes(residents) -
         all.getBytes(range.kept);
}

/// The cost of moving those of `values` out that need not be in system memory.
double PartNeighbours::getDropCost(ArrayRef<size_t> values) const {
  int64_t bytes = 0;
  for (size_t value : values)
    bytes += all.values[value].getSpilledBytes();
  return rules.cost.byte * static_cast<double>(bytes);
}

/// Part `number` and the kernel behind it. Of its results those stay that are
/// there behind the next part.
PartRange PartNeighbours::makeLonger(size_t number) const {
  const PartRange &own = parts[number].range;
  PartRange range = {own.begin, own.end + 1, {}, {}};
  for (const auto &[value, time] : stays) {
    std::optional<size_t> producer = all.graph.values[value].producer;
    if (producer && *producer >= range.begin && *producer < range.end &&
        time.second > number + 1)
      range.kept.push_back(value);
  }
  llvm::sort(range.kept);
  return range;
}

/// The cost of part `number` with the kernel behind it, and of what is left of
/// the part behind it; nothing if they do not fit.
std::optional<double> PartNeighbours::findLongerCost(size_t number) const {
  PartRange range = makeLonger(number);
  const PartRange &next = parts[number + 1].range;
  PartRange rest = {range.end, next.end, {}, {}};
  for (size_t value : next.kept)
    if (*all.graph.values[value].producer >= rest.begin)
      rest.kept.push_back(value);
  Values required = range.kept, free;
  for (size_t vertex = range.begin; vertex < range.end; ++vertex)
    for (size_t result : all.graph.vertices[vertex].results)
      if (all.graph.values[result].livesAt(range.end) &&
          all.values[result].localBytes > 0 &&
          !llvm::is_contained(required, result) && free.size() < maxResults)
        free.push_back(result);
  int64_t again = getAgain(number);
  std::optional<double> best;
  for (unsigned kept = 0; kept < (1u << free.size()); ++kept) {
    range.kept = required;
    Values dropped;
    for (auto [i, value] : llvm::enumerate(free)) {
      if (!(kept >> i & 1))
        continue;
      range.kept.push_back(value);
      if (all.graph.values[value].livesAt(rest.end))
        dropped.push_back(value);
    }
    llvm::sort(range.kept);
    Values residents = findResidents(number);
    std::optional<double> cost = findCost(range, residents, again);
    if (!cost)
      continue;
    *cost += getDropCost(dropped);
    if (rest.begin < rest.end) {
      llvm::append_range(residents, range.kept);
      llvm::erase_if(residents, [&](size_t value) {
        return !all.graph.values[value].livesAt(rest.begin);
      });
      std::optional<double> behind = findCost(rest, residents, again);
      if (!behind)
        continue;
      *cost += *behind;
    }
    if (!best || *cost < *best)
      best = cost;
  }
  return best;
}

/// The products that part `number` and the next one may compute again.
int64_t PartNeighbours::getAgain(size_t number) const {
  return againLeft + parts[number].again + parts[number + 1].again;
}

/// Why part `number` can not be longer, whatever it costs.
PartReason PartNeighbours::explainNoPart(size_t number) const {
  Values residents = findResidents(number);
  PartRange range = makeLonger(number);
  std::string why;
  if (findCost(range, residents, getAgain(number))) {
    range = {range.end, parts[number + 1].range.end, {}, {}};
    why = "the kernels after it would be no part: ";
  }
  if (findCost(range, residents, std::numeric_limits<int64_t>::max()))
    return {"computes again", why + "more than " +
                                  numberText(getAgain(number)) +
                                  " MACs per NPU would be computed again"};
  range.inside = findRead(all, range, residents);
  PartReason reason = choices.explain(range, getRoom(range, residents));
  reason.text.insert(0, why);
  return reason;
}

PartReason PartNeighbours::explain(size_t number) const {
  size_t next = parts[number].range.end;
  const streams::StreamVertex &vertex = all.graph.vertices[next];
  if (!all.kernels[next].numbers)
    return isDecided(vertex.op)
               ? PartReason{"program", "the program says how it is computed"}
               : PartReason{"no kernel", vertex.obstacle};
  if (rules.isGiven(next) || rules.isGiven(next - 1))
    return {"file", "a file says the parts"};
  std::optional<double> longer = findLongerCost(number);
  if (!longer)
    return explainNoPart(number);
  double cost = 0;
  for (const Part &part : {parts[number], parts[number + 1]}) {
    cost += part.cost;
    for (size_t value : part.range.kept)
      if (isReadInSystem[value])
        cost += getDropCost(value);
  }
  auto getText = [](double cost) {
    return numberText(static_cast<int64_t>(cost));
  };
  std::string costs = "both cost " + getText(*longer) + " with it and " +
                      getText(cost) + " without";
  if (*longer < cost)
    return {"search",
            costs + ", but the search follows few states of local memory"};
  return {"cost", costs};
}

PartReason PartNeighbours::explainNext(size_t number) const {
  size_t next = parts[number].range.end;
  if (next == all.graph.vertices.size())
    return {};
  Operation *op = all.graph.vertices[next].op;
  const auto *name = names.find(op);
  PartReason reason = explain(number);
  reason.text.insert(0, (name != names.end()
                             ? name->second
                             : op->getName().getStringRef().str()) +
                            ": ");
  return reason;
}
