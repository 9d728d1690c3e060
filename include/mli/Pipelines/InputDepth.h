// SPDX-License-Identifier: Apache-2.0
//
// The nesting depth of text and bytecode of MLIR, before a module is made of
// it.

#ifndef MLI_PIPELINES_INPUTDEPTH_H
#define MLI_PIPELINES_INPUTDEPTH_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mli {

/// Fails if something in `input`, text or bytecode of `dialects`, is nested
/// more than `maxNesting` deep. A `separator` that is not empty divides inputs
/// of their own. Parsers report input that cannot be read.
llvm::Error checkInput(llvm::MemoryBufferRef input,
                       const mlir::DialectRegistry &dialects,
                       llvm::StringRef separator = {});

} // namespace mli

#endif // MLI_PIPELINES_INPUTDEPTH_H
