// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/PartRecord.h"

#include "RecordFields.h"

#include "mli/IR/AttributeNames.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;

namespace mli {

template <typename Visitor, typename Record>
void visitFields(Visitor &visit, Record &record, MovesByCause *) {
  visit("weights", record.weights);
  visit("inputs", record.inputs);
  visit("results", record.results);
  visit("spills", record.spills);
  visit("halos", record.halos);
}

template <typename Visitor, typename Record>
void visitFields(Visitor &visit, Record &record, TilesRecord *) {
  visit("sizes", record.sizes);
  visit("loops", record.loops);
  visit("order", record.order);
  visit("macs_per_npu", record.macs);
  visit("wasted_bytes", record.wastedBytes);
  visit("bank_conflicts", record.bankConflicts);
}

template <typename Visitor, typename Record>
void visitFields(Visitor &visit, Record &record, PartRecord *) {
  visit("kernels", record.kernels);
  visit("kind", record.kind);
  visit("tiles", record.tiles);
  visit("rows", record.rows);
  visit("stripes", record.stripes);
  visit("bytes_per_npu", record.bytes);
  visit("capacity", record.capacity);
  visit("weight_bytes", record.weightBytes);
  visit("resident_bytes", record.residentBytes);
  visit("found_bytes", record.foundBytes);
  visit("kept_bytes", record.keptBytes);
  visit("runs", record.runs);
  visit("moved", record.moved);
  visit("macs_again", record.again);
  visit("calls", record.calls);
  visit("written", record.written);
  visit("cost", record.cost);
  visit("choice", record.choice);
  visit("rings", record.rings);
  visit("next", record.next);
  visit("limit", record.limit);
  visit("layers", record.layers);
}

template <typename Visitor, typename Record>
void visitFields(Visitor &visit, Record &record, PartsRecord *) {
  visit("parts", record.parts);
}

} // namespace mli

std::optional<PartsRecord> PartsRecord::get(Operation *function) {
  PartsRecord record;
  bool isRead =
      AttributeReader::read(function->getAttr(partsAttrName), record) &&
      llvm::none_of(record.parts, [](const PartRecord &part) {
        return part.kernels.empty();
      });
  return isRead ? std::optional(record) : std::nullopt;
}

void PartsRecord::set(Operation *function) const {
  function->setAttr(partsAttrName,
                    AttributeWriter::write(function->getContext(), *this));
}

void PartsRecord::write(llvm::json::OStream &json) const {
  JsonWriter writer(json);
  writer("moved", getMoved());
  visitRecord(writer, *this);
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

void MovesByCause::add(const MovesByCause &other, int64_t runs) {
  weights += other.weights * runs;
  inputs += other.inputs * runs;
  results += other.results * runs;
  spills += other.spills * runs;
  halos += other.halos * runs;
}

std::string MovesByCause::getText() const {
  std::string text = llvm::formatv("{0:N} B", getTotal());
  llvm::raw_string_ostream os(text);
  StringRef separator = ": ";
  auto visit = [&](StringRef cause, int64_t bytes) {
    if (bytes == 0)
      return;
    os << separator << llvm::formatv("{0:N} B {1}", bytes, cause);
    separator = ", ";
  };
  visitRecord(visit, *this);
  return text;
}

MovesByCause PartsRecord::getMoved() const {
  MovesByCause all;
  for (const PartRecord &part : parts)
    all.add(part.moved, part.runs);
  return all;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

template <typename Numbers>
static std::string getListText(const Numbers &numbers) {
  return llvm::formatv("[{0:$[, ]}]",
                       llvm::make_range(numbers.begin(), numbers.end()));
}

/// The numbers of all kernels but the last one, those behind it first.
static std::string getProducersText(ArrayRef<std::string> kernels) {
  SmallVector<StringRef> numbers;
  for (StringRef kernel : llvm::reverse(kernels.drop_back()))
    numbers.push_back(kernel.rsplit(':').second);
  return numbers.empty() ? "" : ": " + getListText(numbers);
}

/// `main:2: tile [2, 8] of [4, 8], order [0]`, for example.
static std::string getKindText(const PartRecord &part) {
  const std::string &first = part.kernels.front(), &last = part.kernels.back();
  if (part.kind == "rows")
    return llvm::formatv(
        "{0} to {1}: stream of {2} kernels, {3} row{4} a step{5}", first, last,
        part.kernels.size(), part.rows, part.rows == 1 ? "" : "s",
        part.stripes == 1
            ? ""
            : llvm::formatv(" on {0} column stripes", part.stripes).str());
  if (part.kind == "whole")
    return (first == last ? last : first + " to " + last) + ": whole";
  return llvm::formatv(
      "{0}: tile {1} of {2}, order {3}", last, getListText(part.tiles.sizes),
      getListText(part.tiles.loops), getListText(part.tiles.order));
}

std::string PartRecord::getText() const {
  bool isStream = kind == "rows";
  std::string text = getKindText(*this);
  llvm::raw_string_ostream os(text);
  os << llvm::formatv(", takes {0:N} B of {1:N} B; moves {2:N} B, ", bytes,
                      capacity, moved.getTotal());
  if (isStream)
    os << llvm::formatv("{0:N} MACs per NPU computed again, ", again);
  else
    os << llvm::formatv("{0:N} MACs per NPU, {1:N} B alignment waste, {2:N} "
                        "bank conflicts, ",
                        tiles.macs, tiles.wastedBytes, tiles.bankConflicts);
  os << llvm::formatv("{0:N} calls, {1:N} unrolled, estimated cost {2:N}",
                      calls, written, cost);
  if (isStream)
    os << (moved.weights == weightBytes ? "; all weights stay"
                                        : "; some weights move again");
  if (foundBytes > 0)
    os << llvm::formatv("; finds {0:N} B in local memory", foundBytes);
  if (keptBytes > 0)
    os << llvm::formatv("; leaves {0:N} B in local memory", keptBytes);
  if (!isStream && kind != "whole")
    os << llvm::formatv("; {0} producers fused{1}", kernels.size() - 1,
                        getProducersText(kernels));
  if (!choice.empty())
    os << "; " << choice;
  return text;
}

std::vector<std::string> PartRecord::getDetails() const {
  std::vector<std::string> details = getLayerLines(kernels, layers);
  if (moved.getTotal() > 0)
    details.push_back("moves " + moved.getText());
  if (residentBytes > 0)
    details.push_back(
        llvm::formatv("{0:N} B of weights stay", residentBytes).str());
  for (const RowBufferRecord &ring : rings)
    details.push_back(ring.kernel + ": " + ring.getText());
  if (!next.empty())
    details.push_back("ends before " + next);
  return details;
}

void PartsRecord::print(llvm::raw_ostream &os) const {
  os << parts.size() << " parts, which move " << getMoved().getText()
     << "; costs are estimates for the target, in bytes moved\n";
  for (const PartRecord &part : parts) {
    os << part.getText();
    if (part.runs != 1)
      os << llvm::formatv("; {0:N} runs", part.runs);
    os << "\n";
    for (const std::string &detail : part.getDetails())
      os << "  " << detail << "\n";
  }
}
