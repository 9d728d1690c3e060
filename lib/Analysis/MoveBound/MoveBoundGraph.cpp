// SPDX-License-Identifier: Apache-2.0

#include "MoveBoundGraph.h"

#include "mli/IR/LocalMemory.h"
#include "mli/IR/TensorSize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mli;
using namespace mli::movebound;

namespace {

/// Constants by their elements, and arguments that are weights.
using ConstantKey = const void *;

class GraphBuilder {
public:
  explicit GraphBuilder(MoveGraph &graph) : graph(graph) {}

  LogicalResult build(Block &block);

private:
  /// A kernel's use of a tensor or of a part of it.
  struct Source {
    Value tensor;
    int64_t bytes;
    /// Whether the kernel reads others beside it in the same operand.
    bool isPart;
  };

  LogicalResult add(Operation &op);
  LogicalResult addKernel(DestinationStyleOpInterface kernel);
  LogicalResult addOperand(OpOperand &operand);
  void addConstant(ConstantKey key, int64_t bytes, bool isSummed);
  LogicalResult addValue(Value tensor, std::optional<size_t> producer);
  LogicalResult trace(Value tensor, int64_t bytes,
                      SmallVectorImpl<Source> &sources) const;
  LogicalResult returnValues(Operation *terminator);
  void finish();

  MoveGraph &graph;
  llvm::DenseMap<Value, size_t> valueNumbers;
  llvm::DenseMap<ConstantKey, unsigned> constantUses;
  /// The weights of each kernel that sums over channels.
  struct SummedConstant {
    size_t kernel;
    ConstantKey key;
    int64_t bytes;
  };
  SmallVector<SummedConstant> summed;
};

} // namespace

static std::optional<int64_t> getBytes(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type ? getDenseBytes(type) : std::nullopt;
}

/// Whether `op` only moves elements, within system memory or within local
/// memory.
static bool isMovement(Operation *op) {
  return isa<ReshapeOp, PermuteOp, MovOp, SubtensorOp, tensor::CastOp,
             tensor::ConcatOp, tensor::ExtractSliceOp, tensor::InsertSliceOp>(
      op);
}

/// Whether kernels read `argument` as weights or bias only.
static bool isWeights(BlockArgument argument) {
  return llvm::all_of(argument.getUses(), [](OpOperand &use) {
    auto kernel = dyn_cast<WeightedOpInterface>(use.getOwner());
    return kernel && use.getOperandNumber() > 0 &&
           (use.get() == kernel.getWeights() || use.get() == kernel.getBias());
  });
}

/// Whether each position of the result of `op` sums over all channels of a map.
static bool isSumOfChannels(Operation *op) {
  auto window = dyn_cast<WindowOpInterface>(op);
  auto weighted = dyn_cast<WeightedOpInterface>(op);
  if (!window || !weighted)
    return false;
  auto input = cast<ShapedType>(window.getInput().getType());
  auto weights = cast<ShapedType>(weighted.getWeights().getType());
  return weights.getDimSize(2) ==
         input.getDimSize(FeatureMapDims(window.getLayout()).channels);
}

static int64_t countPositions(Operation *op) {
  auto window = cast<WindowOpInterface>(op);
  auto result = cast<ShapedType>(window.getInit().getType());
  FeatureMapDims dims(window.getLayout());
  return result.getDimSize(dims.height) * result.getDimSize(dims.width);
}

// MB6
static Gathering getGathering(Operation *op) {
  if (isSumOfChannels(op) || op->hasTrait<RecurrentCell>() ||
      isa<FullyConnectedOp, RnnDenseOp>(op))
    return Gathering::All;
  return op->hasTrait<ElementwiseKernel>() || isa<WindowOpInterface>(op)
             ? Gathering::AsResult
             : Gathering::Unknown;
}

LogicalResult GraphBuilder::addValue(Value tensor,
                                     std::optional<size_t> producer) {
  if (!getBytes(tensor))
    return failure();
  MovedValue value;
  value.producer = producer;
  valueNumbers[tensor] = graph.values.size();
  graph.values.push_back(value);
  return success();
}

/// The operands of `op` of which all elements are in its result. They are not
/// all that is in it.
static SmallVector<Value> getParts(Operation *op) {
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return {insert.getSource()};
  if (isa<tensor::ConcatOp>(op))
    return llvm::to_vector(op->getOperands());
  auto mov = dyn_cast<MovOp>(op);
  bool isWhole = mov && mov.getOffsets().empty() && mov.getSizes().empty() &&
                 mov.getSteps().empty();
  return isWhole ? SmallVector<Value>{mov.getInput()} : SmallVector<Value>();
}

/// Finds the tensors that the elements of `tensor` come from if something reads
/// `bytes` of it. Those of which it may read a slice only are left out.
// MB2
LogicalResult GraphBuilder::trace(Value tensor, int64_t bytes,
                                  SmallVectorImpl<Source> &sources) const {
  bool isPart = false;
  SmallVector<Value> open = {tensor};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    Operation *op = next.getDefiningOp();
    std::optional<int64_t> all = getBytes(next);
    if (!all)
      return failure();
    if (!op || valueNumbers.contains(next) || isa<ConstantOp>(op)) {
      sources.push_back({next, std::min(bytes, *all), isPart});
    } else if (isa<ReshapeOp, PermuteOp, tensor::CastOp>(op)) {
      open.push_back(op->getOperand(0));
    } else if (isMovement(op)) {
      // Only then it is known which elements of its operands are read.
      if (bytes >= *all)
        llvm::append_range(open, getParts(op));
      bytes = std::numeric_limits<int64_t>::max();
      isPart = true;
    } else if (!isa<tensor::EmptyOp>(op)) {
      return failure();
    }
  }
  return success();
}

/// Adds that the last kernel reads a constant.
void GraphBuilder::addConstant(ConstantKey key, int64_t bytes, bool isSummed) {
  if (constantUses[key]++ == 0)
    graph.kernels.back().constantBytes += bytes;
  if (isSummed)
    summed.push_back({graph.kernels.size() - 1, key, bytes});
}

/// Adds what the last kernel reads in `operand`.
LogicalResult GraphBuilder::addOperand(OpOperand &operand) {
  Operation *op = operand.getOwner();
  MovedKernel &kernel = graph.kernels.back();
  int64_t bytes = std::numeric_limits<int64_t>::max();
  auto window = dyn_cast<WindowOpInterface>(op);
  if (window && window.getInput() == operand.get())
    bytes = countWindowElements(op) *
            (elementWidth(
                 cast<ShapedType>(operand.get().getType()).getElementType()) /
             8);
  SmallVector<Source> sources;
  if (failed(trace(operand.get(), bytes, sources)))
    return failure();
  bool isSummed = isSumOfChannels(op) && operand.getOperandNumber() > 0;
  for (const Source &source : sources) {
    if (auto constant = source.tensor.getDefiningOp<ConstantOp>()) {
      addConstant(constant.getValue().getAsOpaquePointer(), source.bytes,
                  isSummed);
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(source.tensor);
    if (argument && isWeights(argument)) {
      addConstant(argument.getAsOpaquePointer(), source.bytes, isSummed);
      continue;
    }
    if (source.isPart && kernel.gathering == Gathering::AsResult)
      kernel.gathering = Gathering::Unknown;
    size_t number = valueNumbers.lookup(source.tensor);
    auto *known = llvm::find_if(kernel.reads, [&](const ValueRead &read) {
      return read.value == number;
    });
    if (known != kernel.reads.end()) {
      known->bytes = std::max(known->bytes, source.bytes);
      continue;
    }
    kernel.reads.push_back({number, source.bytes});
    graph.values[number].users.push_back(graph.kernels.size() - 1);
  }
  return success();
}

LogicalResult GraphBuilder::addKernel(DestinationStyleOpInterface kernel) {
  auto window = dyn_cast<WindowOpInterface>(*kernel);
  if (window &&
      (llvm::any_of(window.getStaticPadding(), ShapedType::isDynamic)))
    return failure();
  for (Type type : kernel->getOperandTypes())
    if (auto shaped = dyn_cast<ShapedType>(type);
        shaped && !shaped.hasStaticShape())
      return failure();
  MovedKernel &added = graph.kernels.emplace_back();
  added.gathering = getGathering(kernel);
  if (isSumOfChannels(kernel))
    added.positions = countPositions(kernel);
  for (OpOperand &operand : kernel->getOpOperands()) {
    bool isRead =
        !kernel.isDpsInit(&operand) || mli::detail::readsInit(operand);
    if (isRead && isa<TensorType>(operand.get().getType()) &&
        failed(addOperand(operand)))
      return failure();
  }
  for (Value result : kernel->getResults()) {
    graph.kernels.back().results.push_back(graph.values.size());
    if (failed(addValue(result, graph.kernels.size() - 1)))
      return failure();
  }
  return success();
}

LogicalResult GraphBuilder::add(Operation &op) {
  auto isTensor = [](Type type) { return isa<ShapedType>(type); };
  if (op.getNumRegions() > 0 || llvm::any_of(op.getOperandTypes(), isLocal) ||
      llvm::any_of(op.getResultTypes(), isLocal))
    return failure();
  if (isMovement(&op) || isa<ConstantOp, tensor::EmptyOp>(op) ||
      op.hasTrait<TypeQuery>())
    return success();
  if (isa<KernelOpInterface>(op))
    return addKernel(cast<DestinationStyleOpInterface>(op));
  bool hasTensors = llvm::any_of(op.getOperandTypes(), isTensor) ||
                    llvm::any_of(op.getResultTypes(), isTensor);
  return success(!hasTensors && isMemoryEffectFree(&op));
}

LogicalResult GraphBuilder::returnValues(Operation *terminator) {
  for (Value operand : terminator->getOperands()) {
    SmallVector<Source> sources;
    if (isa<TensorType>(operand.getType()) &&
        failed(trace(operand, std::numeric_limits<int64_t>::max(), sources)))
      return failure();
    for (const Source &source : sources)
      if (auto result = dyn_cast<OpResult>(source.tensor);
          result && valueNumbers.contains(result)) {
        MovedValue &value = graph.values[valueNumbers.lookup(result)];
        value.isReturned = true;
        value.bytes = source.bytes;
      }
  }
  return success();
}

/// Finds what depends on all uses.
void GraphBuilder::finish() {
  for (const MovedKernel &kernel : graph.kernels)
    for (const ValueRead &read : kernel.reads) {
      MovedValue &value = graph.values[read.value];
      value.bytes = std::max(value.bytes, read.bytes);
    }
  // What several kernels read may stay for them.
  for (const SummedConstant &constant : summed)
    if (constantUses.lookup(constant.key) == 1)
      graph.kernels[constant.kernel].summedBytes += constant.bytes;
}

LogicalResult GraphBuilder::build(Block &block) {
  for (BlockArgument argument : block.getArguments())
    if (isa<TensorType>(argument.getType()) &&
        (isLocal(argument.getType()) ||
         failed(addValue(argument, std::nullopt))))
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
  if (failed(returnValues(block.getTerminator())))
    return failure();
  finish();
  return success();
}

std::optional<MoveGraph> MoveGraph::get(Block &block) {
  MoveGraph graph;
  if (failed(GraphBuilder(graph).build(block)))
    return std::nullopt;
  return graph;
}
