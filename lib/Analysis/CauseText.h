// SPDX-License-Identifier: Apache-2.0
//
// Parts of `SliceViewAnalysis`: the texts of causes of copies, and the rules
// that local memory adds for views.

#ifndef MLI_LIB_ANALYSIS_CAUSETEXT_H
#define MLI_LIB_ANALYSIS_CAUSETEXT_H

#include "mli/Analysis/SliceView.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/Twine.h"

namespace mli {

/// `value`, or `?` where it is not known.
std::string numberText(int64_t value);

/// `[4, ?, 8]`.
std::string listText(llvm::ArrayRef<int64_t> values);

std::string join(std::initializer_list<llvm::Twine> parts);

/// `a view of [4, 8] from [0, 2]`.
std::string viewText(llvm::ArrayRef<int64_t> offsets,
                     llvm::ArrayRef<int64_t> sizes);

/// Why the block of `sizes` elements from `offsets` on of `source`, whose
/// layout is an `#mli.layout` of `target`, is no view; nothing if it is one.
/// Sizes that are not known are ShapedType::kDynamic.
std::optional<CopyCause> judgeLocalSlice(mlir::MemRefType source,
                                         llvm::ArrayRef<int64_t> offsets,
                                         llvm::ArrayRef<int64_t> sizes,
                                         TargetAttr target);

} // namespace mli

#endif // MLI_LIB_ANALYSIS_CAUSETEXT_H
