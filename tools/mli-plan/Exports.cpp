// SPDX-License-Identifier: Apache-2.0
//
// A plan as a picture and as TensorFlow Lite Micro's metadata.

#include "Report.h"

#include "mli/Allocation/Picture.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"

#include <limits>

using namespace llvm;
using namespace mli::allocation;

namespace mli::plan_tool {

void writeSvg(const Outcome &outcome, raw_ostream &os) {
  std::vector<std::string> names(outcome.table.ids.begin(),
                                 outcome.table.ids.end());
  os << drawPlan(outcome.table.problem, outcome.plan, names);
}

// A26
Error writeTflm(const Outcome &outcome, raw_ostream &os) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  // Indices far beyond the number of rows are names, not indices.
  int64_t limit = std::max<int64_t>(1 << 16, 64 * outcome.table.ids.size());
  std::vector<int64_t> index;
  for (StringRef id : outcome.table.ids) {
    int64_t value;
    if (id.getAsInteger(10, value) || value < 0 || value >= limit)
      break;
    index.push_back(value);
  }
  if (index.size() != outcome.table.ids.size()) {
    index.resize(outcome.table.ids.size());
    for (size_t i = 0; i < index.size(); ++i)
      index[i] = int64_t(i);
  }
  std::vector<int32_t> words = {1, 0, 0};
  for (size_t i = 0; i < index.size(); ++i) {
    int64_t offset = outcome.plan.placements[i].offset;
    if (offset > most)
      return createStringError("expected 'offset' of id " +
                               outcome.table.ids[i] + " to be at most " +
                               Twine(most) + ", but got " + Twine(offset));
    words.resize(std::max<size_t>(words.size(), 3 + index[i] + 1), -1);
    words[3 + index[i]] = int32_t(offset);
  }
  words[2] = int32_t(words.size() - 3);
  support::endian::Writer writer(os, endianness::little);
  for (int32_t word : words)
    writer.write(word);
  return Error::success();
}

} // namespace mli::plan_tool
