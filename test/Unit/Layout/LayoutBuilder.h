// SPDX-License-Identifier: Apache-2.0
//
// Layouts by name, for tests.

#ifndef MLI_TEST_UNIT_LAYOUT_LAYOUTBUILDER_H
#define MLI_TEST_UNIT_LAYOUT_LAYOUTBUILDER_H

#include "mli/Layout/ElementMap.h"

#include <gtest/gtest.h>

#include <ostream>

namespace mli::layout {

// NOLINTBEGIN(readability-identifier-naming): what GoogleTest calls.
inline void PrintTo(const Dims &dims, std::ostream *os) {
  *os << "(" << dims.n << ", " << dims.c << ", " << dims.h << ", " << dims.w
      << ")";
}
inline void PrintTo(const Location &location, std::ostream *os) {
  *os << "NPU " << location.npu << " byte " << location.offset;
}

// NOLINTEND(readability-identifier-naming)

/// The location of a 32-bit element of an NPU.
inline Location wordAt(int64_t npu, int64_t index) { return {npu, 4 * index}; }

/// `npus` NPUs of `npuBytes` bytes, one bank, a unit of 128.
inline Target makeTarget(int64_t npus, int64_t npuBytes, int64_t unit = 128) {
  return {npus, npuBytes, 1, unit, 4};
}

/// A request on the four NPUs of the specification's figures.
class LayoutBuilder {
public:
  explicit LayoutBuilder(const Dims &shape) {
    request.shape = shape;
    request.target = makeTarget(4, 16384);
  }
  LayoutBuilder &kind(Kind kind) {
    request.kind = kind;
    return *this;
  }
  LayoutBuilder &mode(Mode mode) {
    request.mode = mode;
    request.elementBytes = getElementBytes(mode);
    return *this;
  }
  LayoutBuilder &bytes(int64_t bytes) {
    request.elementBytes = bytes;
    return *this;
  }
  LayoutBuilder &target(const Target &target) {
    request.target = target;
    return *this;
  }
  LayoutBuilder &start(int64_t npu, int64_t offset = 0) {
    request.startNpu = npu;
    request.offset = offset;
    return *this;
  }
  LayoutBuilder &strides(const Dims &strides) {
    request.kind = Kind::Strided;
    request.strides = strides;
    return *this;
  }
  LayoutBuilder &matrixColumns(int64_t columns) {
    request.matrixColumns = columns;
    return *this;
  }
  Result<TensorLayout> tryBuild() const { return makeLayout(request); }
  TensorLayout build() const {
    Result<TensorLayout> layout = makeLayout(request);
    if (layout)
      return *layout;
    ADD_FAILURE() << toString(layout.violation());
    return {};
  }
  /// Why it is refused.
  std::string violation() const {
    Result<TensorLayout> layout = makeLayout(request);
    return layout ? "no problem" : toString(layout.violation());
  }

private:
  TensorLayout request;
};

/// A matrix on the same NPUs.
inline LayoutBuilder matrixBuilder(int64_t rows, int64_t columns,
                                   int64_t width) {
  Result<Dims> shape = matrixShape(rows, columns, width);
  EXPECT_TRUE(shape);
  LayoutBuilder builder(*shape);
  return builder.kind(Kind::Matrix).matrixColumns(columns);
}

} // namespace mli::layout

#endif // MLI_TEST_UNIT_LAYOUT_LAYOUTBUILDER_H
