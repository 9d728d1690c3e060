// SPDX-License-Identifier: Apache-2.0
//
// Chooses scales for kernels: for front ends that know a network by its real
// numbers or by the factors of its requantisations.

#ifndef MLI_QUANT_KERNELSCALES_H
#define MLI_QUANT_KERNELSCALES_H

#include "mli/Quant/QuantParams.h"

#include <optional>

namespace mli::quant {

/// The parameters nearest to `scale`: a mantissa of 1 for a power of two, as
/// kernels with a fixed result have it, else a full one. Nothing if its
/// exponent is out of range.
std::optional<QuantParams> nearestParams(double scale, int16_t zeroPoint);

/// The scale of weights with which a kernel with `in` and `out` multiplies its
/// sums by a number as near as possible to `factor`; nothing if the exponent
/// is out of range.
std::optional<QuantParams> weightsParams(const QuantParams &in,
                                         const QuantParams &out, double factor);

/// The bias scale that goes with it: input scale times weights scale, as
/// kernels check it; nothing if the exponent is out of range.
std::optional<QuantParams> biasParams(const QuantParams &in,
                                      const QuantParams &weights);

} // namespace mli::quant

#endif // MLI_QUANT_KERNELSCALES_H
