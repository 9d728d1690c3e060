// SPDX-License-Identifier: Apache-2.0
//
// Weights of 9 bits, as unsigned ones less their zero point are, for kernels
// whose weights have 8: each is the sum of two, or of three if it is 255, and
// the kernel takes its channel as often. All products are in one accumulator,
// so nothing is rounded.

#ifndef MLI_FRONTEND_SPLITWEIGHTS_H
#define MLI_FRONTEND_SPLITWEIGHTS_H

#include "mli/Frontend/ByteProduct.h"

namespace mli {

/// Groups of channels that do not meet, each with as many outputs.
struct ChannelGroups {
  int64_t groups, channels, filters;

  int64_t getOutputs() const { return groups * filters; }
};

/// Weights of 8 bits, [taps, channels + repeated, outputs], whose channels from
/// `channels` on are copies of `repeated`.
struct SplitWeights {
  llvm::SmallVector<char> weights;
  /// The channels that hold a weight of 9 bits in any group, ascending, then
  /// once more those that hold one of 255.
  llvm::SmallVector<int64_t> repeated;
  /// The groups that hold one, ascending.
  llvm::SmallVector<int64_t> groups;

  bool isSplit() const { return !repeated.empty(); }
};

/// Splits `weights`, [taps, channels, outputs], in [-255, 255].
SplitWeights splitWeights(llvm::ArrayRef<int16_t> weights,
                          const ChannelGroups &channels);

/// The channels of the groups `chosen` of `map`, [..., all channels], each
/// group followed by copies of its channels `repeated`: as
/// [..., all channels of these groups].
mlir::Value createRepeated(TensorBuilder &tensors, mlir::Value map,
                           const ChannelGroups &channels,
                           llvm::ArrayRef<int64_t> chosen,
                           llvm::ArrayRef<int64_t> repeated);

/// Moves `part`, the outputs of the groups `chosen`, over those of `whole`.
mlir::Value createReplaced(TensorBuilder &tensors, mlir::Value part,
                           mlir::Value whole, const ChannelGroups &channels,
                           llvm::ArrayRef<int64_t> chosen);

/// The constants of `layer`, whose weights are [taps, count, outputs], for the
/// first `kept` channels and for the outputs of the groups `chosen` alone.
ByteLayer selectGroups(const ByteLayer &layer, llvm::ArrayRef<char> weights,
                       int64_t count, const ChannelGroups &channels,
                       int64_t kept, llvm::ArrayRef<int64_t> chosen);

} // namespace mli

#endif // MLI_FRONTEND_SPLITWEIGHTS_H
