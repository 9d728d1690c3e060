// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/WideLayer.h"

using namespace mlir;
using namespace mli;

FailureOr<WideTerms> mli::chooseLayerTerms(WideLayer layer,
                                           std::string &reason) {
  size_t outputs = layer.bias.size();
  auto getFactor = [&](size_t output) {
    return layer.factors[layer.factors.size() == 1 ? 0 : output];
  };
  for (auto [i, weight] : llvm::enumerate(layer.weights))
    weight *= getFactor(i % outputs);
  std::vector<double> bias;
  for (auto [i, value] : llvm::enumerate(layer.bias))
    bias.push_back(static_cast<double>(value) * getFactor(i));
  return chooseTerms(layer.in, layer.out, layer.weights, bias,
                     layer.isClippedAtZero, maxWideError, reason);
}
