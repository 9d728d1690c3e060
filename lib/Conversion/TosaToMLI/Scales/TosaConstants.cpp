// SPDX-License-Identifier: Apache-2.0

#include "TosaConstants.h"

#include "mli/Frontend/TensorBuilder.h"
#include "mli/IR/TensorSize.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mli;
using namespace mli::raising;

std::optional<RawElements> raising::getRawElements(ElementsAttr attribute) {
  Type element = attribute.getElementType();
  if (!attribute.getShapedType().hasStaticShape() || !element.isInteger() ||
      !llvm::is_contained({8U, 16U, 32U, 48U, 64U},
                          element.getIntOrFloatBitWidth()))
    return std::nullopt;
  unsigned size = element.getIntOrFloatBitWidth() / 8;
  ArrayRef<char> bytes;
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
    bytes = dense.getRawData();
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    bytes = blob->getData();
  } else {
    return std::nullopt;
  }
  bool isSplat =
      bytes.size() == size && attribute.getShapedType().getNumElements() != 1;
  if (!isSplat && static_cast<int64_t>(bytes.size()) !=
                      attribute.getShapedType().getNumElements() * size)
    return std::nullopt;
  return RawElements{bytes, size, isSplat};
}

ElementsAttr raising::getConstant(Value value) {
  ElementsAttr attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return {};
  return attribute;
}

template <typename Int>
static int64_t load(const char *bytes) {
  Int value;
  std::memcpy(&value, bytes, sizeof(Int));
  return value;
}

/// Loads a sum of 48 bits, as it lies in 6 bytes.
static int64_t load48(const char *bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < 6; ++i) {
    unsigned place =
        llvm::endianness::native == llvm::endianness::little ? i : 5 - i;
    value |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * place);
  }
  return llvm::SignExtend64<48>(value);
}

static int64_t loadInteger(const char *bytes, unsigned size) {
  switch (size) {
  case 1:
    return load<int8_t>(bytes);
  case 2:
    return load<int16_t>(bytes);
  case 4:
    return load<int32_t>(bytes);
  case 6:
    return load48(bytes);
  default:
    return load<int64_t>(bytes);
  }
}

std::optional<SmallVector<int64_t>> raising::getIntegers(Value value) {
  ElementsAttr attribute = getConstant(value);
  return attribute ? getIntegers(attribute) : std::nullopt;
}

std::optional<SmallVector<int64_t>>
raising::getIntegers(ElementsAttr attribute) {
  std::optional<RawElements> raw = getRawElements(attribute);
  if (!raw || attribute.getShapedType().getNumElements() > INT32_MAX)
    return std::nullopt;
  SmallVector<int64_t> numbers(attribute.getShapedType().getNumElements());
  for (auto [i, number] : llvm::enumerate(numbers))
    number = loadInteger(raw->bytes.data() +
                             (raw->isSplat ? 0 : i * raw->elementBytes),
                         raw->elementBytes);
  return numbers;
}

std::optional<int64_t> raising::getSplat(Value value) {
  ElementsAttr attribute = getConstant(value);
  std::optional<RawElements> raw =
      attribute ? getRawElements(attribute) : std::nullopt;
  if (!raw || raw->bytes.empty())
    return std::nullopt;
  auto at = [&](size_t byte) {
    return loadInteger(raw->bytes.data() + byte, raw->elementBytes);
  };
  // Compares one element of a splat only, which may stand for more elements
  // than fit into memory.
  for (size_t byte = 0; byte < raw->bytes.size(); byte += raw->elementBytes)
    if (at(byte) != at(0))
      return std::nullopt;
  return at(0);
}

std::optional<int64_t> raising::findNumber(Operation *op, Value &input) {
  for (unsigned constant : {1, 0}) {
    input = op->getOperand(1 - constant);
    if (std::optional<int64_t> number = getSplat(op->getOperand(constant)))
      return number;
  }
  input = op->getOperand(0);
  return std::nullopt;
}

bool raising::isConstantSplat(Value value, int64_t number) {
  return getSplat(value) == number;
}

FailureOr<int64_t> raising::readZeroPoint(Operation *op, Value value,
                                          StringRef name,
                                          MatchFailures &failures) {
  std::optional<SmallVector<int64_t>> numbers = getIntegers(value);
  if (!numbers || numbers->size() != 1)
    return failures.add(op, "expected '", name,
                        "' to be a constant integer, but got ",
                        value.getType());
  return numbers->front();
}

bool raising::isStoredIn(Type type, unsigned bits) {
  Type element = getElementTypeOrSelf(type);
  auto quantized = dyn_cast<mlir::quant::QuantizedType>(element);
  if (!quantized)
    return element.isSignlessInteger(bits);
  return quantized.isSigned() &&
         quantized.getStorageTypeIntegralWidth() == bits;
}

unsigned raising::getStoredBits(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto quantized = dyn_cast<mlir::quant::QuantizedType>(element))
    return quantized.getStorageTypeIntegralWidth();
  return element.isInteger() ? element.getIntOrFloatBitWidth() : 0;
}

bool raising::isFeatureMap(Type type, unsigned bits) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isStoredIn(type, bits) &&
         !isa<mlir::quant::UniformQuantizedPerAxisType>(
             tensor.getElementType()) &&
         tensor.hasStaticShape() &&
         isTensorSize(tensorBytes(tensor.getShape(), bits)) &&
         tensor.getNumElements() > 0 && tensor.getRank() >= 1 &&
         tensor.getRank() <= 4 && !tensor.getEncoding();
}

LogicalResult raising::checkBytes(Operation *op, ShapedType type,
                                  unsigned width, StringRef name,
                                  MatchFailures &failures) {
  uint64_t bytes =
      type.hasStaticShape() ? tensorBytes(type.getShape(), width) : 0;
  if (isTensorSize(bytes))
    return success();
  return failures.add(op, "expected ", name,
                      " to have at most 2147483647 bytes, but got ", bytes);
}

/// Fails, with a reason for `op`, if the scale of `value` depends on an axis.
static LogicalResult checkPerTensor(Operation *op, Value value, StringRef name,
                                    MatchFailures &failures) {
  Type element = getElementTypeOrSelf(value.getType());
  if (!isa<mlir::quant::UniformQuantizedPerAxisType>(element))
    return success();
  return failures.add(op, "expected ", name, " quantised per tensor, but got ",
                      element);
}

LogicalResult raising::checkFeatureMap(Operation *op, Value value,
                                       StringRef name,
                                       MatchFailures &failures) {
  if (!isStoredIn(value.getType(), 8))
    return failures.add(op, "expected i8 ", name, ", but got ",
                        getElementTypeOrSelf(value.getType()));
  if (failed(checkPerTensor(op, value, name, failures)) ||
      failed(
          checkBytes(op, cast<ShapedType>(value.getType()), 8, name, failures)))
    return failure();
  if (!isFeatureMap(value.getType()))
    return failures.add(op, "expected ", name,
                        " to have a static shape of 1 to 4 dimensions, but "
                        "got ",
                        value.getType());
  return success();
}

LogicalResult raising::checkSameBatch(Operation *op, Value input, Value output,
                                      MatchFailures &failures) {
  if (getShape(input).front() != getShape(output).front())
    return failures.add(op, "expected an output batch of ",
                        getShape(input).front(), ", but got ",
                        getShape(output).front());
  return success();
}

LogicalResult raising::checkCodes(Operation *op, Value value, StringRef name,
                                  unsigned maxBits, MatchFailures &failures) {
  Type type = value.getType();
  auto isKnown = [&](unsigned bits) {
    return bits <= maxBits && isStoredIn(type, bits);
  };
  if (!isKnown(8) && !isKnown(16) && !isKnown(32))
    return failures.add(op, "expected ",
                        maxBits < 16   ? "i8 "
                        : maxBits < 32 ? "i8 or i16 "
                                       : "i8, i16 or i32 ",
                        name, ", but got ", getElementTypeOrSelf(type));
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (failed(checkPerTensor(op, value, name, failures)) ||
      failed(checkBytes(op, cast<ShapedType>(type), getStoredBits(type), name,
                        failures)))
    return failure();
  if (tensor && tensor.hasStaticShape() && tensor.getNumElements() > 0 &&
      !tensor.getEncoding())
    return success();
  return failures.add(op, "expected ", name,
                      " to have a static shape with elements, but got ", type);
}

LogicalResult raising::checkMove(Operation *op, Value input, Value output,
                                 MatchFailures &failures, unsigned maxBits) {
  if (failed(checkCodes(op, input, "input", maxBits, failures)) ||
      failed(checkCodes(op, output, "output", maxBits, failures)))
    return failure();
  // The verifiers of some operations do not look at it.
  if (getStoredBits(input.getType()) == getStoredBits(output.getType()))
    return success();
  return failures.add(op, "expected output of ", getStoredBits(input.getType()),
                      " bits, as the input has, but got ",
                      getElementTypeOrSelf(output.getType()));
}

LogicalResult raising::checkCount(Operation *op, Value output, int64_t count,
                                  MatchFailures &failures) {
  int64_t elements = llvm::product_of(getShape(output));
  if (elements == count)
    return success();
  return failures.add(op, "expected output of ", count, " elements, but got ",
                      elements);
}

ArrayRef<int64_t> raising::withoutBatch(Value value) {
  ArrayRef<int64_t> shape = getShape(value);
  return shape.size() == 4 && shape[0] == 1 ? shape.drop_front() : shape;
}

SmallVector<int64_t> raising::getFlatShape(Value value) {
  SmallVector<int64_t> shape = mergeDims(withoutBatch(value));
  if (shape.empty())
    shape.push_back(1);
  return shape;
}

LogicalResult raising::checkWindow(Operation *op, const Window &window,
                                   MatchFailures &failures) {
  const std::pair<StringRef, ArrayRef<int64_t>> fields[] = {
      {"kernel", window.kernel},
      {"stride", window.strides},
      {"dilation", window.dilations},
      {"pad", window.padding}};
  for (auto [name, values] : fields)
    for (int64_t value : values)
      if (value > UINT8_MAX)
        return failures.add(op, "expected '", name,
                            "' to be at most 255, but got ", value);
  for (auto [i, pad] : llvm::enumerate(window.padding)) {
    int64_t extent = (window.kernel[i / 2] - 1) * window.dilations[i / 2] + 1;
    if (pad >= extent)
      return failures.add(op, "expected 'pad' to be less than the window of ",
                          extent, ", but got ", pad);
  }
  return success();
}
