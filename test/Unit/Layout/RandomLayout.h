// SPDX-License-Identifier: Apache-2.0
//
// Random legal layouts, for tests of what holds for every layout.

#ifndef MLI_TEST_UNIT_LAYOUT_RANDOMLAYOUT_H
#define MLI_TEST_UNIT_LAYOUT_RANDOMLAYOUT_H

#include "LayoutBuilder.h"

#include <cstdlib>
#include <random>

namespace mli::layout {

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  /// In [low, high].
  int64_t in(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % (high - low + 1));
  }
  template <typename T>
  T oneOf(std::initializer_list<T> values) {
    return values.begin()[in(0, values.size() - 1)];
  }

private:
  std::mt19937_64 engine;
};

inline int scaled(int count) {
  const char *full = std::getenv("MLI_TEST_FULL");
  return full && *full == '1' ? 10 * count : count;
}

inline Dims explicitStrides(Random &random, const TensorLayout &request) {
  Dims extents = packedShape(request);
  extents.c = channelsPerNpu(request);
  Dims strides;
  strides.w = random.in(1, 3);
  strides.h = strides.w * (extents.w - 1) + random.in(1, 5);
  strides.c =
      strides.h * (extents.h - 1) + strides.w * extents.w + random.in(0, 5);
  strides.n = strides.c * extents.c + random.in(0, 5);
  if (random.in(0, 3) == 0 && extents.w == 1) // Channels innermost.
    strides = {2 * extents.c * extents.h * extents.w, 1, extents.c * extents.w,
               extents.c};
  return strides;
}

/// A legal layout of up to a few hundred elements.
inline TensorLayout randomLayout(Random &random) {
  TensorLayout request;
  int64_t unit = random.oneOf<int64_t>({16, 64, 128});
  request.target = makeTarget(random.in(1, 64), 1 << 16, unit);
  request.mode =
      random.oneOf({Mode::None, Mode::FourN, Mode::TwoN, Mode::TwoIC});
  request.elementBytes = getElementBytes(request.mode);
  if (request.mode == Mode::None)
    request.elementBytes = random.oneOf<int64_t>({1, 2, 4});
  request.kind =
      random.oneOf({Kind::Aligned, Kind::Compact, Kind::Matrix, Kind::Strided});
  request.startNpu = random.in(0, request.target.npus - 1);
  request.offset = random.in(0, 31) * 128;
  if (request.kind == Kind::Matrix) {
    int64_t columns = random.in(1, 90);
    request.shape =
        *matrixShape(random.in(1, 5), columns, random.in(1, columns));
    request.matrixColumns = columns;
  } else {
    int64_t channels = random.oneOf<int64_t>(
        {random.in(1, 4), request.target.npus + random.in(0, 2)});
    request.shape = {random.in(1, 5), channels, random.in(1, 3),
                     random.in(1, 3)};
  }
  if (request.kind == Kind::Strided)
    request.strides = explicitStrides(random, request);
  Result<TensorLayout> layout = makeLayout(request);
  if (!layout)
    ADD_FAILURE() << toString(layout.violation());
  return layout ? *layout : TensorLayout();
}

} // namespace mli::layout

#endif // MLI_TEST_UNIT_LAYOUT_RANDOMLAYOUT_H
