// SPDX-License-Identifier: Apache-2.0

#include "mli/Reducer/ReductionPatterns.h"

#include "Patterns.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Reducer/ReductionPatternInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::reducer;

namespace {

struct MLIReductionPatterns : DialectReductionPatternInterface {
  explicit MLIReductionPatterns(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  /// Those come first that make all that follows faster.
  void populateReductionPatterns(RewritePatternSet &patterns) const override {
    populateConstantPatterns(patterns);
    populateControlFlowPatterns(patterns);
    populateFunctionPatterns(patterns);
    populateCutPatterns(patterns);
    populateReplacementPatterns(patterns);
    populateShapePatterns(patterns);
    populateSlicePatterns(patterns);
    populateAttributePatterns(patterns);
  }
};

} // namespace

void mli::registerReductionPatterns(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MLIDialect *dialect) {
    context->loadDialect<arith::ArithDialect, func::FuncDialect,
                         scf::SCFDialect, tensor::TensorDialect>();
    dialect->addInterfaces<MLIReductionPatterns>();
  });
}
