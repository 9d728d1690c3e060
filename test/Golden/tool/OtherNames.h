// SPDX-License-Identifier: Apache-2.0
//
// Functions that compute the same as the one of a vector.

#ifndef MLI_TEST_GOLDEN_TOOL_OTHERNAMES_H
#define MLI_TEST_GOLDEN_TOOL_OTHERNAMES_H

#include "Spec.h"

namespace mli::golden {

/// The specialisations that the arguments of `spec` satisfy, and the names of
/// other documents: by definition their results are those of `function`.
std::vector<std::string> otherNames(llvm::StringRef function,
                                    const CaseSpec &spec);

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_OTHERNAMES_H
