// SPDX-License-Identifier: Apache-2.0
//
// Writes memory maps of mli-print-memory-map as text, JSON and pictures.

#include "Addresses.h"

#include "mli/Allocation/Picture.h"
#include "mli/Analysis/BufferNames.h"
#include "mli/Support/Svg.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mli;

int64_t MemoryMap::getNpus() const {
  return memory.problem.target ? memory.problem.target->npus : 1;
}

int64_t MemoryMap::getAddress(size_t i) const {
  const allocation::Placement &place = memory.getPlan().placements[i];
  return memory.problem.target
             ? layout::getAddress(
                   {memory.problem.getStartNpu(i, place), place.offset},
                   *memory.problem.target)
             : place.offset;
}

SmallVector<size_t> MemoryMap::sortByAddress() const {
  auto order =
      llvm::to_vector(llvm::seq<size_t>(0, memory.problem.users.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    auto key = [&](size_t i) {
      return std::make_tuple(memory.getPlan().placements[i].offset,
                             getAddress(i),
                             memory.problem.problem.buffers[i].live.lower, i);
    };
    return key(a) < key(b);
  });
  return order;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// `file:line:column`, or as MLIR prints it.
static std::string locationText(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn();
  else
    os << loc;
  return text;
}

std::string MemoryMap::getRecordText() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (streams)
    streams->print(os);
  if (parts)
    parts->print(os);
  return text;
}

void mli::printText(const MemoryMap &map, raw_ostream &os) {
  const allocation::Plan &plan = map.memory.getPlan();
  double ratio = plan.liveBound == 0 ? 1.0 : double(plan.peak) / plan.liveBound;
  os << stringifySpace(map.space) << " memory of '" << map.function
     << "': " << map.memory.problem.users.size() << " buffers, peak "
     << plan.peak << " bytes, lower bound " << plan.liveBound << " (aligned "
     << plan.alignedBound << "), ratio " << llvm::format("%.4f", ratio);
  if (map.memory.problem.target)
    os << ", of " << map.npuBytes << " bytes on " << map.getNpus() << " NPU"
       << (map.getNpus() == 1 ? "" : "s");
  if (map.bankConflicts)
    os << ", bank conflicts " << *map.bankConflicts;
  os << "\n    first     last  NPU     from       to  buffer\n";
  std::vector<BufferName> names = getBufferNames(map.memory.problem);
  for (size_t i : map.sortByAddress()) {
    const allocation::Buffer &buffer = map.memory.problem.problem.buffers[i];
    const allocation::Placement &place = map.memory.getPlan().placements[i];
    os << llvm::format(
              "%9lld %8lld %4lld %8lld %8lld  ", (long long)place.offset,
              (long long)(place.offset + buffer.size - 1),
              (long long)map.memory.problem.getStartNpu(i, place),
              (long long)buffer.live.lower, (long long)buffer.live.upper)
       << names[i].getText();
    if (MemRefType type = map.memory.problem.users[i].type)
      os << ", " << type;
    os << "\n";
  }
  os << map.getRecordText();
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// The strides of local memory, or of the dimensions.
static SmallVector<int64_t> getStrides(MemRefType type) {
  if (auto layout = dyn_cast<LayoutAttr>(type.getLayout())) {
    layout::Dims strides = layout.getStrides();
    return {strides.n, strides.c, strides.h, strides.w};
  }
  return type.getStridesAndOffset().first;
}

static void writeBuffer(const MemoryMap &map, size_t i, const BufferName &name,
                        llvm::json::OStream &json) {
  const MemoryUser &user = map.memory.problem.users[i];
  const allocation::Buffer &buffer = map.memory.problem.problem.buffers[i];
  const allocation::Placement &place = map.memory.getPlan().placements[i];
  // The memory of calls and kernels is bytes.
  MemRefType type = user.type;
  if (!type)
    type = MemRefType::get(buffer.size,
                           IntegerType::get(user.op->getContext(), 8));
  int64_t npu = map.memory.problem.getStartNpu(i, place);
  if (map.memory.problem.target)
    type = moveStartNpu(type, type, npu, *map.memory.problem.target);
  auto layout = dyn_cast<LayoutAttr>(type.getLayout());
  std::string element;
  llvm::raw_string_ostream(element) << type.getElementType();
  json.attribute("name", name.name);
  if (!name.operand.empty()) {
    json.attribute("layer", name.layer);
    json.attribute("operand", name.operand);
  }
  json.attribute("loc", locationText(user.op->getLoc()));
  json.attributeArray("shape", [&] {
    for (int64_t size : type.getShape())
      json.value(size);
  });
  json.attribute("element", element);
  auto text = [](std::string_view view) { return StringRef(view); };
  json.attribute("layout",
                 text(layout::toString(layout ? layout.getKind()
                                              : layout::Kind::Continuous)));
  json.attribute("mode", text(layout::toString(layout ? layout.getMode()
                                                      : layout::Mode::None)));
  json.attribute("address", map.getAddress(i));
  json.attribute("start_npu", npu);
  json.attribute("offset", place.offset);
  json.attributeArray("strides", [&] {
    for (int64_t stride : getStrides(type))
      json.value(stride);
  });
  json.attribute("bytes_per_npu", buffer.size);
  json.attribute("lower", buffer.live.lower);
  json.attribute("upper", buffer.live.upper);
}

void mli::printJson(const MemoryMap &map, raw_ostream &os) {
  llvm::json::OStream json(os);
  std::vector<BufferName> names = getBufferNames(map.memory.problem);
  json.object([&] {
    json.attribute("function", map.function);
    json.attribute("space", stringifySpace(map.space));
    json.attribute("npus", map.getNpus());
    json.attribute("npu_bytes", map.npuBytes);
    json.attribute("peak", map.memory.getPlan().peak);
    json.attribute("lower_bound", map.memory.getPlan().liveBound);
    if (map.bankConflicts)
      json.attribute("bank_conflicts", *map.bankConflicts);
    if (map.streams)
      map.streams->write(json);
    if (map.parts)
      map.parts->write(json);
    json.attributeArray("buffers", [&] {
      for (size_t i : map.sortByAddress())
        json.object([&] { writeBuffer(map, i, names[i], json); });
    });
  });
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

static allocation::PlanPicture draw(const MemoryMap &map) {
  std::vector<std::string> names;
  names.reserve(map.memory.problem.users.size());
  for (const BufferName &name : getBufferNames(map.memory.problem))
    names.push_back(name.getText());
  return allocation::drawPlan(map.memory.problem.problem, map.memory.getPlan(),
                              names);
}

void mli::printSvg(ArrayRef<MemoryMap> maps, raw_ostream &os) {
  if (maps.size() == 1 && maps.front().getRecordText().empty()) {
    os << draw(maps.front()).svg;
    return;
  }
  constexpr int64_t titleHeight = 24, lineHeight = 14;
  SvgWriter parts;
  int64_t maxWidth = 0, top = 0;
  for (const MemoryMap &map : maps) {
    allocation::PlanPicture picture = draw(map);
    parts.add("text", {{"x", 0}, {"y", top + titleHeight - 6}},
              llvm::formatv("{0} memory of '{1}'", stringifySpace(map.space),
                            map.function)
                  .str());
    parts.append("\n");
    top += titleHeight;
    parts.open(
        "svg",
        {{"y", top}, {"width", picture.width}, {"height", picture.height}});
    parts.append("\n" + picture.svg);
    parts.close("svg");
    parts.append("\n");
    top += picture.height;
    maxWidth = std::max(maxWidth, picture.width);
    std::string lines = map.getRecordText();
    if (lines.empty())
      continue;
    for (StringRef line : llvm::split(StringRef(lines).rtrim(), '\n')) {
      top += lineHeight;
      parts.add("text", {{"x", 0}, {"y", top}, {"font-size", 11}}, line.str());
      parts.append("\n");
    }
  }
  SvgWriter all;
  all.open("svg",
           {{"xmlns", "http://www.w3.org/2000/svg"},
            {"viewBox", llvm::formatv("0 0 {0} {1}", maxWidth, top).str()}});
  all.append("\n" + parts.str());
  all.close("svg");
  os << all.str() << "\n";
}
