// SPDX-License-Identifier: Apache-2.0
//
// Records of decisions as attributes and as JSON. `visitFields` of a record
// visits its fields by their names, to read and to write them.

#ifndef MLI_LIB_ANALYSIS_RECORDFIELDS_H
#define MLI_LIB_ANALYSIS_RECORDFIELDS_H

#include "mli/Analysis/StreamRecord.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/JSON.h"

namespace mli {

template <typename Visitor, typename Record>
void visitFields(Visitor &visit, Record &record, RowBufferRecord *) {
  visit("kernel", record.kernel);
  visit("kind", record.kind);
  visit("rows", record.rows);
  visit("all_rows", record.allRows);
  visit("bytes", record.bytes);
  visit("keep", record.keep);
  visit("room", record.room);
  visit("readers", record.readers);
}

template <typename Visitor, typename Record>
void visitRecord(Visitor &visit, Record &record) {
  visitFields(visit, record,
              static_cast<std::remove_const_t<Record> *>(nullptr));
}

/// Whether a field is a number or a text, and no record.
template <typename Field>
constexpr bool isPlainField =
    std::is_arithmetic_v<Field> || std::is_same_v<Field, std::string>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class AttributeWriter {
public:
  explicit AttributeWriter(mlir::MLIRContext *context) : builder(context) {}

  template <typename Field>
  void operator()(llvm::StringRef name, const Field &field) {
    if (mlir::Attribute value = make(field))
      fields.append(name, value);
  }

  template <typename Record>
  static mlir::Attribute write(mlir::MLIRContext *context,
                               const Record &record) {
    AttributeWriter writer(context);
    visitRecord(writer, record);
    return writer.fields.getDictionary(context);
  }

private:
  mlir::Attribute make(int64_t value) {
    return builder.getI64IntegerAttr(value);
  }
  mlir::Attribute make(const std::string &text) {
    return builder.getStringAttr(text);
  }
  mlir::Attribute make(const std::optional<int64_t> &value) {
    return value ? make(*value) : mlir::Attribute();
  }
  template <typename Record>
  mlir::Attribute make(const Record &record) {
    return write(builder.getContext(), record);
  }
  template <typename Field>
  mlir::Attribute make(const std::vector<Field> &list) {
    llvm::SmallVector<mlir::Attribute> all;
    for (const Field &field : list)
      all.push_back(make(field));
    return builder.getArrayAttr(all);
  }

  mlir::Builder builder;
  mlir::NamedAttrList fields;
};

class AttributeReader {
public:
  template <typename Field>
  void operator()(llvm::StringRef name, Field &field) {
    isRead &= read(fields.get(name), field);
  }

  template <typename Record>
  static bool read(mlir::Attribute attribute, Record &record) {
    AttributeReader reader;
    reader.fields = llvm::dyn_cast_or_null<mlir::DictionaryAttr>(attribute);
    if (!reader.fields)
      return false;
    visitRecord(reader, record);
    return reader.isRead;
  }

private:
  static bool read(mlir::Attribute attribute, int64_t &value) {
    auto number = llvm::dyn_cast_or_null<mlir::IntegerAttr>(attribute);
    if (!number || !number.getType().isInteger(64))
      return false;
    value = number.getInt();
    return true;
  }
  static bool read(mlir::Attribute attribute, std::string &text) {
    auto string = llvm::dyn_cast_or_null<mlir::StringAttr>(attribute);
    if (string)
      text = string.str();
    return bool(string);
  }
  static bool read(mlir::Attribute attribute, std::optional<int64_t> &value) {
    return !attribute || read(attribute, value.emplace());
  }
  template <typename Field>
  static bool read(mlir::Attribute attribute, std::vector<Field> &list) {
    auto all = llvm::dyn_cast_or_null<mlir::ArrayAttr>(attribute);
    return all && llvm::all_of(all, [&](mlir::Attribute one) {
             return read(one, list.emplace_back());
           });
  }

  mlir::DictionaryAttr fields;
  bool isRead = true;
};

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

class JsonWriter {
public:
  explicit JsonWriter(llvm::json::OStream &json) : json(json) {}

  template <typename Field>
  void operator()(llvm::StringRef name, const Field &field) {
    if constexpr (isPlainField<Field>)
      json.attribute(name, toValue(field));
    else
      json.attributeObject(name, [&] { visitRecord(*this, field); });
  }
  void operator()(llvm::StringRef name, const std::optional<int64_t> &value) {
    if (value)
      json.attribute(name, *value);
  }
  template <typename Field>
  void operator()(llvm::StringRef name, const std::vector<Field> &list) {
    json.attributeArray(name, [&] {
      for (const Field &field : list)
        if constexpr (isPlainField<Field>)
          json.value(toValue(field));
        else
          json.object([&] { visitRecord(*this, field); });
    });
  }

private:
  template <typename Number>
  static Number toValue(Number number) {
    return number;
  }
  /// Names may be any bytes, but JSON is UTF-8.
  static std::string toValue(const std::string &text) {
    return llvm::json::fixUTF8(text);
  }

  llvm::json::OStream &json;
};

} // namespace mli

#endif // MLI_LIB_ANALYSIS_RECORDFIELDS_H
