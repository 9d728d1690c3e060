// SPDX-License-Identifier: Apache-2.0

#include "KernelCalls.h"

void mli::populateKernelCallPatterns(const mlir::LLVMTypeConverter &converter,
                                     mlir::RewritePatternSet &patterns) {
  populateWindowCallPatterns(converter, patterns);
  populateElementwiseCallPatterns(converter, patterns);
  populateRecurrentCallPatterns(converter, patterns);
  populateArrangementCallPatterns(converter, patterns);
  populateQueryCallPatterns(converter, patterns);
  populateViewPatterns(converter, patterns);
  populateMovCallPattern(converter, patterns);
}
