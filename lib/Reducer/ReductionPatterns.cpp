// SPDX-License-Identifier: Apache-2.0

#include "mli/Reducer/ReductionPatterns.h"

#include "Patterns.h"

using namespace mli::reducer;

void mli::populateReductionPatterns(mlir::RewritePatternSet &patterns) {
  // Those come first that make all that follows faster.
  populateConstantPatterns(patterns);
  populateControlFlowPatterns(patterns);
  populateFunctionPatterns(patterns);
  populateCutPatterns(patterns);
  populateReplacementPatterns(patterns);
  populateShapePatterns(patterns);
  populateSlicePatterns(patterns);
  populateAttributePatterns(patterns);
}
