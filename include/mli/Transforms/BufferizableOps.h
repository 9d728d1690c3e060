// SPDX-License-Identifier: Apache-2.0
//
// Bufferisation of `mli` operations.

#ifndef MLI_TRANSFORMS_BUFFERIZABLEOPS_H
#define MLI_TRANSFORMS_BUFFERIZABLEOPS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mli {

/// Lets `registry`'s contexts bufferize the operations of the `mli` dialect.
void registerBufferizableOps(mlir::DialectRegistry &registry);

} // namespace mli

#endif // MLI_TRANSFORMS_BUFFERIZABLEOPS_H
