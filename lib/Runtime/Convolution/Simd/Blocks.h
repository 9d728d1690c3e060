// SPDX-License-Identifier: Apache-2.0
//
// Prepares operands of kernels with weights for the inner kernels, and decides
// whether those would compute the same.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_BLOCKS_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_BLOCKS_H

#include "Matrix.h"
#include "Runtime/Convolution/OutputStage.h"

namespace mli::rt::simd {

/// The kernels of inputs and weights of these types on the target of this
/// moment; null if there are none. `isNarrow` as for `fx16Fx8Kernels`,
/// `group` as for `sa8Kernels`; where that is not 0 there are some on every
/// target.
const MatrixKernels *kernelsFor(mli_element_type in, mli_element_type weights,
                                bool isNarrow, int group = 0);

/// The kernels without vectors, of sa8 or fx16 inputs. `group` is 2, of sa8
/// 4, or with 8-bit weights `contiguousInputs`.
const MatrixKernels *scalarKernels(mli_element_type in,
                                   mli_element_type weights, bool isNarrow,
                                   int group);

/// Fills the blocks of output channels.
class BlockBuilder {
public:
  /// `offset` is what prepared inputs are too high by; `products` is the number
  /// of products of each sum.
  BlockBuilder(const WeightedOperands &operands, const mli_relu_cfg &relu,
               int32_t offset, int64_t products);

  /// False if the inner kernels do not compute what the scalar code does.
  bool isExact() const { return exact; }
  const OutputFormat &format() const { return outFormat; }

  /// Fills `block` for `count` channels from `first` on; `sums` are those of
  /// their weights. False if this needs the scalar code.
  bool fill(int64_t first, int64_t count, const int32_t *sums,
            ChannelBlock &block) const;

private:
  bool fillAsymmetric(int64_t first, int64_t count, const int32_t *sums,
                      ChannelBlock &block) const;

  WeightedOperands operands;
  int32_t offset;
  int64_t products;
  quant::QuantParams in;
  quant::ChannelBase base = {};
  int biasShift = 0;
  OutputFormat outFormat = {};
  bool exact = false;
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_BLOCKS_H
