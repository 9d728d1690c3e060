// SPDX-License-Identifier: Apache-2.0
//
// The words that causes of copies are told in.

#ifndef MLI_LIB_ANALYSIS_CAUSETEXT_H
#define MLI_LIB_ANALYSIS_CAUSETEXT_H

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

} // namespace mli

#endif // MLI_LIB_ANALYSIS_CAUSETEXT_H
