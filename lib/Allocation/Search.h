// SPDX-License-Identifier: Apache-2.0
//
// Exact search for offsets below a capacity. Plans are built from below: the
// item that can lie lowest either lies there, or must rest on an item that is
// still to be placed. What each choice implies is propagated at once.

#ifndef MLI_LIB_ALLOCATION_SEARCH_H
#define MLI_LIB_ALLOCATION_SEARCH_H

#include "Allocation/Instance.h"

#include <array>

namespace mli::allocation {

/// States of the search that are known to fail: a fixed number of them, the
/// newest of a slot kept, so that it is the same table everywhere.
class FailureTable {
public:
  static constexpr size_t slots = size_t(1) << 16;

  bool contains(uint64_t state) const {
    return !states.empty() && states[state % slots] == state;
  }
  void insert(uint64_t state) {
    if (states.empty())
      states.resize(slots);
    states[state % slots] = state;
  }

private:
  std::vector<uint64_t> states;
};

/// A number that depends on all bits of both (the finaliser of splitmix64).
inline uint64_t mix(uint64_t item, uint64_t value) {
  uint64_t x = (item + 1) * 0x9E3779B97F4A7C15U ^ value * 0xD6E8FEB86659FD93U;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27) * 0x94D049BB133111EBU;
  return x ^ x >> 31;
}

/// The order in which items are chosen by importance: the load at the peak
/// time of its life (T), the steps of its life (W) and bytes times those (A);
/// the first decides, then the second.
enum class Rank { TWA, WAT, TAW };

/// Which item comes next: the most important one, after all that may get below
/// it, or the one of all that can lie lowest.
enum class Next { Important, Lowest };

/// How often each section made a choice impossible, and each item was involved.
struct Failures {
  std::vector<int64_t> sections, items;
};

class Search {
public:
  explicit Search(const Instance &instance);

  enum class Result { Found, Exhausted, Limit };

  /// Looks for offsets that end at or below `target`, in at most `limit`
  /// nodes. `useWeights` prefers items that failed before, and those of
  /// sections that did.
  /// A node is a choice, and the propagation after it for each `visitsPerNode`
  /// items looked at, so that nodes take about as long everywhere.
  Result run(int64_t target, Rank by, Next which, bool useWeights,
             int64_t limit);

  Failures failures;

  /// Offsets of the items after Found.
  const std::vector<int64_t> &offsets() const { return lo; }
  int64_t nodes() const { return allNodes; }
  /// Memory that a search would need, in table entries.
  static int64_t cost(const Instance &instance);

private:
  /// Items that are still to be placed and touch no others that are.
  struct Part {
    std::vector<uint32_t> items;
    StepRange steps;
  };
  struct Undo {
    enum Kind : uint32_t { Lo, Up, Support, Skip, Watch, Placed };
    Kind kind;
    uint32_t item;
    int64_t old;
  };

  void buildSections(const Instance &instance);
  void reset();
  bool solve(Part &part);
  bool solveRest(Part &part, uint32_t placed);
  uint32_t choose(const Part &part) const;
  double importance(uint32_t item) const;
  void rerank(Part &part);
  uint64_t getState(const Part &part) const;
  std::vector<Part> split(const Part &part, uint32_t placed);
  int64_t slack(const Part &part) const;

  bool place(uint32_t item);
  bool skip(uint32_t item);
  bool raise(uint32_t item, int64_t offset);
  bool lower(uint32_t item, int64_t offset);
  bool propagate();
  bool propagatePair(uint32_t j, uint32_t k);
  bool propagatePairs(uint32_t j);
  bool propagateSupport(uint32_t j);
  bool propagateSection(uint32_t section);
  bool propagateLowest(uint32_t section);
  bool orderSection(uint32_t section);
  void touch(uint32_t item);
  void touchSections(uint32_t item);
  bool fail();
  bool failSection(uint32_t section);
  void undoTo(size_t mark);

  int64_t legalUp(uint32_t item, int64_t x) const {
    return legal ? legal[item].up(x) : x;
  }
  int64_t legalDown(uint32_t item, int64_t x) const {
    return legal ? legal[item].down(x) : x;
  }
  int64_t top(uint32_t item) const { return lo[item] + size[item]; }

  size_t count = 0;
  const LegalOffsets *legal = nullptr;
  std::vector<int64_t> size, width;
  std::vector<StepRange> hull;
  Rows<uint32_t> adjacent;
  Rows<uint32_t> sectionsOf;
  /// Members of a section: the first `alive` are to be placed.
  Rows<uint32_t> members;
  std::vector<uint32_t> alive;
  std::vector<int64_t> total;
  /// Items to be placed that are live both in a step and in the next.
  std::vector<int32_t> crossing;

  int64_t capacity = 0;
  Rank rank = Rank::TWA;
  Next next = Next::Important;
  bool weighted = false;
  /// Least and greatest offset that is left; the offset on what is placed.
  std::vector<int64_t> lo, up, support;
  /// Not at its support, `watch` being an item that it can rest on; placed.
  std::vector<uint8_t> skipped, placed;
  std::vector<uint32_t> watch, order;
  std::vector<Undo> trail;
  std::vector<uint32_t> itemQueue, sectionQueue;
  std::vector<uint8_t> itemQueued, sectionQueued;
  FailureTable table;
  static constexpr int64_t visitsPerNode = 1 << 17;
  int64_t nodesLeft = 0, allNodes = 0, visits = 0;
  bool stopped = false, splits = false;
};

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_SEARCH_H
