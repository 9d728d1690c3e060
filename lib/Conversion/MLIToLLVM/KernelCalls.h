// SPDX-License-Identifier: Apache-2.0
//
// The parts of convert-mli-to-llvm: patterns that turn each operation of the
// dialect into the call of its C function, by chapter, and the data layout of
// the machine that a module is compiled for.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_KERNELCALLS_H
#define MLI_LIB_CONVERSION_MLITOLLVM_KERNELCALLS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace mli {

class CallSymbols;
class ProvenOffsets;

/// Kernels and tables. Calls name `symbols`, which outlive the patterns.
void populateKernelCallPatterns(const mlir::LLVMTypeConverter &converter,
                                CallSymbols &symbols,
                                mlir::RewritePatternSet &patterns);

/// Questions about tensors.
void populateQueryCallPatterns(const mlir::LLVMTypeConverter &converter,
                               CallSymbols &symbols,
                               mlir::RewritePatternSet &patterns);

/// Memory, data in globals, and other views of the same memory: no calls.
/// Offsets in `proven` are not checked.
void populateViewPatterns(const mlir::LLVMTypeConverter &converter,
                          CallSymbols &symbols, const ProvenOffsets &proven,
                          mlir::RewritePatternSet &patterns);

/// Moves of data.
void populateMovCallPattern(const mlir::LLVMTypeConverter &converter,
                            CallSymbols &symbols,
                            mlir::RewritePatternSet &patterns);

/// Rows of rings, which no function moves.
void populateAdvancePattern(const mlir::LLVMTypeConverter &converter,
                            CallSymbols &symbols,
                            mlir::RewritePatternSet &patterns);

/// Rejects what there are no calls for: tensors, buffers without a place, other
/// machines, names that are those of the runtime.
llvm::LogicalResult verifyInput(mlir::ModuleOp module);

/// Rejects a ring, `op` advances it, whose rows local memory can not move.
llvm::LogicalResult verifyAdvance(mlir::Operation *op);

/// Rejects a machine that the structs of calls are not laid out for, whether a
/// module specifies its data layout or its name.
llvm::LogicalResult verifyTargetLayout(mlir::Operation *op);

/// Makes `module` carry the data layout that its calls are for, unless it has
/// one.
void attachTargetLayout(mlir::ModuleOp module);

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_KERNELCALLS_H
