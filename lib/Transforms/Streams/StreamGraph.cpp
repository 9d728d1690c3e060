// SPDX-License-Identifier: Apache-2.0

#include "StreamGraph.h"

#include "mli/IR/KernelOperands.h"
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
  GraphBuilder(StreamGraph &graph, const GraphOptions &options)
      : graph(graph), options(options) {}

  /// Adds `op`; fails if it has a tensor of unknown size.
  LogicalResult add(Operation &op);

private:
  std::optional<size_t> find(Value tensor) const;
  std::optional<size_t> findOrAddOutside(Value tensor, Block *block);
  FailureOr<size_t> addValue(Value tensor);
  bool addView(Operation &op);
  LogicalResult addVertex(Operation &op);
  FailureOr<int64_t> getInnerBytes(Operation &op) const;
  bool isResultOfCall(size_t value) const;
  void addKernel(StreamVertex &vertex);
  std::string addRows(StreamVertex &vertex, const StaticKernel &kernel);
  void use(StreamVertex &vertex, Value operand);

  StreamGraph &graph;
  const GraphOptions &options;
  llvm::DenseMap<Value, size_t> numbers;
};

} // namespace

std::optional<size_t> GraphBuilder::find(Value tensor) const {
  auto found = numbers.find(tensor);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

FailureOr<size_t> GraphBuilder::addValue(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  std::optional<int64_t> bytes =
      type ? getDenseBytes(type) : std::optional<int64_t>();
  if (!bytes || *bytes > maxValueBytes)
    return failure();
  StreamValue value;
  value.bytes = *bytes;
  value.map = MapShape::get(type);
  graph.values.push_back(std::move(value));
  numbers[tensor] = graph.values.size() - 1;
  return graph.values.size() - 1;
}

/// The value of `tensor`, which may be an argument or a constant: these are not
/// in the arena.
std::optional<size_t> GraphBuilder::findOrAddOutside(Value tensor,
                                                     Block *block) {
  if (std::optional<size_t> known = find(tensor))
    return known;
  Operation *op = tensor.getDefiningOp();
  bool isConstant = op && op->hasTrait<OpTrait::ConstantLike>();
  if (op && op->getBlock() == block && !isConstant)
    return std::nullopt;
  FailureOr<size_t> added = addValue(tensor);
  if (failed(added))
    return std::nullopt;
  size_t number = *added;
  if (isConstant || !options.countsPorts)
    graph.values[number].bytes = 0;
  return number;
}

/// Adds `op` if it makes no buffer.
bool GraphBuilder::addView(Operation &op) {
  if (isa<tensor::EmptyOp>(op) || op.hasTrait<OpTrait::ConstantLike>())
    return true;
  if (!isa<ReshapeOp, SubtensorOp, tensor::CastOp, tensor::ExtractSliceOp>(op))
    return false;
  if (std::optional<size_t> source =
          findOrAddOutside(op.getOperand(0), op.getBlock()))
    numbers[op.getResult(0)] = *source;
  return true;
}

void GraphBuilder::use(StreamVertex &vertex, Value operand) {
  std::optional<size_t> value =
      findOrAddOutside(operand, vertex.op->getBlock());
  if (!value || llvm::is_contained(vertex.inputs, *value))
    return;
  vertex.inputs.push_back(*value);
  graph.values[*value].users.push_back(graph.vertices.size());
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
  StreamVertex vertex;
  vertex.op = &op;
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  op.walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands()) {
      bool isInit = inner == &op && kernel && kernel.isDpsInit(&operand);
      if (isa<TensorType>(operand.get().getType()) && !isInit &&
          operand.get().getParentRegion()->isAncestor(op.getParentRegion()))
        use(vertex, operand.get());
    }
  });
  for (OpResult result : op.getResults()) {
    if (!isa<TensorType>(result.getType()))
      continue;
    Value init = findInit(result);
    if (isa_and_present<BlockArgument>(init) &&
        !isa<FunctionOpInterface>(op.getParentOp()))
      (void)findOrAddOutside(init, op.getBlock());
    if (init && !find(init) && init.getDefiningOp<tensor::EmptyOp>() &&
        failed(addValue(init)))
      return failure();
    if (std::optional<size_t> updated = init ? find(init) : std::nullopt) {
      use(vertex, init);
      numbers[result] = *updated;
      vertex.results.push_back(*updated);
      StreamValue &value = graph.values[*updated];
      if (!value.producer)
        value.producer = graph.vertices.size();
      continue;
    }
    FailureOr<size_t> value = addValue(result);
    if (failed(value))
      return failure();
    graph.values[*value].producer = graph.vertices.size();
    vertex.results.push_back(*value);
  }
  FailureOr<int64_t> inner = getInnerBytes(op);
  if (failed(inner))
    return failure();
  vertex.scratchBytes = getScratchBytes(&op) + *inner;
  addKernel(vertex);
  graph.vertices.push_back(std::move(vertex));
  return success();
}

/// Adds what makes `vertex` part of streams, or why nothing does.
void GraphBuilder::addKernel(StreamVertex &vertex) {
  Operation *op = vertex.op;
  vertex.obstacle = findObstacle(op);
  if (!vertex.obstacle.empty())
    return;
  auto dps = cast<DestinationStyleOpInterface>(op);
  int64_t bytes = graph.values[vertex.results[0]].bytes;
  for (OpOperand *operand : dps.getDpsInputOperands())
    if (std::optional<size_t> value = find(operand->get());
        value && mayComputeInPlace(*operand) &&
        graph.values[*value].bytes == bytes)
      vertex.replaceable.push_back(*value);
  std::optional<StaticKernel> kernel = StaticKernel::get(op);
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
  if (kernel.grains[loop] != 1)
    return "it needs all rows at once";
  for (auto [number, operand] : llvm::enumerate(kernel.operands)) {
    OpOperand &use = vertex.op->getOpOperand(number);
    if (cast<DestinationStyleOpInterface>(vertex.op).isDpsInit(&use))
      continue;
    const DimRange *rows = findRange(operand, loop);
    const DimRange *columns = findRange(operand, loop + 1);
    std::optional<MapShape> shape = MapShape::get(use.get().getType());
    std::optional<size_t> value =
        findOrAddOutside(use.get(), vertex.op->getBlock());
    if (rows && (!value || !shape || rows != &operand.dims[shape->rowDim]))
      return "rows of its result are no rows of operand " +
             std::to_string(number);
    if (!value)
      continue;
    // A reshape may move elements between rows, or columns.
    const std::optional<MapShape> &source = graph.values[*value].map;
    if (rows) {
      RowRead read = {*value, static_cast<unsigned>(number), *rows, {}};
      if (source && source->columns == shape->columns &&
          columns == &operand.dims[shape->rowDim + 1])
        read.columns = *columns;
      vertex.hasStripes &= read.columns.has_value();
      vertex.rowReads.push_back(read);
    }
    if (!rows || !source || source->rows != shape->rows ||
        source->rowBytes != shape->rowBytes)
      vertex.wholeInputs.push_back(*value);
  }
  return vertex.rowReads.empty() ? "it reads no rows" : "";
}

/// What a call gives is in a buffer of its own and copied from there.
bool GraphBuilder::isResultOfCall(size_t value) const {
  std::optional<size_t> producer = graph.values[value].producer;
  return producer && isa<func::CallOp>(graph.vertices[*producer].op);
}

LogicalResult GraphBuilder::add(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>()) {
    for (Value operand : op.getOperands())
      if (std::optional<size_t> value = find(operand)) {
        graph.values[*value].isReturned = true;
        if (isa<func::ReturnOp>(op) && !options.countsPorts &&
            !isResultOfCall(*value))
          graph.values[*value].bytes = 0;
      }
    return success();
  }
  return addView(op) ? success() : addVertex(op);
}

std::optional<StreamGraph>
StreamGraph::get(Block &block, const GraphOptions &options,
                 llvm::function_ref<void(Operation *)> explain) {
  StreamGraph graph;
  graph.alignment = options.alignment;
  GraphBuilder builder(graph, options);
  for (Operation &op : block)
    if (failed(builder.add(op))) {
      explain(&op);
      return std::nullopt;
    }
  return graph;
}
