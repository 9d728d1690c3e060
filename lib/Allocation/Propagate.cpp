// SPDX-License-Identifier: Apache-2.0
//
// Derives offsets from their bounds. All of it holds for plans in which
// no item can be moved down alone; of the plans that fit, one is of that kind.

#include "Allocation/Search.h"

#include <algorithm>
#include <limits>

namespace mli::allocation {

void Search::touch(uint32_t item) {
  if (itemQueued[item])
    return;
  itemQueued[item] = true;
  itemQueue.push_back(item);
}

void Search::touchSections(uint32_t item) {
  for (const uint32_t *s = sectionsOf.begin(item); s != sectionsOf.end(item);
       ++s)
    if (!sectionQueued[*s]) {
      sectionQueued[*s] = true;
      sectionQueue.push_back(*s);
    }
}

bool Search::raise(uint32_t item, int64_t offset) {
  if (offset <= lo[item])
    return true;
  offset = legalUp(item, offset);
  if (offset > up[item])
    return false;
  trail.push_back({Undo::Lo, item, lo[item]});
  lo[item] = offset;
  touch(item);
  touchSections(item);
  return true;
}

bool Search::lower(uint32_t item, int64_t offset) {
  if (offset >= up[item])
    return true;
  offset = legalDown(item, offset);
  if (offset < lo[item])
    return false;
  trail.push_back({Undo::Up, item, up[item]});
  up[item] = offset;
  touch(item);
  touchSections(item);
  return true;
}

bool Search::place(uint32_t item) {
  trail.push_back({Undo::Placed, item, 0});
  placed[item] = true;
  for (const uint32_t *s = sectionsOf.begin(item); s != sectionsOf.end(item);
       ++s) {
    uint32_t *row = members.values.data() + members.begins[*s];
    uint32_t last = --alive[*s];
    *std::find(row, row + last, item) = row[last];
    row[last] = item;
    total[*s] -= size[item];
  }
  splits = false;
  for (int32_t step = hull[item].first; step < hull[item].last; ++step)
    splits |= --crossing[step] == 0;

  int64_t end = top(item);
  for (const uint32_t *k = adjacent.begin(item); k != adjacent.end(item); ++k) {
    if (placed[*k])
      continue;
    int64_t offset = legalUp(*k, end);
    if (offset > support[*k]) {
      trail.push_back({Undo::Support, *k, support[*k]});
      support[*k] = offset;
      if (skipped[*k]) {
        trail.push_back({Undo::Skip, *k, 1});
        skipped[*k] = false;
      }
      if (!raise(*k, offset))
        return false;
      touch(*k);
    } else if (watch[*k] == item) {
      touch(*k);
    }
  }
  return true;
}

bool Search::skip(uint32_t item) {
  trail.push_back({Undo::Skip, item, 0});
  skipped[item] = true;
  touch(item);
  return true;
}

void Search::undoTo(size_t mark) {
  for (; trail.size() > mark; trail.pop_back()) {
    const Undo &undo = trail.back();
    uint32_t item = undo.item;
    switch (undo.kind) {
    case Undo::Lo:
      lo[item] = undo.old;
      break;
    case Undo::Up:
      up[item] = undo.old;
      break;
    case Undo::Support:
      support[item] = undo.old;
      break;
    case Undo::Skip:
      skipped[item] = uint8_t(undo.old);
      break;
    case Undo::Watch:
      watch[item] = uint32_t(undo.old);
      break;
    case Undo::Placed:
      placed[item] = false;
      for (const uint32_t *s = sectionsOf.begin(item);
           s != sectionsOf.end(item); ++s) {
        ++alive[*s];
        total[*s] += size[item];
      }
      for (int32_t step = hull[item].first; step < hull[item].last; ++step)
        ++crossing[step];
      break;
    }
  }
}

/// If `j` can not be below `k` it is above, and each bounds the other.
bool Search::propagatePair(uint32_t j, uint32_t k) {
  return lo[j] + size[j] <= up[k] ||
         (raise(j, lo[k] + size[k]) && lower(k, up[j] - size[k]));
}

/// One of two items that conflict is below the other.
bool Search::propagatePairs(uint32_t j) {
  visits += int64_t(adjacent.count(j));
  for (const uint32_t *i = adjacent.begin(j); i != adjacent.end(j); ++i) {
    uint32_t k = *i;
    if (placed[k])
      continue;
    if (!propagatePair(j, k) || !propagatePair(k, j)) {
      ++failures.items[j];
      ++failures.items[k];
      return false;
    }
    if (watch[k] == j && (skipped[k] || lo[k] > support[k]) &&
        !propagateSupport(k))
      return false;
  }
  return true;
}

/// An item that is not at its support has another in the way there, which ends
/// up below it: it lies on the lowest top of those that can be.
bool Search::propagateSupport(uint32_t j) {
  visits += int64_t(adjacent.count(j));
  int64_t hole = support[j] + size[j];
  int64_t least = std::numeric_limits<int64_t>::max();
  uint32_t best = ~0U, found = 0;
  for (const uint32_t *i = adjacent.begin(j); i != adjacent.end(j); ++i) {
    uint32_t k = *i;
    if (placed[k] || lo[k] >= hole || lo[k] + size[k] > up[j])
      continue;
    ++found;
    if (lo[k] + size[k] < least) {
      least = lo[k] + size[k];
      best = k;
    }
  }
  if (found == 0) {
    ++failures.items[j];
    return false;
  }
  if (watch[j] != best) {
    trail.push_back({Undo::Watch, j, watch[j]});
    watch[j] = best;
  }
  if (!raise(j, least))
    return false;
  return found > 1 || lower(best, std::min(hole - 1, up[j] - size[best]));
}

/// Sorts the members to be placed by least offset; they nearly are.
bool Search::orderSection(uint32_t section) {
  uint32_t *row = members.values.data() + members.begins[section];
  uint32_t n = alive[section];
  for (uint32_t i = 1; i < n; ++i) {
    uint32_t item = row[i], j = i;
    for (; j > 0 && lo[row[j - 1]] > lo[item]; --j)
      row[j] = row[j - 1];
    row[j] = item;
  }
  int64_t end = 0;
  for (uint32_t i = 0; i < n; ++i)
    end = std::max(end, lo[row[i]]) + size[row[i]];
  return end <= capacity;
}

/// An item that can be the lowest leaves room for all others above it. The same
/// holds for each rest of the row.
bool Search::propagateLowest(uint32_t section) {
  uint32_t n = alive[section];
  const uint32_t *row = members.values.data() + members.begins[section];
  int64_t rest = total[section];
  for (uint32_t i = 0; i + 1 < n; ++i) {
    uint32_t first = 0, firsts = 0;
    int64_t least = noOffset;
    for (uint32_t k = i; k < n; ++k)
      if (lo[row[k]] + rest <= capacity) {
        ++firsts;
        first = k;
        least = std::min(least, lo[row[k]] + size[row[k]]);
      }
    if (firsts == 0)
      return false;
    if (firsts == n - i)
      break;
    for (uint32_t k = i; k < n; ++k)
      if (lo[row[k]] + rest > capacity && !raise(row[k], least))
        return false;
    if (firsts > 1 || first != i)
      break;
    if (!lower(row[i], capacity - rest))
      return false;
    rest -= size[row[i]];
  }
  return true;
}

bool Search::propagateSection(uint32_t section) {
  uint32_t n = alive[section];
  visits += n;
  const uint32_t *row = members.values.data() + members.begins[section];
  int64_t rest = total[section];
  int64_t least = noOffset, most = 0, soonest = noOffset;
  for (uint32_t i = 0; i < n; ++i) {
    least = std::min(least, lo[row[i]]);
    most = std::max(most, lo[row[i]]);
    soonest = std::min(soonest, up[row[i]] + size[row[i]]);
  }
  // Room enough for any order.
  if (n < 2 || (most + rest <= capacity && soonest >= least + rest))
    return true;
  if (!orderSection(section))
    return false;
  int64_t floor = lo[row[0]];

  // A possible topmost item ends no earlier than all of them stacked up.
  int64_t highest = -1;
  uint32_t last = 0, lasts = 0;
  for (uint32_t i = 0; i < n; ++i)
    if (up[row[i]] + size[row[i]] >= floor + rest) {
      ++lasts;
      last = row[i];
      highest = std::max(highest, up[row[i]]);
    }
  if (lasts == 0)
    return false;
  for (uint32_t i = 0; i < n; ++i)
    if (up[row[i]] + size[row[i]] < floor + rest &&
        !lower(row[i], highest - size[row[i]]))
      return false;
  if (lasts == 1 && !raise(last, floor + rest - size[last]))
    return false;

  return propagateLowest(section);
}

bool Search::propagate() {
  while (true) {
    if (!itemQueue.empty()) {
      uint32_t item = itemQueue.back();
      itemQueue.pop_back();
      itemQueued[item] = false;
      if (placed[item])
        continue;
      if (!propagatePairs(item))
        return fail();
      if ((skipped[item] || lo[item] > support[item]) &&
          !propagateSupport(item))
        return fail();
    } else if (!sectionQueue.empty()) {
      uint32_t section = sectionQueue.back();
      sectionQueue.pop_back();
      sectionQueued[section] = false;
      if (!propagateSection(section))
        return failSection(section);
    } else {
      return true;
    }
  }
}

bool Search::failSection(uint32_t section) {
  ++failures.sections[section];
  const uint32_t *row = members.values.data() + members.begins[section];
  for (uint32_t i = 0; i < alive[section]; ++i)
    ++failures.items[row[i]];
  return fail();
}

bool Search::fail() {
  for (uint32_t item : itemQueue)
    itemQueued[item] = false;
  for (uint32_t section : sectionQueue)
    sectionQueued[section] = false;
  itemQueue.clear();
  sectionQueue.clear();
  return false;
}

} // namespace mli::allocation
