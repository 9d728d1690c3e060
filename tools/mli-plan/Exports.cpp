// SPDX-License-Identifier: Apache-2.0
//
// A plan as a picture and as TensorFlow Lite Micro's metadata.

#include "Record.h"
#include "Report.h"

#include "mli/Allocation/Picture.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"

#include <limits>
#include <numeric>

using namespace llvm;
using namespace mli::allocation;

namespace mli::plan_tool {

void writeSvg(const Outcome &outcome, raw_ostream &os) {
  const Problem &problem = outcome.table.problem;
  PictureText text;
  text.title = ("peak " + Twine(outcome.plan.peak) + " bytes, lower bound " +
                Twine(outcome.plan.liveBound))
                   .str();
  text.names.assign(outcome.table.ids.begin(), outcome.table.ids.end());
  text.capacity = problem.memory.capacity;
  Picture picture;
  picture.add(problem, outcome.plan, text);
  os << picture.format();
}

// A26
/// The tensor index of each row.
static Expected<std::vector<int64_t>> tensorIndices(const Table &table) {
  std::vector<int64_t> index(table.ids.size());
  std::iota(index.begin(), index.end(), 0);
  if (!all_of(table.ids, [](StringRef id) { return all_of(id, isDigit); }))
    return index;
  // One index far beyond the number of rows would make a file of nothing.
  int64_t limit = std::max<int64_t>(1 << 16, 64 * table.ids.size());
  DenseMap<int64_t, StringRef> idOf;
  for (size_t i = 0; i < index.size(); ++i) {
    StringRef id = table.ids[i];
    if (id.getAsInteger(10, index[i]) || index[i] >= limit)
      return createStringError("expected 'id' to be a tensor index below " +
                               Twine(limit) + ", but got '" +
                               shownId(table, i) + "'");
    auto [found, isNew] = idOf.try_emplace(index[i], id);
    if (!isNew)
      return createStringError(
          "expected 'id' to be a tensor index of its own, but got '" +
          shown(found->second) + "' and '" + shown(id) + "'");
  }
  return index;
}

Error writeTflm(const Outcome &outcome, raw_ostream &os) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  Expected<std::vector<int64_t>> found = tensorIndices(outcome.table);
  if (!found)
    return found.takeError();
  const std::vector<int64_t> &index = *found;
  std::vector<int32_t> words = {1, 0, 0};
  for (size_t i = 0; i < index.size(); ++i) {
    int64_t offset = outcome.plan.placements[i].offset;
    if (offset > most)
      return createStringError("expected 'offset' of id " +
                               shownId(outcome.table, i) + " to be at most " +
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
