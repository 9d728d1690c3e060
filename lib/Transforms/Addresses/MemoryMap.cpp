// SPDX-License-Identifier: Apache-2.0
//
// Writes memory maps of mli-print-memory-map as text and JSON.

#include "MemoryMap.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mli;
using llvm::json::fixUTF8;

int64_t MemoryMap::getNpus() const {
  return memory.problem.target ? memory.problem.target->npus : 1;
}

int64_t MemoryMap::getFixedBytes() const {
  int64_t bytes = 0;
  for (const FixedBuffer &buffer : fixed)
    bytes += buffer.bytes;
  return bytes;
}

std::string mli::describeUse(const BufferUse &use) {
  std::string text = stringifyRole(use.role).str();
  return use.layer.empty() ? text : text + " of " + fixUTF8(use.layer);
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

/// What is not in the arena.
static void printFixed(const MemoryMap &map, raw_ostream &os) {
  if (map.fixed.empty())
    return;
  os << "besides: " << map.fixed.size() << " constants and arguments, "
     << map.getFixedBytes() << " bytes\n"
     << "    bytes     from       to  buffer\n";
  for (const FixedBuffer &buffer : map.fixed)
    os << llvm::format("%9lld %8lld %8lld  ", (long long)buffer.bytes,
                       (long long)buffer.live.lower,
                       (long long)buffer.live.upper)
       << fixUTF8(buffer.name) << ", " << describeUse(buffer.use) << "\n";
}

static void printText(const MemoryMap &map, raw_ostream &os) {
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
  for (size_t i : map.sortByAddress()) {
    const allocation::Buffer &buffer = map.memory.problem.problem.buffers[i];
    const allocation::Placement &place = map.memory.getPlan().placements[i];
    os << llvm::format(
              "%9lld %8lld %4lld %8lld %8lld  ", (long long)place.offset,
              (long long)(place.offset + buffer.size - 1),
              (long long)map.memory.problem.getStartNpu(i, place),
              (long long)buffer.live.lower, (long long)buffer.live.upper)
       << fixUTF8(map.names[i].getText());
    if (MemRefType type = map.memory.problem.users[i].type)
      os << ", " << type;
    os << "\n";
  }
  printFixed(map, os);
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

static void writeUse(const BufferUse &use, llvm::json::OStream &json) {
  json.attribute("role", stringifyRole(use.role));
  json.attribute("layer", fixUTF8(use.layer));
}

static void writeTime(Interval time, llvm::json::OStream &json) {
  json.attribute("lower", time.lower);
  json.attribute("upper", time.upper);
}

static void writeFixed(const FixedBuffer &buffer, llvm::json::OStream &json) {
  json.attribute("name", fixUTF8(buffer.name));
  writeUse(buffer.use, json);
  json.attribute("bytes", buffer.bytes);
  writeTime(buffer.live, json);
}

static void writeStep(const FunctionStep &step, llvm::json::OStream &json) {
  json.attribute("op", step.op->getName().getStringRef());
  json.attribute("layer", fixUTF8(step.layer));
  json.attribute("moves", step.isMove);
  json.attribute("runs", step.runs);
  writeTime(step.time, json);
}

/// The NPUs from `startNpu` on that hold what is in a buffer of `type`; all
/// where it has no layout.
static int64_t countNpus(const MemoryMap &map, MemRefType type,
                         int64_t startNpu) {
  if (!map.memory.problem.target)
    return 1;
  std::optional<LocalFootprint> footprint =
      getLocalFootprint(type, *map.memory.problem.target, startNpu,
                        /*reusesEmptyBlocks=*/true);
  return footprint ? footprint->npus : map.getNpus();
}

static void writeBuffer(const MemoryMap &map, size_t i,
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
  const BufferName &name = map.names[i];
  json.attribute("name", fixUTF8(name.name));
  if (!name.operand.empty()) {
    json.attribute("layer", fixUTF8(name.layer));
    json.attribute("operand", fixUTF8(name.operand));
  }
  json.attribute("role", stringifyRole(map.roles[i]));
  json.attribute("loc", fixUTF8(locationText(user.op->getLoc())));
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
  json.attribute("npu_count", countNpus(map, type, npu));
  json.attribute("offset", place.offset);
  json.attributeArray("strides", [&] {
    for (int64_t stride : getStrides(type))
      json.value(stride);
  });
  json.attribute("bytes_per_npu", buffer.size);
  writeTime(buffer.live, json);
}

static void printJson(const MemoryMap &map, raw_ostream &os) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("function", fixUTF8(map.function));
    json.attribute("space", stringifySpace(map.space));
    json.attribute("npus", map.getNpus());
    json.attribute("npu_bytes", map.npuBytes);
    if (map.bankConflicts)
      json.attribute("bank_bytes", map.memory.problem.problem.memory.bankBytes);
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
        json.object([&] { writeBuffer(map, i, json); });
    });
    json.attributeArray("fixed", [&] {
      for (const FixedBuffer &buffer : map.fixed)
        json.object([&] { writeFixed(buffer, json); });
    });
    json.attributeArray("steps", [&] {
      for (const FunctionStep &step : map.steps)
        json.object([&] { writeStep(step, json); });
    });
  });
  os << "\n";
}

//===----------------------------------------------------------------------===//
// All forms
//===----------------------------------------------------------------------===//

void mli::printMaps(ArrayRef<MemoryMap> maps, MapFormat format,
                    raw_ostream &os) {
  if (format == MapFormat::Svg)
    return printSvg(maps, os);
  for (const MemoryMap &map : maps)
    format == MapFormat::Json ? printJson(map, os) : printText(map, os);
}
