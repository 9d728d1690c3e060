// SPDX-License-Identifier: Apache-2.0
//
// The bound of the arena of networks by hand. Most maps have one column; a row
// of c channels takes 2 c bytes.

#include "mli/Analysis/ArenaBound.h"

#include "../AllDialects.h"
#include "NetworkText.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;
using mli::test::NetworkText;
using mli::test::RowTaps;
using mli::test::TextMap;

namespace {

class ArenaBoundTest : public testing::Test {
protected:
  std::optional<ArenaBound> find(StringRef source,
                                 const ArenaBoundOptions &options = {}) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, &context);
    if (!module) {
      ADD_FAILURE() << source.str();
      return std::nullopt;
    }
    return getArenaBound(*module->getOps<func::FuncOp>().begin(), options);
  }
  int64_t boundOf(StringRef source) { return find(source)->bytes; }
  int64_t wholeOf(StringRef source) { return find(source)->wholeBytes; }

  /// On up to `stripes` stripes of up to `kernels` kernels.
  int64_t boundOnStripes(StringRef source, int64_t stripes, int64_t again,
                         size_t kernels = 8) {
    ArenaBoundOptions options;
    options.stripes = stripes;
    options.again = again;
    options.stripedKernels = kernels;
    return find(source, options)->bytes;
  }

  /// Of a first convolution to `channels` channels and `window` behind it, of 1
  /// channel.
  int64_t boundOfWindow(RowTaps window, int64_t rows, int64_t channels) {
    NetworkText text(rows, 1);
    TextMap map = text.conv(text.input, {}, channels);
    return boundOf(text.finish({text.conv(map, window, 1)}));
  }

  MLIRContext context{test::allDialects()};
};

} // namespace

// I3
TEST_F(ArenaBoundTest, ArgumentsAndResultsAreTheCallers) {
  NetworkText text(8, 4);
  std::string source = text.finish({text.relu(text.input)});
  EXPECT_EQ(boundOf(source), 0);
  EXPECT_EQ(wholeOf(source), 0);
  // 64 bytes each, and the second is not computed over the first.
  NetworkText other(8, 4);
  source = other.finish({other.conv(other.input, {}, 4)});
  ArenaBoundOptions options;
  options.countsPorts = true;
  EXPECT_EQ(find(source, options)->wholeBytes, 128 + 16 + 4);
}

// I4
TEST_F(ArenaBoundTest, OneRowOfWhatIsReadByRows) {
  EXPECT_EQ(boundOfWindow({}, 8, 4), 8);
}

// I4
TEST_F(ArenaBoundTest, RowsOfAWindow) {
  // 3 rows of 8 bytes.
  EXPECT_EQ(boundOfWindow({3, 1, 1, 1}, 8, 4), 24);
  EXPECT_EQ(boundOfWindow({3, 2, 1, 1}, 8, 4), 24);
  EXPECT_EQ(boundOfWindow({3, 3, 0, 0}, 9, 4), 24);
  // 5 rows, and 7.
  EXPECT_EQ(boundOfWindow({5, 1, 2, 2}, 8, 4), 40);
  EXPECT_EQ(boundOfWindow({7, 3, 3, 3}, 12, 4), 56);
  // A window that steps over rows.
  EXPECT_EQ(boundOfWindow({1, 3, 0, 0}, 8, 4), 8);
}

// I4
TEST_F(ArenaBoundTest, RowsOfADilatedWindow) {
  // 2 distances of 2 rows, and one row.
  EXPECT_EQ(boundOfWindow({3, 1, 2, 2, 2}, 9, 4), 40);
}

// I4
TEST_F(ArenaBoundTest, AsymmetricPaddingIsNoRow) {
  EXPECT_EQ(boundOfWindow({4, 2, 0, 3}, 8, 4), 32);
  // The first window has 3 rows in padding, and the second one.
  EXPECT_EQ(boundOfWindow({4, 4, 3, 1}, 4, 4), 24);
}

// I4
TEST_F(ArenaBoundTest, AWindowHigherThanItsMapReadsAllOfIt) {
  EXPECT_EQ(boundOfWindow({7, 1, 3, 3}, 4, 4), 32);
}

// I4, I5
TEST_F(ArenaBoundTest, RingsStayWhileRowsComeAndGo) {
  NetworkText text(16, 1);
  TextMap a = text.conv(text.input, {}, 4);
  TextMap b = text.conv(a, {3, 1, 1, 1}, 8);
  TextMap c = text.conv(b, {}, 16);
  TextMap d = text.conv(c, {3, 1, 1, 1}, 2);
  // Rings: 3 rows of 8 bytes of a, and of 32 of c. A row of 16 of b.
  EXPECT_EQ(boundOf(text.finish({d})), 24 + 96 + 16);
}

// I4
TEST_F(ArenaBoundTest, RowsOfASkipWaitForThePathBesideIt) {
  NetworkText text(8, 1);
  TextMap a = text.conv(text.input, {}, 4);
  TextMap b = text.conv(a, {}, 6);
  TextMap c = text.conv(b, {3, 1, 1, 1}, 4);
  std::string source = text.finish({text.add(a, c)});
  // For row r of the sum c needs row r + 1 of b, and so of a: 2 rows of 8 bytes
  // of a, a ring of 3 rows of 12 of b, and a row of 8 of c.
  EXPECT_EQ(boundOf(source), 16 + 36 + 8);
  // a, b and c are there at once.
  EXPECT_EQ(wholeOf(source), 64 + 96 + 64);
}

// I4
TEST_F(ArenaBoundTest, AWindowAndASkipShareTheirRows) {
  NetworkText text(12, 1);
  TextMap a = text.conv(text.input, {}, 4);
  TextMap b = text.conv(a, {3, 1, 1, 1}, 6);
  TextMap c = text.conv(b, {5, 1, 2, 2}, 4);
  // For row r of the sum b is there to row r + 2, and a to r + 3: 4 rows of a;
  // 5 rows of b, and one of c.
  EXPECT_EQ(boundOf(text.finish({text.add(a, c)})), 32 + 60 + 8);
}

// I3
TEST_F(ArenaBoundTest, WhatIsUsedOutsideOfAStreamIsWhole) {
  NetworkText text(8, 1);
  TextMap a = text.conv(text.input, {}, 4);
  TextMap b = text.conv(a, {3, 1, 1, 1}, 3);
  // b is whole, 48 bytes, and 3 rows of a are there.
  EXPECT_EQ(boundOf(text.finish({text.dense(b, 2)})), 24 + 48);
}

// I2
TEST_F(ArenaBoundTest, WhatIsNoMapIsInNoStream) {
  NetworkText text(8, 1);
  TextMap a = text.conv(text.input, {}, 4);
  TextMap b = text.dense(a, 5);
  // a whole and b.
  EXPECT_EQ(boundOf(text.finish({text.dense(b, 1)})), 64 + 10);
}

// I6
TEST_F(ArenaBoundTest, ACutIsLessThanManyRings) {
  NetworkText text(4, 1);
  TextMap map = text.conv(text.input, {}, 4);
  for (int i = 0; i < 6; ++i)
    map = text.conv(map, {3, 1, 1, 1}, 4);
  // A ring takes 24 of the 32 bytes of its map: two whole maps are less than
  // six rings, or than one map and three rings.
  EXPECT_EQ(boundOf(text.finish({map})), 64);
}

// I5
TEST_F(ArenaBoundTest, KernelsComputeInPlace) {
  NetworkText text(8, 1);
  TextMap a = text.conv(text.input, {}, 4);
  TextMap b = text.relu(a);
  std::string source = text.finish({text.dense(b, 1)});
  EXPECT_EQ(wholeOf(source), 64);
  EXPECT_EQ(boundOf(source), 64);
  // Not over what is used again.
  NetworkText other(8, 1);
  a = other.conv(other.input, {}, 4);
  b = other.relu(a);
  EXPECT_EQ(wholeOf(other.finish({other.dense(b, 1), other.dense(a, 1)})), 128);
}

// I3
TEST_F(ArenaBoundTest, SlicesOfOneTensorAreOneBuffer) {
  // Each half takes 32 bytes in front of the first insertion; then the 64 of
  // the tensor count.
  std::optional<ArenaBound> bound = find(R"(
    !half = tensor<4x1x4x!mli.fx16<10>>
    !map = tensor<8x1x4x!mli.fx16<10>>
    !row = tensor<1x1x4x!mli.fx16<10>>
    func.func @f(%a: !half, %b: !half) -> !row {
      %i = tensor.empty() : !half
      %j = tensor.empty() : !half
      %m = tensor.empty() : !map
      %o = tensor.empty() : !row
      %x = mli.relu ins(%a : !half) outs(%i : !half) {relu = #mli.relu<relu6>} -> !half
      %y = mli.relu ins(%b : !half) outs(%j : !half) {relu = #mli.relu<relu6>} -> !half
      %n = tensor.insert_slice %x into %m[0, 0, 0] [4, 1, 4] [1, 1, 1] : !half into !map
      %k = tensor.insert_slice %y into %n[4, 0, 0] [4, 1, 4] [1, 1, 1] : !half into !map
      %p = mli.maxpool ins(%k : !map) outs(%o : !row) kernel [8, 1] pad [0, 0, 0, 0] -> !row
      return %p : !row
    })");
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->wholeBytes, 64);
  EXPECT_EQ(bound->bytes, 64);
}

// I3
TEST_F(ArenaBoundTest, ACallTakesWhatItsFunctionTakes) {
  const char *source = R"(
    !map = tensor<8x1x4x!mli.fx16<10>>
    func.func @f(%a: !map, %b: !map) -> !map {
      %i = tensor.empty() : !map
      %x = mli.eltwise_add ins(%a, %b : !map, !map) outs(%i : !map) -> !map
      %y = call @g(%x) : (!map) -> !map
      return %y : !map
    }
    func.func private @g(!map) -> !map)";
  EXPECT_EQ(boundOf(source), 64);
  llvm::StringMap<int64_t> callees = {{"g", 100}};
  ArenaBoundOptions options;
  options.callees = &callees;
  EXPECT_EQ(find(source, options)->bytes, 164);
}

// I7
TEST_F(ArenaBoundTest, StripesComputeSomeColumnsAgain) {
  NetworkText text(8, 1, /*columns=*/8);
  TextMap a = text.conv(text.input, {}, 4);
  std::string source =
      text.finish({text.conv(a, {3, 1, 1, 1}, 1, {3, 1, 1, 1})});
  // A row of a column takes 8 bytes, and 3 rows are there.
  EXPECT_EQ(boundOf(source), 3 * 8 * 8);
  // Two stripes have 5 columns each: 2 of 8 rows, 4 channels and one product
  // are computed again.
  EXPECT_EQ(boundOnStripes(source, 2, 63), 3 * 8 * 8);
  EXPECT_EQ(boundOnStripes(source, 2, 64), 3 * 5 * 8);
  // Stripes of one column have 3.
  EXPECT_EQ(boundOnStripes(source, 8, 1000), 3 * 3 * 8);
  // Of so many kernels there are none.
  EXPECT_EQ(boundOnStripes(source, 8, 1000, /*kernels=*/1), 3 * 8 * 8);
}

// I7
TEST_F(ArenaBoundTest, AllStreamsTogetherComputeSoMuchAgain) {
  // Two times the same, with all of a map in between.
  NetworkText text(8, 1, /*columns=*/8);
  TextMap a = text.conv(text.input, {}, 4);
  TextMap b = text.conv(a, {3, 1, 1, 1}, 1, {3, 1, 1, 1});
  TextMap c = text.dense(b, 1);
  NetworkText other = text;
  std::string one = text.finish({c});
  a = other.conv(other.input, {}, 4);
  b = other.conv(a, {3, 1, 1, 1}, 1, {3, 1, 1, 1});
  std::string two = other.finish({c, other.dense(b, 1)});
  // b takes 128 bytes.
  int64_t whole = 3 * 8 * 8 + 128, striped = 3 * 5 * 8 + 128;
  EXPECT_EQ(boundOnStripes(one, 2, 64), striped);
  EXPECT_EQ(boundOnStripes(two, 2, 64), whole);
  EXPECT_EQ(boundOnStripes(two, 2, 128), striped);
}

// I7
TEST_F(ArenaBoundTest, AStripeIsCutAsWell) {
  NetworkText text(8, 1, /*columns=*/4);
  TextMap a = text.conv(text.input, {}, 4);
  TextMap b = text.conv(a, {7, 1, 0, 0}, 1);
  TextMap c = text.conv(b, {}, 16);
  std::string source = text.finish({text.conv(c, {2, 1, 0, 0}, 1)});
  // On two columns 7 rows of a take 112 bytes, all of b 8, and that of c 128: a
  // is not needed any more when c is computed.
  EXPECT_EQ(boundOnStripes(source, 2, 0), 8 + 128);
}

// I1
TEST_F(ArenaBoundTest, ThereIsNoneOfUnknownSizes) {
  EXPECT_FALSE(find(R"(
    !map = tensor<?x1x4x!mli.fx16<10>>
    func.func @f(%a: !map, %i: !map) -> !map {
      %x = mli.relu ins(%a : !map) outs(%i : !map) {relu = #mli.relu<relu6>} -> !map
      return %x : !map
    })"));
}

// I1
TEST_F(ArenaBoundTest, ThereIsNoneOfLoops) {
  EXPECT_FALSE(find(R"(
    !map = tensor<8x1x4x!mli.fx16<10>>
    func.func @f(%a: !map, %n: index) -> !map {
      %x = scf.for %i = %n to %n step %n iter_args(%m = %a) -> !map {
        scf.yield %m : !map
      }
      return %x : !map
    })"));
}

// I1
TEST_F(ArenaBoundTest, ThereIsNoneOfKernelsThatChangeArguments) {
  EXPECT_FALSE(find(R"(
    !map = tensor<8x1x4x!mli.fx16<10>>
    func.func @f(%a: !map, %i: !map) -> !map {
      %x = mli.relu ins(%a : !map) outs(%i : !map) {relu = #mli.relu<relu6>} -> !map
      return %x : !map
    })"));
}

// I1
TEST_F(ArenaBoundTest, WhatNothingUsesIsNotComputed) {
  NetworkText text(8, 4);
  TextMap a = text.conv(text.input, {}, 4);
  TextMap b = text.conv(a, {}, 4);
  text.conv(a, {7, 1, 3, 3}, 4);
  // A row of a, which the last one would keep 7 of.
  EXPECT_EQ(boundOf(text.finish({b})), 8);
}

// I1
TEST_F(ArenaBoundTest, ThereIsNoneOfSeveralBlocks) {
  EXPECT_FALSE(find(R"(
    func.func @f() {
      cf.br ^next
    ^next:
      return
    })"));
}
