// SPDX-License-Identifier: Apache-2.0
//
// argmax, permute, moves and views against the reference.

#include "../Reference/Arrange.h"
#include "../Reference/RandomCase.h"

#include <numeric>

using namespace mli::test;
using mli::ref::Codes;

namespace {

std::vector<int64_t> randomShape(Random &random) {
  std::vector<int64_t> shape;
  for (int64_t rank = random.in(1, 4); rank > 0; --rank)
    shape.push_back(random.in(1, 5));
  auto lengthen = [&](int64_t most) {
    shape[random.in(0, int64_t(shape.size()) - 1)] = random.in(1, most);
  };
  // Matrices that leave blocks of vectors full and partial, and long rows.
  if (random.oneIn(3))
    lengthen(40);
  if (random.oneIn(3))
    lengthen(40);
  if (random.oneIn(20))
    lengthen(400);
  return shape;
}

/// Elements lie apart in the innermost dimension, too.
void spread(RandomTensor &tensor) {
  for (uint32_t i = 0; i < tensor->rank; ++i)
    tensor->mem_stride[i] *= 2;
}

std::vector<uint8_t> randomPermutation(Random &random, size_t rank) {
  std::vector<uint8_t> order(rank);
  std::iota(order.begin(), order.end(), uint8_t{0});
  for (size_t i = rank; i > 1; --i)
    std::swap(order[i - 1], order[random.in(0, static_cast<int64_t>(i) - 1)]);
  return order;
}

using ArgmaxCall = mli_status(const mli_tensor *, const mli_argmax_cfg *,
                              mli_tensor *);
constexpr TypedKernel<ArgmaxCall> argmaxKernels[] = {
#define MLI_ARGMAX(name, type) {#name, single::type, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

// K42
TEST(ArrangeDifferential, Argmax) {
  Random random(15);
  forEachCase(argmaxKernels, 1200, [&](const auto &kernel) {
    std::vector<int64_t> shape = randomShape(random);
    RandomTensor in(random, kernel.type, shape);
    in.fill(random);
    mli_argmax_cfg cfg = {};
    cfg.axis = static_cast<int32_t>(random.in(-1, int64_t(shape.size()) - 1));
    int64_t slices = cfg.axis < 0 ? 1 : shape[cfg.axis];
    cfg.topk =
        static_cast<int32_t>(random.in(1, mli::ref::countOf(shape) / slices));
    RandomTensor out(random, MLI_EL_SA_32, {slices, cfg.topk}, false);
    Codes expected = mli::ref::argmax(*in, cfg);
    expectOnTargets({{out, expected}, in},
                    [&] { return kernel.call(in, &cfg, out); });
  });
}

using PermuteCall = mli_status(const mli_tensor *, const mli_permute_cfg *,
                               mli_tensor *);
constexpr TypedKernel<PermuteCall> permuteKernels[] = {
#define MLI_PERMUTE(name, type) {#name, single::type, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

// K43
TEST(ArrangeDifferential, Permute) {
  Random random(16);
  forEachCase(permuteKernels, 1200, [&](const auto &kernel) {
    std::vector<int64_t> shape = randomShape(random);
    std::vector<uint8_t> order = randomPermutation(random, shape.size());
    mli_permute_cfg cfg = {};
    std::copy(order.begin(), order.end(), cfg.perm_dim);
    std::vector<int64_t> outShape;
    outShape.reserve(order.size());
    for (uint8_t from : order)
      outShape.push_back(shape[from]);
    RandomTensor in(random, kernel.type, shape);
    RandomTensor out(random, kernel.type, outShape);
    in.fill(random);
    mli::ref::Quant q = randomQuant(random, kernel.type);
    in.quantise(q);
    Codes expected = mli::ref::permute(*in, cfg, *out);
    expectOnTargets({{out, expected}, in},
                    [&] { return kernel.call(in, &cfg, out); });
    EXPECT_EQ(mli_hlp_tensor_scale_shift(out, 0), q.f);
  });
}

/// A move that stays inside the source and its padding.
struct RandomMove {
  RandomMove(Random &random, const std::vector<int64_t> &shape) {
    mli_mov_cfg_for_copy(&cfg);
    std::vector<uint8_t> order = randomPermutation(random, shape.size());
    std::copy(order.begin(), order.end(), cfg.perm_dim);
    bool hasPadding = random.oneIn(2);
    bool hasWindow = !hasPadding && random.oneIn(2);
    for (size_t i = 0; i < shape.size(); ++i) {
      if (hasPadding) {
        cfg.padding_pre[i] = static_cast<uint8_t>(random.in(0, 2));
        cfg.padding_post[i] = static_cast<uint8_t>(random.in(0, 2));
      }
      if (hasWindow) {
        cfg.offset[i] = static_cast<uint32_t>(random.in(0, shape[i] - 1));
        cfg.size[i] =
            static_cast<uint32_t>(random.in(0, shape[i] - cfg.offset[i]));
      }
      if (random.oneIn(3))
        cfg.sub_sample_step[i] = static_cast<uint32_t>(random.in(1, 5));
      if (random.oneIn(3))
        cfg.dst_offset[i] = static_cast<uint32_t>(random.in(0, 2));
    }
  }
  mli_mov_cfg_t cfg;
};

void runMove(Random &random, mli_element_type type) {
  std::vector<int64_t> shape = randomShape(random);
  RandomMove move(random, shape);
  RandomTensor src(random, type, shape);
  src.fill(random);
  src.quantise(randomQuant(random, type));
  std::vector<int64_t> written = mli::ref::movedShape(*src, move.cfg);
  std::vector<int64_t> extents = written;
  for (size_t i = 0; i < extents.size(); ++i)
    extents[i] += move.cfg.dst_offset[i];
  // A flat copy ignores offsets, and has a test of its own.
  if (shape == extents)
    return;
  RandomTensor dst(random, type, extents);
  mli_tensor whole = *dst;
  // The part that is written, as a tensor of its own.
  int64_t firstElement = 0;
  for (size_t i = 0; i < extents.size(); ++i) {
    firstElement += int64_t{move.cfg.dst_offset[i]} * dst->mem_stride[i];
    dst->shape[i] = static_cast<uint32_t>(written[i]);
  }
  dst->data.mem.pi8 += firstElement * (mli::ref::getBits(type) / 8);
  Codes expected = mli::ref::moved(*src, move.cfg);
  expectOnTargets({{dst, expected}, src}, [&] {
    mli_tensor target = whole;
    target.rank = 0;
    mli_status status = mli_mov_tensor_sync(src, &move.cfg, &target);
    EXPECT_EQ(target.rank, shape.size());
    EXPECT_EQ(target.el_type, type);
    for (size_t i = 0; i < extents.size(); ++i) {
      EXPECT_EQ(target.shape[i], extents[i]);
      EXPECT_EQ(target.mem_stride[i], dst->mem_stride[i]);
    }
    return status;
  });
}

struct MovedType {
  const char *name;
  mli_element_type type;
};
constexpr MovedType movedTypes[] = {{"mli_mov of fx8", MLI_EL_FX_8},
                                    {"mli_mov of fx16", MLI_EL_FX_16},
                                    {"mli_mov of sa8", MLI_EL_SA_8},
                                    {"mli_mov of sa32", MLI_EL_SA_32},
                                    {"mli_mov of fp32", MLI_EL_FP_32}};

// K33
TEST(ArrangeDifferential, Moves) {
  Random random(17);
  forEachCase(movedTypes, 800,
              [&](const auto &kernel) { runMove(random, kernel.type); });
}

// K31
TEST(ArrangeDifferential, Views) {
  Random random(18);
  for (int i = 0; i < caseCount(2000); ++i) {
    SCOPED_TRACE(i);
    std::vector<int64_t> shape = randomShape(random);
    RandomTensor in(random, MLI_EL_FX_16, shape);
    in.fill(random);
    spread(in);
    in->data.capacity *= 2; // Never read: only the view is made.
    mli_sub_tensor_cfg cfg = {};
    std::vector<int64_t> sizes;
    uint32_t ones = 0;
    for (size_t d = 0; d < shape.size(); ++d) {
      cfg.offset[d] = static_cast<uint32_t>(random.in(0, shape[d] - 1));
      cfg.size[d] =
          static_cast<uint32_t>(random.in(1, shape[d] - cfg.offset[d]));
      ones += cfg.size[d] == 1 ? 1 : 0;
    }
    auto dropped = static_cast<uint32_t>(
        random.in(0, std::min<int64_t>(ones, int64_t(shape.size()) - 1)));
    cfg.sub_tensor_rank = in->rank - dropped;
    mli_tensor out;
    std::memset(&out, 0x5a, sizeof(out));
    ASSERT_EQ(mli_hlp_create_subtensor(in, &cfg, &out), MLI_STATUS_OK);
    ASSERT_EQ(out.rank, cfg.sub_tensor_rank);
    mli::ref::Coords offset(in->rank);
    std::copy(cfg.offset, cfg.offset + in->rank, &offset[0]);
    int64_t first = mli::ref::getOffset(*in, offset);
    EXPECT_EQ(out.data.mem.pi16, in->data.mem.pi16 + first);
    EXPECT_EQ(out.data.capacity, in->data.capacity - 2 * first);
    uint32_t kept = 0;
    for (uint32_t d = 0; d < in->rank; ++d) {
      if (cfg.size[d] == 1 && dropped > 0) {
        --dropped;
        continue;
      }
      EXPECT_EQ(out.shape[kept], cfg.size[d]);
      EXPECT_EQ(out.mem_stride[kept], in->mem_stride[d]);
      ++kept;
    }
  }
}

} // namespace
