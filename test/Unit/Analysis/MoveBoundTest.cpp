// SPDX-License-Identifier: Apache-2.0
//
// The bound of moved bytes of networks by hand. Most maps have one column; a
// row of c channels takes 2 c bytes, weights and biases take one byte each.

#include "mli/Analysis/MoveBound.h"

#include "mli/Analysis/MovedBytes.h"

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

class MoveBoundTest : public testing::Test {
protected:
  /// With `bytes` bytes of local memory.
  std::optional<int64_t> find(StringRef source, int64_t bytes,
                              int64_t npus = 1) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, &context);
    if (!module) {
      ADD_FAILURE() << source.str();
      return std::nullopt;
    }
    auto function = *module->getOps<func::FuncOp>().begin();
    least = getMinMovedBytes(function);
    layout::Target target;
    target.npus = npus;
    target.npuBytes = bytes / npus;
    return boundMovedBytes(function, target);
  }

  /// The bytes that move more than once.
  int64_t findAgain(StringRef source, int64_t bytes) {
    std::optional<int64_t> bound = find(source, bytes);
    EXPECT_TRUE(bound) << source.str();
    return bound.value_or(0) - least;
  }

  int64_t least = 0;
  MLIRContext context{test::allDialects()};
};

} // namespace

// MB1
TEST_F(MoveBoundTest, AllMovesOnceWhereMemoryIsLarge) {
  NetworkText text(8, 4);
  TextMap map = text.conv(text.input, {3, 1, 1, 1}, 16);
  std::string source = text.finish({text.conv(text.relu(map), {}, 4)});
  EXPECT_EQ(find(source, 1 << 20), least);
  EXPECT_EQ(least, 64 + (3 * 4 * 16 + 16) + (16 * 4 + 4) + 64);
}

// MB5
TEST_F(MoveBoundTest, WeightsMoveInEachRound) {
  NetworkText text(8, 4);
  std::string source = text.finish({text.conv(text.input, {}, 16)});
  // 80 bytes of weights, a map of 64. Five of its 8 rows fit at one time: 1.6
  // rounds.
  EXPECT_EQ(findAgain(source, 40), 48);
  // All weights stay.
  EXPECT_EQ(findAgain(source, 80), 0);
  // All rows are there.
  EXPECT_EQ(findAgain(source, 64), 0);
}

// MB5
TEST_F(MoveBoundTest, OrTheMapMoves) {
  NetworkText text(64, 2);
  std::string source = text.finish({text.conv(text.input, {}, 32)});
  // 96 bytes of weights, a map of 256. Half of the weights at one time.
  EXPECT_EQ(findAgain(source, 48), 256);
  // Few rows are there at one time, but no fewer than one.
  NetworkText large(2, 64);
  source = large.finish({large.conv(large.input, {}, 64)});
  EXPECT_EQ(findAgain(source, 8), 64 * 64 + 64 - 8);
}

// MB5
TEST_F(MoveBoundTest, OnePositionHasOneRound) {
  NetworkText text(1, 64);
  std::string source = text.finish({text.conv(text.input, {}, 64)});
  EXPECT_EQ(findAgain(source, 16), 0);
  NetworkText dense(8, 8);
  source = dense.finish({dense.dense(dense.input, 32)});
  EXPECT_EQ(findAgain(source, 16), 0);
}

// MB3, MB4
TEST_F(MoveBoundTest, ValuesStayBetweenSegments) {
  NetworkText text(2, 2);
  TextMap map = text.conv(text.input, {}, 32);
  std::string source = text.finish({text.conv(map, {}, 2)});
  // 96 and 66 bytes of weights, which are not there at one time. The first
  // kernel has 8 bytes to read and makes 128.
  EXPECT_EQ(findAgain(source, 162), 0);
  EXPECT_EQ(findAgain(source, 136), 0);
  // Else the map of the first one moves for several parts of its weights, and
  // weights of the second in each round, which is less than to move 128 bytes
  // out and in.
  EXPECT_GT(findAgain(source, 80), 0);
  EXPECT_LT(findAgain(source, 80), 256);
}

// MB6
TEST_F(MoveBoundTest, WhatSumsFollowIsGathered) {
  auto write = [](bool hasRelu, bool sums) {
    NetworkText text(8, 2);
    TextMap map = text.conv(text.input, {}, 32);
    if (hasRelu)
      map = text.relu(map);
    return text.finish({sums ? text.conv(map, {}, 2) : text.pool(map, {2, 2})});
  };
  // The map of 32 bytes is there, and the pool goes on channel by channel.
  EXPECT_EQ(findAgain(write(false, false), 32), 0);
  EXPECT_EQ(findAgain(write(true, false), 32), 0);
  // All weights of both kernels stay, 96 and 66, or 512 bytes and the map.
  EXPECT_GT(findAgain(write(false, true), 90), 0);
  EXPECT_EQ(findAgain(write(true, true), 90),
            findAgain(write(false, true), 90));
}

// MB4
TEST_F(MoveBoundTest, ASkipTakesRoomOrMoves) {
  auto write = [](bool hasSkip) {
    NetworkText text(4, 4);
    TextMap first = text.relu(text.input);
    TextMap map = text.conv(first, {}, 16);
    map = text.conv(text.relu(map), {}, 4);
    return text.finish({hasSkip ? text.add(map, first) : text.relu(map)});
  };
  // 80 and 68 bytes of weights.
  EXPECT_EQ(findAgain(write(true), 148), 0);
  for (int64_t bytes : {40, 64, 96, 128})
    EXPECT_GE(findAgain(write(true), bytes), findAgain(write(false), bytes));
}

// MB1
TEST_F(MoveBoundTest, MemoryIsThatOfAllNpus) {
  NetworkText text(8, 4);
  std::string source = text.finish({text.conv(text.input, {}, 16)});
  EXPECT_EQ(find(source, 40, /*npus=*/4), find(source, 40));
}

// MB2
TEST_F(MoveBoundTest, AWindowReadsWhatIsInIt) {
  // There is no bound where not all of an argument is read.
  auto readsAll = [&](RowTaps window, int64_t rows) {
    NetworkText text(rows, 2);
    return find(text.finish({text.pool(text.input, window)}), 64).has_value();
  };
  EXPECT_TRUE(readsAll({1, 1}, 8));
  EXPECT_TRUE(readsAll({2, 2}, 8));
  EXPECT_FALSE(readsAll({2, 2}, 9));
  EXPECT_TRUE(readsAll({3, 2, 0, 1}, 8));
  EXPECT_TRUE(readsAll({4, 2, 1, 1}, 8));
  EXPECT_FALSE(readsAll({1, 2}, 8));
  EXPECT_FALSE(readsAll({2, 3}, 8));
  EXPECT_TRUE(readsAll({2, 3, 1, 0}, 1));
}

namespace {
const char *const types = "!map = tensor<4x1x4x!mli.fx16<10>>\n"
                          "!half = tensor<2x1x4x!mli.fx16<10>>\n";
std::string relu(StringRef result, StringRef input, StringRef type = "!map") {
  return llvm::formatv(
      "{0}i = tensor.empty() : {2}\n{0} = mli.relu ins({1} : "
      "{2}) outs({0}i : {2}) {{relu = #mli.relu<gen>} -> {2}\n",
      result, input, type);
}
} // namespace

// MB2
TEST_F(MoveBoundTest, ConcatenationsAreWhatIsInThem) {
  std::string source = std::string(types) +
                       "func.func @f(%a: !half, %b: !half) -> !map {\n" +
                       relu("%c", "%a", "!half") + relu("%d", "%b", "!half") +
                       "%e = tensor.concat dim(0) %c, %d : (!half, !half) -> "
                       "!map\n" +
                       relu("%f", "%e") + "return %f : !map\n}\n";
  EXPECT_EQ(find(source, 8), 64);
  EXPECT_EQ(least, 64);
}

// MB2
TEST_F(MoveBoundTest, SlicesMoveNothing) {
  std::string slice = "%s = tensor.extract_slice %a[0, 0, 0] [2, 1, 4] [1, 1, "
                      "1] : !map to !half\n";
  auto write = [&](StringRef sliced) {
    return std::string(types) + "func.func @f(%in: !map) -> !half {\n" +
           relu("%a", "%in") +
           StringRef(slice).str().replace(slice.find("%a"), 2, sliced.str()) +
           relu("%r", "%s", "!half") + "return %r : !half\n}\n";
  };
  EXPECT_EQ(find(write("%a"), 1024), 32 + 16);
  // MB1: of the argument not all moves.
  EXPECT_EQ(find(write("%in"), 1024), std::nullopt);
}

// MB2
TEST_F(MoveBoundTest, EqualConstantsMoveOnce) {
  std::string source = R"(
    !v = tensor<4x!mli.fx16<10>>
    !w = tensor<4x4x!mli.fx8<7>>
    !b = tensor<4x!mli.fx8<5>>
    func.func @f(%in: !v) -> !v {
      %w = mli.constant dense<1> : tensor<4x4xi8> to !w
      %x = mli.constant dense<1> : tensor<4x4xi8> to !w
      %b = mli.constant dense<1> : tensor<4xi8> to !b
      %i = tensor.empty() : !v
      %r = mli.fully_connected ins(%in, %w, %b : !v, !w, !b) outs(%i : !v) -> !v
      %s = mli.fully_connected ins(%r, %x, %b : !v, !w, !b) outs(%i : !v) -> !v
      return %s : !v
    })";
  EXPECT_EQ(find(source, 1024), 8 + 16 + 4 + 8);
}

// MB1
TEST_F(MoveBoundTest, NothingForWhatIsNotCovered) {
  auto write = [](StringRef body) {
    return std::string(types) + "func.func private @g(!map) -> !map\n" +
           "func.func @f(%a: !map, %c: i1, %d: tensor<?x1x4x!mli.fx16<10>>) "
           "-> !map {\n" +
           body.str() + "return %r : !map\n}\n";
  };
  auto findSecond = [&](StringRef body) {
    std::string source = write(body);
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module) << source;
    layout::Target target;
    return boundMovedBytes(module->lookupSymbol<func::FuncOp>("f"), target);
  };
  EXPECT_EQ(findSecond("%r = func.call @g(%a) : (!map) -> !map\n"),
            std::nullopt);
  EXPECT_EQ(findSecond("%r = scf.if %c -> !map { scf.yield %a : !map } else { "
                       "scf.yield %a : !map }\n"),
            std::nullopt);
  EXPECT_EQ(findSecond(relu("%r", "%a")), std::nullopt);
  EXPECT_TRUE(find(std::string(types) + "func.func @f(%a: !map) -> !map {\n" +
                       relu("%r", "%a") + "return %r : !map\n}\n",
                   1024));
}

// MB1
TEST_F(MoveBoundTest, NothingForMoreValuesThanItLooksAt) {
  auto write = [](int64_t count) {
    NetworkText text(2, 2);
    std::vector<TextMap> maps;
    maps.reserve(count);
    for (int64_t i = 0; i < count; ++i)
      maps.push_back(text.relu(text.input));
    TextMap sum = maps.front();
    for (const TextMap &map : llvm::drop_begin(maps))
      sum = text.add(sum, map);
    return text.finish({sum});
  };
  EXPECT_EQ(find(write(6), 1024), least);
  EXPECT_EQ(find(write(7), 1024), std::nullopt);
}

// MB7
TEST_F(MoveBoundTest, MoreMemoryMovesNoMore) {
  NetworkText text(8, 4);
  TextMap first = text.conv(text.input, {3, 1, 1, 1}, 8);
  TextMap map = text.conv(first, {}, 48);
  map = text.conv(text.relu(map), {}, 8);
  map = text.add(map, first);
  map = text.conv(map, {3, 2, 1, 1}, 32);
  std::string source = text.finish({text.dense(map, 4)});
  int64_t last = findAgain(source, 16);
  EXPECT_GT(last, 0);
  for (int64_t bytes = 16; bytes <= 2048; bytes += 16) {
    int64_t again = findAgain(source, bytes);
    EXPECT_LE(again, last) << bytes;
    last = again;
  }
  EXPECT_EQ(last, 0);
}
