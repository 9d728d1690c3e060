// SPDX-License-Identifier: Apache-2.0
//
// Layouts on the device of a test, and tensors that lie so.

#ifndef MLI_TEST_UNIT_RUNTIME_LOCAL_LOCALLAYOUTS_H
#define MLI_TEST_UNIT_RUNTIME_LOCAL_LOCALLAYOUTS_H

#include "LocalDevice.h"

namespace mli::test {

using layout::Kind;
using layout::Mode;
using layout::TensorLayout;

inline mli_local_tensor describe(const TensorLayout &layout,
                                 const std::vector<int8_t> &dims) {
  return describeLocal(layout, dims);
}

inline TensorLayout makeLayout(const layout::Dims &shape, int64_t bytes,
                               int64_t start = 0, Kind kind = Kind::Aligned,
                               Mode mode = Mode::None) {
  TensorLayout layout;
  layout.shape = shape;
  layout.elementBytes = bytes;
  layout.startNpu = start;
  layout.kind = kind;
  layout.mode = mode;
  layout.target = currentLocalTarget();
  layout::Result<TensorLayout> made = layout::makeLayout(layout);
  EXPECT_TRUE(made) << toString(made.violation());
  return made ? *made : TensorLayout();
}

template <typename Code>
std::vector<Code> counted(size_t count) {
  std::vector<Code> codes(count);
  for (size_t i = 0; i < count; ++i)
    codes[i] = static_cast<Code>(i * 7 + 1);
  return codes;
}

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_LOCAL_LOCALLAYOUTS_H
