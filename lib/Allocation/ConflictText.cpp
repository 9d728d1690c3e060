// SPDX-License-Identifier: Apache-2.0
//
// The words in which every tool explains a failed plan.

#include "mli/Allocation/Conflict.h"

#include <algorithm>
#include <utility>

namespace mli::allocation {

std::string_view toString(Fix::Kind kind) {
  switch (kind) {
  case Fix::Kind::GrowCapacity:
    return "grow-capacity";
  case Fix::Kind::Evict:
    return "evict";
  case Fix::Kind::Shrink:
    return "shrink";
  case Fix::Kind::Drop:
    return "drop";
  }
  return "";
}

static std::string quote(Constraint constraint, const ConflictNames &names) {
  return "'" + std::string(toString(constraint, names.pinned)) + "'";
}

std::string describeRequired(const Conflict &conflict) {
  if (conflict.required > 0)
    return std::to_string(conflict.required) + ", " +
           std::to_string(conflict.excess) + " too many";
  return conflict.lowest.status == PlanStatus::Infeasible
             ? "no plan at any size"
             : "no plan";
}

std::string describeCore(const Conflict &conflict, const std::string &subject,
                         bool isProven) {
  bool isOne = conflict.core.size() == 1;
  const char *verb = isProven ? " can not"
                     : isOne  ? " seems not to"
                              : " seem not to";
  std::string text = subject + verb;
  if (isOne)
    return text + " be placed";
  text += " be together";
  if (conflict.minimal)
    text += "; without any one of them the others fit";
  return text;
}

std::string describe(const ConstraintOf &part, const ConflictNames &names) {
  return quote(part.constraint, names) + " of " + names.buffer(part.buffer) +
         " is part of it";
}

static std::string describeChange(const Fix &fix, const ConflictNames &names) {
  std::string bytes = std::to_string(fix.bytes) + " bytes";
  switch (fix.kind) {
  case Fix::Kind::GrowCapacity:
    return bytes + " of memory";
  case Fix::Kind::Evict:
    return names.buffer(fix.buffer) + " elsewhere";
  case Fix::Kind::Shrink:
    return names.buffer(fix.buffer) + " of " + bytes;
  case Fix::Kind::Drop:
    return names.buffer(fix.buffer) + " without " +
           quote(fix.constraint, names);
  }
  return "";
}

std::string describe(const Fix &fix, const ConflictNames &names) {
  return describeChange(fix, names) + ": the peak is then " +
         std::to_string(fix.peak);
}

std::vector<int64_t> sortLiveByAddress(const Conflict &conflict) {
  std::vector<int64_t> live = conflict.liveAtPeak;
  const std::vector<Placement> &placements = conflict.lowest.placements;
  if (!placements.empty())
    std::sort(live.begin(), live.end(), [&](int64_t a, int64_t b) {
      return std::make_pair(placements[a].offset, a) <
             std::make_pair(placements[b].offset, b);
    });
  return live;
}

} // namespace mli::allocation
