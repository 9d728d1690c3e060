// SPDX-License-Identifier: Apache-2.0

#include "Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static llvm::Error failAt(Operation *op, const Twine &what) {
  return llvm::createStringError("'" + op->getName().getStringRef() + "' " +
                                 what);
}

int64_t Interpreter::number(OpFoldResult value) const {
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  return std::get<int64_t>(data.at(cast<Value>(value)));
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

/// What `op`, a slice of any dialect, takes of `whole`.
llvm::Error Interpreter::getBlock(Operation *op, const Tensor &whole,
                                  TensorBlock &block) const {
  auto slice = cast<OffsetSizeAndStrideOpInterface>(op);
  block.offsets = numbers(slice.getMixedOffsets());
  block.sizes = numbers(slice.getMixedSizes());
  block.steps.assign(block.sizes.size(), 1);
  if (!isa<SubtensorOp>(op))
    block.steps = numbers(slice.getMixedStrides());
  if (!block.isIn(whole.getShape()))
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
    auto callee =
        SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr());
    if (!callee || callee.isExternal())
      return failAt(op, "calls a function that is not there");
    // A function calls no one that is running: its values are its own.
    set(callee.getArguments(), get(call.getOperands()));
    return executeBlock(callee.getBody().front(), results);
  }
  return failAt(op, "is not known to the interpreter");
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static Tensor concatenate(tensor::ConcatOp concat, ArrayRef<Datum> parts,
                          Tensor whole) {
  TensorBlock block;
  block.offsets.assign(whole.getShape().size(), 0);
  block.steps.assign(whole.getShape().size(), 1);
  for (const Datum &datum : parts) {
    const auto &part = std::get<Tensor>(datum);
    block.sizes.assign(part.getShape().begin(), part.getShape().end());
    insert(part, block, whole);
    block.offsets[concat.getDim()] += part.getShape()[concat.getDim()];
  }
  return whole;
}

static RankedTensorType withShape(Value value, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(
      shape, cast<ShapedType>(value.getType()).getElementType());
}

/// `whole` in the shape of `type`, of which one size at most is not known.
static Tensor reshaped(const Tensor &whole, RankedTensorType type) {
  SmallVector<int64_t> shape(type.getShape());
  int64_t known = 1;
  for (int64_t extent : shape)
    known *= ShapedType::isDynamic(extent) ? 1 : extent;
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = whole.type.getNumElements() / known;
  Tensor result = whole;
  result.type = RankedTensorType::get(shape, type.getElementType());
  return result;
}

static Tensor fromAttribute(ElementsAttr value, RankedTensorType type) {
  Tensor result(type, 0);
  auto dense = dyn_cast<DenseElementsAttr>(value);
  ArrayRef<char> raw;
  if (dense)
    raw = dense.getRawData();
  else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    raw = resource.getRawHandle().getBlob()->getData();
  for (size_t i = 0; i < result.bytes.size(); ++i)
    result.bytes[i] = raw[i % raw.size()];
  return result;
}

llvm::Error Interpreter::executeTensor(Operation *op, Results &results) {
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    results.emplace_back(
        makeTensor(empty.getType(), numbers(empty.getDynamicSizes())));
  } else if (isa<tensor::ExtractSliceOp, SubtensorOp>(op)) {
    const Tensor &whole = tensor(op->getOperand(0));
    TensorBlock block;
    if (llvm::Error error = getBlock(op, whole, block))
      return error;
    SmallVector<int64_t> shape;
    if (auto block2 = dyn_cast<SubtensorOp>(op)) {
      for (int64_t dim : block2.getKeptDims())
        shape.push_back(block.sizes[dim]);
    } else {
      llvm::SmallBitVector dropped =
          cast<tensor::ExtractSliceOp>(op).getDroppedDims();
      for (auto [i, size] : llvm::enumerate(block.sizes))
        if (!dropped.test(i))
          shape.push_back(size);
    }
    results.emplace_back(
        extract(whole, block, withShape(op->getResult(0), shape)));
  } else if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op)) {
    Tensor whole = tensor(insertion.getDest());
    TensorBlock block;
    if (llvm::Error error = getBlock(op, whole, block))
      return error;
    insert(tensor(insertion.getSource()), block, whole);
    results.emplace_back(std::move(whole));
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    Results parts = get(concat.getInputs());
    SmallVector<int64_t> shape(std::get<Tensor>(parts.front()).getShape());
    shape[concat.getDim()] = 0;
    for (const Datum &part : parts)
      shape[concat.getDim()] += std::get<Tensor>(part).getShape()[concat.getDim()];
    results.emplace_back(concatenate(
        concat, parts, Tensor(withShape(concat, shape), poison)));
  } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    const Tensor &source = tensor(pad.getSource());
    TensorBlock block;
    block.offsets = numbers(pad.getMixedLowPad());
    SmallVector<int64_t, 4> high = numbers(pad.getMixedHighPad()), shape;
    for (auto [extent, low, up] :
         llvm::zip_equal(source.getShape(), block.offsets, high))
      shape.push_back(low + extent + up);
    block.sizes.assign(source.getShape().begin(), source.getShape().end());
    block.steps.assign(shape.size(), 1);
    Tensor whole(withShape(pad, shape), 0);
    Value value = pad.getConstantPaddingValue();
    if (!value)
      return failAt(op, "has no constant padding");
    int64_t element = number(value);
    for (int64_t i = 0, e = whole.type.getNumElements(); i < e; ++i)
      whole.set(i, element);
    insert(source, block, whole);
    results.emplace_back(std::move(whole));
  } else if (isa<tensor::ExtractOp, tensor::InsertOp>(op)) {
    bool isInsertion = isa<tensor::InsertOp>(op);
    Tensor whole = tensor(op->getOperand(isInsertion ? 1 : 0));
    auto indices = numbers(
        ValueRange(op->getOperands().drop_front(isInsertion ? 2 : 1)));
    for (auto [i, extent] : llvm::zip_equal(indices, whole.getShape()))
      if (i < 0 || i >= extent)
        return failAt(op, "is outside of its tensor");
    int64_t position = 0;
    for (auto [i, extent] : llvm::zip_equal(indices, whole.getShape()))
      position = position * extent + i;
    if (isInsertion)
      whole.set(position, number(op->getOperand(0)));
    if (isInsertion)
      results.emplace_back(std::move(whole));
    else
      results.emplace_back(whole.get(position));
  } else if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    int64_t index = number(dim.getIndex());
    ArrayRef<int64_t> shape = tensor(dim.getSource()).getShape();
    if (index < 0 || index >= static_cast<int64_t>(shape.size()))
      return failAt(op, "is outside of its shape");
    results.emplace_back(shape[index]);
  } else if (isa<tensor::CastOp>(op)) {
    results.push_back(data.at(op->getOperand(0)));
  } else if (isa<ReshapeOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
                 op)) {
    results.emplace_back(
        reshaped(tensor(op->getOperand(0)),
                 cast<RankedTensorType>(op->getResult(0).getType())));
  } else if (auto constant = dyn_cast<ConstantOp>(op)) {
    results.emplace_back(
        fromAttribute(constant.getValue(),
                      cast<RankedTensorType>(constant.getType())));
  } else if (auto plain = dyn_cast<arith::ConstantOp>(op)) {
    results.emplace_back(
        fromAttribute(cast<ElementsAttr>(plain.getValue()),
                      cast<RankedTensorType>(plain.getType())));
  } else {
    return executeControl(op, results);
  }
  return llvm::Error::success();
}

/// `tensor` with its dimensions in the order `order`.
static Tensor permuted(const Tensor &tensor, ArrayRef<int64_t> order) {
  SmallVector<int64_t, 4> shape, from(order.size());
  for (int64_t dim : order)
    shape.push_back(tensor.getShape()[dim]);
  Tensor result(
      RankedTensorType::get(shape, tensor.type.getElementType()), 0);
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

llvm::Error Interpreter::executeKernel(KernelOpInterface op,
                                       Results &results) {
  KernelRun run{op, {}, {}, {}};
  auto dps = cast<DestinationStyleOpInterface>(op.getOperation());
  for (OpOperand &operand : op->getOpOperands()) {
    bool isTensor = isa<TensorType>(operand.get().getType());
    run.tensors.push_back(isTensor ? tensor(operand.get()) : Tensor());
    run.numbers.push_back(isTensor ? 0 : number(operand.get()));
    if (dps.isDpsInit(&operand))
      run.results.push_back(run.tensors.back());
  }
  if (llvm::Error error = compute(kernels, run))
    return failAt(op, "fails: " + llvm::toString(std::move(error)));
  for (Tensor &result : run.results)
    results.emplace_back(std::move(result));
  return llvm::Error::success();
}

llvm::Error Interpreter::execute(Operation *op) {
  if (++steps > mostSteps)
    return failAt(op, "runs for too long");
  Results results;
  llvm::Error error = llvm::Error::success();
  if (auto kernel = dyn_cast<KernelOpInterface>(op))
    error = executeKernel(kernel, results);
  else if (!executeNumber(op, results))
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
