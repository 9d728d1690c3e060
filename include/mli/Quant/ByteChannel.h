// SPDX-License-Identifier: Apache-2.0
//
// One output channel of a product with constant 8-bit weights: the computation
// that a network specifies, and the constants with which the kernel does it.
// The kernel has a bias of 16 bits and clips accumulators to 16 bits; networks
// have 32 bits for both.

#ifndef MLI_QUANT_BYTECHANNEL_H
#define MLI_QUANT_BYTECHANNEL_H

#include "mli/Quant/CodeConversion.h"

#include <optional>
#include <vector>

namespace mli::quant {

/// The sums of products that inputs can lead to. 0 is one of them, since
/// padding is left out.
struct SumRange {
  int64_t low = 0;
  int64_t high = 0;
};

/// The sums of each of `outputs` channels of `weights`, [..., outputs], for
/// inputs whose quantised values, less the zero point, are in `numbers`.
std::vector<SumRange> productRanges(const int8_t *weights, size_t count,
                                    size_t outputs, const CodeRange &numbers);

/// `(products + bias) * factor`, rounded once, half up, as a value of `out`
/// that is clipped to `limits`.
struct ByteChannel {
  QuantParams in, out;
  double factor;
  int32_t bias;
  SumRange products;
  Limits limits;
};

/// Returns the quantised value of a sum that includes the bias, in integers: of
/// the factor the 31 bits count that networks have.
int32_t exactCode(const ByteChannel &channel, int64_t sum);

/// The value, less the zero point, that the channel gives for all inputs, where
/// it is one: exactly, or where products move it by 1/32 at most.
std::optional<int32_t> findConstant(const ByteChannel &channel);

/// The form in which the values of a channel are computed.
enum class ByteForm {
  Kernel,   ///< The kernel of 8 bits, with the channel's own weights and bias.
  Rounded,  ///< The same with the nearest bias that it takes.
  Constant, ///< The same without weights, and a bias of another scale.
  Wide,     ///< No kernel of 8 bits.
};
struct ByteChoice {
  ByteForm form;
  QuantParams weights, bias;
  int32_t biasCode;
};

/// Chooses how to compute `channel` so that a value differs from the exact one
/// only where the exact number is within 3/64 of the middle between the two. So
/// no step of the kernel saturates but where the value then does as well, or
/// where no input leads to. Nothing if the factor has no place in formats.
std::optional<ByteChoice> chooseForm(const ByteChannel &channel);

} // namespace mli::quant

#endif // MLI_QUANT_BYTECHANNEL_H
