// SPDX-License-Identifier: Apache-2.0
//
// Raising products with a constant matrix: fully connected, row by row.

#include "TosaPatterns.h"
#include "TosaWeighted.h"
#include "TosaWeights.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

GroupPtr raising::matchMatMul(tosa::RescaleOp root, const RescaledValue &sums,
                              Refusals &refusals) {
  auto op = sums.value.getDefiningOp<tosa::MatMulOp>();
  if (failed(checkMap(op, op.getA(), "'a'", refusals)) ||
      failed(checkMap(op, op.getB(), "'b'", refusals)) ||
      failed(checkMap(root, root.getOutput(), "output", refusals)))
    return nullptr;
  FailureOr<int64_t> inputZero =
      readZeroPoint(op, op.getAZp(), "a_zp", refusals);
  if (failed(inputZero))
    return nullptr;
  ElementsAttr weights =
      readWeights(op, op.getB(), op.getBZp(), "b", "b_zp", refusals);
  if (!weights)
    return nullptr;
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  if (shape[0] != 1)
    return refusals.refuse(op, "expected one matrix 'b', but got ", shape[0]);
  auto group = std::make_unique<WeightedGroup>(root, op);
  group->kernel = WeightedGroup::Kernel::FullyConnected;
  group->input = op.getA();
  group->inputZero = *inputZero;
  group->weights = withShape(weights, shape.drop_front());
  auto type = RankedTensorType::get(shape.back(),
                                    IntegerType::get(op.getContext(), 32));
  group->bias = DenseElementsAttr::get(type, static_cast<int32_t>(0));
  group->rescale = sums.params;
  group->clearDeadChannels();
  return group;
}
