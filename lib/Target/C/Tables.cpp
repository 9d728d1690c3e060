// SPDX-License-Identifier: Apache-2.0
//
// The constants of a network, and what its ports and layers are called for
// readers.

#include "Network.h"

#include "mli/Calls/Structs.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/LayerFacts.h"
#include "mli/IR/LocationNames.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// A name for `constant` from a kernel that reads it: from the first of its
/// uses.
static std::string nameTable(Value constant) {
  for (OpOperand &use : constant.getUses()) {
    if (!getContract(use))
      continue;
    StringAttr name = findName(use.getOwner()->getLoc());
    return (name ? shorten(name.getValue())
                 : use.getOwner()->getName().stripDialect().str()) +
           "_" + toIdentifier(getName(use));
  }
  return "constant";
}

const Table &Network::getTable(Value constant) {
  auto op = constant.getDefiningOp<ConstantOp>();
  ElementsAttr values = op.getValue();
  auto [entry, isNew] = tables.insert({values, Table()});
  if (isNew) {
    ElementType type = getElementType(values.getElementType());
    int64_t bytes = values.getNumElements() * type.bytes;
    int64_t offset = blobHeaderBytes;
    if (tables.size() > 1) {
      const Table &last = std::prev(tables.end(), 2)->second;
      offset = static_cast<int64_t>(
          llvm::alignTo(last.offset + last.bytes, blobHeaderBytes));
    }
    std::string name = nameTable(constant);
    if (options.weights == CWeights::Source)
      name = options.name + "_" + name;
    entry->second = {names.take(name), values, type, bytes, offset};
  }
  return entry->second;
}

int64_t Network::getBlobBytes() const {
  if (tables.empty())
    return blobHeaderBytes;
  const Table &last = tables.back().second;
  return last.offset + last.bytes;
}

//===----------------------------------------------------------------------===//
// Tables of functions
//===----------------------------------------------------------------------===//

int64_t Network::getMadeTable(const FunctionTable &table) {
  for (const MadeTable &made : madeTables)
    if (StringRef(made.table.create) == table.create)
      return made.offset;
  madeTables.push_back({table, countMadeBytes()});
  return madeTables.back().offset;
}

int64_t Network::countMadeBytes() const {
  if (madeTables.empty())
    return 0;
  const MadeTable &last = madeTables.back();
  return static_cast<int64_t>(
      llvm::alignTo(last.offset + last.table.bytes, tableAlignment));
}

// U6
std::string c::describeTable(const FunctionTable &table, StringRef memory) {
  const mli_lut &fields = table.fields;
  const calls::Struct &lut = calls::getStruct<mli_lut>();
  const calls::Member &type = lut.members[lut.find("type")];
  const auto *known =
      llvm::find_if(type.enumerators, [&](const calls::Enumerator &enumerator) {
        return enumerator.value == fields.type;
      });
  return ("{.data = BYTES(" + Twine(table.bytes) + ", pi16, " + memory +
          "), .type = " + known->name + ", .length = " + Twine(fields.length) +
          ", .in_frac_bits = " + Twine(fields.in_frac_bits) +
          ", .out_frac_bits = " + Twine(fields.out_frac_bits) +
          ", .input_offset = " + Twine(fields.input_offset) +
          ", .output_offset = " + Twine(fields.output_offset) + "}")
      .str();
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

std::string c::describePort(const Function &function, const Port &port) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ElementType type = getElementType(port.getType().getElementType());
  os << StringRef(type.type).split("_").first << " [";
  llvm::interleaveComma(port.getType().getShape(), os);
  os << "]";
  auto quantized = dyn_cast<QuantizedType>(port.getType().getElementType());
  if (!quantized || quantized.isPerAxis())
    return text;
  quant::QuantParams params = quantized.getParam(0);
  os << ", real = ";
  if (params.zeroPoint == 0)
    os << "code";
  else
    os << "(code " << (params.zeroPoint < 0 ? "+ " : "- ")
       << std::abs(params.zeroPoint) << ")";
  unsigned number = port.argument.getArgNumber();
  func::FuncOp op = function.op;
  if (auto scale = op.getArgAttrOfType<FloatAttr>(number, scaleAttrName)) {
    os << " * " << scale.getValueAsDouble();
  } else {
    if (params.scale != 1)
      os << " * " << params.scale;
    os << (params.fracBits < 0 ? " * 2^" : " / 2^")
       << std::abs(params.fracBits);
  }
  if (op.getArgAttr(number, unsignedAttrName))
    os << "; uint8 in the network, where code is byte - 128";
  return text;
}

FailureOr<int64_t> c::countProducts(Operation *op) {
  Value unknown;
  if (std::optional<int64_t> products = mli::countProducts(op, &unknown))
    return *products;
  return op->emitOpError(
             "expected static sizes, which C output needs, but got ")
         << unknown.getType();
}
