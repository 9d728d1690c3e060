// SPDX-License-Identifier: Apache-2.0
//
// The parts of a function as a table: a line for each.

#include "mli/Analysis/PartRecord.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>

using namespace mlir;
using namespace mli;

namespace {

enum Column {
  Kernels,
  Form,
  Bytes,
  Share,
  Moved,
  Products,
  Wasted,
  End,
  Layer
};
constexpr size_t columnCount = Layer + 1;
using Row = std::array<std::string, columnCount>;

} // namespace

/// Texts are aligned to the left, numbers to the right.
static bool isText(size_t column) {
  return column == Form || column == End || column == Layer;
}

static std::string getNumberText(int64_t number) {
  return llvm::formatv("{0:N}", number);
}

/// The numbers of the kernels: `4-7`.
static std::string getRangeText(ArrayRef<std::string> kernels) {
  StringRef first = StringRef(kernels.front()).rsplit(':').second;
  StringRef last = StringRef(kernels.back()).rsplit(':').second;
  return (kernels.size() == 1 ? first : first + "-" + last).str();
}

/// How often the part runs in how many pieces: `rows, 2 at a time`.
static std::string getFormText(const PartRecord &part) {
  if (part.kind == "whole")
    return part.kind;
  if (part.kind == "rows")
    return llvm::formatv(
        "rows, {0} a step{1}", part.rows,
        part.stripes == 1 ? ""
                          : llvm::formatv(", {0} stripes", part.stripes).str());
  auto getList = [](ArrayRef<int64_t> numbers) {
    return llvm::formatv("{0:$[x]}",
                         llvm::make_range(numbers.begin(), numbers.end()))
        .str();
  };
  return "tiles " + getList(part.tiles.sizes) + " of " +
         getList(part.tiles.loops);
}

static Row getRow(const PartRecord &part) {
  Row row;
  row[Kernels] = getRangeText(part.kernels);
  row[Form] = getFormText(part);
  row[Bytes] = getNumberText(part.bytes);
  row[Share] = llvm::formatv(
      "{0}%", part.capacity == 0 ? 0 : part.bytes * 100 / part.capacity);
  row[Moved] = getNumberText(part.moved.getTotal() * part.runs);
  row[Products] = getNumberText(part.tiles.macs * part.runs);
  row[Wasted] =
      part.kind == "rows" ? "-" : getNumberText(part.tiles.wastedBytes);
  row[End] = part.limit.empty() ? "-" : part.limit;
  // One that the network does not name has its number.
  bool isNamed = !part.layers.empty() && !part.layers.back().empty();
  row[Layer] = isNamed ? part.layers.back() : part.kernels.back();
  return row;
}

void PartsRecord::printTable(llvm::raw_ostream &os) const {
  if (parts.empty())
    return;
  std::vector<Row> rows = {{"kernels", "computed", "bytes", "used", "moved",
                            "products", "wasted", "ends by", "last layer"}};
  for (const PartRecord &part : parts)
    rows.push_back(getRow(part));
  std::array<size_t, columnCount> widths = {};
  for (const Row &row : rows)
    for (auto [width, text] : llvm::zip_equal(widths, row))
      width = std::max(width, text.size());
  StringRef function =
      StringRef(parts.front().kernels.front()).rsplit(':').first;
  bool isOne = parts.size() == 1;
  os << llvm::formatv(
      "{0}: {1} part{2} in {3:N} bytes of each NPU, which {4} {5}\n", function,
      parts.size(), isOne ? "" : "s", parts.front().capacity,
      isOne ? "moves" : "move", getMoved().getText());
  for (const Row &row : rows) {
    for (auto [column, text] : llvm::enumerate(row)) {
      if (column == Layer)
        os << text << "\n";
      else if (isText(column))
        os << llvm::left_justify(text, widths[column]) << "  ";
      else
        os << llvm::right_justify(text, widths[column]) << "  ";
    }
  }
}
