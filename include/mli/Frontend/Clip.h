// SPDX-License-Identifier: Apache-2.0
//
// Clips to a range of quantized values, in a kernel or after it.

#ifndef MLI_FRONTEND_CLIP_H
#define MLI_FRONTEND_CLIP_H

#include "mli/Frontend/TensorBuilder.h"
#include "mli/Quant/Requantize.h"

#include <optional>

namespace mli {

/// A way to clip to `limits` in the format that they were chosen for.
struct Clip {
  /// The ReLU that clips to the limits; nothing if clipping takes a maximum and
  /// a minimum.
  std::optional<ReluKind> relu;
  quant::Limits limits;

  /// The ReLU of a kernel that can clip its own result.
  ReluKind getKernelRelu() const { return relu.value_or(ReluKind::none); }
};
Clip chooseClip(const quant::Limits &limits, const quant::QuantParams &params);
/// Chooses how to clip in fx16.
Clip chooseWideClip(const quant::Limits &limits);

/// Creates the operations that clip `value`. With `isFromKernel` its kernel has
/// clipped by `clip.getKernelRelu()` already.
mlir::Value createClip(TensorBuilder &tensors, mlir::Value value,
                       const Clip &clip, bool isFromKernel = false);

} // namespace mli

#endif // MLI_FRONTEND_CLIP_H
