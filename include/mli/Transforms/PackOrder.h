// SPDX-License-Identifier: Apache-2.0
//
// How weights lie in packed layers.

#ifndef MLI_TRANSFORMS_PACKORDER_H
#define MLI_TRANSFORMS_PACKORDER_H

namespace mli {

/// Every processor runs each of them, and one fastest.
enum class PackOrder {
  /// No layer is packed.
  None,
  /// What this processor runs fastest.
  Best,
  /// For processors without VNNI or FEAT_I8MM.
  Pairs,
  /// For processors with VNNI or FEAT_I8MM.
  Quads
};

} // namespace mli

#endif // MLI_TRANSFORMS_PACKORDER_H
