// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/Clip.h"

using namespace mlir;
using namespace mli;

Clip mli::chooseClip(const mli::quant::Limits &limits,
                     const mli::quant::QuantParams &params) {
  Clip clip{std::nullopt, limits};
  if (auto relu = mli::quant::findRelu(limits, params))
    clip.relu = static_cast<ReluKind>(*relu);
  return clip;
}

Clip mli::chooseWideClip(const mli::quant::Limits &limits) {
  Clip clip{std::nullopt, limits};
  if (limits.low == INT16_MIN && limits.high == INT16_MAX)
    clip.relu = ReluKind::none;
  return clip;
}

Value mli::createClip(TensorBuilder &tensors, Value value, const Clip &clip,
                      bool isFromKernel) {
  if (clip.relu && (isFromKernel || *clip.relu == ReluKind::none))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  auto init = [&] {
    return tensors.createEmpty(type.getElementType(), type.getShape());
  };
  if (clip.relu)
    return tensors.createOp<ReluOp>(value, init(), *clip.relu);
  auto limit = [&](int32_t number) {
    return tensors.createScalar(type.getElementType(), type.getShape(), number);
  };
  const int32_t max = (1 << (elementWidth(type.getElementType()) - 1)) - 1;
  if (clip.limits.low > -max - 1)
    value =
        tensors.createOp<EltwiseMaxOp>(value, limit(clip.limits.low), init());
  if (clip.limits.high < max)
    value =
        tensors.createOp<EltwiseMinOp>(value, limit(clip.limits.high), init());
  return value;
}
