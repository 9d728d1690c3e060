// SPDX-License-Identifier: Apache-2.0
//
// The rules that local memory adds for views.

#ifndef MLI_LIB_ANALYSIS_LOCALSLICE_H
#define MLI_LIB_ANALYSIS_LOCALSLICE_H

#include "mli/Analysis/SliceView.h"

namespace mli {

/// Why the block of `sizes` elements from `offsets` on of `source`, whose
/// layout is an `#mli.layout` of `target`, is no view; nothing if it is one.
/// What is not known is ShapedType::kDynamic.
std::optional<CopyCause> judgeLocalSlice(mlir::MemRefType source,
                                         llvm::ArrayRef<int64_t> offsets,
                                         llvm::ArrayRef<int64_t> sizes,
                                         TargetAttr target);

} // namespace mli

#endif // MLI_LIB_ANALYSIS_LOCALSLICE_H
