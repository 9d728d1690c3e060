// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/StreamRecord.h"

#include "mli/IR/AttributeNames.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

// Each visits the fields of a record by their names, to read and to write them.

template <typename Visitor, typename Record>
static void visitFields(Visitor &visit, Record &record, RowBufferRecord *) {
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
static void visitFields(Visitor &visit, Record &record, StreamRecord *) {
  visit("kernels", record.kernels);
  visit("steps", record.steps);
  visit("rows", record.rows);
  visit("stripes", record.stripes);
  visit("bytes", record.bytes);
  visit("calls", record.calls);
  visit("shifted_bytes", record.shiftedBytes);
  visit("products_again", record.again);
  visit("buffers", record.buffers);
  visit("before", record.before);
  visit("after", record.after);
}

template <typename Visitor, typename Record>
static void visitFields(Visitor &visit, Record &record, ArenaRecord *) {
  visit("arena_bytes", record.bytes);
  visit("whole_bytes", record.wholeBytes);
  visit("bound_bytes", record.boundBytes);
  visit("streams", record.streams);
}

template <typename Visitor, typename Record>
static void visitRecord(Visitor &visit, Record &record) {
  visitFields(visit, record,
              static_cast<std::remove_const_t<Record> *>(nullptr));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {

class AttributeWriter {
public:
  explicit AttributeWriter(MLIRContext *context) : builder(context) {}

  template <typename Field>
  void operator()(StringRef name, const Field &field) {
    if (Attribute value = make(field))
      fields.append(name, value);
  }

  template <typename Record>
  static Attribute write(MLIRContext *context, const Record &record) {
    AttributeWriter writer(context);
    visitRecord(writer, record);
    return writer.fields.getDictionary(context);
  }

private:
  Attribute make(int64_t value) { return builder.getI64IntegerAttr(value); }
  Attribute make(const std::string &text) {
    return builder.getStringAttr(text);
  }
  Attribute make(const std::optional<int64_t> &value) {
    return value ? make(*value) : Attribute();
  }
  template <typename Record>
  Attribute make(const std::vector<Record> &records) {
    SmallVector<Attribute> all;
    for (const Record &record : records)
      if constexpr (std::is_same_v<Record, std::string>)
        all.push_back(make(record));
      else
        all.push_back(write(builder.getContext(), record));
    return builder.getArrayAttr(all);
  }

  Builder builder;
  NamedAttrList fields;
};

class AttributeReader {
public:
  template <typename Field>
  void operator()(StringRef name, Field &field) {
    isRead &= read(fields.get(name), field);
  }

  template <typename Record>
  static bool read(Attribute attribute, Record &record) {
    AttributeReader reader;
    reader.fields = dyn_cast_or_null<DictionaryAttr>(attribute);
    if (!reader.fields)
      return false;
    visitRecord(reader, record);
    return reader.isRead;
  }

private:
  static bool read(Attribute attribute, int64_t &value) {
    auto number = dyn_cast_or_null<IntegerAttr>(attribute);
    if (!number || !number.getType().isInteger(64))
      return false;
    value = number.getInt();
    return true;
  }
  static bool read(Attribute attribute, std::string &text) {
    auto string = dyn_cast_or_null<StringAttr>(attribute);
    if (string)
      text = string.str();
    return bool(string);
  }
  static bool read(Attribute attribute, std::optional<int64_t> &value) {
    return !attribute || read(attribute, value.emplace());
  }
  template <typename Record>
  static bool read(Attribute attribute, std::vector<Record> &records) {
    auto all = dyn_cast_or_null<ArrayAttr>(attribute);
    return all && llvm::all_of(all, [&](Attribute one) {
             return read(one, records.emplace_back());
           });
  }

  DictionaryAttr fields;
  bool isRead = true;
};

} // namespace

std::optional<ArenaRecord> ArenaRecord::get(Operation *function) {
  ArenaRecord record;
  return AttributeReader::read(function->getAttr(streamsAttrName), record)
             ? std::optional(record)
             : std::nullopt;
}

void ArenaRecord::set(Operation *function) const {
  function->setAttr(streamsAttrName,
                    AttributeWriter::write(function->getContext(), *this));
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

namespace {

class JsonWriter {
public:
  explicit JsonWriter(llvm::json::OStream &json) : json(json) {}

  template <typename Field>
  void operator()(StringRef name, const Field &field) {
    json.attribute(name, field);
  }
  void operator()(StringRef name, const std::optional<int64_t> &value) {
    if (value)
      json.attribute(name, *value);
  }
  template <typename Record>
  void operator()(StringRef name, const std::vector<Record> &records) {
    json.attributeArray(name, [&] {
      for (const Record &record : records)
        if constexpr (std::is_same_v<Record, std::string>)
          json.value(record);
        else
          json.object([&] { visitRecord(*this, record); });
    });
  }

private:
  llvm::json::OStream &json;
};

} // namespace

void ArenaRecord::write(llvm::json::OStream &json) const {
  json.attributeObject("streams", [&] {
    JsonWriter writer(json);
    visitRecord(writer, *this);
  });
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string RowBufferRecord::getText() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (kind == "whole") {
    os << llvm::formatv("all {0:N} rows, for what is behind the stream",
                        allRows);
    return text;
  }
  os << llvm::formatv("{0:N} of {1:N} rows{2}, {3:N} B, for {4:$[, ]}", rows,
                      allRows, kind == "step" ? " within a step" : "", bytes,
                      llvm::make_range(readers.begin(), readers.end()));
  if (keep == 0)
    return text;
  os << llvm::formatv("; {0:N} of them move up each ", keep);
  if (room > 1)
    os << room << " times";
  else
    os << "time";
  return text;
}

std::string StreamRecord::getText() const {
  std::string cut =
      stripes == 1 ? "" : llvm::formatv("{0} column stripes, ", stripes).str();
  return llvm::formatv(
             "stream of {0} kernels, {1} to {2}: {3:N} steps of {4:N} "
             "row{5}, {6}{7:N} B with all that is live; {8:N} calls, "
             "{9:N} B moved up, {10:N} products again",
             kernels.size(), kernels.front(), kernels.back(), steps, rows,
             rows == 1 ? "" : "s", cut, bytes, calls, shiftedBytes, again)
      .str();
}

std::string ArenaRecord::getText() const {
  std::string bound;
  if (boundBytes.value_or(0) > 0)
    bound = llvm::formatv(", {0:F3} of the bound {1:N} B",
                          static_cast<double>(bytes) /
                              static_cast<double>(*boundBytes),
                          *boundBytes)
                .str();
  return llvm::formatv("arena: {0:N} B{1}; whole kernels {2:N} B", bytes, bound,
                       wholeBytes)
      .str();
}

void ArenaRecord::print(llvm::raw_ostream &os) const {
  os << getText() << "\n";
  for (const StreamRecord &stream : streams) {
    os << stream.getText() << "\n";
    for (const RowBufferRecord &buffer : stream.buffers)
      os << "  " << buffer.kernel << ": " << buffer.getText() << "\n";
    if (!stream.before.empty())
      os << "  in front of it: " << stream.before << "\n";
    if (!stream.after.empty())
      os << "  behind it: " << stream.after << "\n";
  }
}
