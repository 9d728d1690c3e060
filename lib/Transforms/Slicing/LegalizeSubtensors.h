// SPDX-License-Identifier: Apache-2.0
//
// The steps of mli-legalize-subtensors, in the order in which they run, and
// what other passes use of them.

#ifndef MLI_LIB_TRANSFORMS_SLICING_LEGALIZESUBTENSORS_H
#define MLI_LIB_TRANSFORMS_SLICING_LEGALIZESUBTENSORS_H

#include "CopyRemarks.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mli {

/// Replaces bounds of slices that are values of constants by attributes. Where
/// a size becomes static, a cast restores the type for users other than
/// kernels.
void foldConstantBounds(mlir::ModuleOp module);

/// Adds patterns that fold slices of slices and of paddings.
void populateSlicePatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that fold slices of concatenations, and concatenations of
/// adjacent slices, of concatenations and of constants.
void populateConcatPatterns(mlir::RewritePatternSet &patterns);

/// Gives every `tensor.extract_slice` that cuts the quantised axis, and its
/// users in turn, a type with the parameters of its indices only.
mlir::LogicalResult retypeCutAxes(mlir::ModuleOp module);

/// Lets the producers of operands of concatenations, insertions and paddings
/// write slices of the destination, or moves the operands there.
void foldIntoDestinations(mlir::ModuleOp module, CopyRemarks &remarks);

/// Copies an operand or the result of each kernel that reads one slice of a
/// tensor and writes another, where the elements of both interleave and the
/// kernel does not take such memory.
void resolveSliceConflicts(mlir::ModuleOp module, CopyRemarks &remarks);

/// Replaces each `tensor.extract_slice` by `mli.subtensor`, by a constant or by
/// `mli.mov`, and copies slices for kernels that do not take their strides.
void legalizeTensorSlices(mlir::ModuleOp module, CopyRemarks &remarks);

/// Does the same for each `memref.subview`.
void legalizeBufferSlices(mlir::ModuleOp module, CopyRemarks &remarks);

/// Lets the users of `op`, a slice of a buffer that is not a view for `cause`,
/// work on copies of it. Emits an error for a user that neither reads nor
/// writes it, views of it included.
void copySlice(mlir::OffsetSizeAndStrideOpInterface op, const CopyCause &cause,
               CopyRemarks &remarks);

/// Whether `type` is a tensor or buffer that `mli` operations take.
bool isOfDialect(mlir::Type type);

/// Creates the views of `source` that one after the other are `view`.
mlir::Value createView(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value source, const SliceView &view);

/// Moves the source of `insert` to a slice of the destination before it: a copy
/// at `loc` for `cause`.
void moveIntoDestination(mlir::RewriterBase &rewriter,
                         mlir::tensor::InsertSliceOp insert, mlir::Location loc,
                         const CopyCause &cause, CopyRemarks &remarks);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SLICING_LEGALIZESUBTENSORS_H
