// SPDX-License-Identifier: Apache-2.0
//
// The interpreter computes what is written here by hand, and says where a
// program leaves its tensors and where a kernel clips.

#include "../../Fuzz/Interpreter/Interpreter.h"
#include "../../Fuzz/Interpreter/RealKernels.h"
#include "../AllDialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
using testing::ElementsAre;

namespace {

class InterpreterTest : public testing::Test {
protected:
  InterpreterTest() : context(test::allDialects()) {
    context.loadAllAvailableDialects();
  }

  /// The first result of `main` in `text` for `values` of its one argument.
  std::vector<int64_t> run(StringRef text, ArrayRef<int64_t> values,
                           std::vector<RangeNote> *notes = nullptr) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    if (!module)
      return {};
    auto main = cast<func::FuncOp>(module->lookupSymbol("main"));
    Tensor input(cast<RankedTensorType>(main.getArgumentTypes().front()), 0);
    for (auto [i, value] : llvm::enumerate(values))
      input.set(static_cast<int64_t>(i), value);
    std::unique_ptr<Kernels> kernels =
        notes ? createRangeKernels(*notes) : createReferenceKernels();
    auto results = Interpreter(*kernels, 0).run(main, Datum(input));
    if (!results) {
      error = llvm::toString(results.takeError());
      return {};
    }
    std::vector<int64_t> elements;
    const auto &result = std::get<Tensor>(results->front());
    elements.reserve(result.type.getNumElements());
    for (int64_t i = 0; i < result.type.getNumElements(); ++i)
      elements.push_back(result.get(i));
    if (notes)
      for (RangeNote &note : *notes)
        note.op = nullptr; // Gone with the module.
    return elements;
  }

  MLIRContext context;
  std::string error;
};

} // namespace

TEST_F(InterpreterTest, LoopsOfNoRoundHandOnWhatTheyGet) {
  EXPECT_THAT(run(R"(
    func.func @main(%a: tensor<2xi8>) -> tensor<2xi8> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %c0 to %c0 step %c1 iter_args(%x = %a) -> tensor<2xi8> {
        %e = arith.constant dense<9> : tensor<2xi8>
        scf.yield %e : tensor<2xi8>
      }
      return %r : tensor<2xi8>
    })",
                  {3, -4}),
              ElementsAre(3, -4));
}

TEST_F(InterpreterTest, SlicesTakeSteps) {
  EXPECT_THAT(run(R"(
    func.func @main(%a: tensor<5xi8>) -> tensor<5xi8> {
      %s = tensor.extract_slice %a[0] [3] [2] : tensor<5xi8> to tensor<3xi8>
      %r = tensor.insert_slice %s into %a[1] [3] [1] : tensor<3xi8> into tensor<5xi8>
      return %r : tensor<5xi8>
    })",
                  {1, 2, 3, 4, 5}),
              ElementsAre(1, 1, 3, 5, 5));
}

TEST_F(InterpreterTest, ViewsShareElements) {
  EXPECT_THAT(run(R"(
    func.func @main(%a: tensor<4xi8>) -> tensor<4xi8> {
      %m = memref.alloc() : memref<4xi8>
      %b = bufferization.to_buffer %a read_only : tensor<4xi8> to memref<4xi8>
      memref.copy %b, %m : memref<4xi8> to memref<4xi8>
      %odd = memref.subview %m[1] [2] [2] : memref<4xi8> to memref<2xi8, strided<[2], offset: 1>>
      %front = memref.subview %b[0] [2] [1] : memref<4xi8> to memref<2xi8, strided<[1]>>
      memref.copy %front, %odd : memref<2xi8, strided<[1]>> to memref<2xi8, strided<[2], offset: 1>>
      %r = bufferization.to_tensor %m : memref<4xi8> to tensor<4xi8>
      return %r : tensor<4xi8>
    })",
                  {1, 2, 3, 4}),
              ElementsAre(1, 1, 3, 2));
}

TEST_F(InterpreterTest, AccessesOutsideAreErrors) {
  EXPECT_TRUE(run(R"(
    func.func @main(%a: tensor<2xi8>) -> tensor<2xi8> {
      %c2 = arith.constant 2 : index
      %v = arith.constant 1 : i8
      %r = tensor.insert %v into %a[%c2] : tensor<2xi8>
      return %r : tensor<2xi8>
    })",
                  {1, 2})
                  .empty());
  EXPECT_EQ(error, "'tensor.insert' is outside of its tensor");
}

TEST_F(InterpreterTest, OperationsThatAreNotKnownAreErrors) {
  EXPECT_TRUE(run(R"(
    func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %r = math.exp %a : tensor<2xf32>
      return %r : tensor<2xf32>
    })",
                  {1, 2})
                  .empty());
  EXPECT_EQ(error, "'math.exp' is not known to the interpreter");
}

TEST_F(InterpreterTest, MapsWithChannelsFirstAreTheSame) {
  EXPECT_THAT(run(R"(
    !m = tensor<2x1x3x!mli.fx8<0>>
    !r = tensor<2x1x1x!mli.fx8<0>>
    func.func @main(%a: !m) -> !r {
      %e = tensor.empty() : !r
      %r = mli.maxpool ins(%a : !m) outs(%e : !r) kernel [1, 3] pad [0, 0, 0, 0]
             {layout = #mli.map_layout<chw>} -> !r
      return %r : !r
    })",
                  {1, 7, 3, -5, -2, -9}),
              ElementsAre(7, -2));
}

// A channel without weights, whose bias has a tiny scale: the accumulator is
// shifted by at most 8 bits and clipped to 16.
TEST_F(InterpreterTest, DeadChannelsClipAndShowIt) {
  std::vector<RangeNote> notes;
  EXPECT_THAT(run(R"(
    func.func @main(%a: tensor<1x!mli.sa8<1:0:0>>) -> tensor<1x!mli.sa8<1:0:0>> {
      %w = mli.constant dense<0> : tensor<1x1xi8> to tensor<1x1x!mli.sa8<1:22:0>>
      %b = mli.constant dense<400000000> : tensor<1xi32> to tensor<1x!mli.sa32<1:22:0>>
      %e = tensor.empty() : tensor<1x!mli.sa8<1:0:0>>
      %r = mli.fully_connected ins(%a, %w, %b : tensor<1x!mli.sa8<1:0:0>>, tensor<1x1x!mli.sa8<1:22:0>>, tensor<1x!mli.sa32<1:22:0>>)
             outs(%e : tensor<1x!mli.sa8<1:0:0>>) -> tensor<1x!mli.sa8<1:0:0>>
      return %r : tensor<1x!mli.sa8<1:0:0>>
    })",
                  {5}, &notes),
              testing::Not(ElementsAre(95)));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(notes[0].isClipped);
  EXPECT_GT(notes[0].distance, 10);
}

TEST_F(InterpreterTest, RoundingIsNoClipping) {
  std::vector<RangeNote> notes;
  EXPECT_THAT(run(R"(
    func.func @main(%a: tensor<2x!mli.sa8<1:4:0>>) -> tensor<2x!mli.sa8<1:2:0>> {
      %e = tensor.empty() : tensor<2x!mli.sa8<1:2:0>>
      %r = mli.convert ins(%a : tensor<2x!mli.sa8<1:4:0>>) outs(%e : tensor<2x!mli.sa8<1:2:0>>)
             -> tensor<2x!mli.sa8<1:2:0>>
      return %r : tensor<2x!mli.sa8<1:2:0>>
    })",
                  {5, -8}, &notes),
              ElementsAre(1, -2));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_FALSE(notes[0].isClipped);
  EXPECT_LE(notes[0].distance, 0.5);
}
