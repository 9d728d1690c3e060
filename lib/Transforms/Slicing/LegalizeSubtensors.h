// SPDX-License-Identifier: Apache-2.0
//
// The steps of mli-legalize-subtensors, in the order that they are taken in.

#ifndef MLI_LIB_TRANSFORMS_SLICING_LEGALIZESUBTENSORS_H
#define MLI_LIB_TRANSFORMS_SLICING_LEGALIZESUBTENSORS_H

#include "CopyLog.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mli {

/// Bounds of slices that are values of constants become attributes. Where a
/// size does, a cast forgets it for those that do not know it.
void foldConstantBounds(mlir::ModuleOp module);

/// Joins slices of slices and of padding.
void populateSlicePatterns(mlir::RewritePatternSet &patterns);

/// Joins slices of concatenations, and adjoining slices that are concatenated.
void populateConcatPatterns(mlir::RewritePatternSet &patterns);

/// Gives every `tensor.extract_slice` that cuts the quantised axis, and what
/// follows from it, the parameters of its indices.
mlir::LogicalResult retypeCutAxes(mlir::ModuleOp module);

/// Parts of concatenations, of padding and of insertions are computed in their
/// place, or moved there.
void placeParts(mlir::ModuleOp module, CopyLog &log);

/// Kernels that read one part of a whole and compute another do not where these
/// parts lie between each other and the kernel takes no such memory.
void separateParts(mlir::ModuleOp module, CopyLog &log);

/// `tensor.extract_slice` becomes `mli.subtensor` or `mli.mov`; what kernels do
/// not take as it lies is moved for them.
void legalizeTensorSlices(mlir::ModuleOp module, CopyLog &log);

/// The same of `memref.subview`.
void legalizeBufferSlices(mlir::ModuleOp module, CopyLog &log);

/// What uses `op`, a slice of a buffer that is no view for `cause`, works on
/// copies of it. An error where it does other than read or write, views of it
/// included.
void copySlice(mlir::OffsetSizeAndStrideOpInterface op, const CopyCause &cause,
               CopyLog &log);

/// Whether `type` is a tensor or buffer that `mli` operations take.
bool isOfDialect(mlir::Type type);

/// The views that `view`, which is one of `source`, consists of.
mlir::Value createView(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value source, const SliceView &view);

/// Moves the source of `insert`, which comes from elsewhere for `cause`, to its
/// place first. That is a copy at `loc`.
void moveIntoPlace(mlir::RewriterBase &rewriter,
                   mlir::tensor::InsertSliceOp insert, mlir::Location loc,
                   const CopyCause &cause, CopyLog &log);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SLICING_LEGALIZESUBTENSORS_H
