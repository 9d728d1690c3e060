// SPDX-License-Identifier: Apache-2.0
//
// The parts of a function as a table: a line for each.

#include "mli/Analysis/PartRecord.h"
#include "mli/Support/TextTable.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;

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

static std::vector<std::string> getCells(const PartRecord &part) {
  // A kernel that the network does not name has its number.
  bool isNamed = !part.layers.empty() && !part.layers.back().empty();
  return {
      getRangeText(part.kernels),
      getFormText(part),
      getNumberText(part.bytes),
      llvm::formatv("{0}%",
                    part.capacity == 0 ? 0 : part.bytes * 100 / part.capacity),
      getNumberText(part.moved.getTotal() * part.runs),
      getNumberText(part.tiles.macs * part.runs),
      part.kind == "rows" ? "-" : getNumberText(part.tiles.wastedBytes),
      part.limit.empty() ? "-" : part.limit,
      isNamed ? part.layers.back() : part.kernels.back(),
  };
}

void PartsRecord::printTable(llvm::raw_ostream &os) const {
  if (parts.empty())
    return;
  constexpr auto text = TextTable::Kind::Text;
  TextTable table({{"kernels"},
                   {"computed", text},
                   {"bytes"},
                   {"used"},
                   {"moved"},
                   {"products"},
                   {"wasted"},
                   {"ends by", text},
                   {"last layer", text}});
  for (const PartRecord &part : parts)
    table.add(getCells(part));
  StringRef function =
      StringRef(parts.front().kernels.front()).rsplit(':').first;
  bool isOne = parts.size() == 1;
  os << llvm::formatv(
      "{0}: {1} part{2} in {3:N} bytes of each NPU, which {4} {5}\n", function,
      parts.size(), isOne ? "" : "s", parts.front().capacity,
      isOne ? "moves" : "move", getMoved().getText());
  table.print(os);
}
