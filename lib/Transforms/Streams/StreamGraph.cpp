// SPDX-License-Identifier: Apache-2.0

#include "StreamGraph.h"

#include "Transforms/Ordering/TensorMemory.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/TensorSize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;
using mli::tiling::DimAccess;
using mli::tiling::DimRange;
using mli::tiling::StaticKernel;

std::optional<MapShape> MapShape::get(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() < 3)
    return std::nullopt;
  std::optional<int64_t> bytes = getDenseBytes(tensor);
  auto rowDim = static_cast<unsigned>(tensor.getRank() - 3);
  ArrayRef<int64_t> shape = tensor.getShape();
  if (!bytes || *bytes == 0 ||
      llvm::any_of(shape.take_front(rowDim),
                   [](int64_t size) { return size != 1; }))
    return std::nullopt;
  return MapShape{rowDim, shape[rowDim], shape[rowDim + 1],
                  *bytes / shape[rowDim]};
}

/// Larger tensors have no place in an arena, so that sums are numbers.
static constexpr int64_t maxValueBytes = int64_t(1) << 40;

namespace {

/// Fills a graph, operation by operation.
class GraphBuilder {
public:
  GraphBuilder(StreamGraph &graph, Block &block, const GraphOptions &options)
      : graph(graph), options(options), memory(block) {
    for (const TensorMemory::Memory &from : memory.getMemories())
      addValue(from);
  }

  /// Adds `op`; fails if it has a result of unknown size.
  LogicalResult add(Operation &op);

private:
  void addValue(const TensorMemory::Memory &from);
  LogicalResult addVertex(Operation &op);
  FailureOr<int64_t> getInnerBytes(Operation &op) const;
  void addKernel(StreamVertex &vertex);
  std::string addRows(StreamVertex &vertex, const StaticKernel &kernel);

  StreamGraph &graph;
  const GraphOptions &options;
  tiling::StaticKernels kernels;
  /// Its memories are the values.
  const TensorMemory memory;
};

} // namespace

/// The bytes of `memory`; nothing if they are not known, or too many.
static std::optional<int64_t>
getArenaBytes(const TensorMemory::Memory &memory) {
  std::optional<int64_t> bytes = memory.getBytes();
  return bytes.value_or(0) <= maxValueBytes ? bytes : std::nullopt;
}

void GraphBuilder::addValue(const TensorMemory::Memory &from) {
  Operation *op = from.tensor.getDefiningOp();
  bool isConstant = op && op->hasTrait<OpTrait::ConstantLike>();
  StreamValue value;
  value.tensor = from.tensor;
  if (options.countsPorts ? !isConstant : from.isOwn())
    value.bytes = getArenaBytes(from).value_or(0);
  value.map = MapShape::get(from.tensor.getType());
  graph.values.push_back(std::move(value));
}

/// Bytes of the arena that a call, or the regions of `op`, take.
FailureOr<int64_t> GraphBuilder::getInnerBytes(Operation &op) const {
  if (auto call = dyn_cast<func::CallOp>(op))
    return options.callees ? options.callees->lookup(call.getCallee()) : 0;
  int64_t most = 0;
  for (Region &region : op.getRegions())
    for (Block &block : region) {
      GraphOptions inner = options;
      inner.countsPorts = false;
      std::optional<StreamGraph> graph =
          StreamGraph::get(block, inner, [](Operation *) {});
      if (!graph)
        return failure();
      std::vector<int64_t> live = graph->getLiveBytes();
      for (size_t vertex = 0; vertex < graph->vertices.size(); ++vertex)
        most = std::max(most, live[vertex] + graph->getWholeBytes(vertex));
    }
  return most;
}

LogicalResult GraphBuilder::addVertex(Operation &op) {
  size_t number = graph.vertices.size();
  StreamVertex vertex;
  vertex.op = &op;
  for (int32_t input : memory.getRead(&op)) {
    vertex.inputs.push_back(input);
    graph.values[input].users.push_back(number);
  }
  for (Value result : op.getResults()) {
    if (!isa<TensorType>(result.getType()))
      continue;
    int32_t written = memory.lookup(result);
    bool isKnown = written >= 0 && getArenaBytes(memory.getMemories()[written]);
    if (!isKnown && !options.isLenient)
      return failure();
    if (written < 0)
      continue;
    StreamValue &value = graph.values[written];
    if (!value.producer && !memory.getMemories()[written].isOutside)
      value.producer = number;
    vertex.results.push_back(written);
  }
  FailureOr<int64_t> inner = getInnerBytes(op);
  if (failed(inner))
    return failure();
  vertex.scratchBytes = getScratchBytes(&op) + *inner;
  llvm::append_range(vertex.replaceable, memory.getReplaceable(&op));
  addKernel(vertex);
  graph.vertices.push_back(std::move(vertex));
  return success();
}

/// Adds what makes `vertex` part of streams, or why nothing does.
void GraphBuilder::addKernel(StreamVertex &vertex) {
  Operation *op = vertex.op;
  if (auto mov = dyn_cast<MovOp>(op)) {
    bool isFromLocal = isLocal(mov.getInput().getType());
    bool isToLocal = isLocal(mov.getInit().getType());
    vertex.isMovedIn = !isFromLocal && isToLocal;
    vertex.isMovedOut = isFromLocal && !isToLocal;
  }
  vertex.obstacle = findObstacle(op);
  if (!vertex.obstacle.empty())
    return;
  const StaticKernel *kernel =
      (options.kernels ? *options.kernels : kernels).get(op);
  if (kernel) {
    // More is as much, so that costs are far from the greatest number.
    constexpr uint64_t most = uint64_t(1) << 40;
    auto work = static_cast<uint64_t>(kernel->work);
    for (int64_t size : kernel->sizes)
      work = llvm::SaturatingMultiply(work, static_cast<uint64_t>(size));
    vertex.work = static_cast<int64_t>(std::min(work, most));
  }
  vertex.obstacle =
      kernel ? addRows(vertex, *kernel) : "its shape or padding is not known";
}

/// The dimension of `operand` that follows from `loop`; null if none does.
static const DimRange *findRange(const tiling::LocalOperand &operand,
                                 unsigned loop) {
  for (const DimRange &range : operand.dims)
    if (range.use.kind != DimAccess::Kind::Full &&
        range.use.kind != DimAccess::Kind::Groups && range.use.loop == loop)
      return &range;
  return nullptr;
}

/// Whether it moves something but rows as they are into local memory, or out.
static bool isOtherMove(const StreamVertex &vertex) {
  auto mov = dyn_cast<MovOp>(vertex.op);
  return mov &&
         (!mov.keepsIndices() || !(vertex.isMovedIn || vertex.isMovedOut));
}

/// Adds the rows that the kernel reads. Returns why it can not be computed row
/// by row; nothing if it can.
// ST2
std::string GraphBuilder::addRows(StreamVertex &vertex,
                                  const StaticKernel &kernel) {
  const std::optional<MapShape> &map = graph.values[vertex.results[0]].map;
  if (!map)
    return explainNoMap(
        cast<RankedTensorType>(vertex.op->getResult(0).getType()));
  unsigned loop = map->rowDim;
  vertex.hasStripes = kernel.grains[loop + 1] == 1;
  if (kernel.grains[loop] != 1 || isOtherMove(vertex))
    return "it needs all rows at once";
  for (auto [number, operand] : llvm::enumerate(kernel.operands)) {
    OpOperand &use = vertex.op->getOpOperand(number);
    if (cast<DestinationStyleOpInterface>(vertex.op).isDpsInit(&use))
      continue;
    const DimRange *rows = findRange(operand, loop);
    const DimRange *columns = findRange(operand, loop + 1);
    std::optional<MapShape> shape = MapShape::get(use.get().getType());
    int32_t value = memory.lookup(use.get());
    if (rows && (!shape || rows != &operand.dims[shape->rowDim]))
      return "rows of its result are not rows of operand " +
             std::to_string(number);
    if (value < 0)
      continue;
    // A reshape may move elements between rows, or columns.
    const std::optional<MapShape> &source = graph.values[value].map;
    if (rows) {
      RowRead read = {
          static_cast<size_t>(value), static_cast<unsigned>(number), *rows, {}};
      if (source && source->columns == shape->columns &&
          columns == &operand.dims[shape->rowDim + 1])
        read.columns = *columns;
      vertex.hasStripes &= read.columns.has_value();
      vertex.rowReads.push_back(read);
    }
    if (!rows || !source || source->rows != shape->rows ||
        source->rowBytes != shape->rowBytes)
      vertex.wholeInputs.push_back(value);
  }
  return vertex.rowReads.empty() ? "it reads no rows" : "";
}

LogicalResult GraphBuilder::add(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>()) {
    for (int32_t value : memory.getRead(&op))
      graph.values[value].isReturned = true;
    return success();
  }
  bool isBuffer = !isView(&op) && !isa<tensor::EmptyOp>(op) &&
                  !op.hasTrait<OpTrait::ConstantLike>();
  return isBuffer ? addVertex(op) : success();
}

std::optional<StreamGraph>
StreamGraph::get(Block &block, const GraphOptions &options,
                 llvm::function_ref<void(Operation *)> explain) {
  StreamGraph graph;
  graph.alignment = options.alignment;
  GraphBuilder builder(graph, block, options);
  for (Operation &op : block)
    if (failed(builder.add(op))) {
      explain(&op);
      return std::nullopt;
    }
  return graph;
}
