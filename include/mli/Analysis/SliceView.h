// SPDX-License-Identifier: Apache-2.0
//
// Whether a slice is a view of its source, and why not where it is none: the
// one judge for legalisation, tiling and viewers.

#ifndef MLI_ANALYSIS_SLICEVIEW_H
#define MLI_ANALYSIS_SLICEVIEW_H

#include "mli/Analysis/StrideRequirement.h"
#include "mli/IR/MLI.h"

#include "llvm/ADT/SmallBitVector.h"

namespace mli {

/// Every `steps[i]`-th of `sizes[i]` indices from `offsets[i]` on, without the
/// dimensions that are dropped, which have size 1.
struct Slice {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, steps;
  llvm::SmallBitVector dropped;

  /// The slice that `op`, one of `tensor.extract_slice`, `tensor.insert_slice`,
  /// `memref.subview` and `mli.subtensor`, reads or writes; none for others.
  static std::optional<Slice> of(mlir::Operation *op);
  /// The dimensions that are not dropped.
  llvm::SmallVector<int64_t> getKeptDims() const;
};

/// Whether `op`, a slice, has a known offset and size and step 1 in dimension
/// `dim`.
bool isBlock(mlir::OffsetSizeAndStrideOpInterface op, int64_t dim);

/// Whether `next` begins where `last` ends in dimension `dim`, and both, slices
/// of one tensor that drop no dimension, are the same in the others.
bool areAdjacent(mlir::OffsetSizeAndStrideOpInterface last,
                 mlir::OffsetSizeAndStrideOpInterface next, int64_t dim);

/// The reason why elements are copied, or why there is not even a copy.
struct CopyCause {
  /// Nothing if no `mli.mov` makes the slice either.
  std::optional<CopyReason> reason;
  /// `expected <what a view needs>, but got <what there is>`.
  std::string text;
  /// A slice that would need no copy.
  std::string alternative;
};

/// The judgement of one slice.
struct SliceView {
  /// A block of what is before it: the arguments of one `mli.subtensor`.
  struct Block {
    llvm::SmallVector<mlir::OpFoldResult> offsets, sizes;
    int64_t rank;
  };
  /// The blocks that one after the other are the slice, if it is a view.
  llvm::SmallVector<Block, 2> blocks;
  /// The reason why it is no view.
  std::optional<CopyCause> cause;

  bool isView() const { return !cause; }
};

/// Whether `slice` of a tensor or buffer of type `source` is a view. A source
/// in an mli layout is judged by that, with the numbers of `target`; anything
/// else by its strides, and those of a tensor are yet to come.
SliceView getSliceView(mlir::ShapedType source, const Slice &slice,
                       TargetAttr target);

/// Returns why `operand`, in a buffer of type `type`, has to be copied for its
/// kernel; nothing if the kernel takes it as it is.
std::optional<CopyCause> getCopyCause(mlir::OpOperand &operand,
                                      mlir::MemRefType type);

} // namespace mli

#endif // MLI_ANALYSIS_SLICEVIEW_H
