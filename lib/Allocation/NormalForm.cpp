// SPDX-License-Identifier: Apache-2.0
//
// Brings blocks into one form for all problems that differ in their times
// alone, but for which lives meet, in the direction of time, in names and in
// the order of rows.

#include "Allocation/Blocks.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

namespace mli::allocation {

namespace {

struct Event {
  int64_t time;
  uint32_t range;
  bool begins;
};

} // namespace

/// Replaces times by steps and returns their number. A step begins where
/// something begins after something has ended: of the sets of blocks that are
/// live together, the steps have all the greatest.
static int64_t cutIntoSteps(std::vector<Interval> &live) {
  std::vector<Event> events;
  events.reserve(2 * live.size());
  for (uint32_t i = 0; i < live.size(); ++i) {
    events.push_back({live[i].lower, i, true});
    events.push_back({live[i].upper, i, false});
  }
  std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) {
    return std::tie(a.time, a.begins, a.range) <
           std::tie(b.time, b.begins, b.range);
  });
  int64_t step = -1;
  bool ended = true;
  for (const Event &event : events) {
    step += event.begins && ended;
    ended = !event.begins;
    (event.begins ? live[event.range].lower : live[event.range].upper) =
        event.begins ? step : step + 1;
  }
  return step + 1;
}

/// Lets time run the other way.
static void mirror(Rows<Interval> &live, int64_t steps) {
  for (size_t row = 0; row + 1 < live.begins.size(); ++row) {
    Interval *begin = live.values.data() + live.begins[row];
    Interval *end = live.values.data() + live.begins[row + 1];
    std::reverse(begin, end);
    for (Interval *i = begin; i != end; ++i)
      *i = {steps - i->upper, steps - i->lower};
  }
}

namespace {

/// Blocks and choices numbered by what they are, in one direction of time.
/// Equal ones have one number.
class Numbered {
public:
  explicit Numbered(const Blocks &all) : blocks(all) {
    numberBlocks();
    if (blocks.npus > 1)
      numberChoices();
  }

  bool operator<(const Numbered &other) const;
  /// The blocks in their final order; those of one number by tag, then as they
  /// came.
  std::vector<uint32_t> order() const;

private:
  /// The key in which most blocks differ.
  struct Entry {
    Interval hull;
    int64_t size;
    uint32_t block;
  };

  int compare(const Entry &a, const Numbered &other, const Entry &b) const;
  int compareChoices(uint32_t a, const Numbered &other, uint32_t b) const;
  void numberBlocks();
  void numberChoices();

  const Blocks &blocks;
  std::vector<Entry> sorted;
  /// For each block, how many come before those that are as it is.
  std::vector<uint32_t> numbers;
  /// The numbers of the blocks of each choice, ascending.
  Rows<uint32_t> getNumbers;
  std::vector<uint32_t> sortedChoices;
};

} // namespace

template <typename T>
static int compareValues(const T &a, const T &b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

template <typename T, typename Less>
static int compareRows(const Rows<T> &a, uint32_t i, const Rows<T> &b,
                       uint32_t j, Less less) {
  if (std::lexicographical_compare(a.begin(i), a.end(i), b.begin(j), b.end(j),
                                   less))
    return -1;
  return std::lexicographical_compare(b.begin(j), b.end(j), a.begin(i),
                                      a.end(i), less);
}

int Numbered::compare(const Entry &a, const Numbered &other,
                      const Entry &b) const {
  auto key = [](const Entry &e) {
    return std::tie(e.hull.lower, e.hull.upper, e.size);
  };
  if (int result = compareValues(key(a), key(b)))
    return result;
  const Blocks &others = other.blocks;
  if (int result = compareValues(blocks.blocks[a.block].npuSpan,
                                 others.blocks[b.block].npuSpan))
    return result;
  if (!blocks.legal.empty())
    if (int result =
            compareValues(blocks.legal[a.block], others.legal[b.block]))
      return result;
  return compareRows(blocks.live, a.block, others.live, b.block,
                     std::less<Interval>());
}

void Numbered::numberBlocks() {
  sorted.reserve(blocks.blocks.size());
  for (uint32_t i = 0; i < blocks.blocks.size(); ++i) {
    // Blocks that are never live come last.
    Interval hull{noOffset, noOffset};
    if (blocks.live.count(i) > 0)
      hull = {blocks.live.begin(i)->lower, (blocks.live.end(i) - 1)->upper};
    sorted.push_back({hull, blocks.blocks[i].size, i});
  }
  std::sort(sorted.begin(), sorted.end(),
            [this](const Entry &a, const Entry &b) {
              if (int compared = compare(a, *this, b))
                return compared < 0;
              auto rest = [this](const Entry &e) {
                return std::make_tuple(blocks.blocks[e.block].tag, e.block);
              };
              return rest(a) < rest(b);
            });
  numbers.resize(sorted.size());
  for (uint32_t i = 0; i < sorted.size(); ++i) {
    bool same = i > 0 && compare(sorted[i - 1], *this, sorted[i]) == 0;
    numbers[sorted[i].block] = same ? numbers[sorted[i - 1].block] : i;
  }
}

int Numbered::compareChoices(uint32_t a, const Numbered &other,
                             uint32_t b) const {
  if (int result = compareValues(blocks.choices[a], other.blocks.choices[b]))
    return result;
  return compareRows(getNumbers, a, other.getNumbers, b, std::less<uint32_t>());
}

/// Two choices differ in the offsets that they allow and in the blocks that
/// they are made for; a block belongs to one choice alone.
void Numbered::numberChoices() {
  std::vector<std::vector<uint32_t>> rows(blocks.choices.size());
  std::vector<int64_t> tags(rows.size(), std::numeric_limits<int64_t>::max());
  for (const Entry &entry : sorted) {
    const Block &block = blocks.blocks[entry.block];
    rows[block.choice].push_back(numbers[entry.block]);
    tags[block.choice] = std::min(tags[block.choice], block.tag);
  }
  for (const std::vector<uint32_t> &row : rows) {
    getNumbers.values.insert(getNumbers.values.end(), row.begin(), row.end());
    getNumbers.endRow();
  }
  sortedChoices.resize(rows.size());
  std::iota(sortedChoices.begin(), sortedChoices.end(), 0);
  std::sort(sortedChoices.begin(), sortedChoices.end(),
            [&](uint32_t a, uint32_t b) {
              if (int compared = compareChoices(a, *this, b))
                return compared < 0;
              return std::tie(tags[a], a) < std::tie(tags[b], b);
            });
}

bool Numbered::operator<(const Numbered &other) const {
  for (size_t i = 0; i < sorted.size(); ++i)
    if (int result = compare(sorted[i], other, other.sorted[i]))
      return result < 0;
  for (size_t i = 0; i < sortedChoices.size(); ++i)
    if (int result =
            compareChoices(sortedChoices[i], other, other.sortedChoices[i]))
      return result < 0;
  return false;
}

std::vector<uint32_t> Numbered::order() const {
  std::vector<uint32_t> place(blocks.choices.size());
  for (uint32_t i = 0; i < sortedChoices.size(); ++i)
    place[sortedChoices[i]] = i;
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;
  std::vector<Key> keys;
  keys.reserve(sorted.size());
  for (const Entry &entry : sorted)
    keys.emplace_back(numbers[entry.block],
                      place[blocks.blocks[entry.block].choice], keys.size(),
                      entry.block);
  if (!sortedChoices.empty())
    std::sort(keys.begin(), keys.end());
  std::vector<uint32_t> result;
  result.reserve(keys.size());
  for (const Key &key : keys)
    result.push_back(std::get<3>(key));
  return result;
}

/// Whether time is to run the other way. The end at which more blocks are live
/// comes first; if all steps read the same from both ends, the blocks decide.
static bool runsBackwards(const Blocks &blocks, int64_t steps) {
  std::vector<int64_t> alive(steps + 1, 0);
  for (const Interval &live : blocks.live.values) {
    ++alive[live.lower];
    --alive[live.upper];
  }
  alive.pop_back();
  std::partial_sum(alive.begin(), alive.end(), alive.begin());
  auto differ = std::mismatch(alive.begin(), alive.end(), alive.rbegin());
  if (differ.first != alive.end())
    return *differ.first < *differ.second;
  if (steps < 2)
    return false;
  Blocks mirrored = blocks;
  mirror(mirrored.live, steps);
  return Numbered(mirrored) < Numbered(blocks);
}

static Blocks inOrder(Blocks blocks, const std::vector<uint32_t> &order) {
  Blocks result;
  result.npus = blocks.npus;
  result.blocks.reserve(order.size());
  constexpr uint32_t none = ~0U;
  std::vector<uint32_t> place(order.size()),
      choice(blocks.choices.size(), none);
  for (uint32_t i = 0; i < order.size(); ++i) {
    Block block = blocks.blocks[order[i]];
    place[order[i]] = i;
    uint32_t &number = choice[block.choice];
    if (number == none) {
      number = uint32_t(result.choices.size());
      result.choices.push_back(blocks.choices[block.choice]);
    }
    block.choice = number;
    result.blocks.push_back(block);
    if (!blocks.legal.empty())
      result.legal.push_back(std::move(blocks.legal[order[i]]));
    result.live.values.insert(result.live.values.end(),
                              blocks.live.begin(order[i]),
                              blocks.live.end(order[i]));
    result.live.endRow();
  }
  result.blockOf = std::move(blocks.blockOf);
  for (uint32_t &block : result.blockOf)
    block = place[block];
  return result;
}

// A13
Blocks normalForm(const Problem &problem) {
  Blocks blocks = makeBlocks(problem);
  int64_t steps = cutIntoSteps(blocks.live.values);
  if (runsBackwards(blocks, steps))
    mirror(blocks.live, steps);
  std::vector<uint32_t> order = Numbered(blocks).order();
  return inOrder(std::move(blocks), order);
}

} // namespace mli::allocation
