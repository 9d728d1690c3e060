// SPDX-License-Identifier: Apache-2.0
//
// A plan as a picture and as TensorFlow Lite Micro's metadata.

#include "Report.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"

#include <algorithm>
#include <limits>

using namespace llvm;
using namespace mli::allocation;

namespace mli::plan_tool {

namespace {

/// Maps [low, high) to [0, pixels), in integers so that it is the same
/// everywhere.
struct Scale {
  int64_t low, high;
  int64_t pixels;

  int64_t operator()(int64_t value) const {
    auto span = __int128(std::max<int64_t>(high - low, 1));
    return int64_t((__int128(value) - low) * pixels / span);
  }
};

} // namespace

static void writeText(StringRef text, raw_ostream &os) {
  for (char c : text)
    switch (c) {
    case '<':
      os << "&lt;";
      break;
    case '&':
      os << "&amp;";
      break;
    case '"':
      os << "&quot;";
      break;
    default:
      os << c;
    }
}

static bool covers(const Buffer &buffer, const Placement &place, int32_t npu,
                   int32_t npus) {
  return (npu - place.startNpu + npus) % npus < buffer.npuSpan;
}

/// Whether an NPU holds something else than the one before it.
static bool differs(const Outcome &outcome, int32_t npu) {
  const Problem &problem = outcome.table.problem;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Placement &place = outcome.plan.placements[i];
    if (covers(problem.buffers[i], place, npu, problem.memory.npus) !=
        covers(problem.buffers[i], place, npu - 1, problem.memory.npus))
      return true;
  }
  return false;
}

void writeSvg(const Outcome &outcome, raw_ostream &os) {
  const Problem &problem = outcome.table.problem;
  int64_t first = std::numeric_limits<int64_t>::max();
  int64_t last = std::numeric_limits<int64_t>::min();
  for (const Buffer &buffer : problem.buffers) {
    first = std::min(first, buffer.live.lower);
    last = std::max(last, buffer.live.upper);
  }
  constexpr int64_t width = 1200, height = 600, margin = 24;
  Scale x{first, last, width};
  Scale y{0, std::max(problem.memory.capacity.value_or(0), outcome.plan.peak),
          height};
  std::vector<int32_t> npus;
  for (int32_t npu = 0; npu < problem.memory.npus; ++npu)
    if (npu == 0 || differs(outcome, npu))
      npus.push_back(npu);
  int64_t panel = height + margin;
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width
     << ' ' << panel * int64_t(npus.size()) << "\" font-family=\"sans-serif\" "
     << "font-size=\"12\">\n";
  for (size_t p = 0; p < npus.size(); ++p) {
    int64_t base = panel * int64_t(p) + margin;
    os << "<text x=\"0\" y=\"" << base - 6 << "\">NPU " << npus[p] << ", peak "
       << outcome.plan.peak << " bytes, bound " << outcome.plan.liveBound
       << "</text>\n<rect x=\"0\" y=\"" << base << "\" width=\"" << width
       << "\" height=\"" << height << "\" fill=\"#f4f4f4\"/>\n";
    for (size_t i = 0; i < problem.buffers.size(); ++i) {
      const Buffer &buffer = problem.buffers[i];
      const Placement &place = outcome.plan.placements[i];
      if (buffer.size == 0 ||
          !covers(buffer, place, npus[p], problem.memory.npus))
        continue;
      int64_t top = y(place.offset + buffer.size);
      int64_t left = x(buffer.live.lower);
      os << "<rect x=\"" << left << "\" y=\"" << base + height - top
         << "\" width=\"" << std::max<int64_t>(x(buffer.live.upper) - left, 1)
         << "\" height=\"" << std::max<int64_t>(top - y(place.offset), 1)
         << "\" fill=\"hsl(" << i * 137 % 360
         << ",60%,70%)\" stroke=\"#444\" stroke-width=\"0.5\"><title>";
      writeText(outcome.table.ids[i], os);
      os << ": bytes [" << place.offset << ',' << place.offset + buffer.size
         << "), time [" << buffer.live.lower << ',' << buffer.live.upper
         << ")</title></rect>\n";
    }
  }
  os << "</svg>\n";
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
