// SPDX-License-Identifier: Apache-2.0
//
// Bufferisation of `mli` operations.

#ifndef MLI_TRANSFORMS_BUFFERIZABLEOPS_H
#define MLI_TRANSFORMS_BUFFERIZABLEOPS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mli {

/// Lets `registry`'s contexts bufferize the operations of the `mli` dialect,
/// sooner if called before the dialects of upstream are registered.
void registerBufferizableOps(mlir::DialectRegistry &registry);

} // namespace mli

#endif // MLI_TRANSFORMS_BUFFERIZABLEOPS_H
