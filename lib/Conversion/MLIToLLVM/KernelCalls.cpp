// SPDX-License-Identifier: Apache-2.0

#include "KernelCalls.h"

void mli::populateKernelCallPatterns(const mlir::LLVMTypeConverter &converter,
                                     mlir::SymbolTableCollection &symbols,
                                     mlir::RewritePatternSet &patterns) {
  populateWindowCallPatterns(converter, symbols, patterns);
  populateElementwiseCallPatterns(converter, symbols, patterns);
  populateRecurrentCallPatterns(converter, symbols, patterns);
  populateArrangementCallPatterns(converter, symbols, patterns);
  populateQueryCallPatterns(converter, symbols, patterns);
  populateViewPatterns(converter, symbols, patterns);
  populateMovCallPattern(converter, symbols, patterns);
}
