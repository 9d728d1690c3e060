// SPDX-License-Identifier: Apache-2.0

#include "mli/Conversion/Passes.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mli {
#define GEN_PASS_DEF_CHECKACCESSES
#include "mli/Conversion/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Which accesses
//===----------------------------------------------------------------------===//

/// Whether `op` takes no numbers and its buffers have static shapes: then its
/// verifier knows where it reads and writes.
static bool isStatic(Operation *op) {
  auto isKnown = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped ? shaped.hasStaticShape() : !type.isIndex();
  };
  return llvm::all_of(op->getOperandTypes(), isKnown) &&
         llvm::all_of(op->getResultTypes(), isKnown);
}

/// A cast may claim strides as well.
static bool needsCheck(Operation *op) {
  if (!isa_and_nonnull<memref::MemRefDialect>(op->getDialect()))
    return false;
  bool isAccess = isa<memref::SubViewOp, memref::ReshapeOp>(op) ||
                  isa<RuntimeVerifiableOpInterface>(op);
  return isAccess && (isa<memref::CastOp>(op) || !isStatic(op));
}

//===----------------------------------------------------------------------===//
// What is asserted
//===----------------------------------------------------------------------===//

static std::string describe(Operation *op, const Twine &reason) {
  return (op->getName().getStringRef() + ": " + reason).str();
}

namespace {

/// Asserts at the place of `op` what its types leave open.
class AccessBuilder : ImplicitLocOpBuilder {
public:
  explicit AccessBuilder(Operation *op)
      : ImplicitLocOpBuilder(op->getLoc(), op), op(op) {}

  void assertBounds();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(*this, value);
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return createOrFold<arith::CmpIOp>(predicate, lhs, rhs);
  }
  Value both(Value lhs, Value rhs) {
    return createOrFold<arith::AndIOp>(lhs, rhs);
  }
  Value size(Value memref, int64_t dim) {
    return createOrFold<memref::DimOp>(memref, dim);
  }
  Value fits(OpFoldResult size, OpFoldResult step, Value left);
  void assertSlice(memref::SubViewOp slice);
  void assertReshape(memref::ReshapeOp reshape);

  Operation *op;
};

} // namespace

/// Whether `size` elements that are `step` apart lie within `left` ones.
Value AccessBuilder::fits(OpFoldResult size, OpFoldResult step, Value left) {
  Value count = getValueOrCreateConstantIndexOp(*this, getLoc(), size);
  if (isConstantIntValue(step, 1))
    return compare(arith::CmpIPredicate::ule, count, left);
  Value stride = getValueOrCreateConstantIndexOp(*this, getLoc(), step);
  Value zero = constant(0), one = constant(1);
  // Without a product, which could overflow.
  Value last =
      createOrFold<arith::DivUIOp>(createOrFold<arith::SubIOp>(left, one),
                                   createOrFold<arith::MaxUIOp>(stride, one));
  Value ends = both(compare(arith::CmpIPredicate::ne, left, zero),
                    compare(arith::CmpIPredicate::ule,
                            createOrFold<arith::SubIOp>(count, one), last));
  Value isEmpty = compare(arith::CmpIPredicate::eq, count, zero);
  return both(createOrFold<arith::OrIOp>(isEmpty, ends),
              compare(arith::CmpIPredicate::sge, stride, one));
}

void AccessBuilder::assertSlice(memref::SubViewOp slice) {
  auto offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes(),
       steps = slice.getMixedStrides();
  for (int64_t dim = 0; dim < slice.getSourceType().getRank(); ++dim) {
    Value whole = size(slice.getSource(), dim);
    Value offset =
        getValueOrCreateConstantIndexOp(*this, getLoc(), offsets[dim]);
    Value starts = compare(arith::CmpIPredicate::ule, offset, whole);
    Value left = createOrFold<arith::SubIOp>(whole, offset);
    cf::AssertOp::create(
        *this, both(starts, fits(sizes[dim], steps[dim], left)),
        describe(op, "out-of-bounds slice along dimension " + Twine(dim)));
  }
}

/// The shape that is asked for holds the elements that there are.
void AccessBuilder::assertReshape(memref::ReshapeOp reshape) {
  setInsertionPointAfter(reshape);
  auto count = [&](Value memref) {
    Value product = constant(1);
    for (int64_t dim = 0; dim < cast<MemRefType>(memref.getType()).getRank();
         ++dim)
      product = createOrFold<arith::MulIOp>(product, size(memref, dim));
    return product;
  };
  Value total = count(reshape.getSource());
  Value holds =
      compare(arith::CmpIPredicate::eq, count(reshape.getResult()), total);
  for (int64_t dim = 0; dim < reshape.getType().getRank(); ++dim)
    holds = both(holds, compare(arith::CmpIPredicate::ule,
                                size(reshape.getResult(), dim), total));
  cf::AssertOp::create(*this, holds,
                       describe(op, "shape of another number of elements"));
}

// V17
void AccessBuilder::assertBounds() {
  llvm::TypeSwitch<Operation *>(op)
      // Upstream takes any size below 0 for one of no elements.
      .Case([&](memref::SubViewOp slice) { assertSlice(slice); })
      .Case([&](memref::ReshapeOp reshape) { assertReshape(reshape); })
      .Case([&](RuntimeVerifiableOpInterface access) {
        access.generateRuntimeVerification(*this, getLoc(), describe);
      });
}

//===----------------------------------------------------------------------===//
// What need not be asserted
//===----------------------------------------------------------------------===//

/// Erases the assertions for which `holds` and returns whether any is left.
static bool eraseIf(ModuleOp module, llvm::function_ref<bool(Value)> holds) {
  bool isAnyLeft = false;
  module.walk([&](cf::AssertOp op) {
    if (holds(op.getArg()))
      op.erase();
    else
      isAnyLeft = true;
  });
  return isAnyLeft;
}

/// Erases assertions that always hold. Looks at ranges only where constants do
/// not do.
static LogicalResult eraseHolding(ModuleOp module) {
  auto isTrue = [](Value value) { return matchPattern(value, m_One()); };
  if (!eraseIf(module, isTrue))
    return success();
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(module)))
    return failure();
  eraseIf(module, [&](Value value) {
    const auto *range =
        solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    if (!range || range->getValue().isUninitialized())
      return false;
    std::optional<APInt> known =
        range->getValue().getValue().getConstantValue();
    return known && known->isOne();
  });
  return success();
}

/// Sizes of what is reshaped are read where it says them: the descriptor need
/// not hold them then.
static void foldSizes(ModuleOp module) {
  SmallVector<Operation *> sizes;
  module.walk([&](memref::DimOp op) { sizes.push_back(op); });
  RewritePatternSet patterns(module.getContext());
  memref::DimOp::getCanonicalizationPatterns(patterns, module.getContext());
  (void)applyOpPatternsGreedily(sizes, std::move(patterns));
}

namespace {

struct CheckAccessesPass : mli::impl::CheckAccessesBase<CheckAccessesPass> {
  void runOnOperation() override {
    SmallVector<Operation *> accesses;
    getOperation().walk([&](Operation *op) {
      if (needsCheck(op))
        accesses.push_back(op);
    });
    for (Operation *op : accesses)
      AccessBuilder(op).assertBounds();
    if (accesses.empty())
      return;
    foldSizes(getOperation());
    if (failed(eraseHolding(getOperation())))
      signalPassFailure();
  }
};

} // namespace
