// SPDX-License-Identifier: Apache-2.0

#include "ArenaBoundGraph.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/TensorSize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::bound;

namespace {

class GraphBuilder {
public:
  GraphBuilder(Graph &graph, const ArenaBoundOptions &options)
      : graph(graph), options(options) {}

  LogicalResult build(Block &block);

private:
  LogicalResult add(Operation &op);
  LogicalResult addKernel(DestinationStyleOpInterface kernel);
  LogicalResult addInsertion(tensor::InsertSliceOp insertion);
  void addRows(DestinationStyleOpInterface kernel);
  FailureOr<size_t> addValue(Value tensor, std::optional<size_t> maker);
  std::optional<size_t> find(Value tensor) const;
  bool isOwn(Value tensor) const;
  void use(Step &step, Value tensor);
  void returnValues(Operation *terminator);
  void setLifetimes();

  Graph &graph;
  const ArenaBoundOptions &options;
  llvm::DenseMap<Value, size_t> valueNumbers;
  /// Values that are put into others: part and whole.
  SmallVector<std::pair<size_t, size_t>> insertions;
};

} // namespace

FailureOr<size_t> GraphBuilder::addValue(Value tensor,
                                         std::optional<size_t> maker) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  std::optional<int64_t> bytes =
      type ? getDenseBytes(type) : std::optional<int64_t>();
  if (!bytes)
    return failure();
  ArenaValue value;
  value.bytes = *bytes;
  MapRows map = MapRows::get(type);
  value.rowBytes = map.bytes;
  value.columns = map.columns;
  value.maker = maker;
  graph.values.push_back(value);
  valueNumbers[tensor] = graph.values.size() - 1;
  return graph.values.size() - 1;
}

std::optional<size_t> GraphBuilder::find(Value tensor) const {
  auto found = valueNumbers.find(tensor);
  return found == valueNumbers.end() ? std::nullopt
                                     : std::optional(found->second);
}

/// The tensor that `tensor` is a slice of, or itself.
static Value getSliced(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  while (isa_and_nonnull<SubtensorOp, tensor::ExtractSliceOp>(op)) {
    tensor = op->getOperand(0);
    op = tensor.getDefiningOp();
  }
  return tensor;
}

/// Whether what is put into `tensor` needs no copy of what comes from outside.
bool GraphBuilder::isOwn(Value tensor) const {
  Value sliced = getSliced(tensor);
  return find(sliced) || sliced.getDefiningOp<tensor::EmptyOp>();
}

void GraphBuilder::use(Step &step, Value tensor) {
  std::optional<size_t> value = find(tensor);
  if (!value || llvm::is_contained(step.inputs, *value))
    return;
  step.inputs.push_back(*value);
  graph.values[*value].users.push_back(graph.steps.size());
}

/// Turns `read`, of a map whose rows are the columns of `value`, into one of
/// the rows of `value`. Fails if it may leave some of them out.
static LogicalResult readAllColumns(RowRead &read, const ArenaValue &value,
                                    int64_t resultColumns) {
  const AxisWindow &window = read.rows;
  if (window.results != 1 || window.isSpread || window.dilation != 1 ||
      window.getFirst(0) != 0 || window.getEnd(1) != window.inputs)
    return failure();
  AxisWindow rows, columns;
  rows.inputs = rows.extent = value.bytes / value.rowBytes;
  // All columns of the result read all columns.
  columns.stride = 0;
  columns.inputs = columns.extent = value.columns;
  columns.results = resultColumns;
  read.rows = rows;
  read.columns = columns;
  return success();
}

/// Adds how `kernel`, the last step, computes rows.
// I2
void GraphBuilder::addRows(DestinationStyleOpInterface kernel) {
  Step &step = graph.steps.back();
  auto result = cast<ShapedType>(kernel->getResult(0).getType());
  MapRows made = MapRows::get(result);
  step.isByRow = made.count > 0 && !isa<SoftmaxOp, L2NormalizeOp>(*kernel);
  if (!step.isByRow)
    return;
  if (llvm::all_of(kernel->getOperandTypes(), [](Type type) {
        auto shaped = dyn_cast<ShapedType>(type);
        return !shaped || shaped.hasStaticShape();
      }))
    step.columnProducts =
        cast<KernelOpInterface>(*kernel).getProductsPerElement() *
        result.getNumElements() / made.columns;
  for (OpOperand *operand : kernel.getDpsInputOperands()) {
    std::optional<size_t> number = find(operand->get());
    std::optional<RowRead> read = findRead(*operand);
    if (!number || !read)
      continue;
    const ArenaValue &value = graph.values[*number];
    MapRows map = MapRows::get(operand->get().getType());
    // A reshape may move elements between rows, or columns.
    if (value.rowBytes != map.bytes) {
      if (value.rowBytes == 0 || value.rowBytes != map.bytes * value.columns ||
          failed(readAllColumns(*read, value, made.columns)))
        continue;
    } else if (value.columns != map.columns) {
      read->columns = std::nullopt;
    }
    read->value = *number;
    step.reads.push_back(*read);
  }
}

LogicalResult GraphBuilder::addKernel(DestinationStyleOpInterface kernel) {
  size_t number = graph.steps.size();
  Step step;
  for (OpOperand *operand : kernel.getDpsInputOperands()) {
    use(step, operand->get());
    if (std::optional<size_t> value = find(operand->get());
        value && mayComputeInPlace(*operand))
      step.replaceable.push_back(*value);
  }
  bool isNew = true;
  for (OpOperand &init : kernel.getDpsInitsMutable()) {
    if (!isa<TensorType>(init.get().getType()))
      continue;
    OpResult result = kernel.getTiedOpResult(&init);
    // What it changes stays where it is.
    use(step, init.get());
    if (std::optional<size_t> changed = find(init.get())) {
      valueNumbers[result] = *changed;
      isNew = false;
      continue;
    }
    if (!isOwn(init.get()))
      return failure();
    isNew &= isa<tensor::EmptyOp>(init.get().getDefiningOp());
    FailureOr<size_t> value = addValue(result, number);
    if (failed(value))
      return failure();
    step.results.push_back(*value);
  }
  graph.steps.push_back(std::move(step));
  if (isNew && kernel.getNumDpsInits() == 1)
    addRows(kernel);
  return success();
}

LogicalResult GraphBuilder::addInsertion(tensor::InsertSliceOp insertion) {
  Step step;
  use(step, insertion.getSource());
  use(step, insertion.getDest());
  std::optional<size_t> whole = find(insertion.getDest());
  if (!whole) {
    if (!isOwn(insertion.getDest()))
      return failure();
    FailureOr<size_t> value =
        addValue(insertion.getResult(), graph.steps.size());
    if (failed(value))
      return failure();
    step.results.push_back(*value);
    whole = step.results.back();
  }
  valueNumbers[insertion.getResult()] = *whole;
  if (std::optional<size_t> part = find(insertion.getSource());
      part && *part != *whole)
    insertions.emplace_back(*part, *whole);
  graph.steps.push_back(std::move(step));
  return success();
}

LogicalResult GraphBuilder::add(Operation &op) {
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
    return addInsertion(insertion);
  if (auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
      kernel && isa<KernelOpInterface>(op) && kernel.hasPureTensorSemantics())
    return addKernel(kernel);
  // A slice may be copied, and its source die then: neither counts.
  if (isa<SubtensorOp, tensor::ExtractSliceOp, tensor::EmptyOp>(op))
    return success();
  if (isa<ReshapeOp, tensor::CastOp>(op)) {
    if (std::optional<size_t> source = find(op.getOperand(0)))
      valueNumbers[op.getResult(0)] = *source;
    return success();
  }
  if (op.getNumRegions() > 0)
    return failure();
  // Of other operations only what they read is known to be live.
  Step step;
  if (auto call = dyn_cast<func::CallOp>(op); call && options.callees)
    step.calleeBytes = options.callees->lookup(call.getCallee());
  for (Value operand : op.getOperands())
    use(step, operand);
  if (!step.inputs.empty() || step.calleeBytes > 0)
    graph.steps.push_back(std::move(step));
  return success();
}

void GraphBuilder::returnValues(Operation *terminator) {
  for (Value operand : terminator->getOperands()) {
    if (std::optional<size_t> number = find(getSliced(operand))) {
      ArenaValue &value = graph.values[*number];
      value.isReturned = true;
      if (!options.countsPorts)
        value.bytes = 0;
    }
  }
}

/// Finds how long values are live if they are whole.
// I3
void GraphBuilder::setLifetimes() {
  for (ArenaValue &value : graph.values) {
    value.liveUntil = value.isReturned       ? graph.steps.size()
                      : !value.users.empty() ? value.users.back()
                                             : value.maker.value_or(0);
    if (!value.isUsedFrom(0))
      value.bytes = 0;
  }
  // A part may be computed in its place in the whole, which is then live.
  for (auto [part, whole] : llvm::reverse(insertions)) {
    ArenaValue &value = graph.values[part];
    const ArenaValue &other = graph.values[whole];
    size_t begin = other.maker.value_or(0);
    if (other.bytes == 0 || begin <= value.maker.value_or(0))
      value.bytes = 0;
    else
      value.liveUntil = std::min(value.liveUntil, begin - 1);
  }
}

// I1
LogicalResult GraphBuilder::build(Block &block) {
  if (options.countsPorts)
    for (BlockArgument argument : block.getArguments())
      if (isa<TensorType>(argument.getType()) &&
          failed(addValue(argument, std::nullopt)))
        return failure();
  llvm::SmallPtrSet<Operation *, 4> dead;
  for (Operation &op : llvm::reverse(block))
    if (wouldOpBeTriviallyDead(&op) &&
        llvm::all_of(op.getUsers(),
                     [&](Operation *user) { return dead.contains(user); }))
      dead.insert(&op);
  for (Operation &op : block.without_terminator())
    if (!dead.contains(&op) && failed(add(op)))
      return failure();
  returnValues(block.getTerminator());
  setLifetimes();
  return success();
}

std::optional<Graph> Graph::get(Block &block,
                                const ArenaBoundOptions &options) {
  Graph graph;
  if (failed(GraphBuilder(graph, options).build(block)))
    return std::nullopt;
  return graph;
}
