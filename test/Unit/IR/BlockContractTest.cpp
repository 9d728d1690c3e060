// SPDX-License-Identifier: Apache-2.0
//
// Blocks, moves and conversions, which the table of kernels has no rows for:
// the verifier and the runtime judge them as `mli/Quant` does, and where one of
// them asks for less, that is said here.

#include "../Runtime/TestTensor.h"

#include "mli/Contract/Blocks.h"
#include "mli/Contract/Memory.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/MLI.h"
#include "mli/Runtime/C/mli_api.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace mlir;
using namespace mli;
using namespace mli::test;
using contract::MovedDim;

namespace {

class BlockContractTest : public testing::Test {
protected:
  BlockContractTest()
      : silent(&context, [](Diagnostic &) { return success(); }),
        builder(&context), module(ModuleOp::create(loc())) {
    context.loadDialect<MLIDialect, tensor::TensorDialect>();
    builder.setInsertionPointToEnd(module->getBody());
  }

  Location loc() { return UnknownLoc::get(&context); }
  Value makeTensor(Type element, int64_t size) {
    return tensor::EmptyOp::create(
        builder, loc(), RankedTensorType::get({size}, element), ValueRange());
  }

  /// Whether the verifier takes a move along `dim` to `written` elements.
  bool verifies(const MovedDim &dim, int64_t written) {
    Type fx8 = Fx8Type::get(&context, 3);
    auto move = MovOp::create(builder, loc(), makeTensor(fx8, dim.extent),
                              makeTensor(fx8, written));
    move.setOffsets({dim.offset});
    if (dim.size != 0)
      move.setSizes({dim.size});
    move.setPadLow({dim.padLow});
    move.setPadHigh({dim.padHigh});
    move.setSteps({dim.step});
    bool isGood = succeeded(verify(move));
    move.erase();
    return isGood;
  }

  MLIRContext context;
  ScopedDiagnosticHandler silent;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

using Codes = TestTensor<int8_t, MLI_EL_FX_8>;

mli_status cutInRuntime(int64_t extent, const contract::Block &block) {
  Codes in({static_cast<uint32_t>(extent)});
  Codes out({1});
  mli_sub_tensor_cfg cfg = {};
  cfg.offset[0] = static_cast<uint32_t>(block.offset);
  cfg.size[0] = static_cast<uint32_t>(block.size);
  cfg.sub_tensor_rank = 1;
  return mli_hlp_create_subtensor(in, &cfg, out);
}

/// The elements that the runtime writes; nothing if it refuses the move.
std::optional<int64_t> moveInRuntime(const MovedDim &dim) {
  Codes in({static_cast<uint32_t>(dim.extent)});
  Codes out({16});
  mli_mov_cfg_t cfg;
  mli_mov_cfg_for_copy(&cfg);
  cfg.offset[0] = static_cast<uint32_t>(dim.offset);
  cfg.size[0] = static_cast<uint32_t>(dim.size);
  cfg.padding_pre[0] = static_cast<uint8_t>(dim.padLow);
  cfg.padding_post[0] = static_cast<uint8_t>(dim.padHigh);
  cfg.sub_sample_step[0] = static_cast<uint32_t>(dim.step);
  if (mli_mov_tensor_sync(in, &cfg, out) != MLI_STATUS_OK)
    return std::nullopt;
  return out->shape[0];
}

// V2
TEST_F(BlockContractTest, BlocksEndInTheirSource) {
  for (int64_t extent = 1; extent <= 3; ++extent)
    for (int64_t offset = 0; offset <= 4; ++offset)
      for (int64_t size = 1; size <= 4; ++size) {
        contract::Block block = {offset, size};
        std::string source =
            llvm::formatv("module {{ %s = tensor.empty() : "
                          "tensor<{0}x!mli.fx8<3>> %b = mli.subtensor "
                          "%s[{1}] [{2}] : tensor<{0}x!mli.fx8<3>> to "
                          "tensor<{2}x!mli.fx8<3>> }",
                          extent, offset, size);
        bool isGood =
            static_cast<bool>(parseSourceString<ModuleOp>(source, &context));
        EXPECT_EQ(isGood, block.endsIn(extent)) << source;
        EXPECT_EQ(cutInRuntime(extent, block) == MLI_STATUS_OK,
                  block.endsIn(extent))
            << source;
      }
}

// The runtime has no tensor without elements either.
TEST_F(BlockContractTest, EmptyBlocksStartInTheirSource) {
  for (int64_t offset = 0; offset <= 4; ++offset)
    EXPECT_EQ(cutInRuntime(3, {offset, 0}) == MLI_STATUS_OK,
              contract::Block::ofOneAtLeast(offset, 0).endsIn(3));
}

// Both know how much is written. Where it comes from is asked by the verifier
// alone: a call that reads beyond its source gets zeros.
// D16, D17, K33, K35
TEST_F(BlockContractTest, MovesWriteWhatTheyTake) {
  for (int64_t extent = 1; extent <= 3; ++extent)
    for (int64_t offset = 0; offset <= 5; ++offset)
      for (int64_t size = 0; size <= 5; ++size)
        for (int64_t padding = 0; padding <= 3; ++padding)
          for (int64_t step = 1; step <= 3; ++step) {
            MovedDim dim = {extent,      offset,       size,
                            padding & 1, padding >> 1, step};
            bool isInSource = contract::Block::ofOneAtLeast(offset, size)
                                  .endsIn(dim.padded());
            int64_t count = dim.count();
            for (int64_t written : {count - 1, count, count + 1})
              if (written > 0)
                EXPECT_EQ(verifies(dim, written),
                          isInSource && written == count);
            std::optional<int64_t> moved = moveInRuntime(dim);
            EXPECT_EQ(moved.has_value(), count > 0);
            EXPECT_EQ(moved.value_or(count), count);
          }
}

/// Two elements of a type, which `convertInPlace` has at one address.
struct Format {
  mli_element_type type;
  uint32_t bytes;
};

mli_status convertInPlace(const Format &from, const Format &to) {
  alignas(4) int8_t memory[8] = {};
  auto describe = [&](const Format &format) {
    mli_tensor made;
    std::memset(&made, 0, sizeof(made));
    made.el_type = format.type;
    made.rank = 1;
    made.shape[0] = 2;
    made.mem_stride[0] = 1;
    made.data.capacity = 2 * format.bytes;
    made.data.mem.pi8 = memory;
    if (format.type == MLI_EL_SA_8 || format.type == MLI_EL_SA_32) {
      made.el_params.sa.dim = -1;
      made.el_params.sa.scale.mem.i16 = 1;
    }
    return made;
  };
  mli_tensor src = describe(from), dst = describe(to);
  return mli_hlp_convert_tensor(&src, &dst);
}

// E10
TEST_F(BlockContractTest, ConversionsOfOneSizeMayBeInPlace) {
  quant::QuantParams one = {1, 0, 0};
  struct {
    Type type;
    Format format;
  } const types[] = {
      {Fx8Type::get(&context, 0), {MLI_EL_FX_8, 1}},
      {Fx16Type::get(&context, 0), {MLI_EL_FX_16, 2}},
      {Sa8Type::get(&context, one), {MLI_EL_SA_8, 1}},
      {Sa32Type::get(&context, one), {MLI_EL_SA_32, 4}},
      {Float32Type::get(&context), {MLI_EL_FP_32, 4}},
  };
  for (const auto &from : types)
    for (const auto &to : types) {
      if (from.format.type == to.format.type)
        continue;
      bool isInPlace = contract::sharingOfConversion(8 * from.format.bytes,
                                                     8 * to.format.bytes) ==
                       contract::Sharing::InPlace;
      auto convert = ConvertOp::create(builder, loc(), makeTensor(from.type, 2),
                                       makeTensor(to.type, 2));
      EXPECT_EQ(mayComputeInPlace(convert->getOpOperand(0)), isInPlace);
      EXPECT_EQ(convertInPlace(from.format, to.format) == MLI_STATUS_OK,
                isInPlace);
    }
}

} // namespace
