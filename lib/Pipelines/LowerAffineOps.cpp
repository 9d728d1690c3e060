// SPDX-License-Identifier: Apache-2.0
//
// Lowers operations of affine, and visits no others.

#include "Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

/// The operations of affine in `module` that are in no other of these.
static SmallVector<Operation *> findOutermost(ModuleOp module) {
  SmallVector<Operation *> outermost;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa_and_present<affine::AffineDialect>(op->getDialect()))
      return WalkResult::advance();
    outermost.push_back(op);
    return WalkResult::skip();
  });
  return outermost;
}

namespace {

struct LowerAffineOpsPass
    : PassWrapper<LowerAffineOpsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerAffineOpsPass)

  StringRef getName() const override { return "LowerAffineOps"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateAffineToStdConversionPatterns(patterns);
    populateAffineToVectorConversionPatterns(patterns);
    affine::populateAffineExpandIndexOpsPatterns(patterns);
    ConversionTarget target(getContext());
    target.addLegalDialect<arith::ArithDialect, memref::MemRefDialect,
                           scf::SCFDialect, vector::VectorDialect>();
    if (failed(applyPartialConversion(findOutermost(getOperation()), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> mli::createLowerAffineOps() {
  return std::make_unique<LowerAffineOpsPass>();
}
