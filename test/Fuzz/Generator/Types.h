// SPDX-License-Identifier: Apache-2.0
//
// Random types and values of tensors.

#ifndef MLI_TEST_FUZZ_GENERATOR_TYPES_H
#define MLI_TEST_FUZZ_GENERATOR_TYPES_H

#include "../Random.h"
#include "Settings.h"

#include "mli/IR/MLI.h"

namespace mli::fuzz {

/// The kinds of quantised elements.
enum class ElementKind { Fx8, Fx16, Sa8, Sa32 };

std::optional<ElementKind> getKind(mlir::Type element);

/// The kind of elements that feature maps of kernels have: per tensor, with a
/// zero point of 8 bits; nothing for others.
std::optional<ElementKind> getMapKind(mlir::Type element);

/// Chooses quantisations and values.
class TypeChoice {
public:
  TypeChoice(mlir::MLIRContext *context, const Settings &settings,
             Random &random)
      : context(context), settings(settings), random(random) {}

  bool has(Feature feature) { return random.chance(settings.weight(feature)); }

  /// Sizes of `rank` dimensions, small ones and primes.
  llvm::SmallVector<int64_t> getShape(int64_t rank);
  int64_t getExtent();

  /// Per tensor, whose zero point is that of a feature map.
  mlir::Type getMapElement(ElementKind kind);
  mlir::Type getMapElement(llvm::ArrayRef<ElementKind> kinds) {
    return getMapElement(random.pick(kinds));
  }
  /// Of weights: zero point 0, along `axis`, of `count` indices, if that is not
  /// negative.
  mlir::Type getWeightElement(ElementKind kind, int64_t axis, int64_t count);
  /// Of the bias of `input` and `weights`; its axis is 0, if there is one.
  mlir::Type getBiasElement(mlir::Type input, mlir::Type weights);
  /// Of sums of `count` products of `input` and `weights`.
  mlir::Type getSumElement(mlir::Type input, mlir::Type weights, int64_t count);
  quant::QuantParams getMapParams();

  /// Values of `type`: any, at the limits, or around the zero point.
  mlir::DenseElementsAttr getValues(mlir::RankedTensorType type);
  /// The same of weights, `output` of whose dimensions counts the outputs, some
  /// of which may be dead.
  mlir::DenseElementsAttr getWeights(mlir::RankedTensorType type,
                                     int64_t output);
  /// Of a bias: zeros, small ones, up to the range of `count` products, and
  /// any.
  mlir::DenseElementsAttr getBias(mlir::RankedTensorType type, int64_t count);

private:
  mlir::Type getElement(ElementKind kind, quant::QuantParams params);
  mlir::DenseElementsAttr toAttribute(mlir::RankedTensorType type,
                                      llvm::ArrayRef<int64_t> values);

  mlir::MLIRContext *context;
  const Settings &settings;
  Random &random;
};

/// `count` as the product of `rank` extents.
llvm::SmallVector<int64_t> factorize(int64_t count, int64_t rank,
                                     Random &random);

/// A window along one dimension, in elements.
struct WindowChoice {
  int64_t input, kernel, stride, dilation, before, after, output;
};

/// The window of a kernel over `input` elements, or over any number of them if
/// that is 0.
WindowChoice chooseWindow(Random &random, int64_t input, bool hasDilation);

/// The window of a transposed convolution of `input` elements.
WindowChoice chooseTransposedWindow(Random &random, int64_t input);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_GENERATOR_TYPES_H
