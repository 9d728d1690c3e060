// SPDX-License-Identifier: Apache-2.0
//
// Clipping to a range of codes, in a kernel or behind it.

#ifndef MLI_FRONTEND_CLIP_H
#define MLI_FRONTEND_CLIP_H

#include "mli/Frontend/TensorBuilder.h"
#include "mli/Quant/Requantize.h"

#include <optional>

namespace mli {

/// How to clip to `limits` in the format that they were chosen for.
struct Clip {
  /// What clips to them at once; nothing if it takes two operations.
  std::optional<ReluKind> relu;
  quant::Limits limits;

  /// What a kernel with a ReLU of its own takes.
  ReluKind inKernel() const { return relu.value_or(ReluKind::none); }
};
Clip chooseClip(const quant::Limits &limits, const quant::QuantParams &params);
/// The same for fx16.
Clip chooseWideClip(const quant::Limits &limits);

/// The operations that clip `value`; fewer if its kernel did with
/// `clip.inKernel()`.
mlir::Value createClip(TensorBuilder &tensors, mlir::Value value,
                       const Clip &clip, bool isFromKernel = false);

} // namespace mli

#endif // MLI_FRONTEND_CLIP_H
