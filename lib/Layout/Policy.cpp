// SPDX-License-Identifier: Apache-2.0

#include "mli/Layout/Policy.h"

#include "Layout/Saturating.h"
#include "mli/Layout/MatrixWidth.h"

#include <array>

namespace mli::layout {
namespace {

constexpr int64_t Dims::*getMember(Dim dim) {
  constexpr int64_t Dims::*members[] = {&Dims::n, &Dims::c, &Dims::h, &Dims::w};
  return members[static_cast<size_t>(dim)];
}

/// The last `rank` of `dims`.
template <size_t N>
std::vector<Dim> takeLast(const std::array<Dim, N> &dims, size_t rank) {
  return {dims.end() - static_cast<ptrdiff_t>(std::min(rank, N)), dims.end()};
}

// O2, O3, O4
std::vector<Dim> getDims(const LocalTensorDesc &use) {
  size_t rank = use.shape.size();
  switch (use.role) {
  case OperandUsage::Filters:
    return takeLast(std::array{Dim::H, Dim::W, Dim::N, Dim::C}, rank);
  case OperandUsage::Product:
    return takeLast(std::array{Dim::W, Dim::H, Dim::N, Dim::C}, rank);
  case OperandUsage::Map:
  case OperandUsage::Channels:
  case OperandUsage::Row:
    break;
  }
  return takeLast(std::array{Dim::N, Dim::H, Dim::W, Dim::C}, rank);
}

/// Whether the matrix instruction could take it.
bool canBeMatrix(const LocalTensorDesc &use) {
  bool isOperand =
      use.role == OperandUsage::Product || use.role == OperandUsage::Row;
  return isOperand && (use.shape.size() == 1 || use.shape.size() == 2);
}

// O5
LayoutChoice getMatrix(const LocalTensorDesc &use, const Target &target) {
  LayoutChoice choice = {Kind::Matrix, Mode::None,
                         takeLast(std::array{Dim::N, Dim::W}, use.shape.size()),
                         0};
  choice.columns = bestMatrixWidth(use.shape.back(), use.elementBytes,
                                   /*startNpu=*/0, target, maxProductWidth);
  return choice;
}

/// The mode for the elements of `use`, if there is one.
Mode modeFor(const LocalTensorDesc &use) {
  for (Mode mode : {Mode::FourN, Mode::TwoN})
    if (getElementBytes(mode) == use.elementBytes)
      return mode;
  return Mode::None;
}

int64_t getBytes(const LocalTensorDesc &use, const LayoutChoice &choice,
                 const Target &target) {
  return bytesPerNpu(arrange(use, choice, target));
}

/// The first of `candidates` that pads no more than it holds.
// O1
LayoutChoice takeFirst(const std::vector<LayoutChoice> &candidates,
                       const LocalTensorDesc &use, const Target &target) {
  const LayoutChoice &densest = candidates.back();
  if (candidates.size() == 1)
    return densest;
  int64_t most = multiply(2, getBytes(use, densest, target));
  for (const LayoutChoice &candidate : candidates)
    if (getBytes(use, candidate, target) <= most)
      return candidate;
  return densest;
}

/// Whether all dimensions that have more than one entry are the same.
bool haveSameDims(const LayoutChoice &a, const LayoutChoice &b,
                  const LocalTensorDesc &use) {
  for (size_t i = 0; i < use.shape.size(); ++i)
    if (use.shape[i] != 1 && a.dims[i] != b.dims[i])
      return false;
  return true;
}

std::vector<LayoutChoice> withMode(std::vector<LayoutChoice> candidates,
                                   Mode mode) {
  for (LayoutChoice &candidate : candidates)
    candidate.mode = mode;
  return candidates;
}

} // namespace

bool LayoutChoice::operator==(const LayoutChoice &other) const {
  return kind == other.kind && mode == other.mode && dims == other.dims &&
         columns == other.columns;
}

std::vector<LayoutChoice> getCandidates(const LocalTensorDesc &use,
                                        const Target &target,
                                        const PolicyOptions &options) {
  // O6
  if (target.npus == 1)
    return {
        {Kind::Continuous, Mode::None,
         takeLast(std::array{Dim::N, Dim::C, Dim::H, Dim::W}, use.shape.size()),
         0}};
  if (options.usesMatrices && canBeMatrix(use))
    return {getMatrix(use, target)};
  LayoutChoice compact = {Kind::Compact, Mode::None, getDims(use), 0};
  LayoutChoice aligned = {Kind::Aligned, Mode::None, getDims(use), 0};
  switch (use.role) {
  case OperandUsage::Map:
  case OperandUsage::Row:
    return {aligned, compact};
  case OperandUsage::Product:
    // A channel that can not fill a unit pads the more the larger it is.
    if (canBeMatrix(use) && target.unit <= maxProductWidth * use.elementBytes)
      return {getMatrix(use, target), compact};
    break;
  case OperandUsage::Channels:
  case OperandUsage::Filters:
    break;
  }
  return {compact};
}

// O7
LayoutChoice chooseLayout(const LocalTensorDesc &use, const Target &target,
                          const PolicyOptions &options) {
  std::vector<LayoutChoice> candidates = getCandidates(use, target, options);
  LayoutChoice plain = takeFirst(candidates, use, target);
  Mode mode = modeFor(use);
  bool isMap = use.role == OperandUsage::Map && target.npus != 1;
  if (!isMap || use.cutsGroups || mode == Mode::None)
    return plain;
  LayoutChoice packed = takeFirst(withMode(candidates, mode), use, target);
  if (options.mode == mode)
    return packed;
  bool isBatch = use.shape.size() == 4 && use.shape.front() >= packFactor(mode);
  bool isSmaller = getBytes(use, packed, target) < getBytes(use, plain, target);
  return isBatch && isSmaller ? packed : plain;
}

bool isAccepted(const LayoutChoice &choice, const LocalTensorDesc &use,
                const Target &target, const PolicyOptions &options) {
  bool isMode = choice.mode == Mode::None ||
                (use.role == OperandUsage::Map && choice.mode == modeFor(use));
  bool isOfProduct = choice.columns <= maxProductWidth;
  if (!isMode || !isOfProduct)
    return false;
  for (const LayoutChoice &candidate : getCandidates(use, target, options)) {
    bool isKind = choice.kind == candidate.kind || choice.kind == Kind::Strided;
    bool isMatrix = (choice.columns != 0) == (candidate.columns != 0);
    if (isKind && isMatrix && haveSameDims(choice, candidate, use))
      return true;
  }
  return false;
}

Result<TensorLayout> requestLayout(const std::vector<int64_t> &shape,
                                   int64_t bytes, const std::vector<Dim> &dims,
                                   const Target &target, int64_t columns) {
  Dims local = TensorLayout().shape;
  for (size_t i = 0; i < shape.size(); ++i)
    local.*getMember(dims[i]) = shape[i];
  return requestLayout(local, bytes, target, columns);
}

Result<TensorLayout> requestLayout(const Dims &shape, int64_t bytes,
                                   const Target &target, int64_t columns) {
  TensorLayout request;
  request.elementBytes = bytes;
  request.target = target;
  request.shape = shape;
  if (columns == 0)
    return request;
  request.kind = Kind::Matrix;
  request.matrixColumns = request.shape.w;
  Result<Dims> matrix =
      matrixShape(request.shape.n, request.matrixColumns, columns);
  if (!matrix)
    return matrix.violation();
  request.shape = *matrix;
  return request;
}

TensorLayout arrange(const LocalTensorDesc &use, const LayoutChoice &choice,
                     const Target &target, int64_t startNpu) {
  TensorLayout layout = *requestLayout(use.shape, use.elementBytes, choice.dims,
                                       target, choice.columns);
  layout.kind = choice.kind;
  layout.mode = choice.mode;
  layout.startNpu = startNpu;
  if (Result<Dims> strides = closedFormStrides(layout))
    layout.strides = *strides;
  return layout;
}

// O8
int64_t lastStartNpu(const TensorLayout &layout) {
  if (layout.mode != Mode::None)
    return 0;
  int64_t npus = layout.target.npus;
  return npus - 1 - (layout.shape.c - 1) % npus;
}

// L30
int64_t wordAlignment(const Target &target) {
  return std::max<int64_t>(target.dmaAlignment, 4);
}

int64_t offsetAlignment(const TensorLayout &layout) {
  return std::max(getAlignment(layout), wordAlignment(layout.target));
}

// O9
LocalBytes localBytes(const LocalTensorDesc &use, const Target &target,
                      const PolicyOptions &options) {
  LocalTensorDesc whole = use;
  // Smaller batches would take more than larger ones that are packed.
  whole.cutsGroups |= options.mode != modeFor(use);
  // It may start on the NPUs on which it takes as much as on 0.
  TensorLayout layout =
      arrange(whole, chooseLayout(whole, target, options), target);
  return {bytesPerNpu(layout), offsetAlignment(layout)};
}

} // namespace mli::layout
