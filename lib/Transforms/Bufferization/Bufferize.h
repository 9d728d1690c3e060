// SPDX-License-Identifier: Apache-2.0
//
// The steps of mli-bufferize before and after one-shot bufferization.

#ifndef MLI_LIB_TRANSFORMS_BUFFERIZATION_BUFFERIZE_H
#define MLI_LIB_TRANSFORMS_BUFFERIZATION_BUFFERIZE_H

#include "BufferCopies.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

namespace mli {

/// Checks what bufferization takes for granted. Fails, with an error for each,
/// on operations on tensors that have no counterpart on buffers, recursive
/// functions, functions of nested modules, and loops nested too deeply.
llvm::LogicalResult
verifyBufferizable(mlir::ModuleOp module,
                   const mlir::bufferization::BufferizationOptions &options);

/// Makes the arguments and results of public functions carry their names, and
/// which result and which state they are: results become arguments, whose
/// attributes stay.
void labelPorts(mlir::ModuleOp module);

/// Copies what a loop yields if it may be in the buffer of another tensor that
/// it yields, and gives kernels in loops other destinations than slices of
/// tensors from outside: one-shot bufferization takes the results of a loop for
/// different buffers, and such a slice for one that no later iteration reads.
void separateLoopTensors(mlir::ModuleOp module);

/// Replaces the tensors of chains of insertions by buffers, as one-shot
/// bufferization compares all insertions of a chain with each other, in time
/// cubic in their number. A chain is at least two insertions, or many moves of
/// parts, in a row or in loops, into a tensor that begins as an empty tensor,
/// an argument, a constant or the result of a kernel, or as anything else where
/// insertions are many. Nothing but the next insertion may use a slice before
/// it is complete. Slices of these tensors, of arguments and of constants that
/// are only read become slices of the buffer as well if there are many. Notes
/// the causes of copies in `copies`.
llvm::LogicalResult bufferizeInsertionChains(mlir::ModuleOp module,
                                             BufferCopies &copies);

/// Gives each kernel and loop that writes to an empty tensor one of its own,
/// but the last one in each block: one-shot bufferization compares all that use
/// what may be one buffer, in time cubic in their number. Kernels in the
/// branches of a condition still share one, as no two of them run.
void separateEmptyTensors(mlir::ModuleOp module);

/// Replaces the chains of destinations that begin with an empty tensor by
/// buffers, as one-shot bufferization would: see DestinationChain.h.
void bufferizeDestinations(mlir::ModuleOp module);

/// Replaces the arguments of functions and the constants that only kernels read
/// by buffers, as one-shot bufferization would.
void bufferizeKernelInputs(mlir::ModuleOp module);

/// The memory space that the encoding of `type` asks for; null if it asks for
/// none.
mlir::Attribute getBufferSpace(mlir::RankedTensorType type);

/// The type of the buffer of a tensor of `type`: dense, in that memory space.
mlir::MemRefType makeBufferType(mlir::RankedTensorType type);

/// Creates the buffer of the ranked `tensor`, which nothing may write to.
mlir::Value createReadOnlyBuffer(mlir::Value tensor);

/// Creates `op` anew, on the buffers `operands` in place of tensors, with
/// results of `types`.
mlir::Operation *createOnBuffers(mlir::OpBuilder &builder, mlir::Operation *op,
                                 mlir::ValueRange operands,
                                 mlir::TypeRange types = {});

/// Canonicalizes loops and conditions, so that a loop that yields the buffer it
/// got, or a condition that yields one buffer either way, yields none any more.
llvm::LogicalResult foldCarriedBuffers(mlir::ModuleOp module);

/// Makes each result of a function an allocation of its own where possible, so
/// that the buffer that the caller passes can take its place: swaps a returned
/// reshape with the allocation it is of, and copies a buffer returned twice.
void prepareResults(mlir::ModuleOp module, BufferCopies &copies);

/// Lets bufferization see at once whether `tensor.insert_slice` writes the
/// slice that another operation reads, where offsets, sizes and strides are the
/// same values or constants. Upstream proves that by systems of constraints,
/// which takes longer than all else that bufferization does. The first model in
/// a registry is the one that counts, so this is called before upstream's.
void registerEqualSlices(mlir::DialectRegistry &registry);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_BUFFERIZATION_BUFFERIZE_H
