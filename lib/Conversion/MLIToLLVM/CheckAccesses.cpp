// SPDX-License-Identifier: Apache-2.0
//
// mli-check-accesses asserts that accesses stay within their buffers.

#include "mli/Conversion/Passes.h"

#include "mli/IR/MLI.h"

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
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-check-accesses"

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

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op) &&
         op->getResultTypes().front().isIntOrIndex();
}

/// Whether the least number divided by -1 is more than the type holds.
static bool isSigned(Operation *division) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
             arith::FloorDivSIOp>(division);
}

static bool isKnownDivision(Operation *op) {
  std::optional<int64_t> divisor = getConstantIntValue(op->getOperand(1));
  return divisor && *divisor != 0 && (!isSigned(op) || *divisor != -1);
}

static bool isKnownStep(OpFoldResult step) {
  std::optional<int64_t> known = getConstantIntValue(step);
  return known && *known > 0;
}

/// The steps of a loop, or none.
static SmallVector<OpFoldResult> getSteps(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  return loop ? loop.getLoopSteps().value_or(SmallVector<OpFoldResult>())
              : SmallVector<OpFoldResult>();
}

/// A cast may claim strides as well.
static bool needsCheck(Operation *op) {
  if (isDivision(op))
    return !isKnownDivision(op);
  if (!llvm::all_of(getSteps(op), isKnownStep))
    return true;
  if (isa<memref::AllocOp, memref::AllocaOp>(op))
    return !cast<MemRefType>(op->getResult(0).getType()).hasStaticShape();
  if (!isa_and_nonnull<memref::MemRefDialect>(op->getDialect()))
    return false;
  bool isAccess = isa<memref::SubViewOp, memref::ReshapeOp>(op) ||
                  isa<RuntimeVerifiableOpInterface>(op);
  return isAccess && (isa<memref::CastOp>(op) || !isStatic(op));
}

//===----------------------------------------------------------------------===//
// Assertions
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
  /// `value` in the type of `like`.
  Value constantLike(Value like, const APInt &value) {
    return arith::ConstantOp::create(*this,
                                     getIntegerAttr(like.getType(), value));
  }
  /// The width of an integer or an index.
  static unsigned getWidth(Value value) {
    return ConstantIntRanges::getStorageBitwidth(value.getType());
  }
  void assertHolds(Value holds, const Twine &reason) {
    cf::AssertOp::create(*this, holds, describe(op, reason));
  }
  Value fits(OpFoldResult size, OpFoldResult step, Value left);
  void assertSlice(memref::SubViewOp slice);
  void assertReshape(memref::ReshapeOp reshape);
  void assertSize(MemRefType type, ValueRange sizes);
  void assertDivision();
  void assertSteps();

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
    assertHolds(both(starts, fits(sizes[dim], steps[dim], left)),
                "out-of-bounds slice along dimension " + Twine(dim));
  }
}

/// Asserts that the new shape has as many elements as the source.
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
  assertHolds(holds, "shape of another number of elements");
}

static int64_t getBytes(Type element) {
  if (element.isIntOrFloat() || isa<QuantizedType>(element))
    return static_cast<int64_t>(llvm::divideCeil(elementWidth(element), 8));
  return static_cast<int64_t>(DataLayout().getTypeSize(element));
}

/// Asserts that an allocation has no more bytes than an operand of a kernel
/// may.
void AccessBuilder::assertSize(MemRefType type, ValueRange sizes) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  int64_t elements = most / getBytes(type.getElementType());
  for (int64_t size : type.getShape())
    if (ShapedType::isStatic(size))
      elements /= std::max<int64_t>(size, 1);
  // Without a product, which could overflow.
  Value left = constant(elements), holds;
  for (Value size : sizes) {
    Value next = compare(arith::CmpIPredicate::ule, size, left);
    holds = holds ? both(holds, next) : next;
    left = createOrFold<arith::DivUIOp>(
        left, createOrFold<arith::MaxUIOp>(size, constant(1)));
  }
  assertHolds(holds, "more than " + Twine(most) + " bytes");
}

void AccessBuilder::assertDivision() {
  Value number = op->getOperand(0), divisor = op->getOperand(1);
  unsigned width = getWidth(divisor);
  assertHolds(compare(arith::CmpIPredicate::ne, divisor,
                      constantLike(divisor, APInt::getZero(width))),
              "division by 0");
  if (!isSigned(op))
    return;
  Value isOther = compare(arith::CmpIPredicate::ne, divisor,
                          constantLike(divisor, APInt::getAllOnes(width)));
  Value isMore = compare(arith::CmpIPredicate::ne, number,
                         constantLike(number, APInt::getSignedMinValue(width)));
  assertHolds(createOrFold<arith::OrIOp>(isOther, isMore),
              "division of the least number by -1");
}

void AccessBuilder::assertSteps() {
  for (OpFoldResult step : getSteps(op)) {
    if (isKnownStep(step))
      continue;
    Value value = getValueOrCreateConstantIndexOp(*this, getLoc(), step);
    assertHolds(compare(arith::CmpIPredicate::sgt, value,
                        constantLike(value, APInt::getZero(getWidth(value)))),
                "step that is not above 0");
  }
}

// V17
void AccessBuilder::assertBounds() {
  if (isDivision(op))
    return assertDivision();
  if (isa<LoopLikeOpInterface>(op))
    return assertSteps();
  llvm::TypeSwitch<Operation *>(op)
      // Upstream takes any size below 0 for one of no elements.
      .Case([&](memref::SubViewOp slice) { assertSlice(slice); })
      .Case([&](memref::ReshapeOp reshape) { assertReshape(reshape); })
      .Case<memref::AllocOp, memref::AllocaOp>([&](auto alloc) {
        assertSize(alloc.getType(), alloc.getDynamicSizes());
      })
      .Case([&](RuntimeVerifiableOpInterface access) {
        access.generateRuntimeVerification(*this, getLoc(), describe);
      });
}

//===----------------------------------------------------------------------===//
// Accesses that need no assertion
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

/// Reads the sizes of a reshaped memref from its shape operand: the descriptor
/// need not hold them then.
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
    LDBG() << accesses.size() << " accesses are known only at run time";
    for (Operation *op : accesses)
      AccessBuilder(op).assertBounds();
    if (accesses.empty())
      return markAllAnalysesPreserved();
    foldSizes(getOperation());
    if (failed(eraseHolding(getOperation())))
      signalPassFailure();
  }
};

} // namespace
