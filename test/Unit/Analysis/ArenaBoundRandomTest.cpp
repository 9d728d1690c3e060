// SPDX-License-Identifier: Apache-2.0
//
// No program of ours takes fewer bytes than the bound: random networks, formed
// into streams, with their places in the arena.

#include "mli/Analysis/ArenaBound.h"
#include "mli/Analysis/StreamRecord.h"

#include "../AllDialects.h"
#include "NetworkText.h"

#include "mli/IR/AttributeNames.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace mli;
using mli::test::NetworkText;
using mli::test::RowTaps;
using mli::test::TextMap;

namespace {

class NetworkGenerator {
public:
  explicit NetworkGenerator(uint32_t seed) : random(seed) {}

  /// A network of maps with several `columns`, or with one.
  std::string make(bool columns) {
    int64_t rows = pick(4, 24), channels = pickChannels();
    NetworkText text(rows, channels, columns ? pick(4, 16) : 1);
    TextMap map = text.conv(text.input, {}, pickChannels());
    for (int64_t left = pick(2, 9); left > 0; --left)
      map = pick(0, 3) == 0 ? branch(text, map) : layer(text, map);
    return text.finish({map});
  }

private:
  /// The same numbers from any library.
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % (to - from + 1));
  }

  /// Rows of 16 bytes, or twice that and so on, so that alignment takes
  /// nothing.
  int64_t pickChannels() { return 8 * pick(1, 6); }

  RowTaps pickWindow(int64_t rows) {
    RowTaps window;
    window.taps = pick(1, 7);
    window.top = pick(0, window.taps - 1);
    window.bottom = pick(0, window.taps - 1);
    window.stride = pick(1, std::min<int64_t>(3, window.taps));
    if (window.taps == 3 && window.stride == 1)
      window.dilation = pick(1, 2);
    return window.getResults(rows) > 0 &&
                   rows + window.top + window.bottom >=
                       (window.taps - 1) * window.dilation + 1
               ? window
               : RowTaps();
  }

  TextMap layer(NetworkText &text, const TextMap &map) {
    RowTaps window = pickWindow(map.rows);
    RowTaps across = map.columns > 1 ? pickWindow(map.columns) : RowTaps();
    switch (pick(0, 3)) {
    case 0:
      return text.relu(map);
    case 1:
      window.dilation = 1;
      return text.pool(map,
                       window.getResults(map.rows) > 0 ? window : RowTaps());
    default:
      return text.conv(map, window, pickChannels(), across);
    }
  }

  /// A skip, of a kernel or of none, beside two kernels.
  TextMap branch(NetworkText &text, const TextMap &map) {
    int64_t half = pick(1, 3), channels = pickChannels();
    RowTaps same = {2 * half + 1, 1, half, half};
    RowTaps across = map.columns > 1 ? same : RowTaps();
    TextMap path = text.conv(map, pick(0, 1) ? RowTaps() : same, channels);
    path = text.conv(path, same, map.channels, across);
    TextMap skip = pick(0, 2) == 0 ? text.conv(map, {}, map.channels) : map;
    return text.add(skip, path);
  }

  std::mt19937 random;
};

class ArenaBoundRandomTest : public testing::TestWithParam<uint32_t> {
protected:
  /// The kernels of `source` in the order that they run in; null on failure.
  OwningOpRef<ModuleOp> makeOrdered(StringRef source) {
    auto module = parseSourceString<ModuleOp>(source, &context);
    PassManager passes(&context);
    buildTensorPipeline(passes);
    if (module && failed(passes.run(*module)))
      return nullptr;
    return module;
  }

  /// The arena of `module`, which becomes buffers; -1 on failure.
  int64_t getArena(ModuleOp module, ArenaLimit arena, int64_t recompute = 0) {
    PassManager passes(&context);
    PackingOptions options;
    options.arena = arena;
    options.recompute = recompute;
    buildBufferPipeline(passes, options);
    if (failed(passes.run(module)))
      return -1;
    auto bytes = module->getAttrOfType<IntegerAttr>(arenaBytesAttrName);
    return bytes ? bytes.getInt() : 0;
  }

  MLIRContext context{test::allDialects()};
};

} // namespace

// I6
TEST_P(ArenaBoundRandomTest, NoProgramTakesFewerBytes) {
  for (uint32_t i = 0; i < 10; ++i) {
    std::string source =
        NetworkGenerator(GetParam() * 10 + i).make(/*columns=*/false);
    OwningOpRef<ModuleOp> module = makeOrdered(source);
    ASSERT_TRUE(module) << source;
    auto bound = getArenaBound(*module->getOps<func::FuncOp>().begin());
    ASSERT_TRUE(bound) << source;
    EXPECT_LE(bound->bytes, bound->wholeBytes) << source;
    OwningOpRef<ModuleOp> plain = module->clone();
    int64_t whole = getArena(*plain, ArenaLimit());
    EXPECT_LE(bound->wholeBytes, whole) << source;
    int64_t least = getArena(*module, ArenaLimit::least());
    ASSERT_GE(least, 0) << source;
    EXPECT_LE(bound->bytes, least) << source;
  }
}

// I7
TEST_P(ArenaBoundRandomTest, NoProgramOfStripesTakesFewerBytes) {
  static constexpr int64_t percents[] = {2, 20, 100};
  int64_t recompute = percents[GetParam() % std::size(percents)];
  for (uint32_t i = 0; i < 5; ++i) {
    std::string source =
        NetworkGenerator(GetParam() * 5 + i).make(/*columns=*/true);
    OwningOpRef<ModuleOp> module = makeOrdered(source);
    ASSERT_TRUE(module) << source;
    int64_t least = getArena(*module, ArenaLimit::least(), recompute);
    ASSERT_GE(least, 0) << source;
    auto record = ArenaRecord::get(*module->getOps<func::FuncOp>().begin());
    ASSERT_TRUE(record && record->boundBytes) << source;
    EXPECT_LE(*record->boundBytes, std::min(least, record->bytes)) << source;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ArenaBoundRandomTest,
                         testing::Range<uint32_t>(0, 20));
