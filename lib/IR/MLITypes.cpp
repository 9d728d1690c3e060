// SPDX-License-Identifier: Apache-2.0
//
// The element types: text form, limits and what they answer as quantised types.

#include "mli/Contract/Contract.h"
#include "mli/IR/ElementParams.h"
#include "mli/IR/TensorSize.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "mli/IR/MLITypeInterfaces.cpp.inc"

using namespace mlir;
using namespace mli;

#define GET_TYPEDEF_CLASSES
#include "mli/IR/MLITypes.cpp.inc"

void MLIDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "mli/IR/MLITypes.cpp.inc"
      >();
}

unsigned mli::elementWidth(Type element) {
  return llvm::TypeSwitch<Type, unsigned>(element)
      .Case<Sa8Type, Sa32Type, Fx8Type, Fx16Type, Fx4Type>(
          [](auto type) { return type.getStorageWidth(); })
      // Programs may hold shapes beside maps.
      .Case([](IndexType) { return IndexType::kInternalStorageBitWidth; })
      .Default([](Type type) { return type.getIntOrFloatBitWidth(); });
}

std::optional<int64_t> mli::getDenseBytes(ShapedType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  Type element = type.getElementType();
  if (!isa<QuantizedType, IndexType>(element) && !element.isIntOrFloat())
    return std::nullopt;
  int64_t bytes =
      element.isIndex()
          ? 8
          : static_cast<int64_t>(llvm::divideCeil(elementWidth(element), 8));
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}

using EmitError = function_ref<InFlightDiagnostic()>;

/// `value` is in [low, high], what the C API stores the parameter in.
static LogicalResult verifyRange(EmitError emitError, StringRef name,
                                 int64_t value, contract::Range range) {
  if (!range.contains(value))
    return emitError() << "expected '" << name << "' to be in [" << range.least
                       << ", " << range.most << "], but got " << value;
  return success();
}

static LogicalResult verifyFracBits(EmitError emitError, int64_t fracBits) {
  // Q1, R2
  return verifyRange(emitError, "fracBits", fracBits, contract::fracBitsRange);
}

static LogicalResult verifyScale(EmitError emitError, int64_t scale) {
  // Q2
  return verifyRange(emitError, "scale", scale, contract::scaleRange);
}

static LogicalResult verifyZeroPoint(EmitError emitError, int64_t zeroPoint) {
  // Q3
  return verifyRange(emitError, "zeroPoint", zeroPoint,
                     contract::zeroPointRange);
}

FailureOr<quant::QuantParams> mli::checkParams(EmitError emitError,
                                               int64_t scale, int64_t fracBits,
                                               int64_t zeroPoint) {
  if (failed(verifyScale(emitError, scale)) ||
      failed(verifyFracBits(emitError, fracBits)) ||
      failed(verifyZeroPoint(emitError, zeroPoint)))
    return failure();
  quant::QuantParams value;
  value.scale = static_cast<int16_t>(scale);
  value.fracBits = static_cast<int8_t>(fracBits);
  value.zeroPoint = static_cast<int16_t>(zeroPoint);
  return value;
}

//===----------------------------------------------------------------------===//
// Fx8Type, Fx16Type
//===----------------------------------------------------------------------===//

#define MLI_FX_TYPE(Class, width)                                              \
  LogicalResult Class::verify(EmitError emitError, int32_t fracBits) {         \
    return verifyFracBits(emitError, fracBits);                                \
  }                                                                            \
  int32_t Class::getAxis() const { return -1; }                                \
  size_t Class::getNumParams() const { return 1; }                             \
  quant::QuantParams Class::getParam(size_t) const {                           \
    quant::QuantParams params;                                                 \
    params.fracBits = static_cast<int8_t>(getFracBits());                      \
    return params;                                                             \
  }                                                                            \
  Type Class::withAxis(int32_t) const { return *this; }                        \
  Type Class::slice(size_t, size_t) const { return *this; }
MLI_FX_TYPE(Fx4Type, 4)
MLI_FX_TYPE(Fx8Type, 8)
MLI_FX_TYPE(Fx16Type, 16)
#undef MLI_FX_TYPE

//===----------------------------------------------------------------------===//
// Sa8Type, Sa32Type
//===----------------------------------------------------------------------===//

/// `scale:fracBits:zeroPoint`, each within what the C API stores it in.
static ParseResult parseParams(AsmParser &parser,
                               SmallVectorImpl<quant::QuantParams> &params) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t scale, fracBits, zeroPoint;
  if (parser.parseInteger(scale) || parser.parseColon() ||
      parser.parseInteger(fracBits) || parser.parseColon() ||
      parser.parseInteger(zeroPoint))
    return failure();
  FailureOr<quant::QuantParams> value = checkParams(
      [&] { return parser.emitError(loc); }, scale, fracBits, zeroPoint);
  if (failed(value))
    return failure();
  params.push_back(*value);
  return success();
}

template <typename SaType>
static Type parseSaType(AsmParser &parser) {
  int32_t axis = -1;
  SmallVector<quant::QuantParams> params;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalKeyword("axis"))) {
    if (parser.parseEqual() || parser.parseInteger(axis) ||
        parser.parseComma() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, [&] {
          return parseParams(parser, params);
        }))
      return {};
    // Q4
    if (failed(verifyRange([&] { return parser.emitError(loc); }, "axis", axis,
                           {0, contract::rankRange.most - 1})))
      return {};
  } else if (parseParams(parser, params)) {
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<SaType>(loc, parser.getContext(), axis, params);
}

static void printSaType(AsmPrinter &printer, QuantizedType type) {
  printer << "<";
  if (type.isPerAxis())
    printer << "axis = " << type.getAxis() << ", {";
  llvm::interleaveComma(
      llvm::seq<size_t>(0, type.getNumParams()), printer,
      [&](size_t index) { printer << quant::toString(type.getParam(index)); });
  printer << (type.isPerAxis() ? "}>" : ">");
}

static LogicalResult verifySaType(EmitError emitError, int32_t axis,
                                  ArrayRef<quant::QuantParams> params) {
  // Q5
  if (params.empty() || (axis < 0 && params.size() != 1))
    return emitError() << "expected 'params' to hold "
                       << (axis < 0 ? "one set" : "at least one set")
                       << ", but got " << params.size();
  // The parser has diagnosed the text; only a builder can fail here.
  if (failed(verifyRange(emitError, "axis", axis,
                         {-1, contract::rankRange.most - 1})))
    return failure();
  for (const quant::QuantParams &set : params)
    if (failed(verifyScale(emitError, set.scale)))
      return failure();
  return success();
}

#define MLI_SA_TYPE(Class, width)                                              \
  Type Class::parse(AsmParser &parser) { return parseSaType<Class>(parser); }  \
  void Class::print(AsmPrinter &printer) const {                               \
    printSaType(printer, *this);                                               \
  }                                                                            \
  LogicalResult Class::verify(EmitError emitError, int32_t axis,               \
                              ArrayRef<quant::QuantParams> params) {           \
    return verifySaType(emitError, axis, params);                              \
  }                                                                            \
  size_t Class::getNumParams() const { return getParams().size(); }            \
  quant::QuantParams Class::getParam(size_t index) const {                     \
    return getParams()[index];                                                 \
  }                                                                            \
  Type Class::withAxis(int32_t axis) const {                                   \
    if (getAxis() == axis)                                                     \
      return *this;                                                            \
    return Class::get(getContext(), axis, getParams());                        \
  }                                                                            \
  Type Class::slice(size_t first, size_t count) const {                        \
    if (getAxis() < 0 || count == getNumParams())                              \
      return *this;                                                            \
    return Class::get(getContext(), getAxis(),                                 \
                      getParams().slice(first, count));                        \
  }
MLI_SA_TYPE(Sa8Type, 8)
MLI_SA_TYPE(Sa32Type, 32)
#undef MLI_SA_TYPE

//===----------------------------------------------------------------------===//
// Methods that all types share
//===----------------------------------------------------------------------===//

#define MLI_STORAGE(Class, width)                                              \
  IntegerType Class::getStorageType() const {                                  \
    return IntegerType::get(getContext(), width);                              \
  }                                                                            \
  llvm::TypeSize Class::getTypeSizeInBits(const DataLayout &,                  \
                                          DataLayoutEntryListRef) const {      \
    return llvm::TypeSize::getFixed(width);                                    \
  }                                                                            \
  uint64_t Class::getABIAlignment(const DataLayout &, DataLayoutEntryListRef)  \
      const {                                                                  \
    return llvm::divideCeil(width, 8);                                         \
  }
MLI_STORAGE(Fx4Type, 4)
MLI_STORAGE(Fx8Type, 8)
MLI_STORAGE(Fx16Type, 16)
MLI_STORAGE(Sa8Type, 8)
MLI_STORAGE(Sa32Type, 32)
#undef MLI_STORAGE
