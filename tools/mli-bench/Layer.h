// SPDX-License-Identifier: Apache-2.0
//
// Layers as a CSV file lists them, with random operands that every library can
// hold.

#ifndef MLI_TOOLS_MLI_BENCH_LAYER_H
#define MLI_TOOLS_MLI_BENCH_LAYER_H

#include <cstdint>
#include <string>
#include <vector>

namespace mli::bench {

/// One line: kind is conv, dw, fc, add, maxpool, avgpool or softmax, or one of
/// those that only this library has (OtherBackend.cpp).
struct Layer {
  std::string name;
  std::string kind;
  std::string suite;
  int height, width, inputs, outputs;
  int kernelHeight, kernelWidth, strideHeight, strideWidth;
  int padTop, padBottom, padLeft, padRight;
  int outHeight, outWidth;
  double macs;

  bool hasWeights() const {
    return kind == "conv" || kind == "dw" || kind == "fc";
  }
  /// Whether other libraries may have it.
  bool isCommon() const {
    return hasWeights() || kind == "add" || kind == "maxpool" ||
           kind == "avgpool" || kind == "softmax";
  }
  bool isDepthwise() const { return kind == "dw"; }
  /// Products of one sum.
  int products() const {
    return kernelHeight * kernelWidth * (isDepthwise() ? 1 : inputs);
  }
  size_t outputCount() const {
    return static_cast<size_t>(outHeight) * outWidth * outputs;
  }
};

/// The layers of a file, by the names in its first line; empty, with a message
/// on stderr, if one of them cannot be computed.
std::vector<Layer> readLayers(const std::string &path);

/// A scale that is a 16-bit mantissa, so exact in float too.
struct Scale {
  int16_t mantissa;
  int8_t fracBits;
  float real() const;
};
Scale toScale(double value);

/// sa8 operands; fx ones are derived from them.
struct Operands {
  explicit Operands(const Layer &layer);

  std::vector<int8_t> in, in2;
  /// [kh][kw][c][n], as MLI takes them.
  std::vector<int8_t> weights;
  /// [n][kh][kw][c], and [kh][kw][c] of depthwise ones.
  std::vector<int8_t> weightsByOutput;
  std::vector<int32_t> bias;
  std::vector<Scale> weightScales;
  Scale inScale, in2Scale, outScale;
  int inZero = -7, in2Zero = 11, outZero = 5;
};

} // namespace mli::bench

#endif // MLI_TOOLS_MLI_BENCH_LAYER_H
