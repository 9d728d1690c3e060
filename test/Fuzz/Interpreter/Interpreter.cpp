// SPDX-License-Identifier: Apache-2.0

#include "Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

llvm::Error fuzz::failAt(Operation *op, const Twine &what) {
  return llvm::createStringError("'" + op->getName().getStringRef() + "' " +
                                 what);
}

int64_t Interpreter::number(OpFoldResult value) const {
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  return std::get<int64_t>(data.at(cast<Value>(value)));
}

const View &Interpreter::view(Value value) const {
  return std::get<View>(data.find(value)->second);
}

SmallVector<int64_t, 4>
Interpreter::numbers(ArrayRef<OpFoldResult> values) const {
  return llvm::map_to_vector<4>(
      values, [&](OpFoldResult value) { return number(value); });
}

SmallVector<int64_t, 4> Interpreter::numbers(ValueRange values) const {
  return llvm::map_to_vector<4>(values,
                                [&](Value value) { return number(value); });
}

const Tensor &Interpreter::tensor(Value value) const {
  return std::get<Tensor>(data.find(value)->second);
}

Interpreter::Results Interpreter::get(ValueRange values) const {
  return llvm::map_to_vector<2>(values,
                                [&](Value value) { return data.at(value); });
}

void Interpreter::set(ValueRange values, ArrayRef<Datum> all) {
  for (auto [value, datum] : llvm::zip_equal(values, all))
    data[value] = datum;
}

/// A tensor of `type`, of which `sizes` are those that are not known.
Tensor Interpreter::makeTensor(Type type, ArrayRef<int64_t> sizes) const {
  auto ranked = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(ranked.getShape());
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent)) {
      extent = sizes.front();
      sizes = sizes.drop_front();
    }
  return Tensor(RankedTensorType::get(shape, ranked.getElementType()), poison);
}

/// What `op`, a slice of any dialect, takes of something of `shape`.
llvm::Error Interpreter::getBlock(Operation *op, ArrayRef<int64_t> shape,
                                  TensorBlock &block) const {
  auto slice = cast<OffsetSizeAndStrideOpInterface>(op);
  block.offsets = numbers(slice.getMixedOffsets());
  block.sizes = numbers(slice.getMixedSizes());
  block.steps.assign(block.sizes.size(), 1);
  if (!isa<SubtensorOp>(op))
    block.steps = numbers(slice.getMixedStrides());
  if (!block.isIn(shape))
    return failAt(op, "is outside of its tensor");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Numbers and control flow
//===----------------------------------------------------------------------===//

static std::optional<Attribute> toAttribute(Type type, int64_t number) {
  if (isa<IndexType, IntegerType>(type))
    return IntegerAttr::get(type, type.isInteger(1) ? number & 1 : number);
  return std::nullopt;
}

/// What a query of the parameters of a type returns.
static int64_t getQueried(Operation *op, int64_t index) {
  auto type = dyn_cast<QuantizedType>(
      cast<ShapedType>(op->getOperand(0).getType()).getElementType());
  quant::QuantParams params;
  if (type)
    params = type.getParam(type.isPerAxis() ? index : 0);
  if (isa<ScaleOp>(op))
    return type ? params.scale : 1;
  if (isa<ScaleShiftOp>(op))
    return type ? params.fracBits : 0;
  return type ? params.zeroPoint : 0;
}

/// Computes `op`, which has numbers only, by its folder.
bool Interpreter::executeNumber(Operation *op, Results &results) {
  if (isa<ScaleOp, ScaleShiftOp, ZeroOffsetOp>(op)) {
    results.emplace_back(getQueried(op, number(op->getOperand(1))));
    return true;
  }
  if (auto count = dyn_cast<ElemCountOp>(op)) {
    int64_t elements = 1;
    for (int64_t extent :
         tensor(count.getSource()).getShape().drop_front(count.getDim()))
      elements *= extent;
    results.emplace_back(elements);
    return true;
  }
  if (isa<ElementSizeOp>(op)) {
    results.emplace_back(
        static_cast<int64_t>(tensor(op->getOperand(0)).getWidth()));
    return true;
  }
  if (op->getNumRegions() != 0 || op->getNumResults() == 0)
    return false;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    auto found = data.find(operand);
    const auto *value = std::get_if<int64_t>(&found->second);
    auto attribute =
        value ? toAttribute(operand.getType(), *value) : std::nullopt;
    if (!attribute)
      return false;
    operands.push_back(*attribute);
  }
  SmallVector<OpFoldResult> folded;
  if (failed(op->fold(operands, folded)) || folded.empty())
    return false;
  for (OpFoldResult result : folded) {
    if (auto value = dyn_cast<Value>(result)) {
      results.push_back(data.at(value));
      continue;
    }
    auto integer = dyn_cast<IntegerAttr>(cast<Attribute>(result));
    if (!integer)
      return false;
    results.emplace_back(integer.getValue().getSExtValue());
  }
  return true;
}

llvm::Error Interpreter::executeBlock(Block &block, Results &yielded) {
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      yielded = get(op.getOperands());
      return llvm::Error::success();
    }
    if (llvm::Error error = execute(&op))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Interpreter::executeControl(Operation *op, Results &results) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    results = get(loop.getInitArgs());
    int64_t end = number(loop.getUpperBound()), step = number(loop.getStep());
    if (step <= 0)
      return failAt(op, "has no positive step");
    for (int64_t i = number(loop.getLowerBound()); i < end; i += step) {
      data[loop.getInductionVar()] = i;
      set(loop.getRegionIterArgs(), results);
      if (llvm::Error error = executeBlock(*loop.getBody(), results))
        return error;
    }
    return llvm::Error::success();
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Region &region = (number(branch.getCondition()) & 1) != 0
                         ? branch.getThenRegion()
                         : branch.getElseRegion();
    if (region.empty())
      return llvm::Error::success();
    return executeBlock(region.front(), results);
  }
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, call.getCalleeAttr());
    if (!callee || callee.isExternal())
      return failAt(op, "calls a function that is not there");
    // A function calls no one that is running: its values are its own.
    set(callee.getArguments(), get(call.getOperands()));
    return executeBlock(callee.getBody().front(), results);
  }
  return failAt(op, "is not known to the interpreter");
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// `tensor` with its dimensions in the order `order`.
static Tensor permuted(const Tensor &tensor, ArrayRef<int64_t> order) {
  SmallVector<int64_t, 4> shape, from(order.size());
  for (int64_t dim : order)
    shape.push_back(tensor.getShape()[dim]);
  Tensor result(RankedTensorType::get(shape, tensor.type.getElementType()), 0);
  size_t width = tensor.getWidth();
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    for (auto [i, dim] : llvm::enumerate(order))
      from[dim] = index[i];
    std::copy_n(tensor.at(from), width, result.at(index));
  });
  return result;
}

/// Computes `run`; those who do so know no maps whose channels come first.
static llvm::Error compute(Kernels &kernels, KernelRun &run) {
  auto window = dyn_cast<WindowOpInterface>(run.op.getOperation());
  if (!window || window.getLayout() == MapLayout::hwc)
    return kernels.compute(run);
  run.tensors.front() = permuted(run.tensors.front(), {1, 2, 0});
  Tensor &result = run.results.front();
  auto dps = cast<DestinationStyleOpInterface>(run.op.getOperation());
  Tensor &init = run.tensors[dps.getDpsInitOperand(0)->getOperandNumber()];
  init = result = permuted(result, {1, 2, 0});
  if (llvm::Error error = kernels.compute(run))
    return error;
  result = permuted(result, {2, 0, 1});
  return llvm::Error::success();
}

llvm::Error Interpreter::executeKernel(KernelOpInterface op, Results &results) {
  KernelRun run{op, {}, {}, {}};
  auto dps = cast<DestinationStyleOpInterface>(op.getOperation());
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType();
    run.tensors.push_back(isa<TensorType>(type)   ? tensor(operand.get())
                          : isa<MemRefType>(type) ? view(operand.get()).load()
                                                  : Tensor());
    run.numbers.push_back(isa<ShapedType>(type) ? 0 : number(operand.get()));
    if (dps.isDpsInit(&operand))
      run.results.push_back(run.tensors.back());
  }
  if (llvm::Error error = compute(kernels, run))
    return failAt(op, "fails: " + llvm::toString(std::move(error)));
  for (auto [init, result] : llvm::zip_equal(dps.getDpsInits(), run.results))
    if (isa<MemRefType>(init.getType()))
      view(init).store(result);
    else
      results.emplace_back(std::move(result));
  return llvm::Error::success();
}

/// The last rows, which are undefined, are poison.
void Interpreter::executeAdvance(AdvanceOp op, Results &results) {
  bool isBuffer = isa<MemRefType>(op.getInit().getType());
  Tensor ring = isBuffer ? view(op.getInit()).load() : tensor(op.getInit());
  TensorBlock from, to;
  from.sizes.assign(ring.getShape().begin(), ring.getShape().end());
  from.sizes[op.getDim()] -= static_cast<int64_t>(op.getRows());
  from.offsets.assign(from.sizes.size(), 0);
  from.steps.assign(from.sizes.size(), 1);
  to = from;
  from.offsets[op.getDim()] = static_cast<int64_t>(op.getRows());
  Tensor moved(ring.type, poison);
  insert(extract(ring, from,
                 RankedTensorType::get(from.sizes, ring.type.getElementType())),
         to, moved);
  if (isBuffer)
    view(op.getInit()).store(moved);
  else
    results.emplace_back(std::move(moved));
}

llvm::Error Interpreter::execute(Operation *op) {
  if (++steps > mostSteps)
    return failAt(op, "runs for too long");
  Results results;
  llvm::Error error = llvm::Error::success();
  if (auto kernel = dyn_cast<KernelOpInterface>(op))
    error = executeKernel(kernel, results);
  else if (auto advance = dyn_cast<AdvanceOp>(op))
    executeAdvance(advance, results);
  else if (!executeNumber(op, results) && !executeBuffer(op, results, error))
    error = executeTensor(op, results);
  if (error)
    return error;
  note(op, results);
  set(op->getResults(), results);
  return llvm::Error::success();
}

llvm::Expected<SmallVector<Datum>> Interpreter::run(func::FuncOp function,
                                                    ArrayRef<Datum> inputs) {
  steps = 0;
  data.clear();
  set(function.getArguments(), inputs);
  Results results;
  if (llvm::Error error = executeBlock(function.getBody().front(), results))
    return error;
  return SmallVector<Datum>(results.begin(), results.end());
}
