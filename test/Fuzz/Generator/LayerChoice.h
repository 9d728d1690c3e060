// SPDX-License-Identifier: Apache-2.0
//
// Random constants of layers with weights, as networks have them and as few do.

#ifndef MLI_TEST_FUZZ_GENERATOR_LAYERCHOICE_H
#define MLI_TEST_FUZZ_GENERATOR_LAYERCHOICE_H

#include "Types.h"

namespace mli::fuzz {

/// How much a layer computes.
struct LayerSize {
  int64_t outputs;
  /// The number of products of an output.
  int64_t count;
  /// Whether its feature maps have 16 bits.
  bool isWide = false;

  bool operator==(const LayerSize &other) const {
    return outputs == other.outputs && count == other.count &&
           isWide == other.isWide;
  }
};

/// The constants of a layer, whose sums of products and bias fit 32 bits for
/// any input, and 48 if it is wide.
struct LayerChoice {
  /// From a sum to a code of the result: one for all outputs, or one each.
  llvm::SmallVector<double> factors;
  /// By outputs, then by products.
  std::vector<int8_t> weights;
  std::vector<int64_t> bias;

  double getFactor(int64_t output) const {
    return factors[factors.size() == 1 ? 0 : output];
  }
  /// The weights by products, then by outputs.
  std::vector<int8_t> getOutputsLast() const;
};

LayerChoice chooseLayer(TypeChoice &types, Random &random,
                        const LayerSize &size);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_GENERATOR_LAYERCHOICE_H
