// SPDX-License-Identifier: Apache-2.0
//
// Gather and scatter of tensors in random layouts, byte by byte.
// MLI_TEST_FULL=1 tries ten times as many.

#include "../TestTensor.h"
#include "LocalLayouts.h"

#include "../../Layout/RandomLayout.h"

namespace mli::test {
namespace {

/// The dimensions of a tensor that lies as `layout` says, in random order; of
/// those of one entry some are left out.
std::vector<int8_t> randomDims(layout::Random &random,
                               const TensorLayout &layout) {
  const layout::Dims &shape = layout.shape;
  std::vector<std::pair<int8_t, int64_t>> all = {{MLI_LOCAL_DIM_N, shape.n}};
  if (layout.matrixColumns != 0) {
    all.emplace_back(MLI_LOCAL_DIM_W, layout.matrixColumns);
  } else {
    all.emplace_back(MLI_LOCAL_DIM_C, shape.c);
    all.emplace_back(MLI_LOCAL_DIM_H, shape.h);
    all.emplace_back(MLI_LOCAL_DIM_W, shape.w);
  }
  std::vector<int8_t> dims;
  while (!all.empty()) {
    auto it = all.begin() + random.in(0, static_cast<int64_t>(all.size()) - 1);
    if (it->second != 1 || random.in(0, 1) == 0)
      dims.push_back(it->first);
    all.erase(it);
  }
  if (dims.empty())
    dims.push_back(MLI_LOCAL_DIM_W);
  return dims;
}

/// Scatters a tensor and looks at every byte of local memory; gathers it again.
template <typename Tensor>
void checkScatter(const TensorLayout &layout, const std::vector<int8_t> &dims) {
  const int64_t extents[] = {layout.shape.n, layout.shape.c, layout.shape.h,
                             layout.matrixColumns != 0 ? layout.matrixColumns
                                                       : layout.shape.w};
  std::vector<uint32_t> shape;
  shape.reserve(dims.size());
  for (int8_t dim : dims)
    shape.push_back(static_cast<uint32_t>(extents[dim]));
  Tensor in(shape);
  Tensor out(shape);
  in.codes = counted<typename decltype(in.codes)::value_type>(in.codes.size());
  in->data.mem.pi8 = reinterpret_cast<int8_t *>(in.codes.data());
  LocalDevice device(static_cast<uint32_t>(layout.target.npus),
                     static_cast<uint32_t>(layout.target.npuBytes),
                     static_cast<uint32_t>(layout.target.unit));
  std::vector<uint8_t> expected = device.memory();
  for (size_t i = 0; i < in.codes.size(); ++i) {
    int64_t local[] = {0, 0, 0, 0};
    size_t rest = i;
    for (size_t d = dims.size(); d-- > 0; rest /= shape[d])
      local[dims[d]] = static_cast<int64_t>(rest % shape[d]);
    layout::Dims index = {local[0], local[1], local[2], local[3]};
    if (layout.matrixColumns != 0)
      index = layout::matrixIndex(layout, local[0], local[3]);
    layout::Location at = layout::locate(layout, index);
    std::memcpy(&expected[at.npu * layout.target.npuBytes + at.offset],
                &in.codes[i], sizeof(in.codes[i]));
  }
  mli_local_tensor described = describe(layout, dims);
  ASSERT_EQ(mli_local_scatter(in, &described), MLI_STATUS_OK);
  ASSERT_TRUE(device.memory() == expected);
  ASSERT_EQ(mli_local_gather(&described, out), MLI_STATUS_OK);
  ASSERT_EQ(out.codes, in.codes);
  ASSERT_TRUE(device.memory() == expected);
}

// L6, L14, L17, L20, L21, L34
TEST(LocalTensor, RandomLayoutsHaveEveryElementAndNothingElse) {
  layout::Random random(11);
  for (int i = 0; i < layout::scaled(1000); ++i) {
    TensorLayout layout = layout::randomLayout(random);
    layout.target.npuBytes = 1 << 14;
    layout.offset %= 1 << 10;
    if (verify(layout))
      continue;
    std::vector<int8_t> dims = randomDims(random, layout);
    if (layout.elementBytes == 1)
      checkScatter<Fx8>(layout, dims);
    else if (layout.elementBytes == 2)
      checkScatter<Fx16>(layout, dims);
    else
      checkScatter<Fp32>(layout, dims);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

} // namespace
} // namespace mli::test
