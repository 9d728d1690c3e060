// SPDX-License-Identifier: Apache-2.0
//
// The nesting depth of a text, before it is parsed. Parsers, verifiers, passes
// and printers call themselves for what is nested, and passes do so in threads
// with a stack of 8 MB: they take four times as much as is allowed here.

#ifndef MLI_SUPPORT_NESTING_H
#define MLI_SUPPORT_NESTING_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mli {

inline constexpr unsigned maxNesting = 500;

/// Fails, with its place, if something in `text`, of MLIR or JSON, lies in more
/// than `maxNesting` others: brackets, signs of an expression, or aliases that
/// are named for what they hold. Parts that `separator` divides, if it is not
/// empty, are texts of their own.
llvm::Error checkNesting(llvm::MemoryBufferRef text,
                         llvm::StringRef separator = {});

} // namespace mli

#endif // MLI_SUPPORT_NESTING_H
