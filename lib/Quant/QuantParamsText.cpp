// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/QuantParams.h"

namespace mli::quant {

std::string toString(const QuantParams &params) {
  return std::to_string(params.scale) + ":" + std::to_string(params.fracBits) +
         ":" + std::to_string(params.zeroPoint);
}

} // namespace mli::quant
