// SPDX-License-Identifier: Apache-2.0
//
// What moves elements or finds them: argmax, permute and moves.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_ARRANGE_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_ARRANGE_H

#include "Tensors.h"

namespace mli::ref {

/// The heap procedure on the positions of one slice.
class TopPositions {
public:
  TopPositions(const mli_tensor &in, const Codes &positions, int64_t topk)
      : in(in), heap(positions.begin(), positions.begin() + topk) {
    heapify();
    for (size_t i = topk; i < positions.size(); ++i)
      if (value(heap[0]) <= value(positions[i])) {
        heap[0] = positions[i];
        sift(topk, 0);
      }
    heapify();
    for (int64_t i = topk - 1; i >= 1; --i) {
      std::swap(heap[0], heap[i]);
      sift(i, 0);
    }
  }
  const Codes &positions() const { return heap; }

private:
  int64_t value(int64_t position) const { return codeAtOffset(in, position); }
  void heapify() {
    auto size = static_cast<int64_t>(heap.size());
    for (int64_t i = size / 2 - 1; i >= 0; --i)
      sift(size, i);
  }
  void sift(int64_t size, int64_t i) {
    while (i < size / 2) {
      int64_t s = i;
      int64_t left = 2 * i + 1;
      int64_t right = 2 * i + 2;
      if (left < size && value(heap[left]) < value(heap[s]))
        s = left;
      if (right < size && value(heap[right]) < value(heap[s]))
        s = right;
      if (s == i)
        return;
      std::swap(heap[i], heap[s]);
      i = s;
    }
  }

  const mli_tensor &in;
  Codes heap;
};

inline Codes argmax(const mli_tensor &in, const mli_argmax_cfg &cfg) {
  std::vector<int64_t> shape = getShape(in);
  int64_t slices = cfg.axis < 0 ? 1 : shape[cfg.axis];
  Codes result;
  for (int64_t slice = 0; slice < slices; ++slice) {
    Codes positions;
    for (int64_t i = 0; i < countOf(shape); ++i) {
      Coords at = coordsOf(shape, i);
      if (cfg.axis < 0 || at[cfg.axis] == slice)
        positions.push_back(getOffset(in, at));
    }
    TopPositions top(in, positions, cfg.topk);
    result.insert(result.end(), top.positions().begin(), top.positions().end());
  }
  return result;
}

inline Codes permute(const mli_tensor &in, const mli_permute_cfg &cfg,
                     const mli_tensor &out) {
  std::vector<int64_t> shape = getShape(out);
  Codes codes;
  for (int64_t i = 0; i < countOf(shape); ++i) {
    Coords at = coordsOf(shape, i);
    Coords from(at.size());
    for (size_t d = 0; d < at.size(); ++d)
      from[cfg.perm_dim[d]] = at[d];
    codes.push_back(codeAt(in, from));
  }
  return codes;
}

/// The shape of what a move writes, `dst_offset` not counted.
inline std::vector<int64_t> movedShape(const mli_tensor &src,
                                       const mli_mov_cfg_t &cfg) {
  std::vector<int64_t> shape;
  for (uint32_t i = 0; i < src.rank; ++i) {
    uint32_t p = cfg.perm_dim[i];
    int64_t copied = cfg.size[p];
    if (copied == 0)
      copied = int64_t{src.shape[p]} - cfg.offset[p] + cfg.padding_pre[p] +
               cfg.padding_post[p];
    int64_t step = cfg.sub_sample_step[p];
    shape.push_back((copied + step - 1) / step);
  }
  return shape;
}

/// The codes that a move writes, for sources that it does not leave.
inline Codes moved(const mli_tensor &src, const mli_mov_cfg_t &cfg) {
  std::vector<int64_t> shape = movedShape(src, cfg);
  Codes codes;
  for (int64_t i = 0; i < countOf(shape); ++i) {
    Coords at = coordsOf(shape, i);
    Coords from(at.size());
    bool isInside = true;
    for (size_t d = 0; d < at.size(); ++d) {
      uint32_t p = cfg.perm_dim[d];
      from[p] =
          at[d] * cfg.sub_sample_step[p] + cfg.offset[p] - cfg.padding_pre[p];
      isInside &= from[p] >= 0 && from[p] < int64_t{src.shape[p]};
    }
    codes.push_back(isInside ? codeAt(src, from) : 0);
  }
  return codes;
}

} // namespace mli::ref

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_ARRANGE_H
