// SPDX-License-Identifier: Apache-2.0

#include "mli/Support/TextTable.h"

#include <gtest/gtest.h>

using namespace mli;

namespace {

std::string print(const TextTable &table) {
  std::string text = "\n";
  llvm::raw_string_ostream os(text);
  table.print(os);
  return text;
}

constexpr auto text = TextTable::Kind::Text;

TEST(TextTableTest, AlignsTextsLeftAndNumbersRight) {
  TextTable table({{"name", text}, {"bytes"}, {"why", text}});
  table.add({"a", "1,024", "it is long"});
  table.add({"longer", "7", "-"});
  EXPECT_EQ(print(table), R"(
name    bytes  why
a       1,024  it is long
longer      7  -
)");
}

TEST(TextTableTest, EndsLinesWithoutSpaces) {
  TextTable table({{"n"}, {"text", text}, {"number"}});
  table.add({"12345", "", ""});
  table.add({"", "", "1"});
  EXPECT_EQ(print(table), R"(
    n  text  number
12345
                  1
)");
}

TEST(TextTableTest, HasTitlesOnly) {
  EXPECT_EQ(print(TextTable({{"a"}, {"b", text}})), "\na  b\n");
}

} // namespace
