// SPDX-License-Identifier: Apache-2.0

#include "RecordFields.h"

#include "mli/IR/AttributeNames.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;

namespace mli {

template <typename Visitor, typename Record>
void visitFields(Visitor &visit, Record &record, StreamRecord *) {
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
  visit("layers", record.layers);
}

template <typename Visitor, typename Record>
void visitFields(Visitor &visit, Record &record, ArenaRecord *) {
  visit("arena_bytes", record.bytes);
  visit("whole_bytes", record.wholeBytes);
  visit("bound_bytes", record.boundBytes);
  visit("streams", record.streams);
}

} // namespace mli

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

void ArenaRecord::write(llvm::json::OStream &json) const {
  json.attributeObject("streams", [&] {
    JsonWriter writer(json);
    visitRecord(writer, *this);
  });
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::vector<std::string> mli::getLayerLines(ArrayRef<std::string> kernels,
                                            ArrayRef<std::string> layers) {
  std::vector<std::string> lines;
  // One that was written by hand may have fewer.
  for (auto [kernel, layer] : llvm::zip(kernels, layers))
    if (!layer.empty())
      lines.push_back(llvm::formatv("{0}: {1}", kernel, layer));
  return lines;
}

std::string RowBufferRecord::getText() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (kind == "whole") {
    os << llvm::formatv("all {0:N} rows, for uses after the stream", allRows);
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
             "{9:N} B moved up, {10:N} products computed again",
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
    for (const std::string &line : getLayerLines(stream.kernels, stream.layers))
      os << "  " << line << "\n";
    for (const RowBufferRecord &buffer : stream.buffers)
      os << "  " << buffer.kernel << ": " << buffer.getText() << "\n";
    if (!stream.before.empty())
      os << "  before it: " << stream.before << "\n";
    if (!stream.after.empty())
      os << "  after it: " << stream.after << "\n";
  }
}
