// SPDX-License-Identifier: Apache-2.0
//
// Packed layers against the reference, by every instruction set, in either
// order and with any number of threads.

#include "../Reference/WeightedCase.h"
#include "../TestTensor.h"
#include "PackedMemory.h"

#include "Runtime/Simd/Caches.h"

using namespace mli::test;

namespace {

/// `count` rows of `map` from `first` on.
mli_tensor getRows(const mli_tensor &map, int64_t first, int64_t count) {
  mli_tensor rows = map;
  int64_t bytes =
      first * map.mem_stride[0] * (map.el_type == MLI_EL_SA_8 ? 1 : 2);
  rows.data.mem.pi8 += bytes;
  rows.data.capacity -= static_cast<uint32_t>(bytes);
  rows.shape[0] = static_cast<uint32_t>(count);
  return rows;
}

/// Runs `count` rows of the output of a convolution, from `first` on, on the
/// rows of the input that they see.
mli_status runRows(ConvolutionCase &c, const mli_data_container *packed,
                   int threads, int64_t first, int64_t count) {
  const mli_conv2d_cfg &cfg = c.cfg;
  int64_t taps = c.weights->shape[0];
  int64_t begin = first * cfg.stride_height - cfg.padding_top;
  int64_t end = begin + (count - 1) * cfg.stride_height +
                (taps - 1) * cfg.dilation_height + 1;
  int64_t height = c.in->shape[0];
  mli_packed_rows rows = {
      static_cast<uint8_t>(std::max<int64_t>(-begin, 0)),
      static_cast<uint8_t>(std::max<int64_t>(end - height, 0))};
  begin = std::max<int64_t>(begin, 0);
  mli_tensor in = getRows(*c.in, begin, std::min(end, height) - begin);
  mli_tensor out = getRows(*c.out, first, count);
  // A caller may check each band, or rows once.
  if (count > 1)
    return mli_krn_packed_rows(&in, packed, &rows, threads, &out);
  mli_status status = mli_check_packed_rows(&in, packed, &rows, &out);
  return status == MLI_STATUS_OK
             ? mli_krn_packed_rows_unchecked(&in, packed, &rows, threads, &out)
             : status;
}

/// Packs and runs a layer on every target, which all have to compute
/// `expected`, of the same bytes. Returns how many had a packed form.
template <typename Pack, typename Run>
int expectPacked(Random &random, ProductOperands &c,
                 const mli::ref::Codes &expected, Pack pack, Run run) {
  int layers = 0;
  for (mli_pack_order order : {MLI_PACK_BEST, MLI_PACK_PAIRS, MLI_PACK_QUADS}) {
    SCOPED_TRACE(order);
    int threads = random.oneIn(64) ? static_cast<int>(random.in(2, 4)) : 1;
    std::vector<int8_t> bytes;
    expectOnTargets({{c.out, expected}, c.in, c.weights, c.bias}, [&] {
      PackedMemory packed;
      mli_status status = packed.pack([&](mli_data_container *container) {
        return pack(order, container);
      });
      if (status == MLI_STATUS_NOT_SUPPORTED) {
        c.out.becomeExpected();
        return MLI_STATUS_OK;
      }
      EXPECT_EQ(status, MLI_STATUS_OK);
      ++layers;
      if (bytes.empty() || order == MLI_PACK_BEST)
        bytes = packed.bytes();
      EXPECT_EQ(packed.bytes(), bytes);
      status = run(packed.get(), threads);
      EXPECT_TRUE(packed.hasGuards());
      return status;
    });
  }
  return layers;
}

/// Packs `c` by `pack`, and runs it at once or in bands of rows. Returns how
/// many targets had a packed form.
template <typename Pack>
int expectPackedConvolution(Random &random, ConvolutionCase &c,
                            const ConvolutionKernel &kernel, Pack pack) {
  return expectPacked(
      random, c, mli::ref::convolution(kernel.kind, c.product(), c.cfg),
      [&](mli_pack_order order, mli_data_container *container) {
        return pack(c, order, container);
      },
      [&](const mli_data_container *packed, int threads) {
        int64_t height = c.out->shape[0];
        int64_t band = random.in(1, height);
        if (band == height)
          return mli_krn_packed(c.in, packed, threads, c.out);
        mli_status status = MLI_STATUS_OK;
        for (int64_t row = 0; row < height && status == MLI_STATUS_OK;
             row += band)
          status =
              runRows(c, packed, threads, row, std::min(band, height - row));
        return status;
      });
}

/// The kernels of any size of window of `kind`.
std::vector<ConvolutionKernel> getPackable(mli::ref::Convolution kind) {
  std::vector<ConvolutionKernel> packable;
  for (const ConvolutionKernel &kernel : convolutions)
    if (kernel.kind == kind && kernel.size == 0)
      packable.push_back(kernel);
  return packable;
}

/// Random cases of the kernels of `kind`, which `pack` packs.
template <typename Pack>
void expectPackedConvolutions(mli::ref::Convolution kind, int seed, Pack pack) {
  Random random(seed);
  int layers = 0;
  forEachCase(getPackable(kind), 400, [&](const ConvolutionKernel &kernel) {
    ConvolutionCase c(random, kernel);
    layers += expectPackedConvolution(random, c, kernel, pack);
  });
  EXPECT_TRUE(layers > caseCount(400) || targetsHere().size() == 1);
}

mli_status packConv2D(ConvolutionCase &c, mli_pack_order order,
                      mli_data_container *container) {
  return mli_pack_conv2d(c.in, c.weights, c.bias, &c.cfg, c.out, order,
                         container);
}

TEST(PackedTargets, Convolutions) {
  expectPackedConvolutions(mli::ref::Convolution::Conv2d, 14, packConv2D);
}

// Half vectors are multiplied for two pixels at once, one pixel is left alone.
TEST(PackedTargets, ConvolutionsOfOneVectorAndAHalf) {
  Random random(24);
  for (const ConvolutionKernel &kernel :
       getPackable(mli::ref::Convolution::Conv2d))
    for (int64_t outputs : {17, 20, 23, 24})
      for (int64_t pixels : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 25}) {
        SCOPED_TRACE(std::to_string(pixels) + " pixels of " +
                     std::to_string(outputs));
        ConvolutionShape shape(random, kernel);
        shape.h = {1, 1, 1, 1, 0, 0};
        shape.w = {pixels, 1, pixels, 1, 0, 0};
        shape.outputs = outputs;
        ConvolutionCase c(random, kernel, shape);
        expectPackedConvolution(random, c, kernel, packConv2D);
      }
}

// Inputs of two groups are loaded at once, and the last one of an odd number
// alone: of two segments here, whose groups are too few with 4 and 12 inputs.
TEST(PackedTargets, ConvolutionsOfOneVector) {
  Random random(25);
  for (const ConvolutionKernel &kernel :
       getPackable(mli::ref::Convolution::Conv2d))
    for (int64_t outputs : {9, 16, 41})
      for (int64_t inputs : {4, 12, 13, 16, 19, 40})
        for (int64_t pixels : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 25}) {
          SCOPED_TRACE(std::to_string(pixels) + " pixels of " +
                       std::to_string(inputs) + " inputs and " +
                       std::to_string(outputs) + " outputs");
          ConvolutionShape shape(random, kernel);
          shape.h = {2, 2, 1, 1, 0, 0};
          shape.w = {pixels, 1, pixels, 1, 0, 0};
          shape.inputs = shape.depth = inputs;
          shape.outputs = outputs;
          ConvolutionCase c(random, kernel, shape);
          expectPackedConvolution(random, c, kernel, packConv2D);
        }
}

TEST(PackedTargets, DepthwiseConvolutions) {
  expectPackedConvolutions(
      mli::ref::Convolution::DepthwiseConv2d, 18,
      [](ConvolutionCase &c, mli_pack_order, mli_data_container *container) {
        return mli_pack_depthwise_conv2d(c.in, c.weights, c.bias, &c.cfg, c.out,
                                         container);
      });
}

/// Operands of a matrix product of few outputs: around the number of them, and
/// of inputs, from which on weights are packed in another order.
struct FewOutputsShape {
  explicit FewOutputsShape(Random &random)
      : inputs(random.in(60, 200)), outputs(random.in(1, 5)) {}
  int64_t inputs;
  int64_t outputs;
};

/// The numbers of inputs and outputs of a matrix product.
struct GivenShape {
  int64_t inputs;
  int64_t outputs;
};

template <typename Shape>
struct ShapedCase : Shape, ProductOperands {
  ShapedCase(Random &random, const Combination &types)
      : ShapedCase(random, types, Shape(random)) {}

  ShapedCase(Random &random, const Combination &types, const Shape &shape)
      : Shape(shape),
        ProductOperands(random, types, {this->inputs}, false,
                        {this->inputs, this->outputs}, {this->outputs}, 1),
        cfg{randomRelu(random)} {}

  mli_fully_connected_cfg cfg;
};

constexpr Combination productTypes[] = {combined::sa8_sa8_sa32,
                                        combined::fx16_fx8_fx8, combined::fx16};

/// Packs and runs the matrix product `c`. Returns how many targets had a packed
/// form.
template <typename Case>
int expectPackedProduct(Random &random, Case &c) {
  return expectPacked(
      random, c, mli::ref::fullyConnected(false, c.product(), c.cfg),
      [&](mli_pack_order order, mli_data_container *container) {
        return mli_pack_fully_connected(c.in, c.weights, c.bias, &c.cfg, c.out,
                                        order, container);
      },
      [&](const mli_data_container *packed, int threads) {
        return mli_krn_packed(c.in, packed, threads, c.out);
      });
}

/// Packs `cases` random matrix products of type `Case`.
template <typename Case>
void expectPackedProducts(int seed, int cases) {
  Random random(seed);
  int layers = 0;
  for (int i = 0; i < cases && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    Case c(random, productTypes[i % 3]);
    layers += expectPackedProduct(random, c);
  }
  EXPECT_TRUE(layers > cases || targetsHere().size() == 1);
}

TEST(PackedTargets, MatrixProducts) {
  expectPackedProducts<ProductCase>(15, 3 * caseCount(400));
}

TEST(PackedTargets, MatrixProductsOfFewOutputs) {
  expectPackedProducts<ShapedCase<FewOutputsShape>>(19, 3 * caseCount(400));
}

// Weights around what each level of cache holds, of few inputs, and of outputs
// beside whole tiles.
TEST(PackedTargets, MatrixProductsOfManyWeights) {
  Random random(23);
  std::vector<GivenShape> shapes = {{28, 2000}, {200, 330}};
  const mli::rt::simd::CacheBytes caches = mli::rt::simd::getCacheBytes();
  for (int64_t bytes : {caches.level1, caches.level2})
    for (int64_t outputs : {1024, 1057})
      for (int64_t more : {-1, 0, 4, 40})
        shapes.push_back({bytes / outputs + more, outputs});
  for (const GivenShape &shape : shapes)
    for (const Combination &types : productTypes) {
      SCOPED_TRACE(std::to_string(shape.inputs) + " x " +
                   std::to_string(shape.outputs));
      ShapedCase<GivenShape> c(random, types, shape);
      expectPackedProduct(random, c);
    }
}

/// How many inputs of an output are together in a matrix product of 64 inputs
/// and `outputs` outputs: its header says so.
int packedGroup(uint32_t outputs, mli_pack_order order) {
  TestTensor<int8_t, MLI_EL_SA_8> in({64}), weights({64, outputs});
  TestTensor<int32_t, MLI_EL_SA_32> bias({outputs});
  TestTensor<int8_t, MLI_EL_SA_8> out({outputs});
  in.params(16384, 15, 0);
  weights.params(16384, 15, 0);
  bias.params(16384, 16, 0);
  out.params(16384, 12, 0);
  mli_fully_connected_cfg cfg = {{MLI_RELU_NONE}};
  PackedMemory packed;
  EXPECT_EQ(packed.pack([&](mli_data_container *container) {
    return mli_pack_fully_connected(in, weights, bias, &cfg, out, order,
                                    container);
  }),
            MLI_STATUS_OK);
  return packed.bytes()[4];
}

TEST(PackedTargets, ChooseTheOrderOfFewOutputs) {
  forEachTarget([&](mli_simd_target target) {
    SCOPED_TRACE(mli_simd_target_name(target));
    bool isNeonWithQuads =
        target == MLI_SIMD_NEON_I8MM || target == MLI_SIMD_NEON_DOTPROD;
    bool hasQuads = isNeonWithQuads || target == MLI_SIMD_AVX3_VNNI ||
                    target == MLI_SIMD_AVX2_VNNI;
    EXPECT_EQ(packedGroup(2, MLI_PACK_PAIRS), 16);
    EXPECT_EQ(packedGroup(2, MLI_PACK_QUADS), 4);
    // NEON multiplies no quads of contiguous weights.
    if (target != MLI_SIMD_SCALAR) {
      EXPECT_EQ(packedGroup(2, MLI_PACK_BEST), isNeonWithQuads ? 4 : 16);
      EXPECT_EQ(packedGroup(5, MLI_PACK_BEST), hasQuads ? 4 : 2);
    }
  });
}

} // namespace
