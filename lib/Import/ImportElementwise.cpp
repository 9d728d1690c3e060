// SPDX-License-Identifier: Apache-2.0
//
// Importing arithmetic, element by element.

#include "Imports.h"
#include "Options.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::ActivationFunctionType;
using schema::BuiltinOptions;

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

namespace {
/// Operands of one shape, or of one element, or of one slice for all.
struct Binary {
  int32_t left, right, output;
};
} // namespace

static FailureOr<Binary> readBinary(GraphImporter &importer) {
  FailureOr<int32_t> left = importer.getInput(0);
  FailureOr<int32_t> right = importer.getInput(1);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(left) || failed(right) || failed(output) ||
      failed(importer.checkElements(*output)))
    return failure();
  return Binary{*left, *right, *output};
}

/// A shape without the dimensions of 1 in front.
static ArrayRef<int64_t> trimmed(ArrayRef<int64_t> shape) {
  return shape.drop_while([](int64_t extent) { return extent == 1; });
}

/// Larger constants are not repeated in memory.
static constexpr int64_t maxRepeatedElements = 1 << 22;

/// The bytes of `tensor`, a constant of one byte an element, repeated to
/// `shape` as broadcasting does; nothing if it does not fit.
static std::optional<SmallVector<char>> broadcast(const Tensor &tensor,
                                                  ArrayRef<int64_t> shape) {
  if (tensor.shape.size() > shape.size() ||
      llvm::product_of(shape) > maxRepeatedElements)
    return std::nullopt;
  SmallVector<int64_t> steps(shape.size(), 0);
  int64_t step = 1;
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    size_t from = tensor.shape.size() - 1 - i, to = shape.size() - 1 - i;
    if (tensor.shape[from] != 1 && tensor.shape[from] != shape[to])
      return std::nullopt;
    steps[to] = tensor.shape[from] == 1 ? 0 : step;
    step *= tensor.shape[from];
  }
  SmallVector<char> bytes;
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  int64_t position = 0;
  for (int64_t i = 0; i < count; ++i) {
    bytes.push_back(tensor.data[position]);
    for (size_t d = shape.size(); d-- > 0;) {
      position += steps[d];
      if (++index[d] < shape[d])
        break;
      position -= steps[d] * shape[d];
      index[d] = 0;
    }
  }
  return bytes;
}

/// The value of operand `index` of a result of `shape`: of `shape`, or one
/// element, or the last dimensions of `shape` for all others.
static FailureOr<Value> readOperand(GraphImporter &importer, int32_t index,
                                    ArrayRef<int64_t> shape) {
  const Tensor &tensor = importer.getTensor(index);
  FailureOr<Type> element = importer.getElement(index);
  if (failed(element) || failed(importer.checkElements(index)))
    return failure();
  ArrayRef<int64_t> own = trimmed(tensor.shape);
  if (own.size() > shape.size())
    return importer.refuse("expected ", importer.describe(index),
                           " to have at most ", shape.size(),
                           " dimensions, but got ", own.size());
  if (own.empty())
    return importer.read(index, {1});
  if (trimmed(shape) == own)
    return importer.read(index, shape);
  if (tensor.isConstant && isa<Sa8Type>(*element)) {
    bool isUnsigned = tensor.type == schema::TensorType::UINT8;
    if (std::optional<SmallVector<char>> bytes = broadcast(tensor, shape))
      return importer.createConstant(*element, shape, *bytes,
                                     /*holder=*/nullptr, isUnsigned);
  }
  if (shape.take_back(own.size()) == own)
    return importer.read(index, own);
  return importer.refuse("expected ", importer.describe(index),
                         " to have the shape of the output, its last "
                         "dimensions or one element, but got others");
}

/// The shape that both operands are repeated to.
static SmallVector<int64_t> flatShape(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> flat(shape);
  // Kernels take four dimensions.
  while (flat.size() > 4) {
    flat[1] *= flat[0];
    flat.erase(flat.begin());
  }
  if (flat.empty())
    flat.push_back(1);
  return flat;
}

static int64_t sizeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

/// fx16 with room for the sum of any two codes of `left` and `right`; nothing
/// if they are not sa8.
static Type sumElement(GraphImporter &importer, Value left, Value right) {
  double greatest = 0;
  for (Value operand : {left, right}) {
    auto element = dyn_cast<Sa8Type>(getElementTypeOrSelf(operand));
    if (!element)
      return {};
    mli::quant::QuantParams params = element.getParams().front();
    greatest +=
        mli::quant::realScale(params) *
        std::max(INT8_MAX - params.zeroPoint, params.zeroPoint - INT8_MIN);
  }
  auto fracBits =
      static_cast<int32_t>(std::floor(std::log2(INT16_MAX / greatest)));
  return Fx16Type::get(importer.getContext(),
                       std::clamp<int32_t>(fracBits, INT8_MIN, INT8_MAX));
}

/// Creates a sum or difference in fx16, for `element`.
template <typename KernelOp>
static Value createWideSum(GraphImporter &importer, Value left, Value right,
                           Type sum, Type element) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>((sizeOf(left) > 1 ? left : right).getType())
          .getShape();
  Value wide = KernelOp::create(importer.getBuilder(), importer.getLoc(),
                                importer.createConvert(left, sum),
                                importer.createConvert(right, sum),
                                importer.createEmpty(sum, shape))
                   .getResult(0);
  return importer.createConvert(wide, element);
}

/// Creates `KernelOp` of two operands that `readOperand` gave.
template <typename KernelOp>
static Value createBinary(GraphImporter &importer, Value left, Value right,
                          Type element, ArrayRef<int64_t> shape,
                          const Clip &clip) {
  constexpr bool isSum =
      llvm::is_one_of<KernelOp, EltwiseAddOp, EltwiseSubOp>::value;
  auto compute = [&](Value lhs, Value rhs, Value init) -> Value {
    Type sum = isSum && importer.getImportOptions().exactSums
                   ? sumElement(importer, lhs, rhs)
                   : Type();
    if (sum)
      return createClip(
          importer, createWideSum<KernelOp>(importer, lhs, rhs, sum, element),
          clip);
    Value result = KernelOp::create(importer.getBuilder(), importer.getLoc(),
                                    lhs, rhs, init)
                       .getResult(0);
    return createClip(importer, result, clip);
  };
  int64_t size = llvm::product_of(shape);
  int64_t least = size;
  for (Value operand : {left, right})
    if (sizeOf(operand) > 1)
      least = std::min(least, sizeOf(operand));
  if (least == size)
    return compute(left, right, importer.createEmpty(element, shape));
  // One operand is a slice that meets all slices of the other.
  SmallVector<Value> sliced;
  bool isLeft = sizeOf(left) == size, isRight = sizeOf(right) == size;
  Value slice[2] = {left, right};
  for (int i : {0, 1})
    if ((i == 0 ? isLeft : isRight))
      sliced.push_back(importer.createReshape(slice[i], {size / least, least}));
    else if (sizeOf(slice[i]) > 1)
      slice[i] = importer.createReshape(slice[i], {least});
  return importer.createSliced(sliced, element, {size / least, least},
                               [&](ValueRange slices, Value init) {
                                 Value lhs = isLeft ? slices.front() : slice[0];
                                 Value rhs = isRight ? slices.back() : slice[1];
                                 return compute(lhs, rhs, init);
                               });
}

/// With `isOrder` the kernel compares codes: both operands are brought to the
/// output's format first.
template <typename KernelOp>
static LogicalResult importArithmetic(GraphImporter &importer,
                                      ActivationFunctionType activation,
                                      bool isOrder = false) {
  FailureOr<Binary> binary = readBinary(importer);
  if (failed(binary))
    return failure();
  FailureOr<mli::quant::QuantParams> params =
      importer.getParams(binary->output);
  if (failed(params))
    return failure();
  FailureOr<mli::quant::Limits> limits =
      getLimits(importer, activation, importer.getScale(binary->output),
                params->zeroPoint);
  SmallVector<int64_t> shape = flatShape(importer.getShape(binary->output));
  FailureOr<Value> left = readOperand(importer, binary->left, shape);
  FailureOr<Value> right = readOperand(importer, binary->right, shape);
  FailureOr<Type> element = importer.getElement(binary->output);
  if (failed(limits) || failed(left) || failed(right) || failed(element))
    return failure();
  if (isOrder && getElementTypeOrSelf(*left) != getElementTypeOrSelf(*right)) {
    left = importer.createConvert(*left, *element);
    right = importer.createConvert(*right, *element);
  }
  importer.define(binary->output,
                  createBinary<KernelOp>(importer, *left, *right, *element,
                                         shape, chooseClip(*limits, *params)));
  return success();
}

/// The fused activation of the operator, none where it has no options.
static FailureOr<ActivationFunctionType> getActivation(GraphImporter &importer,
                                                       BuiltinOptions type) {
  if (importer.getOperator().table->builtin_options_type() ==
      BuiltinOptions::NONE)
    return ActivationFunctionType::NONE;
  auto options = getOptions<schema::ActivationOptions>(importer, type);
  if (failed(options))
    return failure();
  return (*options)->fused_activation_function();
}

template <typename KernelOp>
static LogicalResult importArithmetic(GraphImporter &importer,
                                      BuiltinOptions type) {
  FailureOr<ActivationFunctionType> activation = getActivation(importer, type);
  if (failed(activation))
    return failure();
  return importArithmetic<KernelOp>(importer, *activation);
}

LogicalResult tflite::importAdd(GraphImporter &importer) {
  return importArithmetic<EltwiseAddOp>(importer, BuiltinOptions::AddOptions);
}
LogicalResult tflite::importSub(GraphImporter &importer) {
  return importArithmetic<EltwiseSubOp>(importer, BuiltinOptions::SubOptions);
}
LogicalResult tflite::importMul(GraphImporter &importer) {
  return importArithmetic<EltwiseMulOp>(importer, BuiltinOptions::MulOptions);
}
LogicalResult tflite::importMaximum(GraphImporter &importer) {
  return importArithmetic<EltwiseMaxOp>(importer, ActivationFunctionType::NONE,
                                        /*isOrder=*/true);
}
LogicalResult tflite::importMinimum(GraphImporter &importer) {
  return importArithmetic<EltwiseMinOp>(importer, ActivationFunctionType::NONE,
                                        /*isOrder=*/true);
}
