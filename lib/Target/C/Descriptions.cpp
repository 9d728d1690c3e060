// SPDX-License-Identifier: Apache-2.0

#include "Descriptions.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

std::string Descriptions::addArray(StringRef type, int64_t bytes,
                                   StringRef name, ArrayRef<int64_t> values) {
  std::string key = (type + " " + name).str();
  for (int64_t value : values)
    key += "," + std::to_string(value);
  auto [entry, isNew] = arrays.try_emplace(key);
  if (!isNew)
    return entry->second;
  entry->second = network.names.take((name + "_0").str());
  network.descriptions.parameterBytes +=
      bytes * static_cast<int64_t>(values.size());
  writer.line("static const " + type + " " + entry->second + "[" +
              Twine(values.size()) + "] = {");
  writer.values(values);
  writer.line("};");
  return entry->second;
}

std::string Descriptions::getAxisParams(QuantizedType type) {
  SmallVector<int64_t> scales, bits, zeros;
  for (size_t i = 0; i < type.getNumParams(); ++i) {
    quant::QuantParams params = type.getParam(i);
    scales.push_back(params.scale);
    bits.push_back(params.fracBits);
    zeros.push_back(params.zeroPoint);
  }
  std::string ofScales = addArray("int16_t", 2, "scales", scales);
  std::string ofBits = addArray("int8_t", 1, "bits", bits);
  std::string ofZeros = addArray("int16_t", 2, "zeros", zeros);
  return ("PER_AXIS(" + Twine(type.getAxis()) + ", " + Twine(scales.size()) +
          ", " + ofScales + ", " + ofBits + ", " + ofZeros + ")")
      .str();
}

std::string Descriptions::getParams(Type element) {
  auto type = dyn_cast<QuantizedType>(element);
  if (!type || !isa<Sa8Type, Sa32Type>(element))
    return ("FIXED_POINT(" + Twine(type ? int(type.getParam(0).fracBits) : 0) +
            ")")
        .str();
  if (type.isPerAxis())
    return getAxisParams(type);
  quant::QuantParams params = type.getParam(0);
  return ("PER_TENSOR(" + Twine(params.scale) + ", " +
          Twine(int(params.fracBits)) + ", " + Twine(params.zeroPoint) + ")")
      .str();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

const Description &Descriptions::add(const std::string &fields, StringRef name,
                                     StringRef comment, bool isPlaced) {
  auto [entry, isNew] = descriptions.try_emplace(fields + comment.str());
  if (!isNew)
    return entry->second;
  entry->second = {network.names.take(("tensor_" + name).str()), isPlaced};
  ++network.descriptions.tensors;
  if (!comment.empty())
    writer.comment(comment);
  writer.line("static const mli_tensor " + entry->second.name + " = {");
  writer.indent();
  writer.indent();
  writer.statement(fields);
  writer.outdent();
  writer.outdent();
  return entry->second;
}

/// `numbers` and zeros up to what the struct has.
static std::string listEntries(ArrayRef<int64_t> numbers) {
  SmallVector<int64_t> all(numbers);
  all.resize(MLI_MAX_RANK, 0);
  std::string text = "{";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(all, os);
  return text + "}";
}

static std::string getElementType(mli_element_type type) {
  const calls::Struct &lut = calls::getStruct<mli_lut>();
  for (const calls::Enumerator &known :
       lut.members[lut.find("type")].enumerators)
    if (known.value == type)
      return known.name;
  llvm_unreachable("the type is in Structs.def");
}

std::string c::listMembers(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                           mli_element_type type, StringRef params) {
  return (", .mem_stride = " + listEntries(strides) + ", .shape = " +
          listEntries(shape) + ", .rank = " + Twine(shape.size()) +
          ", .el_type = " + getElementType(type) + ", .el_params = " + params +
          "};")
      .str();
}

std::string Descriptions::getRecord(StringRef type, StringRef text,
                                    StringRef name) {
  auto [entry, isNew] = records.try_emplace((type + text).str());
  if (!isNew)
    return entry->second;
  entry->second = network.names.take(name);
  writer.statement("static const " + type + " " + entry->second + " = {" +
                   text + "};");
  return entry->second;
}

static bool isConstant(const Place &place) {
  return place.base == Place::Base::Constant;
}

std::optional<std::string> Descriptions::getAddress(const Place &place) {
  if (!isConstant(place) || !place.isKnown() ||
      network.options.weights == CWeights::Blob)
    return std::nullopt;
  const Table &table = network.getTable(place.root);
  if (place.bytes == 0)
    return table.name;
  return (table.name + " + " + Twine(place.bytes / table.type.bytes)).str();
}

/// What `place`, in no constant, is behind: a member of the bases of
/// `function`, or any that is carried.
static std::string getBase(const Function &function, const Place &place) {
  switch (place.base) {
  case Place::Base::Local:
    return "local";
  case Place::Base::Scratch:
    return "scratch";
  case Place::Base::Carried:
    return "carried";
  default:
    return function.ports[cast<BlockArgument>(place.root).getArgNumber()].name;
  }
}

std::string
Descriptions::getPointer(const Function &function, const Place &place,
                         int64_t distance, StringRef bases,
                         llvm::function_ref<std::string(Value)> getIndex) {
  std::string text = bases.str();
  if (place.base == Place::Base::Carried)
    text = getIndex(place.root);
  else if (!isConstant(place))
    text += getBase(function, place);
  else if (network.options.weights == CWeights::Blob)
    text += "weights";
  else
    text = "READ_ONLY(int8_t, " + network.getTable(place.root).name + ")";
  for (auto [index, factor] : place.steps)
    text += " + " + getIndex(index) + timesFactor(factor);
  if (distance != 0)
    text += " + " + std::to_string(distance);
  return text;
}

std::string
Descriptions::getLocalAddress(const Place &place, int64_t distance,
                              llvm::function_ref<std::string(Value)> getIndex) {
  std::string text;
  auto add = [&](const Twine &term) {
    text += (text.empty() ? "" : " + ") + term.str();
  };
  if (place.base == Place::Base::Carried)
    add(getIndex(place.root));
  for (auto [index, factor] : place.steps)
    add("(uint32_t)" + getIndex(index) + timesFactor(factor) +
        (factor == 1 ? "" : "u"));
  if (distance != 0 || text.empty())
    add(Twine(static_cast<uint32_t>(distance)) + "u");
  return text;
}

std::string Descriptions::getLocal(const calls::LocalPlace &place,
                                   int64_t address) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << ".address = " << static_cast<uint32_t>(address) << "u, .strides = {";
  llvm::interleaveComma(place.getStrides(), os);
  os << "}, .kind = MLI_LOCAL_"
     << StringRef(layout::toString(place.kind)).upper()
     << ", .mode = MLI_LOCAL_MODE_"
     << StringRef(layout::toString(place.mode)).upper()
     << ", .columns = " << place.columns << ", .dims = {";
  llvm::interleaveComma(place.getStructDims(), os, [&](LayoutDim dim) {
    os << "MLI_LOCAL_DIM_" << stringifyLayoutDim(dim).upper();
  });
  os << "}";
  return getRecord("mli_local_tensor", text, "local_0");
}

int64_t Descriptions::getDistance(const Place &place) {
  bool isInBlob =
      isConstant(place) && network.options.weights == CWeights::Blob;
  return place.bytes + (isInBlob ? network.getTable(place.root).offset : 0);
}

const Description &Descriptions::get(const Function &function,
                                     const Extent &extent, Type element) {
  ElementType type = c::getElementType(element);
  const Place &place = extent.place;
  int64_t bytes = extent.getBytes(element);
  std::optional<std::string> address = getAddress(place);
  std::string name, comment;
  if (!isConstant(place)) {
    name = getBase(function, place);
    comment = (name + " " + Twine(place.bytes) + " to " +
               Twine(place.bytes + bytes - 1))
                  .str();
  } else {
    name = network.getTable(place.root).name;
  }
  std::string member = address ? type.member : "i32";
  std::string value =
      address ? "READ_ONLY(" + std::string(type.type) + ", " + *address + ")"
              : std::to_string(getDistance(place));
  std::string fields =
      (".data = BYTES(" + Twine(bytes) + ", " + member + ", " + value + ")" +
       listMembers(extent.shape, extent.strides, runtimeType(element),
                   getParams(element)))
          .str();
  return add(fields, name, comment, address.has_value());
}

// U5
const Description &Descriptions::get(Type element, IntegerAttr known) {
  static constexpr std::pair<int64_t, const char *> members[] = {
      {1, "i8"}, {2, "i16"}, {4, "i32"}};
  ElementType type = c::getElementType(element);
  const char *member = "";
  for (auto [bytes, name] : members)
    if (bytes == type.bytes)
      member = name;
  std::string fields =
      (".data = BYTES(0, " + Twine(member) + ", " +
       toLiteral(known ? known.getInt() : 0) + ")" +
       listMembers({}, {}, runtimeType(element), getParams(element)))
          .str();
  return add(fields, "scalar", "", /*isPlaced=*/true);
}
