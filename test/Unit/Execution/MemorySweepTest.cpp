// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/MemorySweep.h"

#include "../AllDialects.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;
using testing::ElementsAre;
using testing::HasSubstr;

/// A sum of three buffers of any size.
static const char network[] = R"mlir(
  !map = tensor<8x8x8x!mli.fx8<3>>
  func.func @sum(%a: !map, %b: !map) -> !map {
    %init = tensor.empty() : !map
    %sum = mli.eltwise_add ins(%a, %b : !map, !map) outs(%init : !map) -> !map
      loc(fused<"operator 4 (ADD)">["total"])
    return %sum : !map
}
)mlir";

namespace {
class MemorySweepTest : public testing::Test {
protected:
  MemorySweep sweep(std::string_view targetText) {
    std::string error;
    std::optional<layout::Target> target =
        layout::parseTarget(targetText, error);
    EXPECT_TRUE(target) << error;
    CompileOptions options;
    options.entries = {"sum"};
    return MemorySweep(*module, options, *target,
                       [&](int64_t size) { compiled.push_back(size); });
  }

  MLIRContext context{test::allDialects()};
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(network, &context);
  std::vector<int64_t> compiled;
};
} // namespace

TEST_F(MemorySweepTest, FindsTheSizeThatTheBindingKernelNeeds) {
  MemorySweep sizes = sweep("vpx");
  const SweepPoint *least = sizes.findLeast();
  ASSERT_TRUE(least);
  // Three elements, each in a unit of 16 bytes.
  EXPECT_EQ(least->npuBytes, 48);
  EXPECT_TRUE(least->fits());
  EXPECT_THAT(compiled, ElementsAre(16, 48, 32));
  ASSERT_TRUE(least->binding);
  EXPECT_EQ(least->binding->kernel, "eltwise_add \"total\" (operator 4)");
  EXPECT_EQ(least->binding->npuBytes, 48);
}

TEST_F(MemorySweepTest, SaysWhyASizeDoesNotFitAndEmitsNothing) {
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    ADD_FAILURE() << diagnostic.str();
    return success();
  });
  MemorySweep sizes = sweep("vpx");
  const SweepPoint &point = sizes.compile(32);
  EXPECT_FALSE(point.fits());
  EXPECT_THAT(point.reason, HasSubstr("fits from 48 bytes of each NPU on"));
}

TEST_F(MemorySweepTest, CompilesASizeOnce) {
  MemorySweep sizes = sweep("vpx");
  const SweepPoint &point = sizes.compile(4096);
  EXPECT_EQ(&sizes.compile(4096), &point);
  EXPECT_THAT(compiled, ElementsAre(4096));
  ASSERT_TRUE(point.fits());
  // Three maps of 512 bytes.
  EXPECT_EQ(point.memory->movedInBytes, 1024);
  EXPECT_EQ(point.memory->movedOutBytes, 512);
}

TEST_F(MemorySweepTest, StepsAreThoseOfTheTarget) {
  // Of units of 128 bytes, 8 banks and copies of 4 bytes.
  EXPECT_EQ(sweep("bm1684").getStep(), 128);
  EXPECT_EQ(sweep("bm1684").getMax(), int64_t(1) << 26);
  EXPECT_EQ(sweep("custom,npus=1,npu-bytes=48,unit=16,banks=3").getStep(), 48);
  // The most of these that 32 bits address.
  EXPECT_EQ(sweep("custom,npus=1,npu-bytes=48,unit=16,banks=3").getMax(),
            4294967280);
}

TEST_F(MemorySweepTest, FindsNothingThatNoSizeFits) {
  CompileOptions options;
  options.entries = {"sum"};
  options.local.overrides = "/nowhere/costs.json";
  MemorySweep none(*module, options, layout::Target(), nullptr);
  EXPECT_FALSE(none.findLeast());
}
