// SPDX-License-Identifier: Apache-2.0

#include "LocalTensors.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;

namespace {

/// Groups the tensors in local memory by the buffers that they become.
class TensorClasses {
public:
  explicit TensorClasses(FunctionOpInterface function) {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), [&](Value v) { add(v); });
      llvm::for_each(op->getResults(), [&](Value value) { add(value); });
    });
    function.walk([&](Operation *op) { joinOperands(op); });
  }

  /// The tensors of each buffer, in program order.
  std::vector<SmallVector<Value>> take();

private:
  void add(Value value) {
    if (!isa<RankedTensorType>(value.getType()) || !isLocal(value.getType()))
      return;
    numbers[value] = static_cast<unsigned>(values.size());
    values.push_back(value);
    classes.grow(static_cast<unsigned>(values.size()));
  }
  void join(Value one, Value other) {
    auto first = numbers.find(one), second = numbers.find(other);
    if (first != numbers.end() && second != numbers.end())
      classes.join(first->second, second->second);
  }
  void joinOperands(Operation *op);

  SmallVector<Value> values;
  llvm::DenseMap<Value, unsigned> numbers;
  llvm::IntEqClasses classes;
};

} // namespace

/// Joins what is in one memory: control flow hands it on, kernels and
/// insertions write over their destination, and slices are views.
void TensorClasses::joinOperands(Operation *op) {
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    RegionBranchSuccessorMapping handed;
    branch.getSuccessorOperandInputMapping(handed);
    for (auto &[operand, inputs] : handed)
      for (Value input : inputs)
        join(operand->get(), input);
  } else if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op)) {
    // The source is computed where it goes to.
    join(insertion.getSource(), insertion.getDest());
    join(insertion.getResult(), insertion.getDest());
  } else if (auto kernel = dyn_cast<DestinationStyleOpInterface>(op)) {
    for (OpResult result : op->getResults())
      join(result, kernel.getTiedOpOperand(result)->get());
  } else if (op->getNumOperands() > 0 && op->getNumResults() == 1) {
    join(op->getResult(0), op->getOperand(0));
  }
}

std::vector<SmallVector<Value>> TensorClasses::take() {
  classes.compress();
  std::vector<SmallVector<Value>> buffers(classes.getNumClasses());
  for (auto [i, value] : llvm::enumerate(values))
    buffers[classes[i]].push_back(value);
  return buffers;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

void LocalTensors::setTimes(Operation *op) {
  int64_t begin = end++;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        setTimes(&inner);
  times[op] = {begin, end++};
}

/// The outermost loop in `block` around `access`, through all of which a buffer
/// of `block` exists; `access` itself if there is none.
static Operation *getAround(Operation *access, Block *block) {
  Operation *around = access;
  for (Operation *op = access; op && op->getBlock() != block;
       op = op->getParentOp())
    if (isa_and_present<LoopLikeOpInterface>(op->getParentOp()))
      around = op->getParentOp();
  return around;
}

/// Whether `op` reads or writes elements of the tensors that it has.
static bool isAccess(Operation *op) {
  return isa_and_present<DestinationStyleOpInterface>(op) &&
         !isa<tensor::InsertSliceOp>(op);
}

// Z19
void LocalTensors::add(ArrayRef<Value> tensors, layout::LocalBytes size) {
  LocalTensor local;
  local.size = size;
  local.live = {INT64_MAX, 0};
  // The block that the buffer is made in.
  Block *block = nullptr;
  for (Value tensor : tensors) {
    numbers[tensor] = buffers.size();
    Region *region = tensor.getParentRegion();
    if (!block || region->isProperAncestor(block->getParent()))
      block = tensor.getParentBlock();
  }
  auto addAccess = [&](Operation *op) {
    if (isAccess(op))
      local.live.extend(getTime(getAround(op, block)));
  };
  for (Value tensor : tensors) {
    // An argument of the function is there all the time.
    if (isa<BlockArgument>(tensor) &&
        isa<FunctionOpInterface>(tensor.getParentBlock()->getParentOp()))
      local.live.extend({0, end});
    addAccess(tensor.getDefiningOp());
    llvm::for_each(tensor.getUsers(), addAccess);
  }
  if (local.live.isEmpty())
    local.live = {0, 0};
  buffers.push_back(local);
}

/// Ends the buffer that `op` computes its result over in front of it.
void LocalTensors::shareInPlace(Operation *op) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!kernel || op->getNumResults() != 1)
    return;
  auto result = numbers.find(op->getResult(0));
  Interval time = getTime(op);
  if (result == numbers.end() ||
      buffers[result->second].live.lower != time.lower)
    return;
  for (OpOperand *operand : kernel.getDpsInputOperands()) {
    auto input = numbers.find(operand->get());
    if (input == numbers.end() || input->second == result->second ||
        !mayComputeInPlace(*operand))
      continue;
    LocalTensor &before = buffers[input->second];
    if (before.live.upper != time.upper ||
        before.size.bytes != buffers[result->second].size.bytes)
      continue;
    before.live.upper = time.lower;
    return;
  }
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

int64_t mli::alignBytes(layout::LocalBytes size) {
  if (size.bytes > INT64_MAX - size.alignment)
    return INT64_MAX;
  return static_cast<int64_t>(llvm::alignTo(size.bytes, size.alignment));
}

void LocalTensors::countBytes() {
  // Changes first, then their sums.
  bytes.assign(end + 1, 0);
  for (const LocalTensor &local : buffers) {
    int64_t size = std::min(alignBytes(local.size), int64_t(1) << 50);
    bytes[local.live.lower] += size;
    bytes[local.live.upper] -= size;
  }
  for (size_t time = 1; time < bytes.size(); ++time)
    bytes[time] += bytes[time - 1];
}

int64_t LocalTensors::getBytes(Operation *op) const {
  Interval time = getTime(op);
  if (time.isEmpty())
    return 0;
  return *std::max_element(bytes.begin() + time.lower,
                           bytes.begin() + time.upper);
}

FailureOr<LocalTensors> LocalTensors::of(FunctionOpInterface function,
                                         const layout::Target &target,
                                         const layout::PolicyOptions &policy) {
  LocalTensors all;
  all.setTimes(function);
  for (ArrayRef<Value> tensors : TensorClasses(function).take()) {
    layout::LocalBytes most = {0, 1};
    layout::OperandUsage role = getOperandUsage(tensors);
    for (Value tensor : tensors) {
      auto type = cast<RankedTensorType>(tensor.getType());
      std::optional<layout::LocalTensorDesc> use =
          getLocalTensorDesc(type.getShape(), type.getElementType(), role);
      // Z3
      if (!use)
        return emitError(tensor.getLoc(),
                         "expected a tensor in local memory to have a static "
                         "shape of up to four dimensions, but got ")
               << type;
      layout::LocalBytes size = layout::localBytes(*use, target, policy);
      if (size.bytes > most.bytes)
        most = size;
    }
    all.add(tensors, most);
  }
  function.walk([&](Operation *op) { all.shareInPlace(op); });
  all.countBytes();
  return all;
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

RankedTensorType mli::inSpace(Type type, Space space) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                               space == Space::local
                                   ? SpaceAttr::get(type.getContext(), space)
                                   : SpaceAttr());
}

Value mli::createEmpty(OpBuilder &builder, Location loc, Type type,
                       Space space) {
  return tensor::EmptyOp::create(builder, loc, inSpace(type, space),
                                 ValueRange());
}

void mli::eraseUnusedEmpty(Value value) {
  auto empty = value.getDefiningOp<tensor::EmptyOp>();
  if (empty && empty->use_empty())
    empty.erase();
}

Value mli::createMove(OpBuilder &builder, Location loc, Value source,
                      Space space) {
  Value init = createEmpty(builder, loc, source.getType(), space);
  return MovOp::create(builder, loc, source, init)->getResult(0);
}
