// SPDX-License-Identifier: Apache-2.0
//
// Patterns that turn each operation of the dialect into the call of its C
// function.

#ifndef MLI_LIB_CONVERSION_KERNELCALLS_H
#define MLI_LIB_CONVERSION_KERNELCALLS_H

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace mli {

void populateKernelCallPatterns(const mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);

/// The part of the above that moves data.
void populateMovCallPattern(const mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

} // namespace mli

#endif // MLI_LIB_CONVERSION_KERNELCALLS_H
