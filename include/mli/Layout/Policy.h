// SPDX-License-Identifier: Apache-2.0
//
// Chooses the layout of a tensor in local memory from its use, its shape and
// the target. All passes that size or place tensors use it.

#ifndef MLI_LAYOUT_POLICY_H
#define MLI_LAYOUT_POLICY_H

#include "mli/Layout/TensorLayout.h"

#include <vector>

namespace mli::layout {

/// The use of a tensor, which determines what its dimensions are in local
/// memory.
enum class OperandUsage {
  /// Feature maps [H, W, C], batches of them [N, H, W, C], and what kernels
  /// take in any shape: of a lower rank, the last of these dimensions.
  Map,
  /// One number for each channel: biases and slopes. The dimensions of a map.
  Channels,
  /// Weights of convolutions, [KH, KW, IC, OC].
  Filters,
  /// Matrices that a vector is multiplied with, [inputs, outputs], or one for
  /// each gate of a cell, [gates, inputs, outputs].
  Product,
  /// The vectors that such a product takes and gives, in any shape. The
  /// dimensions of a map.
  Row
};

/// Returns the name of `role` in remarks and reports: `feature map`.
std::string_view toString(OperandUsage role);

/// A dimension of local memory.
enum class Dim { N, C, H, W };

/// A tensor that is to lie in local memory.
struct LocalTensorDesc {
  OperandUsage role = OperandUsage::Map;
  /// Up to four dimensions, each in [1, maxExtent].
  std::vector<int64_t> shape;
  /// 1, 2 or 4.
  int64_t elementBytes = 1;
  /// Whether parts are seen that begin or end within a group of a storage mode.
  bool cutsGroups = false;
};

/// Options of the policy.
struct PolicyOptions {
  /// Wanted of maps whose elements it is for, whatever N is.
  Mode mode = Mode::None;
  /// All matrices and rows of a product are in the matrix layout, whatever that
  /// pads.
  bool usesMatrices = false;
};

/// The layout that the policy chooses, without a start NPU, which the plan has.
struct LayoutChoice {
  Kind kind = Kind::Aligned;
  Mode mode = Mode::None;
  /// The dimension of local memory for each dimension of the tensor.
  std::vector<Dim> dims;
  /// The columns of one channel of a matrix; 0 of what is none.
  int64_t columns = 0;

  bool operator==(const LayoutChoice &other) const;
  bool operator!=(const LayoutChoice &other) const { return !(*this == other); }
};

/// Returns the layouts, without storage modes, that the kernels take `use` in:
/// the preferred one first, the densest last. At least one.
std::vector<LayoutChoice> getCandidates(const LocalTensorDesc &use,
                                        const Target &target,
                                        const PolicyOptions &options);

/// The layout for `use` on `target`.
LayoutChoice chooseLayout(const LocalTensorDesc &use, const Target &target,
                          const PolicyOptions &options = {});

/// Whether the kernels take `use` in `choice`, or as a slice of a tensor in it,
/// which has explicit strides.
bool isAccepted(const LayoutChoice &choice, const LocalTensorDesc &use,
                const Target &target, const PolicyOptions &options = {});

/// The choice and what it was made from, for people: `compact: 20 bytes per
/// NPU, 2560 if aligned`.
std::string explainChoice(const LocalTensorDesc &use, const Target &target,
                          const PolicyOptions &options = {});

/// A tensor of `shape`, with elements of `bytes` bytes, as a request for
/// `makeLayout`, which lacks kind, mode and start NPU. `columns`, if not 0, are
/// those of one channel of a matrix. Rejects a matrix that has fewer.
Result<TensorLayout> requestLayout(const std::vector<int64_t> &shape,
                                   int64_t bytes, const std::vector<Dim> &dims,
                                   const Target &target, int64_t columns = 0);

/// The same of dimensions that are where they are in local memory.
Result<TensorLayout> requestLayout(const Dims &shape, int64_t bytes,
                                   const Target &target, int64_t columns = 0);

/// `use` in the layout `choice` with its strides, from NPU `startNpu` and
/// offset 0 on. It may be larger than local memory: `verify` reports so.
TensorLayout arrange(const LocalTensorDesc &use, const LayoutChoice &choice,
                     const Target &target, int64_t startNpu = 0);

/// The last NPU that a tensor may start on: 0 up to it are those on which its
/// channels take the fewest block rows, and so the fewest bytes. 0 for a
/// storage mode, whose instructions start there.
int64_t lastStartNpu(const TensorLayout &layout);

/// The alignment of all offsets that GDMA and kernels take.
int64_t wordAlignment(const Target &target);

/// The alignment of the offset of a tensor: that of its kind, the size of an
/// element, and what GDMA and kernels take.
int64_t offsetAlignment(const TensorLayout &layout);

/// Memory of each NPU.
struct LocalBytes {
  /// From the offset of the tensor on; INT64_MAX if 64 bits do not hold it.
  int64_t bytes = 0;
  /// The alignment of that offset.
  int64_t alignment = 1;
};

/// The memory that `use` takes of `target` in the layout that the policy
/// chooses, on the worst start NPU that it allows; without the savings of a
/// storage mode that was not requested. Exact, also where that is more than
/// there is, and never less for a tensor that is larger in some dimension.
LocalBytes localBytes(const LocalTensorDesc &use, const Target &target,
                      const PolicyOptions &options = {});

} // namespace mli::layout

#endif // MLI_LAYOUT_POLICY_H
