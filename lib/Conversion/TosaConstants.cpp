// SPDX-License-Identifier: Apache-2.0

#include "TosaConstants.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mli;
using namespace mli::raising;

std::optional<RawElements> raising::rawElements(ElementsAttr attribute) {
  Type element = attribute.getElementType();
  if (!element.isSignlessInteger() ||
      !llvm::is_contained({8U, 16U, 32U, 64U}, element.getIntOrFloatBitWidth()))
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

ElementsAttr raising::constantOf(Value value) {
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

static int64_t loadInteger(const char *bytes, unsigned size) {
  switch (size) {
  case 1:
    return load<int8_t>(bytes);
  case 2:
    return load<int16_t>(bytes);
  case 4:
    return load<int32_t>(bytes);
  default:
    return load<int64_t>(bytes);
  }
}

std::optional<SmallVector<int64_t>> raising::integersOf(Value value) {
  ElementsAttr attribute = constantOf(value);
  if (!attribute)
    return std::nullopt;
  std::optional<RawElements> raw = rawElements(attribute);
  if (!raw)
    return std::nullopt;
  SmallVector<int64_t> numbers(attribute.getShapedType().getNumElements());
  for (auto [i, number] : llvm::enumerate(numbers))
    number = loadInteger(raw->bytes.data() +
                             (raw->isSplat ? 0 : i * raw->elementBytes),
                         raw->elementBytes);
  return numbers;
}

bool raising::isSplatOf(Value value, int64_t number) {
  std::optional<SmallVector<int64_t>> numbers = integersOf(value);
  return numbers && !numbers->empty() &&
         llvm::all_of(*numbers, [&](int64_t n) { return n == number; });
}

FailureOr<int64_t> raising::readZeroPoint(Operation *op, Value value,
                                          StringRef name, Refusals &refusals) {
  std::optional<SmallVector<int64_t>> numbers = integersOf(value);
  if (!numbers || numbers->size() != 1)
    return refusals.add(op, "expected '", name,
                        "' to be a constant integer, but got ",
                        value.getType());
  return numbers->front();
}

FailureOr<RescaleParams> raising::readRescale(tosa::RescaleOp op,
                                              Refusals &refusals) {
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  auto output = dyn_cast<RankedTensorType>(op.getType());
  if (!input || !output || !input.hasStaticShape() ||
      input.getShape() != output.getShape())
    return refusals.add(op,
                        "expected input and output of one static shape, "
                        "but got ",
                        op.getInput().getType(), " and ", op.getType());
  if (op.getInputUnsigned() || op.getOutputUnsigned())
    return refusals.add(op, "expected signed input and output, but got "
                            "unsigned");
  FailureOr<int64_t> inputZero =
      readZeroPoint(op, op.getInputZp(), "input_zp", refusals);
  FailureOr<int64_t> outputZero =
      readZeroPoint(op, op.getOutputZp(), "output_zp", refusals);
  if (failed(inputZero) || failed(outputZero))
    return failure();
  std::optional<SmallVector<int64_t>> multipliers =
      integersOf(op.getMultiplier());
  std::optional<SmallVector<int64_t>> shifts = integersOf(op.getShift());
  if (!multipliers || !shifts || multipliers->size() != shifts->size())
    return refusals.add(op,
                        "expected 'multiplier' and 'shift' to be constant "
                        "integers, but got ",
                        op.getMultiplier().getType(), " and ",
                        op.getShift().getType());
  RescaleParams params{{}, op.getPerChannel(), *inputZero, *outputZero};
  for (auto [i, multiplier, shift] : llvm::enumerate(*multipliers, *shifts)) {
    if (multiplier <= 0)
      return refusals.add(op, "expected multiplier ", i,
                          " to be positive, but got ", multiplier);
    // What TOSA defines.
    if (shift < 2 || shift > 62)
      return refusals.add(op, "expected shift ", i,
                          " to be in [2, 62], but got ", shift);
    params.factors.push_back(
        std::ldexp(static_cast<double>(multiplier), -static_cast<int>(shift)));
  }
  return params;
}

bool raising::isMap(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getElementType().isSignlessInteger(8) &&
         tensor.hasStaticShape() && tensor.getNumElements() > 0 &&
         tensor.getRank() >= 1 && tensor.getRank() <= 4 &&
         !tensor.getEncoding();
}

LogicalResult raising::checkMap(Operation *op, Value value, StringRef name,
                                Refusals &refusals) {
  Type element = getElementTypeOrSelf(value.getType());
  if (!element.isSignlessInteger(8))
    return refusals.add(op, "expected i8 ", name, ", but got ", element);
  if (!isMap(value.getType()))
    return refusals.add(op, "expected ", name,
                        " to have a static shape of 1 to 4 dimensions, but "
                        "got ",
                        value.getType());
  return success();
}

LogicalResult raising::checkBatchedMap(Operation *op, Value value,
                                       StringRef name, Refusals &refusals) {
  if (failed(checkMap(op, value, name, refusals)))
    return failure();
  int64_t batch = cast<RankedTensorType>(value.getType()).getDimSize(0);
  if (batch != 1)
    return refusals.add(op, "expected a batch of 1, but got ", batch);
  return success();
}

ArrayRef<int64_t> raising::withoutBatch(Value value) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return shape.size() == 4 && shape[0] == 1 ? shape.drop_front() : shape;
}

LogicalResult raising::checkWindow(Operation *op, const Window &window,
                                   Refusals &refusals) {
  const std::pair<StringRef, ArrayRef<int64_t>> fields[] = {
      {"kernel", window.kernel},
      {"stride", window.strides},
      {"dilation", window.dilations},
      {"pad", window.padding}};
  for (auto [name, values] : fields)
    for (int64_t value : values)
      if (value > UINT8_MAX)
        return refusals.add(op, "expected '", name,
                            "' to be at most 255, but got ", value);
  for (auto [i, pad] : llvm::enumerate(window.padding)) {
    int64_t extent = (window.kernel[i / 2] - 1) * window.dilations[i / 2] + 1;
    if (pad >= extent)
      return refusals.add(op, "expected 'pad' to be less than the window of ",
                          extent, ", but got ", pad);
  }
  return success();
}
