// SPDX-License-Identifier: Apache-2.0
//
// Tables of text for people, whose columns are as wide as they have to be.

#ifndef MLI_SUPPORT_TEXTTABLE_H
#define MLI_SUPPORT_TEXTTABLE_H

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mli {

class TextTable {
public:
  /// Texts are aligned to the left, numbers to the right.
  enum class Kind { Text, Number };

  struct Column {
    std::string title;
    Kind kind = Kind::Number;
  };

  /// The titles are the first line.
  explicit TextTable(std::vector<Column> columns);

  /// Adds a line with a cell for each column.
  void add(std::vector<std::string> cells);
  /// Prints all lines, two spaces between columns, none at the end of a line.
  void print(llvm::raw_ostream &os) const;

private:
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> lines;
  std::vector<size_t> widths;
};

} // namespace mli

#endif // MLI_SUPPORT_TEXTTABLE_H
