// SPDX-License-Identifier: Apache-2.0
//
// What mli-tile-to-fit records of its parts: memory, and moves by their causes.

#include "PartNeighbours.h"

#include "Transforms/Streams/FormStreams.h"

#include "mli/IR/LayerName.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using namespace mli::streams;
using mli::tiling::StaticKernel;
using mli::tiling::TilePlan;

namespace {

/// Adds up what one part moves.
class MoveCauses {
public:
  explicit MoveCauses(const PartGraph &all) : all(all) {}

  void addWeights(int64_t bytes) { moved.weights += bytes; }
  /// Adds `bytes` of `value`, of which all but the first of each are halos.
  void addIn(size_t value, int64_t bytes) {
    add(value, bytes, movedIn,
        all.graph.values[value].producer ? moved.spills : moved.inputs);
  }
  void addOut(size_t value, int64_t bytes) {
    add(value, bytes, movedOut,
        all.graph.values[value].isReturned ? moved.results : moved.spills);
  }
  const MovesByCause &get() const { return moved; }

private:
  using KnownBytes = llvm::DenseMap<size_t, int64_t>;

  /// Of a value that nothing reads but slices of it, that of its rows.
  int64_t getBytes(size_t value) const {
    const std::optional<MapShape> &map = all.graph.values[value].map;
    return all.values[value].movedBytes > 0 || !map
               ? all.values[value].movedBytes
               : map->rows * map->rowBytes;
  }
  void add(size_t value, int64_t bytes, KnownBytes &known, int64_t &cause) {
    int64_t &before = known[value];
    int64_t once = std::min(bytes, getBytes(value) - before);
    before += once;
    cause += once;
    moved.halos += bytes - once;
  }

  const PartGraph &all;
  MovesByCause moved;
  KnownBytes movedIn, movedOut;
};

class PartRecorder {
public:
  PartRecorder(const PartGraph &all, ArrayRef<Part> parts,
               const PartRules &rules, PartChoices &choices,
               const KernelNames &names, int64_t runs)
      : all(all), parts(parts), rules(rules), names(names), runs(runs),
        isReadInSystem(findReadsInSystem(all, parts)),
        neighbours(all, parts, rules, choices, names) {}

  PartRecord record(size_t number) const;

private:
  size_t findSliced(const PartRange &range, const StaticKernel &kernel,
                    unsigned operand) const;
  void recordTiles(const Part &part, PartRecord &record,
                   MoveCauses &moves) const;
  void recordStream(const Part &part, PartRecord &record,
                    MoveCauses &moves) const;
  void addWholeMoves(const Part &part, MoveCauses &moves) const;
  void addKernel(size_t kernel, PartRecord &record) const;
  std::string getValueName(size_t value) const;
  std::string getVertexName(const PartStreamGraph &made, const Part &part,
                            size_t vertex) const;

  const PartGraph &all;
  ArrayRef<Part> parts;
  const PartRules &rules;
  const KernelNames &names;
  int64_t runs;
  std::vector<bool> isReadInSystem;
  PartNeighbours neighbours;
};

} // namespace

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// How tiles were chosen.
static std::string explainTiles(const TilePlan &plan, const PartRules &rules) {
  if (plan.isDoubled)
    return "double buffering";
  return rules.cost.overlap == 0.0
             ? "no double buffering, as kernels wait for moves"
             : "no double buffering, as tiles of half the size cost more";
}

/// The value of which `operand` of `kernel` is a slice: of its result the one
/// that it is written into.
size_t PartRecorder::findSliced(const PartRange &range,
                                const StaticKernel &kernel,
                                unsigned operand) const {
  for (size_t number = range.begin; number < range.end; ++number) {
    const StreamVertex &vertex = all.graph.vertices[number];
    if (vertex.op != kernel.op)
      continue;
    const RowRead *read = vertex.findRead(operand);
    return read ? read->value : vertex.results[0];
  }
  llvm_unreachable("no vertex is the kernel");
}

void PartRecorder::recordTiles(const Part &part, PartRecord &record,
                               MoveCauses &moves) const {
  const TilePlan &plan = *part.tiles;
  const StaticKernel &root = *all.kernels[part.range.end - 1].numbers;
  ArrayRef<unsigned> order = plan.tiles.order;
  bool areChannels = order.size() == 1 && order[0] + 1 == root.sizes.size();
  record.kind = order.empty() ? "whole" : areChannels ? "channels" : "tiles";
  record.tiles.sizes.assign(plan.tiles.sizes.begin(), plan.tiles.sizes.end());
  record.tiles.loops.assign(root.sizes.begin(), root.sizes.end());
  record.tiles.order.assign(order.begin(), order.end());
  record.tiles.macs = plan.counts.macsPerNpu;
  record.tiles.wastedBytes = plan.counts.wastedBytes;
  record.tiles.bankConflicts = plan.counts.bankConflicts;
  record.calls = plan.counts.calls;
  record.written = plan.counts.unrolled;
  if (!order.empty())
    record.choice = explainTiles(plan, rules);
  makeGroup(all, part.range)
      ->forEachMove(plan.tiles, [&](const StaticKernel &kernel, size_t operand,
                                    int64_t bytes, bool isWhole) {
        const PartKernel &numbers = findKernel(all, part.range, kernel);
        std::optional<size_t> value = numbers.values[operand];
        const PartWeights *weights = numbers.findWeights(operand);
        if (weights && !value) {
          moves.addWeights(bytes);
          record.weightBytes += weights->movedBytes;
          record.residentBytes += isWhole ? weights->localBytes : 0;
          return;
        }
        if (!value)
          value = findSliced(part.range, kernel, operand);
        if (operand + 1 == kernel.operands.size())
          moves.addOut(*value, bytes);
        else
          moves.addIn(*value, bytes);
      });
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// What made `value`, for rings: a kernel, or an argument.
std::string PartRecorder::getValueName(size_t value) const {
  const StreamValue &from = all.graph.values[value];
  if (from.producer) {
    Operation *op = all.graph.vertices[*from.producer].op;
    const auto *name = names.find(op);
    return name != names.end() ? name->second
                               : op->getName().getStringRef().str();
  }
  for (size_t user : from.users)
    for (auto [i, ofOperand] : llvm::enumerate(all.kernels[user].values))
      if (ofOperand == value)
        if (auto argument = dyn_cast<BlockArgument>(
                findViewed(all.graph.vertices[user].op->getOpOperand(i)).get()))
          return "argument " + std::to_string(argument.getArgNumber());
  return "constant";
}

/// The name of `vertex` of the graph of `part`, of which a move has that of
/// what it moves in, or none.
std::string PartRecorder::getVertexName(const PartStreamGraph &made,
                                        const Part &part, size_t vertex) const {
  const StreamVertex &step = made.graph.vertices[vertex];
  if (step.op)
    return names.find(step.op)->second;
  size_t source = step.rowReads.front().value;
  return made.graph.values[source].producer
             ? "system memory"
             : getValueName(made.origins[source]);
}

void PartRecorder::recordStream(const Part &part, PartRecord &record,
                                MoveCauses &moves) const {
  const StreamChoice &stream = *part.stream;
  record.kind = "rows";
  record.stripes = stream.shape.stripes;
  record.calls = stream.calls;
  record.written = stream.written;
  record.weightBytes = stream.weightBytes;
  record.residentBytes = stream.residentBytes;
  std::unique_ptr<PartStreamGraph> made = makeStreamGraph(all, part.range);
  const StreamGraph &graph = made->graph;
  StreamSchedule schedule =
      *StreamSchedule::make(graph, 0, graph.vertices.size(), stream.shape);
  record.rows = stream.shape.rows;
  record.tiles.macs = stream.again;
  for (size_t kernel = part.range.begin; kernel < part.range.end; ++kernel)
    record.tiles.macs += all.kernels[kernel].macsPerNpu;
  int64_t weights = stream.movedBytes;
  for (auto [number, vertex] : llvm::enumerate(graph.vertices)) {
    bool isOut = false;
    if (!vertex.op) {
      int64_t bytes = getMovedBytes(schedule, number);
      size_t value = made->origins[vertex.results[0]];
      weights -= bytes;
      isOut = graph.values[vertex.rowReads.front().value].producer.has_value();
      if (isOut)
        moves.addOut(value, bytes);
      else
        moves.addIn(value, bytes);
    }
    if (!isOut)
      record.rings.push_back(recordBuffer(schedule, number, [&](size_t vertex) {
        return getVertexName(*made, part, vertex);
      }));
  }
  // What kernels read whole, but others compute, is no weights.
  for (size_t kernel = part.range.begin; kernel < part.range.end; ++kernel)
    for (const PartWeights &read : all.kernels[kernel].weights)
      if (read.value && !llvm::is_contained(part.range.inside, *read.value)) {
        moves.addIn(*read.value, read.movedBytes);
        weights -= read.movedBytes;
        record.weightBytes -= read.movedBytes;
      }
  moves.addWeights(weights);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Adds values that move as a whole: before `part`, to stay, and those that
/// stay behind it but are read in system memory, too.
void PartRecorder::addWholeMoves(const Part &part, MoveCauses &moves) const {
  for (size_t value : part.movedIn)
    moves.addIn(value, all.values[value].movedBytes);
  for (size_t value : part.range.kept)
    // Rows of a stream move out one by one where a value has to be there.
    if (isReadInSystem[value] && !(part.stream && all.values[value].isSaved))
      moves.addOut(value, all.values[value].movedBytes);
}

void PartRecorder::addKernel(size_t kernel, PartRecord &record) const {
  Operation *op = all.graph.vertices[kernel].op;
  record.kernels.push_back(names.find(op)->second);
  record.layers.push_back(describeLayer(op));
}

PartRecord PartRecorder::record(size_t number) const {
  const Part &part = parts[number];
  PartRecord record;
  for (size_t kernel = part.range.begin; kernel < part.range.end; ++kernel)
    addKernel(kernel, record);
  MoveCauses moves(all);
  addWholeMoves(part, moves);
  if (part.stream)
    recordStream(part, record, moves);
  else
    recordTiles(part, record, moves);
  record.moved = moves.get();
  record.bytes = part.bytes;
  record.capacity = rules.capacity;
  record.foundBytes = all.getBytes(part.range.inside);
  record.keptBytes = all.getBytes(part.range.kept);
  record.runs = runs;
  record.again = part.stream ? part.stream->again : part.again;
  record.cost = static_cast<int64_t>(part.cost);
  if (rules.isGiven(part.range.begin))
    record.choice = "as the file says";
  PartReason next = neighbours.explainNext(number);
  record.next = std::move(next.text);
  record.limit = std::move(next.limit);
  return record;
}

// MB8
std::vector<PartRecord>
mli::parts::recordParts(const PartGraph &all, ArrayRef<Part> parts,
                        const PartRules &rules, PartChoices &choices,
                        const KernelNames &names, int64_t runs) {
  PartRecorder recorder(all, parts, rules, choices, names, runs);
  std::vector<PartRecord> records;
  for (size_t number = 0; number < parts.size(); ++number)
    if (parts[number].tiles || parts[number].stream)
      records.push_back(recorder.record(number));
  return records;
}
