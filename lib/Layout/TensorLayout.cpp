// SPDX-License-Identifier: Apache-2.0

#include "mli/Layout/TensorLayout.h"

#include "Layout/Axes.h"
#include "Layout/Saturating.h"

#include <algorithm>

namespace mli::layout {
namespace {

Axes getAxes(const TensorLayout &layout) {
  return sortAxes(npuShape(layout), layout.strides);
}

std::optional<Violation> verifyElement(const TensorLayout &layout) {
  int64_t bytes = layout.elementBytes;
  std::optional<Violation> violation = checkRange("element bytes", bytes, 1, 8);
  if (!violation && (bytes & (bytes - 1)) != 0)
    violation = Violation{"element bytes", "be a power of", 2, bytes};
  int64_t wanted = getElementBytes(layout.mode);
  if (!violation && wanted != 0 && wanted != bytes)
    violation =
        Violation{"element bytes", "be", wanted, bytes, " in this mode"};
  // L38
  if (!violation)
    violation = checkDivisible("npu-bytes", layout.target.npuBytes, bytes);
  return violation;
}

/// Checks that a matrix has the one shape that its columns give it.
// L14, L15
std::optional<Violation> verifyMatrix(const TensorLayout &layout) {
  const Dims &shape = layout.shape;
  if (layout.kind != Kind::Matrix && layout.matrixColumns == 0)
    return std::nullopt;
  Result<Dims> wanted = matrixShape(shape.n, layout.matrixColumns, shape.w);
  if (!wanted)
    return wanted.violation();
  if (shape.c != wanted->c)
    return Violation{"shape.c", "be", wanted->c, shape.c};
  if (shape.h != 1)
    return Violation{"shape.h", "be", 1, shape.h};
  return std::nullopt;
}

std::optional<Violation> verifyAddress(const TensorLayout &layout) {
  const Target &target = layout.target;
  std::optional<Violation> violation =
      checkRange("start_npu", layout.startNpu, 0, target.npus - 1);
  if (!violation)
    violation = checkRange("offset", layout.offset, 0, target.npuBytes - 1);
  if (!violation)
    violation =
        checkDivisible("address", getAddress(layout), getAlignment(layout));
  if (!violation && layout.kind == Kind::Continuous && target.npus != 1)
    violation = Violation{"npus", "be", 1, target.npus, " for system memory"};
  return violation;
}

/// The first broken rule that does not depend on strides.
std::optional<Violation> verifyRequest(const TensorLayout &layout) {
  std::optional<Violation> violation = verify(layout.target);
  if (!violation)
    violation = verifyShape(layout.shape);
  if (!violation)
    violation = verifyElement(layout);
  if (!violation)
    violation = verifyMatrix(layout);
  if (!violation)
    violation = verifyAddress(layout);
  return violation;
}

/// Packed elements from the first one up to the last that holds an element. A
/// last channel that is alone in its block row may end before its last column.
// L15, L22
int64_t getReach(const TensorLayout &layout) {
  int64_t whole = getSpan(getAxes(layout));
  const Dims &shape = layout.shape;
  bool isLastAlone = (layout.startNpu + shape.c - 1) % layout.target.npus == 0;
  if (layout.matrixColumns == 0 || !isLastAlone || whole == unrepresentable)
    return whole;
  int64_t missing = multiply(shape.c, shape.w) - layout.matrixColumns;
  // The block row before it is whole.
  return whole -
         std::min(multiply(missing, layout.strides.w), layout.strides.c);
}

/// The first stride that steps over something and is not the wanted one.
// L7
std::optional<Violation> compareStrides(const TensorLayout &layout,
                                        const Dims &wanted) {
  for (const Axis &axis : getAxes(layout))
    if (axis.extent != 1 && axis.stride != wanted.*axis.dim)
      return Violation{axis.parameter, "be", wanted.*axis.dim, axis.stride};
  return std::nullopt;
}

// L22
std::optional<Violation> verifyEnd(const TensorLayout &layout) {
  int64_t most = layout.target.npuBytes - layout.offset;
  int64_t bytes = bytesPerNpu(layout);
  if (bytes <= most)
    return std::nullopt;
  return Violation{"bytes_per_npu", "be at most", most, bytes};
}

} // namespace

// L17, L20, L21
int64_t packFactor(Mode mode) {
  if (mode == Mode::None)
    return 1;
  return mode == Mode::FourN ? 4 : 2;
}

int64_t getElementBytes(Mode mode) {
  switch (mode) {
  case Mode::None:
    return 0;
  case Mode::FourN:
    return 1;
  case Mode::TwoN:
    return 2;
  case Mode::TwoIC:
    return 4;
  }
  return 0;
}

int64_t packedBytes(const TensorLayout &layout) {
  return packFactor(layout.mode) * layout.elementBytes;
}

// L18
Dims packedShape(const TensorLayout &layout) {
  Dims shape = layout.shape;
  shape.n = ceilDivide(shape.n, packFactor(layout.mode));
  return shape;
}

int64_t channelsPerNpu(const TensorLayout &layout) {
  return channelsPerNpu(layout.startNpu, layout.shape.c, layout.target.npus);
}

Dims npuShape(const TensorLayout &layout) {
  Dims shape = packedShape(layout);
  shape.c = channelsPerNpu(layout);
  return shape;
}

// L10, L12, L38
int64_t getAlignment(const TensorLayout &layout) {
  int64_t wanted = 1;
  if (layout.kind == Kind::Aligned || layout.kind == Kind::Matrix)
    wanted = layout.target.unit;
  else if (layout.kind == Kind::Compact)
    wanted = 4;
  return std::max(wanted, layout.elementBytes);
}

int64_t getAddress(const TensorLayout &layout) {
  return getAddress({layout.startNpu, layout.offset}, layout.target);
}

// L18
Result<Dims> closedFormStrides(const TensorLayout &layout) {
  Dims shape = packedShape(layout);
  switch (layout.kind) {
  case Kind::Continuous:
    return continuousStrides(shape);
  case Kind::Compact:
    return compactStrides(shape, layout.startNpu, layout.target);
  case Kind::Aligned:
  case Kind::Matrix:
    return alignedStrides(shape, packedBytes(layout), layout.startNpu,
                          layout.target);
  case Kind::Strided:
    break;
  }
  return layout.strides;
}

Result<TensorLayout> makeLayout(TensorLayout request) {
  if (std::optional<Violation> violation = verifyRequest(request))
    return *violation;
  Result<Dims> strides = closedFormStrides(request);
  if (!strides)
    return strides.violation();
  request.strides = *strides;
  std::optional<Violation> violation = verifyStrides(request);
  if (!violation)
    violation = verifyEnd(request);
  if (violation)
    return *violation;
  return request;
}

std::optional<Violation> verify(const TensorLayout &layout) {
  std::optional<Violation> violation = verifyRequest(layout);
  if (!violation)
    violation = verifyStrides(layout);
  if (!violation)
    violation = verifyEnd(layout);
  return violation;
}

std::optional<Violation> verifyStrides(const TensorLayout &layout) {
  const Dims &strides = layout.strides;
  for (auto [name, stride] :
       {std::pair("n stride", strides.n), std::pair("c stride", strides.c),
        std::pair("h stride", strides.h), std::pair("w stride", strides.w)})
    if (stride < 0)
      return Violation{name, "be at least", 0, stride};
  if (layout.kind == Kind::Strided)
    return checkNoAlias(getAxes(layout));
  Result<Dims> wanted = closedFormStrides(layout);
  return wanted ? compareStrides(layout, *wanted) : wanted.violation();
}

bool isInLayout(const TensorLayout &layout) {
  return !verifyAddress(layout) && !verifyStrides(layout);
}

// L22
int64_t bytesPerNpu(const TensorLayout &layout) {
  if (layout.kind == Kind::Strided)
    return multiply(getReach(layout), packedBytes(layout));
  // Where N is 1 its stride makes no sense, yet the closed form is the size.
  Result<Dims> strides = closedFormStrides(layout);
  if (!strides)
    return unrepresentable;
  return multiply(multiply(packedShape(layout).n, strides->n),
                  packedBytes(layout));
}

int64_t countElements(const TensorLayout &layout) {
  const Dims &shape = layout.shape;
  if (layout.matrixColumns != 0)
    return multiply(shape.n, layout.matrixColumns);
  return multiply(multiply(shape.n, shape.c), multiply(shape.h, shape.w));
}

// L26
std::optional<AffineMap> affineMap(const TensorLayout &layout) {
  const Dims &strides = layout.strides;
  int64_t bytes = layout.elementBytes;
  int64_t factor = packFactor(layout.mode);
  bool isOneGroup = packedShape(layout).n == 1;
  bool isOnManyNpus = layout.target.npus != 1;
  if (layout.matrixColumns != 0 && layout.shape.c != 1)
    return std::nullopt;
  if (isOnManyNpus && channelsPerNpu(layout) != 1)
    return std::nullopt;
  if (factor != 1 && !isOneGroup)
    return std::nullopt;
  AffineMap map = {getAddress(layout) / bytes,
                   {strides.n, multiply(strides.c, factor),
                    multiply(strides.h, factor), multiply(strides.w, factor)}};
  if (factor != 1)
    map.strides.n = 1;
  if (isOnManyNpus)
    map.strides.c = layout.target.npuBytes / bytes;
  return map;
}

} // namespace mli::layout
