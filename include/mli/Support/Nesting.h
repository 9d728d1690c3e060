// SPDX-License-Identifier: Apache-2.0
//
// How deep a text is nested, before it is parsed. Parsers, verifiers, passes
// and printers call themselves for what is nested, on a stack of 8 MB: they
// take four times as much as is allowed here.

#ifndef MLI_SUPPORT_NESTING_H
#define MLI_SUPPORT_NESTING_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mli {

inline constexpr unsigned maxNesting = 500;

/// Fails, with its place, if something in `text`, of MLIR or JSON, lies in more
/// than `maxNesting` others: brackets, signs of an expression, or aliases that
/// are named for what they hold. Anything but text passes. Parts that
/// `separator` divides, if it is not empty, are texts of their own.
llvm::Error checkNesting(llvm::MemoryBufferRef text,
                         llvm::StringRef separator = {});

/// The same of all files that the arguments of a program name.
llvm::Error checkNestingOfFiles(llvm::ArrayRef<const char *> arguments);

} // namespace mli

#endif // MLI_SUPPORT_NESTING_H
