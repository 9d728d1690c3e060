// SPDX-License-Identifier: Apache-2.0

#include "StreamChoices.h"

#include "mli/Layout/Policy.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using namespace mli::streams;
using mli::tiling::DimAccess;
using mli::tiling::DimRange;

namespace {

/// Fills the graph of one part.
class PartStreamBuilder {
public:
  PartStreamBuilder(const PartGraph &all, const PartRange &range)
      : all(all), range(range), made(std::make_unique<PartStreamGraph>()),
        graph(&made->graph) {}

  std::unique_ptr<PartStreamGraph> run();

private:
  size_t addValue(size_t from);
  size_t addMove(size_t from, size_t source, bool isIn);
  bool isOfMap(size_t value) const;
  bool addKernel(size_t number);
  bool isComputed(size_t value) const {
    const StreamValue &from = all.graph.values[value];
    return from.producer && *from.producer >= range.begin;
  }
  void use(StreamVertex &vertex, size_t value) {
    if (llvm::is_contained(vertex.inputs, value))
      return;
    vertex.inputs.push_back(value);
    graph->values[value].users.push_back(graph->vertices.size());
  }

  const PartGraph &all;
  const PartRange &range;
  std::unique_ptr<PartStreamGraph> made;
  StreamGraph *graph;
  /// The value here for one of all.
  llvm::DenseMap<size_t, size_t> local;
};

} // namespace

/// Adds `from` as rows in local memory.
size_t PartStreamBuilder::addValue(size_t from) {
  StreamValue &value = graph->values.emplace_back();
  value.map = all.graph.values[from].map;
  made->origins.push_back(from);
  return graph->values.size() - 1;
}

/// Rows and columns that are those of the result.
static DimRange makeSame(int64_t size, unsigned loop) {
  DimRange range;
  range.use = DimAccess::ofLoop(loop);
  range.size = size;
  range.iterations = size;
  return range;
}

/// Adds a move of the rows of `source`, which are of `from`, into local memory
/// or out of it. Returns where to.
size_t PartStreamBuilder::addMove(size_t from, size_t source, bool isIn) {
  size_t result = addValue(from);
  const MapShape &map = *graph->values[source].map;
  StreamVertex vertex;
  vertex.op = nullptr;
  vertex.results = {result};
  vertex.hasStripes = true;
  vertex.isMovedIn = isIn;
  vertex.isMovedOut = !isIn;
  vertex.rowReads.push_back({source, 0, makeSame(map.rows, map.rowDim),
                             makeSame(map.columns, map.rowDim + 1)});
  use(vertex, source);
  graph->values[result].producer = graph->vertices.size();
  graph->vertices.push_back(std::move(vertex));
  return result;
}

/// Whether what moves in of `value` has the rows and columns of its map.
bool PartStreamBuilder::isOfMap(size_t value) const {
  const MapShape &map = *all.graph.values[value].map;
  ArrayRef<int64_t> shape = all.values[value].desc.shape;
  return shape.size() >= 3 && shape[shape.size() - 3] == map.rows &&
         shape[shape.size() - 2] == map.columns;
}

bool PartStreamBuilder::addKernel(size_t number) {
  const StreamVertex &from = all.graph.vertices[number];
  if (!from.obstacle.empty() || from.results.size() != 1 ||
      !all.kernels[number].numbers)
    return false;
  // What it finds in system memory moves into a ring first.
  for (const RowRead &read : from.rowReads) {
    if (all.kernels[number].values[read.operand] != read.value)
      return false;
    if (!local.count(read.value)) {
      // A reshape has other rows, and maybe another layout.
      if (llvm::is_contained(from.wholeInputs, read.value) ||
          !all.isReadAlike(read.value) || !isOfMap(read.value))
        return false;
      size_t source = addValue(read.value);
      bool isInside = llvm::is_contained(range.inside, read.value);
      local[read.value] = isInside ? source : addMove(read.value, source, true);
    }
  }
  StreamVertex vertex = from;
  vertex.inputs.clear();
  vertex.wholeInputs.clear();
  vertex.replaceable.clear();
  for (size_t value : from.wholeInputs)
    if (isComputed(value))
      return false;
  for (RowRead &read : vertex.rowReads) {
    read.value = local[read.value];
    use(vertex, read.value);
  }
  for (size_t value : from.replaceable)
    if (auto found = local.find(value); found != local.end())
      vertex.replaceable.push_back(found->second);
  size_t result = from.results[0];
  if (!all.isReadAlike(result) || all.values[result].desc.shape.empty())
    return false;
  local[result] = addValue(result);
  vertex.results = {local[result]};
  graph->values[local[result]].producer = graph->vertices.size();
  graph->vertices.push_back(std::move(vertex));
  return true;
}

std::unique_ptr<PartStreamGraph> PartStreamBuilder::run() {
  for (size_t number = range.begin; number < range.end; ++number) {
    if (!addKernel(number))
      return nullptr;
    size_t result = all.graph.vertices[number].results[0];
    const StreamValue &value = all.graph.values[result];
    if (!value.livesAt(range.end))
      continue;
    bool isKept = llvm::is_contained(range.kept, result);
    // What stays takes no room of the part.
    graph->values[local[result]].isReturned = isKept;
    if (!isKept || all.values[result].isSaved) {
      size_t moved = addMove(result, local[result], false);
      graph->values[moved].isReturned = true;
    }
  }
  graph->measure = [all = &all, made = made.get()](size_t number, int64_t rows,
                                                   int64_t columns) {
    return all->getBytes(made->origins[number], rows, columns);
  };
  return std::move(made);
}

std::unique_ptr<PartStreamGraph>
mli::parts::makeStreamGraph(const PartGraph &all, const PartRange &range) {
  return PartStreamBuilder(all, range).run();
}

int64_t mli::parts::getMovedBytes(const StreamSchedule &schedule,
                                  size_t vertex) {
  const StreamGraph &graph = *schedule.graph;
  const MapShape &map = *graph.values[graph.vertices[vertex].results[0]].map;
  int64_t columns = 0;
  for (const StreamStripe &stripe : schedule.stripes)
    columns += stripe[vertex].size();
  return map.rows * map.rowBytes / map.columns * columns;
}
