// SPDX-License-Identifier: Apache-2.0
//
// Operations that move elements or choose some of them.

#include "TosaValue.h"

#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

using Index = SmallVector<int64_t, 6>;

static Index unravel(ArrayRef<int64_t> shape, int64_t index) {
  Index places(shape.size());
  for (size_t i = shape.size(); i-- > 0; index /= shape[i])
    places[i] = index % shape[i];
  return places;
}

static int64_t ravel(ArrayRef<int64_t> shape, ArrayRef<int64_t> places) {
  int64_t index = 0;
  for (auto [extent, place] : llvm::zip_equal(shape, places))
    index = index * extent + place;
  return index;
}

static SmallVector<int64_t> readSizes(Value value) {
  DenseIntElementsAttr attribute;
  SmallVector<int64_t> sizes;
  if (matchPattern(value, m_Constant(&attribute)))
    llvm::append_range(sizes, attribute.getValues<int64_t>());
  return sizes;
}

static void computeTranspose(tosa::TransposeOp op, const TosaValue &input,
                             TosaValue &result) {
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    Index to = unravel(result.shape, i), from(to.size());
    for (auto [dim, place] : llvm::zip_equal(op.getPerms(), to))
      from[dim] = place;
    result.elements.push_back(input.elements[ravel(input.shape, from)]);
  }
}

/// Elements of `input` from `offset` on, and `border` around it.
static void computeBlock(const TosaValue &input, ArrayRef<int64_t> offset,
                         int64_t border, TosaValue &result) {
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    Index places = unravel(result.shape, i);
    bool isInside = true;
    for (auto [dim, place] : llvm::enumerate(places)) {
      place += offset[dim];
      isInside &= place >= 0 && place < input.shape[dim];
    }
    result.elements.push_back(
        isInside ? input.elements[ravel(input.shape, places)] : border);
  }
}

static void computePad(tosa::PadOp op, TosaOperands operands,
                       TosaValue &result) {
  SmallVector<int64_t> amounts = readSizes(op.getPadding()), offset;
  for (size_t i = 0; i < amounts.size(); i += 2)
    offset.push_back(-amounts[i]);
  computeBlock(operands[0], offset, operands[2].elements.front(), result);
}

static void computeConcat(tosa::ConcatOp op, TosaOperands operands,
                          TosaValue &result) {
  result.elements.resize(result.getNumElements());
  int64_t first = 0;
  for (const TosaValue &operand : operands) {
    for (int64_t i = 0; i < operand.getNumElements(); ++i) {
      Index places = unravel(operand.shape, i);
      places[op.getAxis()] += first;
      result.elements[ravel(result.shape, places)] = operand.elements[i];
    }
    first += operand.shape[op.getAxis()];
  }
}

static void computeMaxPool(tosa::MaxPool2dOp op, const TosaValue &input,
                           TosaValue &result) {
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    Index to = unravel(result.shape, i), from = to;
    int64_t greatest = INT64_MIN;
    for (int64_t ky = 0; ky < op.getKernel()[0]; ++ky)
      for (int64_t kx = 0; kx < op.getKernel()[1]; ++kx) {
        from[1] = to[1] * op.getStride()[0] - op.getPad()[0] + ky;
        from[2] = to[2] * op.getStride()[1] - op.getPad()[2] + kx;
        if (from[1] >= 0 && from[2] >= 0 && from[1] < input.shape[1] &&
            from[2] < input.shape[2])
          greatest =
              std::max(greatest, input.elements[ravel(input.shape, from)]);
      }
    result.elements.push_back(greatest);
  }
}

/// The greatest elements along `axis`, their sums, or the first places of the
/// greatest.
static void computeReduction(Operation *op, int64_t axis,
                             const TosaValue &input, TosaValue &result) {
  int64_t extent = input.shape[axis], after = 1;
  for (int64_t dim = axis + 1; dim < input.getRank(); ++dim)
    after *= input.shape[dim];
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    int64_t first = i / after * extent * after + i % after, sum = 0, found = 0;
    for (int64_t k = 0; k < extent; ++k) {
      sum += input.elements[first + k * after];
      if (input.elements[first + k * after] >
          input.elements[first + found * after])
        found = k;
    }
    result.elements.push_back(isa<tosa::ReduceSumOp>(op) ? sum
                              : isa<tosa::ReduceMaxOp>(op)
                                  ? input.elements[first + found * after]
                                  : found);
  }
}

bool fuzz::isGreatest(const TosaValue &input, int64_t axis, int64_t index,
                      int64_t place) {
  int64_t extent = input.shape[axis], after = 1;
  for (int64_t dim = axis + 1; dim < input.getRank(); ++dim)
    after *= input.shape[dim];
  int64_t first = index / after * extent * after + index % after;
  if (place < 0 || place >= extent)
    return false;
  for (int64_t k = 0; k < extent; ++k)
    if (input.elements[first + k * after] >
        input.elements[first + place * after])
      return false;
  return true;
}

bool fuzz::computeTosaMove(Operation *op, TosaOperands operands,
                           TosaValue &result) {
  if (isa<tosa::ReshapeOp>(op))
    result.elements = operands[0].elements;
  else if (auto transpose = dyn_cast<tosa::TransposeOp>(op))
    computeTranspose(transpose, operands[0], result);
  else if (auto slice = dyn_cast<tosa::SliceOp>(op))
    computeBlock(operands[0], readSizes(slice.getStart()), 0, result);
  else if (auto pad = dyn_cast<tosa::PadOp>(op))
    computePad(pad, operands, result);
  else if (auto concat = dyn_cast<tosa::ConcatOp>(op))
    computeConcat(concat, operands, result);
  else if (auto pool = dyn_cast<tosa::MaxPool2dOp>(op))
    computeMaxPool(pool, operands[0], result);
  else if (auto reduce = dyn_cast<tosa::ReduceSumOp>(op))
    computeReduction(op, reduce.getAxis(), operands[0], result);
  else if (auto reduce = dyn_cast<tosa::ReduceMaxOp>(op))
    computeReduction(op, reduce.getAxis(), operands[0], result);
  else if (auto argmax = dyn_cast<tosa::ArgMaxOp>(op))
    computeReduction(op, argmax.getAxis(), operands[0], result);
  else
    return false;
  return true;
}
