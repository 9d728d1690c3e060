// SPDX-License-Identifier: Apache-2.0
//
// Calls of the OKK API with random arguments, most of which break a rule: each
// moves exactly what its definition says, or nothing with a report.
// MLI_TEST_FULL=1 tries ten times as many.

#include "LocalDevice.h"

#include <cstdlib>
#include <cstring>

namespace mli::test {
namespace {

/// An operand as the rules define it, element by element.
struct Operand {
  local_addr_t address;
  dim4 stride;
  int bytes;

  /// The local address of an element, which may be outside of its NPU.
  int64_t at(int64_t n, int64_t c, int64_t h, int64_t w) const {
    int64_t npus = okk_npu_num();
    int64_t size = okk_local_mem_size_per_npu();
    int64_t channel = address / size + c;
    int64_t offset =
        n * stride.n + channel / npus * stride.c + h * stride.h + w * stride.w;
    return channel % npus * size + address % size + offset * bytes;
  }
};

using Copy = void (*)(local_addr_t, local_addr_t, const dim4 *, const dim4 *,
                      const dim4 *);
using AlignedStride = void (*)(dim4 *, int, const dim4 *);

/// One call, and how it is made.
struct Call {
  dim4 shape;
  dim4 dstStride, srcStride;
  bool isDstNull, isSrcNull;
  local_addr_t dst, src;

  const dim4 *dstArgument() const { return isDstNull ? nullptr : &dstStride; }
  const dim4 *srcArgument() const { return isSrcNull ? nullptr : &srcStride; }
};

int oneOf(Random &random, const std::vector<int> &values) {
  return values[random.in(0, static_cast<int>(values.size()) - 1)];
}

/// Mostly small, sometimes just past a limit or absurd.
int extent(Random &random, int limit) {
  if (random.in(0, 15) != 0)
    return random.in(1, 5);
  return oneOf(random, {INT32_MIN, -1, 0, limit, limit + 1, INT32_MAX});
}

int stride(Random &random) {
  if (random.in(0, 15) != 0)
    return oneOf(random, {1, 2, 4, 5, 8, 16, 25, 32, 64, 128});
  return oneOf(random, {INT32_MIN, -1, 0, 65536, INT32_MAX});
}

dim4 strides(Random &random) {
  int w = random.in(0, 7) == 0 ? stride(random) : 1;
  return {stride(random), stride(random), stride(random), w};
}

local_addr_t address(Random &random, int bytes) {
  if (random.in(0, 31) == 0)
    return random.in(0, 1) == 0 ? UINT32_MAX : static_cast<unsigned>(bytes);
  int align = oneOf(random, {128, 128, 4, 2});
  return static_cast<local_addr_t>(random.in(0, bytes / align) * align);
}

Call randomCall(Random &random) {
  int bytes = static_cast<int>(okk_local_mem_size_per_npu()) * okk_npu_num();
  Call call;
  call.shape = {extent(random, 65535), extent(random, 4095),
                extent(random, 65535), extent(random, 65535)};
  call.dstStride = strides(random);
  call.srcStride = strides(random);
  call.isDstNull = random.in(0, 3) == 0;
  call.isSrcNull = random.in(0, 3) == 0;
  call.dst = address(random, bytes);
  call.src = address(random, bytes);
  return call;
}

/// Visits the call element by element; counts those for which it returns false.
template <typename Move>
int64_t move(const Call &call, Move visit) {
  int64_t outside = 0;
  for (int n = 0; n < call.shape.n; ++n)
    for (int c = 0; c < call.shape.c; ++c)
      for (int h = 0; h < call.shape.h; ++h)
        for (int w = 0; w < call.shape.w; ++w)
          outside += !visit(n, c, h, w);
  return outside;
}

bool isInNpu(int64_t address, const Operand &operand, int64_t c) {
  int64_t size = okk_local_mem_size_per_npu();
  int64_t npu = (operand.address / size + c) % okk_npu_num();
  return address >= npu * size && address + operand.bytes <= (npu + 1) * size;
}

Operand resolve(local_addr_t address, const dim4 *stride, const dim4 &shape,
                int bytes, AlignedStride aligned) {
  Operand operand = {address, {}, bytes};
  if (stride)
    operand.stride = *stride;
  else
    aligned(&operand.stride, okk_start_npu_index(address), &shape);
  return operand;
}

struct Function {
  const char *name;
  int bytes;
  AlignedStride aligned;
  Copy copy;
};

/// Fills are copies of a constant: `src` is not looked at.
template <typename Constant,
          void (*fill)(local_addr_t, Constant, const dim4 *, const dim4 *)>
void fillAsCopy(local_addr_t dst, local_addr_t /*src*/, const dim4 *shape,
                const dim4 *dstStride, const dim4 * /*srcStride*/) {
  Constant constant;
  std::memset(&constant, 0xAB, sizeof(constant));
  fill(dst, constant, shape, dstStride);
}

#define MLI_ALIGNED(bits) okk_128_byte_aligned_stride_for_##bits##bit
#define MLI_COPIES(bits)                                                       \
  {"L2L", (bits) / 8, MLI_ALIGNED(bits), okk_gdma_##bits##bit_cpy_L2L}, {      \
    "set_C", (bits) / 8, MLI_ALIGNED(bits),                                    \
        fillAsCopy<x##bits, okk_gdma_##bits##bit_set_C_local>                  \
  }
const Function functions[] = {
    MLI_COPIES(32),
    MLI_COPIES(16),
    MLI_COPIES(8),
    {"cpy", 4, MLI_ALIGNED(32), okk_bdc_32bit_cpy},
    {"set_C", 4, MLI_ALIGNED(32), fillAsCopy<x32, okk_bdc_32bit_set_C>}};
#undef MLI_COPIES
#undef MLI_ALIGNED

/// Moves in `memory` what an accepted call has to: nothing outside of local
/// memory, and nothing of which a source has an element.
void moveAsDefined(const Function &function, const Call &call,
                   std::vector<uint8_t> &memory) {
  bool isFill = std::string(function.name) == "set_C";
  Operand dst = resolve(call.dst, call.dstArgument(), call.shape,
                        function.bytes, function.aligned);
  Operand src = dst;
  if (!isFill)
    src = resolve(call.src, call.srcArgument(), call.shape, function.bytes,
                  function.aligned);
  std::vector<uint8_t> before = memory;
  std::vector<bool> written(memory.size(), false);
  int64_t outside = move(call, [&](int n, int c, int h, int w) {
    int64_t to = dst.at(n, c, h, w);
    int64_t from = src.at(n, c, h, w);
    if (!isInNpu(to, dst, c) || !isInNpu(from, src, c))
      return false;
    for (int i = 0; i < function.bytes; ++i) {
      EXPECT_FALSE(written[to + i]);
      written[to + i] = true;
      memory[to + i] = isFill ? 0xAB : before[from + i];
    }
    return true;
  });
  EXPECT_EQ(outside, 0) << function.name << " " << function.bytes;
  if (isFill || outside != 0)
    return;
  int64_t overlapping = move(call, [&](int n, int c, int h, int w) {
    return !written[src.at(n, c, h, w)];
  });
  EXPECT_EQ(overlapping, 0) << function.name << " " << function.bytes;
}

// L6, L22, L25, L28, L29, L30, L31, L32, L39
TEST(OkkRandom, CallsMoveWhatTheyNameOrNothing) {
  Random random(7);
  const char *full = std::getenv("MLI_TEST_FULL");
  int count = full && *full == '1' ? 3000000 : 300000;
  int accepted = 0;
  LocalDevice device(3, 2048);
  std::vector<uint8_t> memory = device.memory();
  random.fill(memory);
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    const Function &function =
        functions[random.in(0, static_cast<int>(std::size(functions)) - 1)];
    Call call = randomCall(random);
    std::memcpy(okk_local_mem_addr(0, 0), memory.data(), memory.size());
    function.copy(call.dst, call.src, &call.shape, call.dstArgument(),
                  call.srcArgument());
    std::vector<uint8_t> expected = memory;
    bool isRefused = !device.takeReport().empty();
    EXPECT_EQ(mli_local_status() != MLI_STATUS_OK, isRefused);
    accepted += !isRefused;
    if (!isRefused)
      moveAsDefined(function, call, expected);
    EXPECT_EQ(device.memory(), expected)
        << function.name << " of " << function.bytes << " bytes";
  }
  EXPECT_GT(accepted, count / 20);
  EXPECT_LT(accepted, count);
}

} // namespace
} // namespace mli::test
