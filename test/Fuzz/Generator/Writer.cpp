// SPDX-License-Identifier: Apache-2.0

#include "Writer.h"

#include "mli/IR/AttributeNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <numeric>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

Writer::Writer(MLIRContext *context, const Settings &settings)
    : settings(settings), random(settings.seed),
      types(context, this->settings, random), builder(context),
      loc(UnknownLoc::get(context)), module(ModuleOp::create(loc)) {
  builder.setInsertionPointToStart(module->getBody());
  function = func::FuncOp::create(builder, loc, "main",
                                  builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Writer::add(Value value) {
  values.push_back(value);
  return value;
}

Value Writer::find(llvm::function_ref<bool(RankedTensorType)> fits) {
  SmallVector<Value> found;
  for (Value value : values)
    if (fits(typeOf(value)))
      found.push_back(value);
  if (found.empty())
    return {};
  auto last = static_cast<int64_t>(found.size()) - 1;
  return found[random.chance(65)
                   ? std::max<int64_t>(0, last - random.pick(0, 2))
                   : random.pick(0, last)];
}

Value Writer::any() {
  if (values.empty() || random.chance(4))
    return add(
        source(getType(types.getShape(random.pick(1, 4)),
                       types.getMapElement({ElementKind::Sa8, ElementKind::Sa8,
                                            ElementKind::Fx16, ElementKind::Fx8,
                                            ElementKind::Sa32}))));
  return find([](RankedTensorType) { return true; });
}

Value Writer::need(int64_t rank, ArrayRef<ElementKind> kinds) {
  auto isKind = [&](RankedTensorType type) {
    std::optional<ElementKind> kind = getMapKind(type.getElementType());
    return kind && llvm::is_contained(kinds, *kind);
  };
  Value value = find([&](RankedTensorType type) {
    return type.getRank() == rank && isKind(type);
  });
  if (value && !random.chance(8))
    return value;
  value = find([&](RankedTensorType type) { return isKind(type); });
  if (value && random.chance(70))
    return reshape(value,
                   factorize(typeOf(value).getNumElements(), rank, random));
  value = find([&](RankedTensorType type) {
    auto quantized = dyn_cast<QuantizedType>(type.getElementType());
    return type.getRank() == rank && quantized && !quantized.isPerAxis();
  });
  if (value && random.chance(60))
    return convert(value, types.getMapElement(kinds));
  return add(source(getType(types.getShape(rank), types.getMapElement(kinds))));
}

Value Writer::argument(RankedTensorType type) {
  return function.getBody().front().addArgument(type, loc);
}

Value Writer::constant(RankedTensorType type, DenseElementsAttr values) {
  return ConstantOp::create(builder, loc, type, values);
}

Value Writer::source(RankedTensorType type) {
  if (isa<QuantizedType>(type.getElementType()) && has(Feature::Constants) &&
      random.chance(30))
    return constant(type, types.getValues(type));
  return argument(type);
}

Value Writer::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value Writer::one() {
  // An element of an argument, so that callers see tensors only.
  if (!oneArgument)
    oneArgument = argument(getType({1}, builder.getI32Type()));
  Value element =
      tensor::ExtractOp::create(builder, loc, oneArgument, index(0));
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), element);
  // Whatever a caller gives: it is 1.
  return arith::MinSIOp::create(
      builder, loc, arith::MaxSIOp::create(builder, loc, number, index(1)),
      index(1));
}

Value Writer::init(RankedTensorType type) {
  if (has(Feature::ReusedInits))
    if (Value value =
            find([&](RankedTensorType other) { return other == type; }))
      return value;
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

NamedAttribute Writer::attribute(StringRef name, ArrayRef<int64_t> list) {
  return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(list));
}

NamedAttribute Writer::attribute(StringRef name, Attribute value) {
  return builder.getNamedAttr(name, value);
}

NamedAttribute Writer::attribute32(StringRef name, int64_t value) {
  return builder.getNamedAttr(
      name, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value Writer::forget(Value value) {
  RankedTensorType type = typeOf(value);
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
  if (quantized && quantized.isPerAxis())
    shape[quantized.getAxis()] = type.getDimSize(quantized.getAxis());
  return tensor::CastOp::create(builder, loc,
                                getType(shape, type.getElementType()), value);
}

Value Writer::kernel(StringRef name, ArrayRef<Value> inputs,
                     RankedTensorType result,
                     ArrayRef<NamedAttribute> attributes) {
  SmallVector<Value> operands(inputs);
  operands.push_back(init(result));
  bool isDynamic = depth == 0 && !inputs.empty() &&
                   settings.weight(Feature::Dynamic) > 0 &&
                   has(Feature::Dynamic);
  if (isDynamic)
    for (Value &operand : operands)
      if (typeOf(operand).getNumElements() > 1)
        operand = forget(operand);
  OperationState state(loc, ("mli." + name).str());
  state.addOperands(operands);
  state.addTypes(operands.back().getType());
  state.addAttributes(attributes);
  Value value = builder.create(state)->getResult(0);
  if (value.getType() != result)
    value = tensor::CastOp::create(builder, loc, result, value);
  return add(value);
}

Value Writer::reshape(Value value, ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(value);
  if (type.getShape() == shape)
    return value;
  return add(ReshapeOp::create(builder, loc,
                               getType(shape, type.getElementType()), value));
}

Value Writer::convert(Value value, Type element) {
  return kernel("convert", {value}, getType(typeOf(value).getShape(), element));
}

Value Writer::slice(Value value, ArrayRef<int64_t> offsets,
                    ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> steps(sizes.size(), 1);
  return add(tensor::ExtractSliceOp::create(
      builder, loc, getType(sizes, typeOf(value).getElementType()), value,
      getAsIndexOpFoldResult(builder.getContext(), offsets),
      getAsIndexOpFoldResult(builder.getContext(), sizes),
      getAsIndexOpFoldResult(builder.getContext(), steps)));
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

void Writer::inBlock(Block *block, llvm::function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> outside = values;
  ++depth;
  body();
  --depth;
  values = std::move(outside);
}

bool Writer::addStep() {
  static constexpr Step<Writer> steps[] = {
#define MLI_STEP(name, weight, what) {Feature::name, make##name},
#include "Features.def"
  };
  return addAnyStep(*this, steps);
}

/// Adds a state, an argument that the last result is in the next run; false if
/// no value could be one.
bool Writer::addState(SmallVectorImpl<Value> &results) {
  Value value = find(isMap);
  if (!value)
    return false;
  Value state = argument(typeOf(value));
  results.push_back(kernel("eltwise_max", {value, state}, typeOf(value)));
  return true;
}

/// Adds up maps that nothing uses, where their shapes are the same.
void Writer::meet() {
  SmallVector<Value> loose;
  for (Value value : values)
    if (value.use_empty() && isMap(typeOf(value)))
      loose.push_back(value);
  for (size_t i = 0; i + 1 < loose.size(); ++i) {
    RankedTensorType type = typeOf(loose[i]);
    for (size_t j = i + 1; j < loose.size(); ++j) {
      RankedTensorType other = typeOf(loose[j]);
      if (other.getShape() != type.getShape() ||
          getKind(other.getElementType()) != getKind(type.getElementType()))
        continue;
      loose[j] = kernel("eltwise_add", {loose[i], loose[j]}, other);
      break;
    }
  }
}

SmallVector<Value> Writer::getResults() {
  if (values.empty())
    any();
  auto count =
      std::min<int64_t>(random.pick(1, 3), static_cast<int64_t>(values.size()));
  SmallVector<Value> results;
  for (int64_t i = 0; i < count; ++i)
    results.push_back(values[values.size() - 1 - i]);
  return results;
}

static void setType(func::FuncOp function, ValueRange results) {
  auto builder = OpBuilder::atBlockEnd(&function.getBody().front());
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setFunctionType(builder.getFunctionType(
      function.getBody().front().getArgumentTypes(), results.getTypes()));
}

SmallVector<Value> Writer::call(StringRef name, ArrayRef<Value> arguments,
                                llvm::function_ref<void()> body) {
  func::FuncOp caller = function;
  SmallVector<Value> outside = std::move(values);
  Value outsideOne = std::exchange(oneArgument, Value());
  unsigned outsideDepth = std::exchange(depth, 0);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(caller);
    function = func::FuncOp::create(builder, loc, name,
                                    builder.getFunctionType({}, {}));
    function.setPrivate();
    Block *block = function.addEntryBlock();
    builder.setInsertionPointToStart(block);
    values.clear();
    for (Value argument : arguments)
      values.push_back(block->addArgument(argument.getType(), loc));
    body();
    setType(function, getResults());
  }
  func::FuncOp callee = std::exchange(function, caller);
  values = std::move(outside);
  oneArgument = outsideOne;
  depth = outsideDepth;
  SmallVector<Value> operands(arguments);
  for (Type type : callee.getArgumentTypes().drop_front(arguments.size()))
    operands.push_back(argument(cast<RankedTensorType>(type)));
  return func::CallOp::create(builder, loc, callee, operands).getResults();
}

OwningOpRef<ModuleOp> Writer::finish() {
  if (has(Feature::Meeting))
    meet();
  SmallVector<Value> results = getResults();
  results.append(kept.begin(), kept.end());
  bool hasState = has(Feature::State) && addState(results);
  setType(function, results);
  if (hasState)
    function.setArgAttr(function.getNumArguments() - 1, stateAttrName,
                        builder.getUnitAttr());
  return std::move(module);
}

OwningOpRef<ModuleOp> fuzz::generateProgram(MLIRContext *context,
                                            const Settings &settings) {
  Writer writer(context, settings);
  // Programs of one or two operations are there, too.
  int64_t size = writer.random.pick(1, 2 * settings.size - 1);
  for (int64_t i = 0, tries = 0; i < size && tries < 20 * size; ++tries)
    i += writer.addStep() ? 1 : 0;
  return writer.finish();
}
