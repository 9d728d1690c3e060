// SPDX-License-Identifier: Apache-2.0

#include "mli/Support/Nesting.h"

#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

#include <string>

using namespace mli;

/// `count` of `text`, one behind the other.
static std::string repeat(const std::string &text, unsigned count) {
  std::string all;
  for (unsigned i = 0; i < count; ++i)
    all += text;
  return all;
}

/// What is said of `text`; empty if it is not too deep.
static std::string checked(const std::string &text,
                           llvm::StringRef separator = {}) {
  return llvm::toString(checkNesting({text, "text"}, separator));
}

/// The same of deep text that ends at `place`.
static std::string tooDeep(const std::string &place) {
  return "text:" + place +
         ": expected at most 500 levels of nesting, but got more";
}

TEST(Nesting, CountsBrackets) {
  for (const char *brackets : {"()", "[]", "{}", "<>"}) {
    std::string open(1, brackets[0]), close(1, brackets[1]);
    EXPECT_EQ(checked(repeat(open, 500) + repeat(close, 500)), "");
    EXPECT_EQ(checked(repeat(open, 501)), tooDeep("1:501"));
    EXPECT_EQ(checked(repeat(open + close, 5000)), "");
    EXPECT_EQ(checked(repeat(open + "\n", 501)), tooDeep("501:1"));
  }
  EXPECT_EQ(checked(repeat("{[(<", 126)), tooDeep("1:501"));
}

TEST(Nesting, TextInQuotesOrBehindSlashesIsNone) {
  EXPECT_EQ(checked("\"" + repeat("[", 600) + "\\\"" + repeat("[", 600) + "\""),
            "");
  EXPECT_EQ(checked("// " + repeat("[", 600) + "\n"), "");
  EXPECT_EQ(checked("\"a\"" + repeat("[", 501)), tooDeep("1:504"));
  EXPECT_EQ(checked("// a\r" + repeat("[", 501)), tooDeep("1:506"));
}

TEST(Nesting, ComparisonsAndArrowsAreNoBrackets) {
  EXPECT_EQ(checked(repeat("() -> ()\n", 1000)), "");
  EXPECT_EQ(checked(repeat("[a <= b, a >= b, a == b]\n", 1000)), "");
  EXPECT_EQ(checked("{" + repeat("(a < b)", 1000) + "}"), "");
  EXPECT_EQ(checked("[" + repeat("a > b, ", 1000) + "]"), "");
}

TEST(Nesting, CountsSignsOfAnExpression) {
  EXPECT_EQ(checked("(" + repeat("d0 + ", 499) + "d0)"), "");
  EXPECT_EQ(checked("(" + repeat("-", 501) + "d0)"), tooDeep("1:501"));
  EXPECT_EQ(checked("((a * b) + " + repeat("(c)*", 500) + "d)"),
            tooDeep("1:2004"));
  // Each number of a list is an expression, and so is each line of a block.
  EXPECT_EQ(checked("[" + repeat("-1, ", 5000) + "-1]"), "");
  EXPECT_EQ(checked("{" + repeat("a = -1\n", 5000) + "}"), "");
}

TEST(Nesting, CountsSignsThatAreWords) {
  for (const char *word : {"mod", "floordiv", "ceildiv"}) {
    std::string behind = std::string(" ") + word;
    EXPECT_EQ(checked("(d0" + repeat(behind + " s0", 499) + ")"), "");
    EXPECT_NE(checked("(d0" + repeat(behind + " s0", 500) + ")"), "");
    EXPECT_NE(checked("(d0" + repeat(behind + " 4", 500) + ")"), "");
    EXPECT_NE(checked("(d0 " + repeat(word + std::string(" 4"), 500) + ")"),
              "");
    // Names, one of them in each part of a list.
    EXPECT_EQ(checked("(" + repeat("%" + std::string(word) + " a", 501) + ")"),
              "");
    EXPECT_EQ(checked("(" + repeat("x." + std::string(word) + " ", 501) + ")"),
              "");
    EXPECT_EQ(checked("(" + repeat(behind + ", ", 501) + ")"), "");
  }
}

TEST(Nesting, AliasesAreDefinedOverLines) {
  // What stands around the sign of a definition, and inside of its value.
  for (const char *form :
       {"!t{0} = tuple<!t{1}>\n", "!t{0} // x\n = tuple<!t{1}>\n",
        "!t{0}\n=\ntuple<!t{1}>\n", "!t{0} =\n// x\n\n tuple<!t{1}>\n",
        "!t{0} = tuple\n<!t{1}>\n", "!t{0} = tuple // x\n // y\n <!t{1}>\n",
        "!t{0} = () ->\n !t{1}\n!u{0} = tuple<!t{0}>\n",
        "!t{0} = () ->\n tuple<!t{1}>\n", "!t{0} = ()\n -> tuple<!t{1}>\n",
        "!t{0} = tuple<!t{1}> ", "!t{0}\r=\rtuple<!t{1}>\r",
        "!t-{0} = tuple<!t-{1}>\n"}) {
    std::string chain = "!t0 = i32\n!t-0 = i32\n";
    for (int i = 1; i < 1000; ++i)
      chain += llvm::formatv(form, i, i - 1).str();
    bool isDeep = !llvm::StringRef(form).contains("->\n !t");
    EXPECT_EQ(checked(chain).empty(), !isDeep) << form;
  }
  // Operations between aliases are none of their values.
  std::string between = "#a = 1\n" + repeat("{", 300) + repeat("}", 300) +
                        "\n#b = [#a]\n" + repeat("[", 300) + "#a, #b" +
                        repeat("]", 300);
  EXPECT_EQ(checked(between), "");
}

TEST(Nesting, AliasesAreAsDeepAsWhatTheyStandFor) {
  for (const char *sigil : {"#", "!"}) {
    std::string name = sigil + std::string("a");
    std::string base =
        name + " = " + repeat("[", 400) + repeat("]", 400) + "\n";
    auto nested = [&](unsigned depth) {
      return checked(llvm::formatv("{0}x{1}{2}{3}", base, repeat("[", depth),
                                   name, repeat("]", depth)));
    };
    EXPECT_EQ(nested(100), "");
    EXPECT_EQ(nested(101), tooDeep("2:104"));
    std::string chain = name + "0 = i32\n";
    for (int i = 1; i < 600; ++i)
      chain += llvm::formatv("{0}{1} =\n [{0}{2}]\n", name, i, i - 1).str();
    EXPECT_NE(checked(chain), "");
    // Others of that name, and those of dialects.
    std::string other = llvm::formatv("[{0}b, #mli.a<1>]", name);
    EXPECT_EQ(checked(base + repeat(other, 600)), "");
  }
}

TEST(Nesting, PartsAreTextsOfTheirOwn) {
  std::string part = repeat("[", 300);
  EXPECT_EQ(checked(part + "// -----\n" + part, "// -----"), "");
  EXPECT_EQ(checked(part + "// -----\n" + part), tooDeep("2:201"));
}

TEST(Nesting, ZerosAreSpaces) {
  std::string zero(1, '\0');
  EXPECT_EQ(checked("// " + zero + "\n" + repeat("[", 501)), tooDeep("2:501"));
  EXPECT_EQ(checked(repeat("[" + zero, 501)), tooDeep("1:1001"));
  EXPECT_EQ(checked(repeat("[]" + zero, 501)), "");
  EXPECT_EQ(checked(""), "");
}
