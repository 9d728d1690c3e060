// SPDX-License-Identifier: Apache-2.0

#include "mli/Calls/RowShift.h"

using namespace mlir;
using namespace mli;

calls::RowShift calls::getRowShift(AdvanceOp op, ArrayRef<int64_t> strides) {
  ArrayRef<int64_t> shape = op.getInit().getType().getShape();
  auto dim = static_cast<int64_t>(op.getDim());
  auto distance = static_cast<int64_t>(op.getRows());
  RowShift shift{dim, shape[dim] - distance, distance, 1, false, {}};
  int64_t inner = static_cast<int64_t>(shape.size()) - 1;
  for (; inner > dim && (shape[inner] == 1 || strides[inner] == shift.elements);
       --inner)
    shift.elements *= shape[inner];
  shift.isContiguous = inner == dim && strides[dim] == shift.elements;
  for (int64_t i = 0; i <= inner; ++i)
    if (i != dim && shape[i] != 1)
      shift.others.push_back(i);
  return shift;
}

calls::RingBlocks::RingBlocks(AdvanceOp op)
    : from(op.getInit().getType().getRank(), 0), to(from),
      sizes(op.getInit().getType().getShape()) {
  auto rows = static_cast<int64_t>(op.getRows());
  from[op.getDim()] = rows;
  sizes[op.getDim()] -= rows;
}
