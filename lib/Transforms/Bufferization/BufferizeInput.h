// SPDX-License-Identifier: Apache-2.0
//
// What must hold before bufferization, which takes it for granted.

#ifndef MLI_LIB_TRANSFORMS_BUFFERIZATION_BUFFERIZEINPUT_H
#define MLI_LIB_TRANSFORMS_BUFFERIZATION_BUFFERIZEINPUT_H

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinOps.h"

namespace mli {

/// Fails, with an error for each, if operations on tensors have no counterpart
/// on buffers, if functions call themselves, directly or by others, if they are
/// in a module within, or if too many loops are around each other.
llvm::LogicalResult
verifyBufferizable(mlir::ModuleOp module,
                   const mlir::bufferization::BufferizationOptions &options);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_BUFFERIZATION_BUFFERIZEINPUT_H
