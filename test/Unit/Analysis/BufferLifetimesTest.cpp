// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/BufferLifetimes.h"

#include "mli/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;

namespace {
class BufferLifetimesTest : public testing::Test {
protected:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  /// The lifetimes in the function `f` of `source`.
  FailureOr<BufferLifetimes> analyse(StringRef source) {
    module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module);
    return getBufferLifetimes(module->lookupSymbol<func::FuncOp>("f"));
  }

  /// Begin, end and bytes of each range.
  static std::vector<std::vector<int64_t>> list(const BufferLifetimes &all) {
    std::vector<std::vector<int64_t>> ranges;
    for (const LiveRange &range : all.ranges)
      ranges.push_back({range.begin, range.end, range.bytes});
    return ranges;
  }

  MLIRContext context{makeRegistry()};
  OwningOpRef<ModuleOp> module;
};
} // namespace

using testing::ElementsAre;

TEST_F(BufferLifetimesTest, reusesWhatIsFreedAtOnce) {
  // Three buffers, two at a time: the third begins where the first ends.
  auto lifetimes = analyse(R"(
    func.func @f(%arg: memref<10x!mli.fx8<3>>) {
      %a = memref.alloc() : memref<4x!mli.fx16<3>>
      %b = memref.alloc() : memref<2x3xi8>
      memref.dealloc %a : memref<4x!mli.fx16<3>>
      %c = memref.alloc() : memref<7xi8>
      memref.dealloc %c : memref<7xi8>
      memref.dealloc %b : memref<2x3xi8>
      return
    })");
  ASSERT_TRUE(succeeded(lifetimes));
  EXPECT_THAT(list(*lifetimes),
              ElementsAre(ElementsAre(0, 2, 8), ElementsAre(1, 5, 6),
                          ElementsAre(3, 4, 7)));
  EXPECT_EQ(lifetimes->getTotalBytes(), 21);
  EXPECT_EQ(lifetimes->getPeakBytes(), 14);
  EXPECT_EQ(lifetimes->argumentBytes, 10);
  EXPECT_EQ(lifetimes->constantBytes, 0);
}

TEST_F(BufferLifetimesTest, freesBeforeItAllocatesAtOnePosition) {
  BufferLifetimes lifetimes;
  lifetimes.ranges = {{Value(), 0, 5, 100}, {Value(), 5, 9, 60}};
  EXPECT_EQ(lifetimes.getPeakBytes(), 100);
  EXPECT_EQ(BufferLifetimes().getPeakBytes(), 0);
}

TEST_F(BufferLifetimesTest, keepsWhatIsNeverFreed) {
  auto lifetimes = analyse(R"(
    func.func @f() {
      %a = memref.alloca() : memref<4xi8>
      %b = memref.alloc() : memref<5xi32>
      memref.dealloc %b : memref<5xi32>
      return
    })");
  ASSERT_TRUE(succeeded(lifetimes));
  EXPECT_THAT(list(*lifetimes),
              ElementsAre(ElementsAre(0, 4, 4), ElementsAre(1, 2, 20)));
  EXPECT_EQ(lifetimes->getPeakBytes(), 24);
}

TEST_F(BufferLifetimesTest, looksIntoLoops) {
  auto lifetimes = analyse(R"(
    func.func @f(%n: index) {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      scf.for %i = %zero to %n step %one {
        %a = memref.alloc() : memref<4xi8>
        memref.dealloc %a : memref<4xi8>
      }
      return
    })");
  ASSERT_TRUE(succeeded(lifetimes));
  EXPECT_THAT(list(*lifetimes), ElementsAre(ElementsAre(3, 4, 4)));
  EXPECT_EQ(lifetimes->argumentBytes, 0);
}

TEST_F(BufferLifetimesTest, countsEqualConstantsOnce) {
  auto lifetimes = analyse(R"(
    memref.global "private" constant @g : memref<3xi16> = dense<[1, 2, 3]>
    func.func @f() {
      %a = mli.constant dense<[1, 2]> : tensor<2xi32>
             to memref<2x!mli.sa32<1:0:0>>
      %b = mli.constant dense<[1, 2]> : tensor<2xi32>
             to memref<2x!mli.sa32<3:1:0>>
      %c = mli.constant dense<[1, 3]> : tensor<2xi32>
             to memref<2x!mli.sa32<1:0:0>>
      %g = memref.get_global @g : memref<3xi16>
      return
    })");
  ASSERT_TRUE(succeeded(lifetimes));
  EXPECT_EQ(lifetimes->constantBytes, 8 + 8 + 6);
}

TEST_F(BufferLifetimesTest, failsWhereASizeIsNotKnown) {
  EXPECT_TRUE(failed(analyse(R"(
    func.func @f(%n: index) {
      %a = memref.alloc(%n) : memref<?xi8>
      memref.dealloc %a : memref<?xi8>
      return
    })")));
}
