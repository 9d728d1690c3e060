// SPDX-License-Identifier: Apache-2.0

#include "GraphImporter.h"

#include "ScaleLabels.h"
#include "TFLite_generated.h"

#include "mli/Quant/KernelScales.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

GraphImporter::GraphImporter(const Model &model, const Graph &graph,
                             const ImportOptions &options, OpBuilder builder,
                             std::shared_ptr<void> owner)
    : model(model), graph(graph), options(options), builder(builder),
      owner(std::move(owner)), loc(this->builder.getUnknownLoc()),
      values(graph.tensors.size()), labels(findScaleLabels(graph)) {}

//===----------------------------------------------------------------------===//
// The operator
//===----------------------------------------------------------------------===//

Location GraphImporter::getLocOf(int32_t index) const {
  return NameLoc::get(
      StringAttr::get(builder.getContext(), getTensor(index).name));
}

Location GraphImporter::getLocOf(size_t index, const Operator &op) const {
  SmallVector<Location> names;
  for (int32_t output : op.outputs)
    names.push_back(getLocOf(output));
  std::string text = "operator " + std::to_string(index) + " (" + op.name + ")";
  return FusedLoc::get(builder.getContext(), names,
                       StringAttr::get(builder.getContext(), text));
}

Value GraphImporter::createPoison(Type type) {
  return UnrealizedConversionCastOp::create(builder, loc, type, ValueRange())
      .getResult(0);
}

/// Why an operation between `first`, exclusive, and the end of `block` is not
/// valid; empty if all are.
static std::string findInvalid(Block *block, Operation *first) {
  std::string text;
  ScopedDiagnosticHandler handler(block->getParentOp()->getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (text.empty())
                                      text = diagnostic.str();
                                    return success();
                                  });
  Block::iterator it = first ? std::next(first->getIterator()) : block->begin();
  for (; it != block->end(); ++it)
    if (failed(verify(&*it)))
      return text.empty() ? "no reason" : text;
  return {};
}

OperatorReport GraphImporter::importOperator(size_t index) {
  op = &graph.operators[index];
  loc = getLocOf(index, *op);
  reason.clear();
  isUntried = false;
  Block *block = builder.getInsertionBlock();
  Operation *last = block->empty() ? nullptr : &block->back();
  ImportFunction import = findImport(op->code);
  LogicalResult result = import(*this);
  if (succeeded(result))
    if (std::string invalid = findInvalid(block, last); !invalid.empty())
      result = refuse(invalid);
  OperatorReport report;
  report.state = OperatorReport::State::Imported;
  if (succeeded(result))
    return report;
  report.state = isUntried ? OperatorReport::State::Untried
                           : OperatorReport::State::Refused;
  report.reason = reason;
  for (int32_t output : op->outputs) {
    FailureOr<Type> element = findElement(output);
    isPoisoned[output] = true;
    values[output] =
        succeeded(element) && getTensor(output).getNumElements() > 0
            ? createPoison(
                  RankedTensorType::get(getTensor(output).shape, *element))
            : Value();
  }
  return report;
}

FailureOr<int32_t> GraphImporter::getInput(size_t index) {
  int32_t input = op->getInput(index);
  if (input < 0)
    return refuse("expected input ", index, " to be given, but got none");
  return input;
}

FailureOr<int32_t> GraphImporter::getOutput(size_t index) {
  if (index >= op->outputs.size())
    return refuse("expected at least ", index + 1, " outputs, but got ",
                  op->outputs.size());
  return op->outputs[index];
}

std::string GraphImporter::describe(int32_t index) const {
  return describeTensor(graph, index);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

FailureOr<Type> GraphImporter::findElement(int32_t index) {
  const Tensor &tensor = getTensor(index);
  const Quantization &quantization = tensor.quantization;
  if (tensor.type == schema::TensorType::FLOAT32)
    return Type(builder.getF32Type());
  bool isInteger = tensor.type == schema::TensorType::INT32 ||
                   tensor.type == schema::TensorType::INT64;
  if (isInteger && quantization.scales.empty())
    return Type(Sa32Type::get(getContext(), mli::quant::QuantParams()));
  if (quantization.isPerAxis())
    return refuse("expected ", describe(index),
                  " to be quantised per tensor, but got ",
                  quantization.scales.size(), " scales");
  if (quantization.scales.empty())
    return refuse("expected ", describe(index),
                  " to be quantised, but got no scale of ",
                  getTypeName(tensor.type));
  int64_t zeroPoint = quantization.zeroPoints.front();
  int64_t least = tensor.type == schema::TensorType::UINT8 ? 0 : INT8_MIN;
  bool isByte = tensor.type == schema::TensorType::UINT8 ||
                tensor.type == schema::TensorType::INT8;
  if (isByte && (zeroPoint < least || zeroPoint > least + UINT8_MAX))
    return refuse("expected the zero point of ", describe(index), " to be in [",
                  least, ", ", least + UINT8_MAX, "], but got ", zeroPoint);
  if (!isByte && zeroPoint != 0)
    return refuse("expected the zero point of ", describe(index), ", of ",
                  getTypeName(tensor.type), ", to be 0, but got ", zeroPoint);
  // Codes of uint8 are held as code ^ 0x80.
  if (tensor.type == schema::TensorType::UINT8)
    zeroPoint += INT8_MIN;
  std::optional<mli::quant::QuantParams> params = mli::quant::nearestParams(
      getScale(index) * labels[index], static_cast<int16_t>(zeroPoint));
  if (!params)
    return refuse("expected the scale of ", describe(index),
                  " to be at least 2^-113 and less than 2^143, but got ",
                  getScale(index));
  if (isByte)
    return Type(Sa8Type::get(getContext(), *params));
  if (isInteger)
    return Type(Sa32Type::get(getContext(), *params));
  if (tensor.type != schema::TensorType::INT16)
    return refuse("expected ", describe(index),
                  " to be int8, uint8, int16, int32 or float32, but got ",
                  getTypeName(tensor.type));
  if (params->scale != 1)
    return refuse("expected the scale of ", describe(index),
                  ", of int16, to be a power of two, but got ",
                  getScale(index));
  return Type(Fx16Type::get(getContext(), params->fracBits));
}

FailureOr<Type> GraphImporter::getElement(int32_t index) {
  FailureOr<Type> element = findElement(index);
  if (failed(element) && isPoisoned[index])
    isUntried = true;
  return element;
}

FailureOr<mli::quant::QuantParams> GraphImporter::getParams(int32_t index) {
  schema::TensorType type = getTensor(index).type;
  if (type != schema::TensorType::INT8 && type != schema::TensorType::UINT8)
    return refuse("expected ", describe(index),
                  " to be int8 or uint8, but got ", getTypeName(type));
  FailureOr<Type> element = getElement(index);
  if (failed(element))
    return failure();
  return cast<Sa8Type>(*element).getParams().front();
}

FailureOr<SmallVector<int64_t>> GraphImporter::getIntegers(size_t input) {
  FailureOr<int32_t> found = getInput(input);
  if (failed(found))
    return failure();
  int32_t index = *found;
  const Tensor &tensor = getTensor(index);
  bool isWide = tensor.type == schema::TensorType::INT64;
  if (!isWide && tensor.type != schema::TensorType::INT32)
    return refuse("expected ", describe(index),
                  " to be int32 or int64, but got ", getTypeName(tensor.type));
  if (!tensor.isConstant && tensor.getNumElements() != 0)
    return refuse("expected ", describe(index),
                  " to be a constant, but got one that is computed");
  SmallVector<int64_t> numbers;
  const char *bytes = tensor.data.data();
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    numbers.push_back(
        isWide ? llvm::support::endian::read64le(bytes + 8 * i)
               : static_cast<int32_t>(
                     llvm::support::endian::read32le(bytes + 4 * i)));
  return numbers;
}

LogicalResult GraphImporter::checkRank(int32_t index, size_t rank) {
  ArrayRef<int64_t> shape = getShape(index);
  if (shape.size() != rank)
    return refuse("expected ", describe(index), " to have ", rank,
                  " dimensions, but got ", shape.size());
  return checkElements(index);
}

LogicalResult GraphImporter::checkElements(int32_t index) {
  if (getTensor(index).getNumElements() == 0)
    return refuse("expected ", describe(index),
                  " to have elements, but got none");
  return success();
}

FailureOr<Value> GraphImporter::read(int32_t index, ArrayRef<int64_t> shape) {
  if (!values[index]) {
    FailureOr<Type> element = getElement(index);
    if (failed(element) || failed(checkElements(index)))
      return failure();
    const Tensor &tensor = getTensor(index);
    if (!tensor.isConstant)
      return refuse("expected ", describe(index),
                    " to be computed, but got none");
    OpBuilder::InsertionGuard guard(builder);
    values[index] = createConstant(
        *element, tensor.shape,
        ArrayRef(tensor.data.data(), tensor.data.size()),
        /*holder=*/nullptr, tensor.type == schema::TensorType::UINT8);
  }
  return createReshape(values[index], shape);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Value GraphImporter::createEmpty(Type element, ArrayRef<int64_t> shape) {
  return tensor::EmptyOp::create(builder, loc, shape, element);
}

Value GraphImporter::createReshape(Value value, ArrayRef<int64_t> shape) {
  // Views of views serve nobody.
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getSource();
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return ReshapeOp::create(builder, loc, type.clone(shape), value);
}

/// The type that stores elements of `element`.
static Type storageOf(Type element) {
  auto quantized = dyn_cast<QuantizedType>(element);
  return quantized ? quantized.getStorageType() : element;
}

/// Data of this size and more is not printed with the operations, nor copied
/// where it can stay in the file.
static constexpr size_t resourceBytes = 1 << 16;

Value GraphImporter::createConstant(Type element, ArrayRef<int64_t> shape,
                                    ArrayRef<char> bytes,
                                    std::shared_ptr<void> holder,
                                    bool isUnsigned) {
  auto result = RankedTensorType::get(shape, element);
  Type storage = storageOf(element);
  auto type = RankedTensorType::get(shape, storage);
  SmallVector<char> flipped;
  if (isUnsigned) {
    flipped.assign(bytes.begin(), bytes.end());
    for (char &code : flipped)
      code = static_cast<char>(code ^ 0x80);
    bytes = flipped;
  }
  if (bytes.size() < resourceBytes)
    return ConstantOp::create(builder, loc, result,
                              DenseElementsAttr::getFromRawBuffer(type, bytes));
  size_t alignment = llvm::divideCeil(storage.getIntOrFloatBitWidth(), 8);
  bool isInFile =
      !std::less<>()(bytes.begin(), model.bytes.data()) &&
      std::less<>()(bytes.begin(), model.bytes.data() + model.bytes.size());
  if (isInFile)
    holder = owner;
  bool isAligned = reinterpret_cast<uintptr_t>(bytes.data()) % alignment == 0;
  AsmResourceBlob blob =
      (isInFile || holder) && isAligned
          ? AsmResourceBlob(
                bytes, alignment, [holder](void *, size_t, size_t) {},
                /*dataIsMutable=*/false)
          : HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, alignment);
  return ConstantOp::create(
      builder, loc, result,
      DenseResourceElementsAttr::get(type, "weights", std::move(blob)));
}

Value GraphImporter::createSplat(Type element, ArrayRef<int64_t> shape,
                                 int64_t code) {
  auto type = RankedTensorType::get(shape, storageOf(element));
  auto attribute = DenseElementsAttr::get(
      type, builder.getIntegerAttr(type.getElementType(), code));
  return ConstantOp::create(builder, loc, RankedTensorType::get(shape, element),
                            cast<ElementsAttr>(attribute));
}

/// The slice `index` of `value` along its first dimension, without it.
static Value createSlice(OpBuilder &builder, Location loc, Value value,
                         Value index) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  SmallVector<OpFoldResult> steps(type.getRank(), builder.getIndexAttr(1));
  offsets.front() = index;
  sizes.front() = builder.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(
      builder, loc, type.clone(type.getShape().drop_front()), value, offsets,
      sizes, steps);
}

static Value insertSlice(OpBuilder &builder, Location loc, Value slice,
                         Value into, Value index) {
  auto type = cast<RankedTensorType>(into.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  SmallVector<OpFoldResult> steps(type.getRank(), builder.getIndexAttr(1));
  offsets.front() = index;
  sizes.front() = builder.getIndexAttr(1);
  return tensor::InsertSliceOp::create(builder, loc, slice, into, offsets,
                                       sizes, steps);
}

Value GraphImporter::createSliced(ArrayRef<Value> inputs, Type element,
                                  ArrayRef<int64_t> shape,
                                  SliceFunction compute) {
  ArrayRef<int64_t> rest = shape.drop_front();
  if (shape.front() == 1) {
    SmallVector<Value> slices;
    for (Value input : inputs)
      slices.push_back(createReshape(
          input,
          cast<RankedTensorType>(input.getType()).getShape().drop_front()));
    return compute(slices, createEmpty(element, rest));
  }
  Value init = createEmpty(element, shape);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value count = arith::ConstantIndexOp::create(builder, loc, shape.front());
  auto loop = scf::ForOp::create(builder, loc, zero, count, one, init);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar(), into = loop.getRegionIterArg(0);
  SmallVector<Value> slices;
  for (Value input : inputs)
    slices.push_back(createSlice(builder, loc, input, index));
  Value result = compute(slices, createSlice(builder, loc, into, index));
  scf::YieldOp::create(builder, loc,
                       insertSlice(builder, loc, result, into, index));
  return loop.getResult(0);
}

Value GraphImporter::createConvert(Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  return ConvertOp::create(builder, loc, value,
                           createEmpty(element, type.getShape()))
      .getResult(0);
}

FailureOr<Value> GraphImporter::createPermute(Value value,
                                              ArrayRef<int64_t> order) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  SmallVector<int64_t> result;
  for (int64_t dim : order)
    result.push_back(shape[dim]);
  // Dimensions of 1 have no place; neighbours that stay so are one.
  SmallVector<SmallVector<int64_t>> runs;
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim)
    if (shape[dim] != 1)
      kept.push_back(dim);
  auto place = [&](int64_t dim) {
    return llvm::find(kept, dim) - kept.begin();
  };
  for (int64_t dim : order)
    if (shape[dim] == 1)
      continue;
    else if (!runs.empty() && place(runs.back().back()) + 1 == place(dim))
      runs.back().push_back(dim);
    else
      runs.push_back({dim});
  if (runs.size() <= 1)
    return createReshape(value, result);
  if (runs.size() > 4)
    return refuse("expected a permutation of at most 4 dimensions, but got ",
                  runs.size());
  auto sources = llvm::to_vector(llvm::seq<int64_t>(runs.size()));
  llvm::sort(sources, [&](int64_t a, int64_t b) {
    return runs[a].front() < runs[b].front();
  });
  SmallVector<int64_t> from(runs.size()), to, permutation(runs.size());
  for (auto [i, run] : llvm::enumerate(sources)) {
    permutation[run] = static_cast<int64_t>(i);
    from[i] = 1;
    for (int64_t dim : runs[run])
      from[i] *= shape[dim];
  }
  for (int64_t source : permutation)
    to.push_back(from[source]);
  Value source = createReshape(value, from);
  Value init = createEmpty(getElementTypeOrSelf(value), to);
  Value permuted =
      PermuteOp::create(builder, loc, source, init, permutation).getResult(0);
  return createReshape(permuted, result);
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

Value GraphImporter::readState(int32_t index, RankedTensorType type) {
  for (State &state : states)
    if (state.tensor == index)
      return state.next;
  // Arguments of the inputs come first.
  Block *entry = builder.getInsertionBlock();
  BlockArgument argument = entry->addArgument(type, getLocOf(index));
  states.push_back({index, argument, argument});
  return argument;
}

void GraphImporter::writeState(int32_t index, Value value) {
  for (State &state : states)
    if (state.tensor == index)
      state.next = value;
}

void GraphImporter::defineHandle(int32_t index, StringRef name) {
  handles[index] = variables.try_emplace(name, index).first->second;
}

FailureOr<int32_t> GraphImporter::findHandle(int32_t index) {
  auto it = handles.find(index);
  if (it == handles.end())
    return refuse("expected ", describe(index),
                  " to stand for a variable, but got another tensor");
  return it->second;
}
