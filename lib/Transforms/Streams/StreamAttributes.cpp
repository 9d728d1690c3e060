// SPDX-License-Identifier: Apache-2.0

#include "FormStreams.h"

#include "Transforms/TileSelection/StaticKernel.h"

#include "mli/IR/AttributeNames.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;
using mli::tiling::StreamOverride;
using mli::tiling::TileOverrides;

llvm::MapVector<Operation *, std::string>
mli::streams::nameKernels(FunctionOpInterface function) {
  llvm::MapVector<Operation *, std::string> names;
  function.walk([&](Operation *op) {
    if (tiling::isTileable(op))
      names.insert(
          {op, (function.getName() + ":" + Twine(names.size())).str()});
  });
  return names;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void mli::streams::writeStreamAttribute(Operation *last, size_t kernels,
                                        const StreamShape &shape) {
  Builder builder(last->getContext());
  NamedAttrList stream;
  auto set = [&](StringRef name, int64_t value) {
    stream.append(name, builder.getI64IntegerAttr(value));
  };
  set("kernels", static_cast<int64_t>(kernels));
  set("rows", shape.rows);
  set("room", shape.room);
  set("stripes", shape.stripes);
  if (shape.isEven)
    stream.append("even", builder.getUnitAttr());
  if (shape.isBeside)
    stream.append("beside", builder.getUnitAttr());
  if (!shape.rings.empty())
    stream.append("rings", builder.getDenseI64ArrayAttr(shape.rings));
  last->setAttr(streamAttrName, stream.getDictionary(last->getContext()));
}

namespace {

/// Finds the vertices that the streams of a file name.
class OverrideReader {
public:
  OverrideReader(FunctionOpInterface function, const StreamGraph &graph,
                 const TileOverrides &overrides)
      : function(function), overrides(overrides) {
    llvm::DenseMap<Operation *, size_t> numbers;
    for (auto [i, vertex] : llvm::enumerate(graph.vertices))
      numbers[vertex.op] = i;
    for (const auto &[op, name] : nameKernels(function))
      if (auto found = numbers.find(op); found != numbers.end())
        vertices[name] = found->second;
  }

  /// The part of `stream`; one without vertices if it is of another function.
  FailureOr<StreamPart> read(const StreamOverride &stream);

private:
  InFlightDiagnostic reject() {
    return function->emitError("expected 'overrides' to ");
  }

  FunctionOpInterface function;
  const TileOverrides &overrides;
  llvm::StringMap<size_t> vertices;
  llvm::StringSet<> used;
};

} // namespace

FailureOr<StreamPart> OverrideReader::read(const StreamOverride &stream) {
  StreamPart part;
  // ST8
  if (stream.kernels.size() < 2)
    return reject() << "have at least 2 kernels in a stream, but got "
                    << stream.kernels.size();
  if (StringRef(stream.kernels.front()).rsplit(':').first != function.getName())
    return part;
  for (auto [i, name] : llvm::enumerate(stream.kernels)) {
    auto found = vertices.find(name);
    if (found == vertices.end())
      return reject() << "have in 'kernels' kernels of the body of '"
                      << function.getName() << "', as '" << function.getName()
                      << ":0', but got '" << name << "'";
    if (!used.insert(name).second)
      return reject() << "have each kernel in one stream, but got '" << name
                      << "' twice";
    if (overrides.tiles.contains(name))
      return reject() << "have '" << name
                      << "' in a stream or in tiles, but got both";
    if (i == 0)
      part.begin = found->second;
    else if (found->second != part.end)
      return reject() << "have in 'kernels' kernels that follow each other, "
                         "but got '"
                      << name << "' after '" << stream.kernels[i - 1] << "'";
    part.end = found->second + 1;
  }
  part.shape =
      StreamShape{stream.rows, stream.isEven, stream.room, stream.stripes, {}};
  if (!stream.rings.empty())
    part.shape->rings.resize(stream.kernels.size());
  for (const auto &ring : stream.rings) {
    auto name = llvm::find(stream.kernels, ring.first());
    if (name == stream.kernels.end())
      return reject() << "have in 'rings' kernels of the stream, but got '"
                      << ring.first() << "'";
    part.shape->rings[name - stream.kernels.begin()] = ring.second;
  }
  return part;
}

FailureOr<std::vector<StreamPart>>
mli::streams::readStreamOverrides(FunctionOpInterface function,
                                  const StreamGraph &graph,
                                  const TileOverrides &overrides) {
  OverrideReader reader(function, graph, overrides);
  std::vector<StreamPart> parts;
  for (const StreamOverride &stream : overrides.streams) {
    FailureOr<StreamPart> part = reader.read(stream);
    if (failed(part))
      return failure();
    if (part->shape)
      parts.push_back(std::move(*part));
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads the attribute of the vertex in front of `end`.
static FailureOr<StreamPart> readPart(const StreamGraph &graph, size_t end) {
  Operation *last = graph.vertices[end - 1].op;
  Attribute attribute = last->getAttr(streamAttrName);
  auto stream = dyn_cast<DictionaryAttr>(attribute);
  // ST8
  auto reject = [&]() {
    return last->emitOpError("expected '")
           << streamAttrName
           << "' to have 'kernels', the number of kernels up to this one, and "
              "'rows', 'room' and 'stripes', each at least 1, but got "
           << attribute;
  };
  if (!stream)
    return reject();
  auto get = [&](StringRef name, int64_t least) -> std::optional<int64_t> {
    auto value = stream.getAs<IntegerAttr>(name);
    if (!value || !value.getType().isInteger(64) || value.getInt() < least ||
        value.getInt() > std::numeric_limits<int32_t>::max())
      return std::nullopt;
    return value.getInt();
  };
  std::optional<int64_t> kernels = get("kernels", 2), rows = get("rows", 1),
                         room = get("room", 1), stripes = get("stripes", 1);
  if (!kernels || !rows || !room || !stripes)
    return reject();
  StreamPart part;
  part.end = end;
  // ST8
  if (*kernels > static_cast<int64_t>(end))
    return last->emitOpError("expected '")
           << streamAttrName << "' to have at most the " << end
           << " operations up to this one in 'kernels', but got " << *kernels;
  part.begin = end - *kernels;
  part.shape = StreamShape{*rows, stream.contains("even"), *room, *stripes, {}};
  part.shape->isBeside = stream.contains("beside");
  if (auto rings = stream.getAs<DenseI64ArrayAttr>("rings")) {
    // ST8
    if (rings.size() != *kernels ||
        llvm::any_of(rings.asArrayRef(), [](int64_t rows) {
          return rows < 0 || rows > std::numeric_limits<int32_t>::max();
        }))
      return last->emitOpError("expected 'rings' of '")
             << streamAttrName << "' to have for each of the " << *kernels
             << " kernels its rows, or 0, but got " << rings;
    part.shape->rings.assign(rings.asArrayRef().begin(),
                             rings.asArrayRef().end());
  }
  return part;
}

FailureOr<std::vector<StreamSchedule>>
mli::streams::readStreamAttributes(const StreamGraph &graph) {
  std::vector<StreamSchedule> schedules;
  for (size_t end = 1; end <= graph.vertices.size(); ++end) {
    Operation *last = graph.vertices[end - 1].op;
    if (!last->hasAttr(streamAttrName))
      continue;
    FailureOr<StreamPart> part = readPart(graph, end);
    if (failed(part))
      return failure();
    size_t before = schedules.empty() ? 0 : schedules.back().end;
    // ST8
    if (part->begin < before)
      return last->emitOpError("expected '")
             << streamAttrName
             << "' to have kernels of no other stream, but got "
             << before - part->begin << " of one";
    for (size_t vertex = part->begin; vertex < end; ++vertex) {
      Operation *op = graph.vertices[vertex].op;
      // ST8
      if (!graph.vertices[vertex].obstacle.empty())
        return op->emitOpError("expected a kernel that is part of a stream to "
                               "be computed row by row, but ")
               << graph.vertices[vertex].obstacle;
      if (op->hasAttr(tileAttrName) || op->hasAttr(fusedAttrName))
        return op->emitOpError("expected a kernel in a stream or in tiles, but "
                               "got both");
    }
    std::string why;
    std::optional<StreamSchedule> schedule =
        StreamSchedule::make(graph, part->begin, part->end, *part->shape, &why);
    if (!schedule)
      return last->emitOpError("expected '")
             << streamAttrName << "' to be a stream, but " << why;
    schedules.push_back(std::move(*schedule));
  }
  return schedules;
}
