// SPDX-License-Identifier: Apache-2.0
//
// Kernels that several steps add, on inputs that these choose.

#ifndef MLI_TEST_FUZZ_GENERATOR_LAYERS_H
#define MLI_TEST_FUZZ_GENERATOR_LAYERS_H

#include "Writer.h"

namespace mli::fuzz {

/// The windows of a kernel over a feature map.
struct MapWindows {
  WindowChoice rows, columns;
  bool isChannelsFirst = false;
};

enum class ConvolutionKind { Plain, Depthwise, Grouped, Transposed };

struct ConvolutionChoice {
  ConvolutionKind kind;
  MapWindows windows;
  /// Those of plain and transposed ones; any number if it is 0.
  int64_t filters = 0;
};

/// Adds a convolution with any weights; null if it would be too much work.
mlir::Value addConvolution(Writer &writer, mlir::Value input,
                           const ConvolutionChoice &choice);
mlir::Value addPool(Writer &writer, mlir::Value input, bool isAverage,
                    const MapWindows &windows);

/// The element-wise operations on two tensors. Both have the same kind of
/// elements, and those that compare values also the same type.
enum class EltwiseKind { Add, Sub, Mul, Min, Max };

inline bool comparesValues(EltwiseKind kind) {
  return kind == EltwiseKind::Min || kind == EltwiseKind::Max;
}

/// `rhs` has the shape of `lhs` or is a scalar.
mlir::Value addEltwise(Writer &writer, EltwiseKind kind, mlir::Value lhs,
                       mlir::Value rhs);
mlir::Value addRelu(Writer &writer, mlir::Value input);
mlir::Value addSlopes(Writer &writer, mlir::Value input);
mlir::Value addActivation(Writer &writer, mlir::Value input);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_GENERATOR_LAYERS_H
