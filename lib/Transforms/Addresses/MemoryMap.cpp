// SPDX-License-Identifier: Apache-2.0

#include "MemoryMap.h"

#include "mli/Allocation/Picture.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mli;

int64_t MemoryMap::getNpus() const {
  return problem.target ? problem.target->npus : 1;
}

int64_t MemoryMap::getAddress(size_t i) const {
  const allocation::Placement &place = plan.placements[i];
  return problem.target
             ? layout::addressOf({problem.getStartNpu(i, place), place.offset},
                                 *problem.target)
             : place.offset;
}

SmallVector<size_t> MemoryMap::sortByAddress() const {
  auto order = llvm::to_vector(llvm::seq<size_t>(0, problem.users.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    auto key = [&](size_t i) {
      return std::make_tuple(plan.placements[i].offset, getAddress(i),
                             problem.problem.buffers[i].live.lower, i);
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

void mli::printText(const MemoryMap &map, raw_ostream &os) {
  const allocation::Plan &plan = map.plan;
  double ratio = plan.liveBound == 0 ? 1.0 : double(plan.peak) / plan.liveBound;
  os << stringifySpace(map.space) << " memory of '" << map.function
     << "': " << map.problem.users.size() << " buffers, peak " << plan.peak
     << " bytes, lower bound " << plan.liveBound << " (aligned "
     << plan.alignedBound << "), ratio " << llvm::format("%.4f", ratio);
  if (map.problem.target)
    os << ", of " << map.npuBytes << " bytes on " << map.getNpus() << " NPU"
       << (map.getNpus() == 1 ? "" : "s");
  if (map.bankConflicts)
    os << ", bank conflicts " << *map.bankConflicts;
  os << "\n    first     last  NPU     from       to  buffer\n";
  for (size_t i : map.sortByAddress()) {
    const allocation::Buffer &buffer = map.problem.problem.buffers[i];
    const allocation::Placement &place = map.plan.placements[i];
    os << llvm::format(
              "%9lld %8lld %4lld %8lld %8lld  ", (long long)place.offset,
              (long long)(place.offset + buffer.size - 1),
              (long long)map.problem.getStartNpu(i, place),
              (long long)buffer.live.lower, (long long)buffer.live.upper)
       << map.problem.getName(i);
    if (MemRefType type = map.problem.users[i].type)
      os << ", " << type;
    os << "\n";
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// The strides of local memory, or of the dimensions.
static SmallVector<int64_t> stridesOf(MemRefType type) {
  if (auto layout = dyn_cast<LayoutAttr>(type.getLayout())) {
    layout::Dims strides = layout.getStrides();
    return {strides.n, strides.c, strides.h, strides.w};
  }
  return type.getStridesAndOffset().first;
}

static void writeBuffer(const MemoryMap &map, size_t i,
                        llvm::json::OStream &json) {
  const MemoryUser &user = map.problem.users[i];
  const allocation::Buffer &buffer = map.problem.problem.buffers[i];
  const allocation::Placement &place = map.plan.placements[i];
  // The memory of calls and kernels is bytes.
  MemRefType type = user.type;
  if (!type)
    type = MemRefType::get(buffer.size,
                           IntegerType::get(user.op->getContext(), 8));
  int64_t npu = map.problem.getStartNpu(i, place);
  if (map.problem.target)
    type = moveStartNpu(type, type, npu, *map.problem.target);
  auto layout = dyn_cast<LayoutAttr>(type.getLayout());
  std::string element;
  llvm::raw_string_ostream(element) << type.getElementType();
  json.attribute("name", map.problem.getName(i));
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
    for (int64_t stride : stridesOf(type))
      json.value(stride);
  });
  json.attribute("bytes_per_npu", buffer.size);
  json.attribute("lower", buffer.live.lower);
  json.attribute("upper", buffer.live.upper);
}

void mli::printJson(const MemoryMap &map, raw_ostream &os) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("function", map.function);
    json.attribute("space", stringifySpace(map.space));
    json.attribute("npus", map.getNpus());
    json.attribute("npu_bytes", map.npuBytes);
    json.attribute("peak", map.plan.peak);
    json.attribute("lower_bound", map.plan.liveBound);
    if (map.bankConflicts)
      json.attribute("bank_conflicts", *map.bankConflicts);
    json.attributeArray("buffers", [&] {
      for (size_t i : map.sortByAddress())
        json.object([&] { writeBuffer(map, i, json); });
    });
  });
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

static std::string draw(const MemoryMap &map) {
  std::vector<std::string> names;
  names.reserve(map.problem.users.size());
  for (size_t i = 0; i < map.problem.users.size(); ++i)
    names.push_back(map.problem.getName(i));
  return allocation::drawPlan(map.problem.problem, map.plan, names);
}

/// The width and height of `picture`, by its view box.
static std::pair<int64_t, int64_t> sizeOf(StringRef picture) {
  StringRef box = picture.split("viewBox=\"0 0 ").second.split('"').first;
  auto [width, height] = box.split(' ');
  std::pair<int64_t, int64_t> size = {0, 0};
  (void)width.getAsInteger(10, size.first);
  (void)height.getAsInteger(10, size.second);
  return size;
}

void mli::printSvg(ArrayRef<MemoryMap> maps, raw_ostream &os) {
  if (maps.size() == 1) {
    os << draw(maps.front());
    return;
  }
  constexpr int64_t titleHeight = 24;
  std::string parts;
  llvm::raw_string_ostream part(parts);
  int64_t widest = 0, top = 0;
  for (const MemoryMap &map : maps) {
    std::string picture = draw(map);
    auto [width, height] = sizeOf(picture);
    part << "<text x=\"0\" y=\"" << top + titleHeight - 6 << "\">"
         << stringifySpace(map.space) << " memory of '";
    llvm::printHTMLEscaped(map.function, part);
    part << "'</text>\n";
    top += titleHeight;
    part << "<svg y=\"" << top << "\" width=\"" << width << "\" height=\""
         << height << "\">\n"
         << picture << "</svg>\n";
    top += height;
    widest = std::max(widest, width);
  }
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << widest
     << " " << top << "\">\n"
     << parts << "</svg>\n";
}
