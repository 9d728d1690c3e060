// SPDX-License-Identifier: Apache-2.0

#include "mli/Support/TextTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace mli;

TextTable::TextTable(std::vector<Column> columns)
    : columns(std::move(columns)), widths(this->columns.size()) {
  auto titles = llvm::map_range(
      this->columns, [](const Column &column) { return column.title; });
  add({titles.begin(), titles.end()});
}

void TextTable::add(std::vector<std::string> cells) {
  for (auto [width, cell] : llvm::zip_equal(widths, cells))
    width = std::max(width, cell.size());
  lines.push_back(std::move(cells));
}

void TextTable::print(llvm::raw_ostream &os) const {
  for (const std::vector<std::string> &cells : lines) {
    std::string line;
    llvm::raw_string_ostream text(line);
    for (auto [column, width, cell] : llvm::zip_equal(columns, widths, cells)) {
      auto padding = static_cast<unsigned>(width - cell.size());
      if (column.kind == Kind::Number)
        text.indent(padding) << cell << "  ";
      else
        (text << cell).indent(padding + 2);
    }
    os << llvm::StringRef(line).rtrim(' ') << "\n";
  }
}
