// SPDX-License-Identifier: Apache-2.0
//
// Tools register and build the pipelines of this project with these functions.

#ifndef MLI_PIPELINES_PIPELINES_H
#define MLI_PIPELINES_PIPELINES_H

#include "mli/Pipelines/Options.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace mli {

/// `mli-system-pipeline`: from a network, in TOSA or on mli tensors, to calls
/// of the runtime in the LLVM dialect, all data in plain memory. Entry
/// functions take their arguments, a buffer for each result and the arena that
/// intermediate data lies in, and return an `mli_status`.
void buildSystemPipeline(mlir::OpPassManager &pm,
                         const PackingOptions &options = {});

/// `mli-local-pipeline`: the same with kernels that compute in the local memory
/// of a target.
void buildLocalPipeline(mlir::OpPassManager &pm, const LocalOptions &options);

/// Sets the modes of a module in which kernels compute, if `options` have any:
/// the first pass of all pipelines.
void buildModePipeline(mlir::OpPassManager &pm,
                       const AttachModesOptions &options);

/// Turns types of the quant dialect into those of mli, if `options` are full:
/// before the first part of a pipeline, which takes none.
void buildQuantPipeline(mlir::OpPassManager &pm,
                        const ConvertQuantToMLIOptions &options);

/// The first part of `mli-system-pipeline`: from an imported network to mli
/// kernels on tensors.
void buildTensorPipeline(mlir::OpPassManager &pm);

/// The second part: from mli on tensors to buffers with their addresses, and
/// packed layers, by way of streams if `options` have an arena. The pipeline
/// `mli-buffer-pipeline` is the first part and this one.
void buildBufferPipeline(mlir::OpPassManager &pm,
                         const PackingOptions &options = {});

/// The same with operands of kernels in local memory: tiles that fit, moves,
/// layouts, double buffering, and local addresses. The pipeline
/// `mli-local-buffer-pipeline` is the first part and this one.
void buildLocalBufferPipeline(mlir::OpPassManager &pm,
                              const LocalOptions &options);

/// Sets the target and the layout policy of a module, if `options` have any.
void buildTargetPipeline(mlir::OpPassManager &pm, const LocalOptions &options);

/// From a network to what C is printed of: buffers in system memory with their
/// addresses, and indices without maps.
void buildCPipeline(mlir::OpPassManager &pm,
                    const CPipelineOptions &options = {});

/// The same with operands of kernels in local memory.
void buildLocalCPipeline(mlir::OpPassManager &pm, const LocalOptions &options);

/// The last part: from buffers to calls of the runtime.
void buildCallPipeline(mlir::OpPassManager &pm);

/// From what C is printed of, with local memory as an argument and without
/// loops of affine, to calls of functions of MLI 2.0 alone.
void buildObjectPipeline(mlir::OpPassManager &pm);

/// Registers the dialects of networks and of all passes, ready to bufferize and
/// to translate to LLVM IR.
void registerDialects(mlir::DialectRegistry &registry);

/// Registers all passes and pipelines of this project.
void registerPasses();

} // namespace mli

#endif // MLI_PIPELINES_PIPELINES_H
