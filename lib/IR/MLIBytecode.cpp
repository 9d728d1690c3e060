// SPDX-License-Identifier: Apache-2.0

#include "MLIBytecode.h"

#include "mli/IR/ElementParams.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;

namespace {

/// The first number of a type or attribute. New ones go to the end; those that
/// are here keep their numbers.
enum class TypeCode { Fx4, Fx8, Fx16, Sa8, Sa32, Last = Sa32 };
enum class AttrCode {
  Relu,
  RnnAct,
  Space,
  Target,
  Layout,
  Data,
  MapLayout,
  CopyReason,
  LutFunction,
  LutFormat,
  Last = LutFormat
};

using Reader = DialectBytecodeReader;
using Writer = DialectBytecodeWriter;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// A number in [0, last], which is a value of `Enum`.
template <typename Enum>
FailureOr<Enum> readEnum(Reader &reader, StringRef what, Enum last) {
  uint64_t value;
  if (failed(reader.readVarInt(value)))
    return failure();
  if (value > static_cast<uint64_t>(last))
    return reader.emitError()
           << "expected " << what << " to be in [0, "
           << static_cast<uint64_t>(last) << "], but got " << value;
  return static_cast<Enum>(value);
}

template <typename Enum>
void writeEnum(Writer &writer, Enum value) {
  writer.writeVarInt(static_cast<uint64_t>(value));
}

LogicalResult readNumbers(Reader &reader, MutableArrayRef<int64_t> values) {
  for (int64_t &value : values)
    if (failed(reader.readSignedVarInt(value)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

template <typename FxType>
Type readFx(Reader &reader, function_ref<InFlightDiagnostic()> emitError) {
  int64_t fracBits;
  if (failed(reader.readSignedVarInt(fracBits)) ||
      failed(checkParams(emitError, /*scale=*/1, fracBits, /*zeroPoint=*/0)))
    return {};
  return FxType::get(reader.getContext(), static_cast<int32_t>(fracBits));
}

template <typename SaType>
Type readSa(Reader &reader, function_ref<InFlightDiagnostic()> emitError) {
  int64_t axis;
  uint64_t count;
  if (failed(reader.readSignedVarInt(axis)) || failed(reader.readVarInt(count)))
    return {};
  SmallVector<quant::QuantParams> params;
  // Not all at once: the count may be anything.
  for (uint64_t i = 0; i < count; ++i) {
    std::array<int64_t, 3> set;
    if (failed(readNumbers(reader, set)))
      return {};
    FailureOr<quant::QuantParams> checked =
        checkParams(emitError, set[0], set[1], set[2]);
    if (failed(checked))
      return {};
    params.push_back(*checked);
  }
  return SaType::getChecked(
      emitError, reader.getContext(),
      static_cast<int32_t>(std::clamp<int64_t>(axis, INT32_MIN, INT32_MAX)),
      ArrayRef(params));
}

// B2
Type readAnyType(Reader &reader) {
  auto emitError = [&] { return reader.emitError(); };
  FailureOr<TypeCode> code =
      readEnum(reader, "code of an mli type", TypeCode::Last);
  if (failed(code))
    return {};
  switch (*code) {
  case TypeCode::Fx4:
    return readFx<Fx4Type>(reader, emitError);
  case TypeCode::Fx8:
    return readFx<Fx8Type>(reader, emitError);
  case TypeCode::Fx16:
    return readFx<Fx16Type>(reader, emitError);
  case TypeCode::Sa8:
    return readSa<Sa8Type>(reader, emitError);
  case TypeCode::Sa32:
    return readSa<Sa32Type>(reader, emitError);
  }
  return {};
}

TypeCode getCode(Type type) {
  return llvm::TypeSwitch<Type, TypeCode>(type)
      .Case([](Fx4Type) { return TypeCode::Fx4; })
      .Case([](Fx8Type) { return TypeCode::Fx8; })
      .Case([](Fx16Type) { return TypeCode::Fx16; })
      .Case([](Sa8Type) { return TypeCode::Sa8; })
      .Case([](Sa32Type) { return TypeCode::Sa32; });
}

void writeAnyType(QuantizedType type, Writer &writer) {
  TypeCode code = getCode(type);
  writeEnum(writer, code);
  if (code < TypeCode::Sa8)
    return writer.writeSignedVarInt(type.getParam(0).fracBits);
  writer.writeSignedVarInt(type.getAxis());
  writer.writeVarInt(type.getNumParams());
  for (size_t i = 0; i < type.getNumParams(); ++i) {
    quant::QuantParams set = type.getParam(i);
    for (int64_t number :
         {int64_t{set.scale}, int64_t{set.fracBits}, int64_t{set.zeroPoint}})
      writer.writeSignedVarInt(number);
  }
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The text of a target as an option spells it, which the reader checks as
/// such.
std::string targetText(TargetAttr target) {
  if (!target.getPreset().empty())
    return target.getPreset().str();
  return layout::toCustomText(target.getValue());
}

Attribute readTarget(Reader &reader) {
  StringRef text;
  if (failed(reader.readString(text)))
    return {};
  std::string error;
  TargetAttr target = TargetAttr::fromText(reader.getContext(), text, error);
  if (!target)
    reader.emitError(error);
  return target;
}

Attribute readLayout(Reader &reader) {
  FailureOr<layout::Kind> kind =
      readEnum(reader, "kind of a layout", layout::Kind::Strided);
  if (failed(kind))
    return {};
  FailureOr<layout::Mode> mode =
      readEnum(reader, "mode of a layout", layout::Mode::TwoIC);
  FailureOr<uint32_t> count =
      failed(mode) ? FailureOr<uint32_t>()
                   : readEnum<uint32_t>(reader, "rank of a layout", 4);
  if (failed(count))
    return {};
  SmallVector<LayoutDim> dims;
  for (uint32_t i = 0; i < *count; ++i) {
    FailureOr<LayoutDim> dim =
        readEnum(reader, "dimension of a layout", LayoutDim::w);
    if (failed(dim))
      return {};
    dims.push_back(*dim);
  }
  // NPUs, their elements, the start, columns; then strides.
  std::array<int64_t, 8> numbers;
  if (failed(readNumbers(reader, numbers)))
    return {};
  auto [npus, npuElements, startNpu, columns, n, c, h, w] = numbers;
  return LayoutAttr::getChecked([&] { return reader.emitError(); },
                                reader.getContext(), *kind, *mode,
                                ArrayRef(dims), npus, npuElements, startNpu,
                                columns, layout::Dims{n, c, h, w});
}

void writeLayout(LayoutAttr layout, Writer &writer) {
  writeEnum(writer, layout.getKind());
  writeEnum(writer, layout.getMode());
  writer.writeVarInt(layout.getDims().size());
  for (LayoutDim dim : layout.getDims())
    writeEnum(writer, dim);
  layout::Dims strides = layout.getStrides();
  for (int64_t number :
       {layout.getNpus(), layout.getNpuElements(), layout.getStartNpu(),
        layout.getColumns(), strides.n, strides.c, strides.h, strides.w})
    writer.writeSignedVarInt(number);
}

template <typename EnumAttr>
Attribute readEnumAttr(Reader &reader, unsigned last) {
  using Enum = decltype(EnumAttr().getValue());
  FailureOr<Enum> value =
      readEnum(reader, EnumAttr::getMnemonic(), static_cast<Enum>(last));
  return failed(value) ? Attribute()
                       : EnumAttr::get(reader.getContext(), *value);
}

Attribute readLutFormat(Reader &reader) {
  std::array<int64_t, 2> numbers;
  if (failed(readNumbers(reader, numbers)))
    return {};
  // B2
  for (int64_t number : numbers)
    if (!llvm::isInt<32>(number)) {
      reader.emitError() << "expected numbers of a lut_format to have 32 bits, "
                            "but got "
                         << number;
      return {};
    }
  return LutFormatAttr::get(reader.getContext(),
                            static_cast<int32_t>(numbers[0]),
                            static_cast<int32_t>(numbers[1]));
}

Attribute readAnyAttribute(Reader &reader) {
  FailureOr<AttrCode> code =
      readEnum(reader, "code of an mli attribute", AttrCode::Last);
  if (failed(code))
    return {};
  switch (*code) {
  case AttrCode::Relu:
    return readEnumAttr<ReluKindAttr>(reader, getMaxEnumValForReluKind());
  case AttrCode::RnnAct:
    return readEnumAttr<RnnActAttr>(reader, getMaxEnumValForRnnAct());
  case AttrCode::Space:
    return readEnumAttr<SpaceAttr>(reader, getMaxEnumValForSpace());
  case AttrCode::Target:
    return readTarget(reader);
  case AttrCode::Layout:
    return readLayout(reader);
  case AttrCode::MapLayout:
    return readEnumAttr<MapLayoutAttr>(reader, getMaxEnumValForMapLayout());
  case AttrCode::CopyReason:
    return readEnumAttr<CopyReasonAttr>(reader, getMaxEnumValForCopyReason());
  case AttrCode::LutFunction:
    return readEnumAttr<LutFunctionAttr>(reader, getMaxEnumValForLutFunction());
  case AttrCode::LutFormat:
    return readLutFormat(reader);
  case AttrCode::Data:
    ElementsAttr value;
    if (failed(reader.readAttribute(value)))
      return {};
    return DataAttr::get(reader.getContext(), value);
  }
  return {};
}

template <typename EnumAttr>
LogicalResult writeEnumAttr(Writer &writer, AttrCode code, EnumAttr attr) {
  writeEnum(writer, code);
  writeEnum(writer, attr.getValue());
  return success();
}

LogicalResult writeAnyAttribute(Attribute attr, Writer &writer) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(attr)
      .Case([&](ReluKindAttr relu) {
        return writeEnumAttr(writer, AttrCode::Relu, relu);
      })
      .Case([&](RnnActAttr act) {
        return writeEnumAttr(writer, AttrCode::RnnAct, act);
      })
      .Case([&](LutFunctionAttr function) {
        return writeEnumAttr(writer, AttrCode::LutFunction, function);
      })
      .Case([&](LutFormatAttr format) {
        writeEnum(writer, AttrCode::LutFormat);
        writer.writeSignedVarInt(format.getInFracBits());
        writer.writeSignedVarInt(format.getInputOffset());
        return success();
      })
      .Case([&](SpaceAttr space) {
        return writeEnumAttr(writer, AttrCode::Space, space);
      })
      .Case([&](MapLayoutAttr map) {
        return writeEnumAttr(writer, AttrCode::MapLayout, map);
      })
      .Case([&](CopyReasonAttr reason) {
        return writeEnumAttr(writer, AttrCode::CopyReason, reason);
      })
      .Case([&](TargetAttr target) {
        writeEnum(writer, AttrCode::Target);
        std::string text = targetText(target);
        writer.writeOwnedString(StringAttr::get(attr.getContext(), text));
        return success();
      })
      .Case([&](LayoutAttr layout) {
        writeEnum(writer, AttrCode::Layout);
        writeLayout(layout, writer);
        return success();
      })
      .Case([&](DataAttr data) {
        writeEnum(writer, AttrCode::Data);
        writer.writeAttribute(data.getValue());
        return success();
      })
      .Default([](Attribute) { return failure(); });
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

struct MLIBytecodeInterface : BytecodeDialectInterface {
  explicit MLIBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  Type readType(Reader &reader) const final { return readAnyType(reader); }
  Attribute readAttribute(Reader &reader) const final {
    return readAnyAttribute(reader);
  }
  LogicalResult writeType(Type type, Writer &writer) const final {
    writeAnyType(cast<QuantizedType>(type), writer);
    return success();
  }
  LogicalResult writeAttribute(Attribute attr, Writer &writer) const final {
    return writeAnyAttribute(attr, writer);
  }

  void writeVersion(Writer &writer) const final {
    writer.writeVarInt(BytecodeVersion::current);
  }
  // B1
  std::unique_ptr<DialectVersion> readVersion(Reader &reader) const final {
    uint64_t version;
    if (failed(reader.readVarInt(version)))
      return nullptr;
    if (version > BytecodeVersion::current) {
      reader.emitError() << "expected version of mli bytecode to be at most "
                         << BytecodeVersion::current << ", but got " << version;
      return nullptr;
    }
    return std::make_unique<BytecodeVersion>(version);
  }
};

} // namespace

void mli::addBytecodeInterface(MLIDialect *dialect) {
  dialect->addInterfaces<MLIBytecodeInterface>();
}
