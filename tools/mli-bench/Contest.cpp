// SPDX-License-Identifier: Apache-2.0

#include "Contest.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace mli::bench {

int difference(const std::vector<int8_t> &a, const std::vector<int8_t> &b) {
  if (a.empty() || a.size() != b.size())
    return -1;
  int most = 0;
  for (size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

const Result *choose(const std::vector<Result> &results) {
  auto order = [](const Result &result) {
    return std::tuple(result.hasFailed(), !result.isTimed(), !result.isRight(),
                      result.seconds);
  };
  auto found = std::min_element(
      results.begin(), results.end(),
      [&](const Result &a, const Result &b) { return order(a) < order(b); });
  return found == results.end() ? nullptr : &*found;
}

const Result *findBest(const std::vector<Result> &results) {
  const Result *best = choose(results);
  return best && best->isTimed() && best->isRight() ? best : nullptr;
}

Contest::Contest(const std::vector<const Opponent *> &opponents,
                 const Layer &layer, const Operands &operands, double seconds) {
  auto enter = [&](std::vector<Entry> &entries, std::string name,
                   std::unique_ptr<Kernel> kernel) {
    Column column = makeColumn(std::move(name), *kernel, seconds);
    entries.push_back({std::move(kernel), std::move(column)});
  };
  for (const Opponent *opponent : opponents) {
    Party party;
    party.name = opponent->getName();
    for (Variant &variant : opponent->create(layer, operands))
      enter(party.variants, variant.name, std::move(variant.kernel));
    if (party.variants.empty())
      continue;
    if (std::unique_ptr<Kernel> nothing = opponent->createNothing())
      enter(party.nothing, "nothing", std::move(nothing));
    parties.push_back(std::move(party));
  }
}

void Contest::appendTo(std::vector<Column *> &columns) {
  for (Party &party : parties)
    for (std::vector<Entry> *entries : {&party.variants, &party.nothing})
      for (Entry &entry : *entries)
        columns.push_back(&entry.column);
}

std::vector<Result> Contest::judge(const std::vector<int8_t> &expected) const {
  std::vector<Result> chosen;
  for (const Party &party : parties) {
    double nothing = 0;
    for (const Entry &entry : party.nothing)
      nothing = entry.column.seconds();
    std::vector<Result> results;
    results.reserve(party.variants.size());
    for (const Entry &entry : party.variants)
      results.push_back({party.name, entry.column.name,
                         entry.column.seconds() - nothing, nothing,
                         difference(entry.kernel->output(), expected)});
    if (const Result *result = choose(results))
      chosen.push_back(*result);
  }
  return chosen;
}

} // namespace mli::bench
