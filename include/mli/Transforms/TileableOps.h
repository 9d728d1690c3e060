// SPDX-License-Identifier: Apache-2.0
//
// Tiling of kernels.

#ifndef MLI_TRANSFORMS_TILEABLEOPS_H
#define MLI_TRANSFORMS_TILEABLEOPS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mli {

/// Gives `registry`'s contexts the TilingInterface of every kernel operation.
///
/// Loops are the dimensions of the result. A tile that a kernel cannot compute
/// is rejected: `getTiledImplementation` and `getResultTilePosition` say why in
/// a diagnostic, what fuses producers and consumers fails in silence, as the
/// caller goes on without.
void registerTileableOps(mlir::DialectRegistry &registry);

} // namespace mli

#endif // MLI_TRANSFORMS_TILEABLEOPS_H
