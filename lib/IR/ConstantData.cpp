// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/ConstantData.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

std::optional<ArrayRef<char>> mli::getHeldBytes(ElementsAttr value) {
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(value))
    return dense.getRawData();
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value);
  if (!resource)
    return std::nullopt;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  return blob ? blob->getData() : ArrayRef<char>();
}

const char *mli::layOutElements(ArrayRef<char> held, size_t bytes, size_t width,
                                std::vector<char> &storage) {
  bool isAligned = reinterpret_cast<uintptr_t>(held.data()) % width == 0;
  if (held.size() == bytes && isAligned)
    return held.data();
  storage.reserve(bytes);
  while (storage.size() < bytes)
    storage.insert(storage.end(), held.begin(), held.end());
  return storage.data();
}

llvm::SmallVector<char> mli::withOutputsLast(ArrayRef<char> bytes,
                                             int64_t outputs) {
  int64_t inputs = static_cast<int64_t>(bytes.size()) / outputs;
  llvm::SmallVector<char> moved;
  moved.resize_for_overwrite(bytes.size());
  // Copies square tiles, each side in whole lines of the cache: rows at
  // distances of a power of two would push each other out of it.
  constexpr int64_t side = 64;
  char tile[side][side];
  for (int64_t o = 0; o < outputs; o += side)
    for (int64_t i = 0; i < inputs; i += side) {
      int64_t height = std::min(side, outputs - o);
      int64_t width = std::min(side, inputs - i);
      for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < width; ++x)
          tile[x][y] = bytes[(o + y) * inputs + i + x];
      for (int64_t x = 0; x < width; ++x)
        std::copy_n(tile[x], height, &moved[(i + x) * outputs + o]);
    }
  return moved;
}

//===----------------------------------------------------------------------===//
// Gathering and concatenation
//===----------------------------------------------------------------------===//

Value mli::gatherConstant(OpBuilder &builder, ConstantOp source,
                          RankedTensorType type, int64_t offset,
                          ArrayRef<int64_t> strides) {
  ElementsAttr value = source.getValue();
  Type storage = value.getElementType();
  auto codes = RankedTensorType::get(type.getShape(), storage);
  ArrayRef<char> bytes = *getHeldBytes(value);
  if (value.isSplat())
    return ConstantOp::create(
        builder, source.getLoc(), type,
        DenseElementsAttr::getFromRawBuffer(codes, bytes));
  int64_t width = storage.getIntOrFloatBitWidth() / 8;
  std::vector<char> gathered;
  gathered.reserve(type.getNumElements() * width);
  SmallVector<int64_t> index(type.getRank(), 0);
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    int64_t position = offset;
    for (auto [at, stride] : llvm::zip_equal(index, strides))
      position += at * stride;
    llvm::append_range(gathered, bytes.slice(position * width, width));
    for (int64_t d = type.getRank() - 1; d >= 0; --d) {
      if (++index[d] < type.getDimSize(d))
        break;
      index[d] = 0;
    }
  }
  return ConstantOp::create(
      builder, source.getLoc(), type,
      DenseElementsAttr::getFromRawBuffer(codes, gathered));
}

/// Returns the elements of `value`, a constant of quantised values or of
/// floats; null if it is none.
static ElementsAttr getElements(Value value) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return constant.getValue();
  DenseFPElementsAttr floats;
  return matchPattern(value, m_Constant(&floats)) ? ElementsAttr(floats)
                                                  : ElementsAttr();
}

Value mli::concatConstants(OpBuilder &builder, ValueRange parts, int64_t dim) {
  auto first = cast<RankedTensorType>(parts.front().getType());
  SmallVector<int64_t> shape(first.getShape());
  shape[dim] = 0;
  SmallVector<ArrayRef<char>> rows;
  SmallVector<std::vector<char>> storage(parts.size());
  int64_t outer = llvm::product_of(first.getShape().take_front(dim));
  int64_t width = elementWidth(first.getElementType()) / 8;
  for (auto [part, own] : llvm::zip_equal(parts, storage)) {
    ElementsAttr value = getElements(part);
    std::optional<ArrayRef<char>> held = getHeldBytes(value);
    if (!held)
      return {};
    auto type = cast<RankedTensorType>(part.getType());
    shape[dim] += type.getDimSize(dim);
    size_t bytes = type.getNumElements() * width;
    rows.emplace_back(layOutElements(*held, bytes, width, own), bytes);
  }
  std::vector<char> bytes;
  for (int64_t i = 0; i < outer; ++i)
    for (ArrayRef<char> row : rows)
      llvm::append_range(bytes,
                         row.slice(row.size() / outer * i, row.size() / outer));
  auto type = cast<RankedTensorType>(first.clone(shape));
  auto codes =
      RankedTensorType::get(shape, getElements(parts.front()).getElementType());
  auto all = DenseElementsAttr::getFromRawBuffer(codes, bytes);
  if (isa<QuantizedType>(type.getElementType()))
    return ConstantOp::create(builder, parts.front().getLoc(), type, all);
  return arith::ConstantOp::create(builder, parts.front().getLoc(), all);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

quant::NumberFormat mli::getNumberFormat(Type type, size_t index) {
  auto quantized = dyn_cast<QuantizedType>(type);
  if (!quantized)
    return {32, true, {}};
  return {static_cast<int>(quantized.getStorageWidth()), false,
          quantized.getParam(quantized.isPerAxis() ? index : 0)};
}

/// Code `i` of `bytes`, of `width` bits.
static int32_t codeAt(ArrayRef<char> bytes, int64_t i, int width) {
  int64_t code = 0;
  std::memcpy(&code, bytes.data() + i * (width / 8), width / 8);
  return static_cast<int32_t>(llvm::SignExtend64(code, width));
}

static void appendCode(std::vector<char> &bytes, int32_t code, int width) {
  const char *first = reinterpret_cast<const char *>(&code);
  bytes.insert(bytes.end(), first, first + width / 8);
}

namespace {

/// The elements of a constant one after the other.
class ConstantConverter {
public:
  ConstantConverter(RankedTensorType from, RankedTensorType to)
      : in(from.getElementType()), out(to.getElementType()) {
    for (Type type : {in, out})
      if (auto quantized = dyn_cast<QuantizedType>(type);
          quantized && quantized.isPerAxis()) {
        int32_t axis = quantized.getAxis();
        count = to.getDimSize(axis);
        inner = llvm::product_of(to.getShape().drop_front(axis + 1));
      }
    for (int64_t k = 0; k < count; ++k)
      conversions.emplace_back(getNumberFormat(in, k), getNumberFormat(out, k));
  }

  const quant::CodeConversion &at(int64_t i) const {
    return conversions[i / inner % count];
  }

private:
  Type in, out;
  int64_t count = 1, inner = 1;
  std::vector<quant::CodeConversion> conversions;
};

} // namespace

static Value convertFloats(OpBuilder &builder, Location loc,
                           DenseFPElementsAttr values, RankedTensorType type,
                           const ConstantConverter &converter) {
  Type storage = cast<QuantizedType>(type.getElementType()).getStorageType();
  std::vector<char> codes;
  for (auto [i, value] : llvm::enumerate(values.getValues<float>()))
    appendCode(codes, converter.at(i).toCode(value),
               storage.getIntOrFloatBitWidth());
  auto stored = RankedTensorType::get(type.getShape(), storage);
  return ConstantOp::create(builder, loc, type,
                            DenseElementsAttr::getFromRawBuffer(stored, codes));
}

Value mli::convertConstant(OpBuilder &builder, Value value,
                           RankedTensorType type) {
  auto from = dyn_cast<RankedTensorType>(value.getType());
  if (!from || !from.hasStaticShape() || !type.hasStaticShape())
    return {};
  auto in = dyn_cast<QuantizedType>(from.getElementType());
  auto out = dyn_cast<QuantizedType>(type.getElementType());
  // A change of the axis is two conversions.
  if (in && out && in.isPerAxis() && out.isPerAxis() &&
      in.getAxis() != out.getAxis())
    return {};
  ConstantConverter converter(from, type);
  DenseFPElementsAttr floats;
  if (out && matchPattern(value, m_Constant(&floats)))
    return convertFloats(builder, value.getLoc(), floats, type, converter);
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return {};
  ArrayRef<char> bytes = *getHeldBytes(constant.getValue());
  int width = constant.getValue().getElementType().getIntOrFloatBitWidth();
  bool isSplat = constant.getValue().isSplat();
  std::vector<char> codes;
  std::vector<float> numbers;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    int32_t code = codeAt(bytes, isSplat ? 0 : i, width);
    if (out)
      appendCode(codes, converter.at(i).toCode(code), out.getStorageWidth());
    else
      numbers.push_back(converter.at(i).toFloat(code));
  }
  if (!out)
    return arith::ConstantOp::create(
        builder, value.getLoc(), type,
        DenseElementsAttr::get(type, ArrayRef<float>(numbers)));
  auto stored = RankedTensorType::get(type.getShape(), out.getStorageType());
  return ConstantOp::create(builder, value.getLoc(), type,
                            DenseElementsAttr::getFromRawBuffer(stored, codes));
}
