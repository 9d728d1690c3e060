// SPDX-License-Identifier: Apache-2.0
//
// Reads the tensors of a graph as element types and values.

#include "GraphImporter.h"

#include "TFLite_generated.h"

#include "mli/Quant/KernelScales.h"

#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

FailureOr<Type> GraphImporter::findElement(int32_t index) {
  const Tensor &tensor = getTensor(index);
  const Quantization &quantization = tensor.quantization;
  if (tensor.type == schema::TensorType::FLOAT32)
    return Type(builder.getF32Type());
  bool isInteger = tensor.type == schema::TensorType::INT32 ||
                   tensor.type == schema::TensorType::INT64;
  if (isInteger && quantization.scales.empty())
    return Type(Sa32Type::get(getContext(), mli::quant::QuantParams()));
  // Codes that nothing but moves meets stand for themselves.
  if (quantization.scales.empty()) {
    if (tensor.type == schema::TensorType::INT8)
      return Type(Sa8Type::get(getContext(), {1, 0, 0}));
    if (tensor.type == schema::TensorType::UINT8)
      return Type(Sa8Type::get(getContext(), {1, 0, INT8_MIN}));
    if (tensor.type == schema::TensorType::INT16)
      return Type(Fx16Type::get(getContext(), 0));
  }
  if (quantization.isPerAxis())
    return reject("expected ", describe(index),
                  " to be quantised per tensor, but got ",
                  quantization.scales.size(), " scales");
  if (failed(checkQuantized(index)))
    return failure();
  int64_t zeroPoint = quantization.zeroPoints.front();
  int64_t minZero = tensor.type == schema::TensorType::UINT8 ? 0 : INT8_MIN;
  bool isByte = tensor.type == schema::TensorType::UINT8 ||
                tensor.type == schema::TensorType::INT8;
  if (isByte && (zeroPoint < minZero || zeroPoint > minZero + UINT8_MAX))
    return reject("expected the zero point of ", describe(index), " to be in [",
                  minZero, ", ", minZero + UINT8_MAX, "], but got ", zeroPoint);
  if (!isByte && zeroPoint != 0)
    return reject("expected the zero point of ", describe(index), ", of ",
                  getTypeName(tensor.type), ", to be 0, but got ", zeroPoint);
  // A uint8 value is held as value ^ 0x80.
  if (tensor.type == schema::TensorType::UINT8)
    zeroPoint += INT8_MIN;
  std::optional<mli::quant::QuantParams> params = mli::quant::nearestParams(
      getScale(index) * labels[index], static_cast<int16_t>(zeroPoint));
  if (!params)
    return reject("expected the scale of ", describe(index),
                  " to be at least 2^-113 and less than 2^143, but got ",
                  getScale(index));
  if (isByte)
    return Type(Sa8Type::get(getContext(), *params));
  if (isInteger)
    return Type(Sa32Type::get(getContext(), *params));
  if (tensor.type != schema::TensorType::INT16)
    return reject("expected ", describe(index),
                  " to be int8, uint8, int16, int32 or float32, but got ",
                  getTypeName(tensor.type));
  if (params->scale != 1)
    return reject("expected the scale of ", describe(index),
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
    return reject("expected ", describe(index),
                  " to be int8 or uint8, but got ", getTypeName(type));
  FailureOr<Type> element = getElement(index);
  if (failed(element))
    return failure();
  return cast<Sa8Type>(*element).getParams().front();
}

FailureOr<SmallVector<int64_t>> GraphImporter::getIntegers(size_t input) {
  FailureOr<int32_t> index = getInput(input);
  return failed(index) ? FailureOr<SmallVector<int64_t>>(failure())
                       : readIntegers(*index);
}

FailureOr<SmallVector<int64_t>> GraphImporter::readIntegers(int32_t index) {
  const Tensor &tensor = getTensor(index);
  bool isWide = tensor.type == schema::TensorType::INT64;
  if (!isWide && tensor.type != schema::TensorType::INT32)
    return reject("expected ", describe(index),
                  " to be int32 or int64, but got ", getTypeName(tensor.type));
  if (!tensor.isConstant && tensor.getNumElements() != 0)
    return reject("expected ", describe(index),
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
    return reject("expected ", describe(index), " to have ", rank,
                  " dimensions, but got ", shape.size());
  return checkElements(index);
}

LogicalResult GraphImporter::checkElements(int32_t index) {
  if (getTensor(index).getNumElements() == 0)
    return reject("expected ", describe(index),
                  " to have elements, but got none");
  return success();
}

LogicalResult GraphImporter::checkFeatureMaps(int32_t input, int32_t output) {
  if (failed(checkRank(input, 4)) || failed(checkRank(output, 4)))
    return failure();
  int64_t batch = getShape(input).front(), other = getShape(output).front();
  if (batch != other)
    return reject("expected an output batch of ", batch, ", but got ", other);
  return success();
}

LogicalResult GraphImporter::checkScales() {
  for (const std::vector<int32_t> *list : {&op->inputs, &op->outputs})
    for (int32_t index : *list) {
      if (index < 0 || getTensor(index).isConstant)
        continue;
      const Tensor &tensor = getTensor(index);
      bool isShort = tensor.type == schema::TensorType::INT8 ||
                     tensor.type == schema::TensorType::UINT8 ||
                     tensor.type == schema::TensorType::INT16;
      if (isShort && failed(checkQuantized(index)))
        return failure();
    }
  return success();
}

LogicalResult GraphImporter::checkQuantized(int32_t index) {
  const Tensor &tensor = getTensor(index);
  if (tensor.type == schema::TensorType::FLOAT32 ||
      !tensor.quantization.scales.empty())
    return success();
  return reject("expected ", describe(index),
                " to be quantised, but got no scale of ",
                getTypeName(tensor.type));
}

LogicalResult GraphImporter::checkSameType(int32_t from, int32_t to) {
  auto name = [&](int32_t index) {
    bool isQuantised = !getTensor(index).quantization.scales.empty();
    return getTypeName(getTensor(index).type) +
           (isQuantised ? ", quantised" : ", not quantised");
  };
  if (name(from) != name(to))
    return reject("expected ", describe(to), " to be of the type of ",
                  describe(from), ", ", name(from), ", but got ", name(to));
  return success();
}

FailureOr<ArrayRef<char>>
GraphImporter::getData(int32_t index, SmallVectorImpl<char> &narrow) {
  const Tensor &tensor = getTensor(index);
  if (tensor.type == schema::TensorType::FLOAT32)
    return reject("expected ", describe(index),
                  " to be of integers, as constants are, but got float32");
  if (tensor.type != schema::TensorType::INT64)
    return ArrayRef(tensor.data.data(), tensor.data.size());
  FailureOr<SmallVector<int64_t>> numbers = readIntegers(index);
  if (failed(numbers))
    return failure();
  narrow.resize(4 * numbers->size());
  for (auto [i, number] : llvm::enumerate(*numbers)) {
    if (!llvm::isInt<32>(number))
      return reject("expected element ", i, " of ", describe(index),
                    " to be in [-2147483648, 2147483647], but got ", number);
    llvm::support::endian::write32le(&narrow[4 * i],
                                     static_cast<uint32_t>(number));
  }
  return ArrayRef<char>(narrow);
}

FailureOr<Value> GraphImporter::read(int32_t index, ArrayRef<int64_t> shape) {
  if (!values[index]) {
    FailureOr<Type> element = getElement(index);
    if (failed(element) || failed(checkElements(index)))
      return failure();
    const Tensor &tensor = getTensor(index);
    if (!tensor.isConstant)
      return reject("expected ", describe(index),
                    " to be computed, but got none");
    SmallVector<char> narrow;
    FailureOr<ArrayRef<char>> data = getData(index, narrow);
    if (failed(data))
      return failure();
    values[index] = createConstant(*element, tensor.shape, *data,
                                   /*holder=*/nullptr,
                                   tensor.type == schema::TensorType::UINT8);
  }
  return createReshape(values[index], shape);
}
