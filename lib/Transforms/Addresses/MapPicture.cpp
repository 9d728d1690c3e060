// SPDX-License-Identifier: Apache-2.0
//
// Draws memory maps of mli-print-memory-map.

#include "MemoryMap.h"

#include "mli/Allocation/Picture.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Colours
//===----------------------------------------------------------------------===//

/// The rows of the legend: roles of buffers, then kinds of steps.
static std::vector<allocation::PictureKind> getLegend() {
  constexpr StringLiteral fills[numBufferRoles] = {
      "#8ab6e8", "#8fd19e", "#f2c57c", "#c9a7e0",
      "#f29e97", "#b9b9b9", "#d8cbb0"};
  std::vector<allocation::PictureKind> legend;
  legend.reserve(numBufferRoles + 2);
  for (unsigned role = 0; role < numBufferRoles; ++role)
    legend.push_back({stringifyRole(static_cast<BufferRole>(role)).str(),
                      fills[role].str()});
  legend.push_back({"kernel runs", "#4d4d4d"});
  legend.push_back({"move runs", "#e39a86"});
  return legend;
}

static constexpr size_t kernelKind = numBufferRoles;
static constexpr size_t moveKind = numBufferRoles + 1;

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static std::string formatTime(Interval time) {
  return llvm::formatv("time [{0},{1})", time.lower, time.upper).str();
}

/// What is shown where the pointer rests on `users[i]`.
static std::string getBufferTitle(const MemoryMap &map, size_t i) {
  const MemoryProblem &problem = map.memory.problem;
  const allocation::Buffer &buffer = problem.problem.buffers[i];
  const allocation::Placement &place = map.memory.getPlan().placements[i];
  std::string npus;
  if (map.getNpus() > 1)
    npus = llvm::formatv(" of each NPU, from NPU {0} on",
                         problem.getStartNpu(i, place))
               .str();
  return llvm::formatv("{0}; {1} bytes at [{2},{3}){4}, {5}",
                       map.names[i].getText(), buffer.size, place.offset,
                       place.offset + buffer.size, npus,
                       formatTime(buffer.live))
      .str();
}

/// What is written on a buffer: a name, or the layer if it has none.
static StringRef getLabel(const BufferName &name) {
  bool isNumber = StringRef(name.name).starts_with("buffer ");
  return isNumber && !name.layer.empty() ? name.layer : name.name;
}

static std::vector<allocation::PictureStep> getSteps(const MemoryMap &map) {
  std::vector<allocation::PictureStep> steps;
  for (const FunctionStep &step : map.steps) {
    std::string runs =
        step.runs == 1 ? "" : llvm::formatv(", {0} times", step.runs).str();
    steps.push_back(
        {step.time, step.isMove ? "" : step.label,
         llvm::formatv("{0}{1}, {2}", step.layer, runs, formatTime(step.time))
             .str(),
         step.isMove ? moveKind : kernelKind});
  }
  return steps;
}

static std::string getTitle(const MemoryMap &map) {
  const allocation::Plan &plan = map.memory.getPlan();
  std::string title =
      llvm::formatv("{0} memory of '{1}': {2} buffers, peak {3:N} bytes",
                    stringifySpace(map.space), map.function,
                    map.memory.problem.users.size(), plan.peak)
          .str();
  if (!map.memory.problem.target)
    return title;
  title += llvm::formatv(" of {0:N}", map.npuBytes);
  return map.getNpus() == 1
             ? title
             : title +
                   llvm::formatv(" on each of {0} NPUs", map.getNpus()).str();
}

/// Adds the first lines of the records, which are as long as the network, and
/// says where the rest is.
static void addNotes(const MemoryMap &map, allocation::PictureText &text) {
  constexpr size_t maxNotes = 8;
  std::string lines = map.getRecordText();
  SmallVector<StringRef> notes;
  StringRef(lines).split(notes, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  size_t shown = std::min(notes.size(), maxNotes);
  for (StringRef note : ArrayRef(notes).take_front(shown))
    text.notes.push_back(note.str());
  if (shown < notes.size())
    text.notes.push_back(
        llvm::formatv("and {0} lines that the text of this map has",
                      notes.size() - shown)
            .str());
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

static void drawPlan(const MemoryMap &map, allocation::Picture &picture) {
  const allocation::Problem &problem = map.memory.problem.problem;
  allocation::PictureText text;
  text.title = getTitle(map);
  text.legend = getLegend();
  text.steps = getSteps(map);
  if (map.memory.problem.target)
    text.capacity = map.npuBytes;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    text.names.push_back(getLabel(map.names[i]).str());
    text.titles.push_back(getBufferTitle(map, i));
    text.kinds.push_back(static_cast<size_t>(map.roles[i]));
  }
  addNotes(map, text);
  picture.add(problem, map.memory.getPlan(), text);
}

/// Draws what no planner places, one above the other in the order of its use.
static void drawFixed(const MemoryMap &map, allocation::Picture &picture) {
  allocation::PictureText text;
  allocation::Problem problem;
  allocation::Plan plan;
  text.title =
      llvm::formatv("constants and arguments of '{0}': {1:N} bytes, not in the "
                    "arena, drawn where they are used",
                    map.function, map.getFixedBytes())
          .str();
  text.legend = getLegend();
  text.steps = getSteps(map);
  text.hasBounds = false;
  for (const FixedBuffer &fixed : map.fixed) {
    allocation::Buffer &buffer = problem.buffers.emplace_back();
    buffer.size = fixed.bytes;
    buffer.live = fixed.live;
    plan.placements.push_back({plan.peak});
    plan.peak += fixed.bytes;
    text.names.push_back(fixed.name);
    text.titles.push_back(llvm::formatv("{0}: {1}; {2} bytes, {3}", fixed.name,
                                        describeUse(fixed.use), fixed.bytes,
                                        formatTime(fixed.live))
                              .str());
    text.kinds.push_back(static_cast<size_t>(fixed.use.role));
  }
  picture.add(problem, plan, text);
}

void mli::printSvg(ArrayRef<MemoryMap> maps, raw_ostream &os) {
  allocation::Picture picture;
  for (const MemoryMap &map : maps)
    if (!map.memory.problem.users.empty())
      drawPlan(map, picture);
  for (const MemoryMap &map : maps)
    if (!map.fixed.empty())
      drawFixed(map, picture);
  // Names of networks may be any bytes, but the picture is UTF-8.
  os << llvm::json::fixUTF8(picture.format());
}
