// SPDX-License-Identifier: Apache-2.0
//
// The positions of the largest values.

#include "Runtime/Core/Checks.h"
#include "Runtime/Simd/Rows.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <cinttypes>
#include <utility>

namespace mli::rt {
namespace {

mli_status checkArgmax(const Argument &in, const mli_argmax_cfg *cfg,
                       const Argument &out, mli_element_type type) {
  MLI_CHECK(checkTensor(in));
  MLI_CHECK(checkTensor(out));
  MLI_CHECK(checkType(out, MLI_EL_SA_32));
  MLI_CHECK(checkMemory(out));
  // The reference puts an axis beyond the rank before the stride.
  MLI_CHECK(checkConfig(cfg));
  if (cfg->axis > static_cast<int64_t>(in->rank))
    MLI_CHECK(checkAxisInRank(in, cfg->axis));
  MLI_CHECK(checkMemory(in));
  MLI_CHECK(checkAxisInRank(in, cfg->axis));
  contract::Slices slices(getShape(*in), cfg->axis);
  if (!slices.have(cfg->topk))
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'cfg' to have a topk of at most %" PRId64
                ", but got %" PRId32,
                slices.elements, cfg->topk);
  // As in the reference, what follows the two dimensions does not matter.
  if (out->rank < out.contract->rank())
    MLI_CHECK(checkRank(out, out.contract->rank()));
  MLI_CHECK(checkExtent(out, 0, static_cast<uint64_t>(slices.count)));
  MLI_CHECK(checkExtent(out, 1, static_cast<uint32_t>(cfg->topk)));
  MLI_CHECK(checkType(in, type));
  MLI_CHECK(checkPerTensor(in));
  return checkSharing(in, out);
}

/// A heap of positions with the smallest value on top. Its order decides how
/// equal values are ordered in the result.
// K42
template <typename Code>
class TopPositions {
public:
  TopPositions(const Code *codes, int32_t *positions, int32_t capacity)
      : codes(codes), heap(positions), capacity(capacity) {}

  void add(int32_t position) {
    if (size < capacity) {
      heap[size++] = position;
      if (size == capacity)
        heapify();
    } else if (codes[heap[0]] <= codes[position]) {
      heap[0] = position;
      sift(0, capacity);
    }
  }

  /// Puts the positions in descending order of their values.
  void finish() {
    heapify();
    for (int32_t i = capacity - 1; i >= 1; --i) {
      std::swap(heap[0], heap[i]);
      sift(0, i);
    }
  }

private:
  void heapify() {
    for (int32_t i = capacity / 2 - 1; i >= 0; --i)
      sift(i, capacity);
  }

  void sift(int32_t i, int32_t count) {
    while (i < count / 2) {
      int32_t smallest = i;
      for (int32_t child : {2 * i + 1, 2 * i + 2})
        if (child < count && codes[heap[child]] < codes[heap[smallest]])
          smallest = child;
      if (smallest == i)
        return;
      std::swap(heap[i], heap[smallest]);
      i = smallest;
    }
  }

  const Code *codes;
  int32_t *heap;
  int32_t capacity;
  int32_t size = 0;
};

/// The position of the last of the largest values, in rows without gaps.
template <typename Code>
int32_t findLast(const simd::RowKernels<Code> &kernels, const Code *codes,
                 const Extents &extents, const Strides &strides) {
  int64_t position = -1;
  Code largest = 0;
  forEachRow<1>(extents, {strides},
                [&](const Extents &, const std::array<int64_t, 1> &at) {
                  const Code *row = codes + at[0];
                  Code most = kernels.maximum(row, extents[3]);
                  if (position >= 0 && most < largest)
                    return;
                  largest = most;
                  int64_t last = extents[3] - 1;
                  while (row[last] != most)
                    --last;
                  position = at[0] + last;
                });
  return static_cast<int32_t>(position);
}

template <typename Code>
void findMaxima(const mli_tensor &in, const mli_argmax_cfg &cfg,
                int32_t *positions) {
  Extents extents = getExtents(in);
  Strides strides = getStrides(in);
  int64_t slices = contract::Slices(getShape(in), cfg.axis).count;
  int64_t step = 0;
  if (cfg.axis >= 0) {
    extents[paddedDim(in, cfg.axis)] = 1;
    step = strides[paddedDim(in, cfg.axis)];
  }
  const simd::RowKernels<Code> *kernels = simd::rowKernels(Code{});
  bool hasRows = kernels && strides[3] == 1 && extents[3] > 1;
  for (int64_t slice = 0; slice < slices; ++slice) {
    if (cfg.topk == 1 && hasRows) {
      int64_t offset = slice * step;
      positions[slice] = static_cast<int32_t>(
          offset +
          findLast(*kernels, getElements<Code>(in) + offset, extents, strides));
      continue;
    }
    TopPositions<Code> top(getElements<Code>(in), positions + slice * cfg.topk,
                           cfg.topk);
    forEachRow<1>(extents, {strides},
                  [&](const Extents &, const std::array<int64_t, 1> &at) {
                    for (int64_t i = 0; i < extents[3]; ++i)
                      top.add(static_cast<int32_t>(at[0] + i * strides[3] +
                                                   slice * step));
                  });
    top.finish();
  }
}

template <typename Type>
mli_status argmax(const Argument &in, const mli_argmax_cfg *cfg,
                  mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkArgmax(in, cfg, getOutput(in, out), Type::type));
  findMaxima<typename Type::Code>(*in, *cfg, getElements<int32_t>(*out));
  setPerTensorParams(*out, {1, 0, 0});
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_ARGMAX(name, type)                                                 \
  mli_status name(MLI_ARGMAX_SIGNATURE(MLI_PARAMETER)) {                       \
    using namespace mli::rt;                                                   \
    Entry entry(#name);                                                        \
    return argmax<types::type>(                                                \
        getArgument(Family::Argmax, OperandKind::Input, in), cfg, out);        \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
