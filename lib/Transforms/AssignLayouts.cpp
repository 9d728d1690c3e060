// SPDX-License-Identifier: Apache-2.0
//
// mli-assign-layouts chooses the layout of every buffer in local memory.

#include "Transforms/LocalMemory/AssignLayouts.h"
#include "Transforms/Slicing/LegalizeSubtensors.h"

#include "mli/IR/LayoutPolicy.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-assign-layouts"

namespace mli {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;
using layout::OperandUsage;

/// Whether a slice of a batch begins or ends within a group of `factor` images.
static bool cutsGroups(const LocalValues &values, int64_t factor) {
  int64_t size = values.getType().getDimSize(0);
  return llvm::any_of(values.views, [&](Operation *view) {
    auto block = dyn_cast<OffsetSizeAndStrideOpInterface>(view);
    if (!block)
      return false;
    int64_t offset = block.getStaticOffsets()[0];
    int64_t extent = block.getStaticSizes()[0];
    return ShapedType::isDynamic(offset) || ShapedType::isDynamic(extent) ||
           offset % factor != 0 ||
           (extent % factor != 0 && offset + extent != size);
  });
}

namespace {

/// Gives the buffers of one function their layouts.
class FunctionLayouts {
public:
  FunctionLayouts(func::FuncOp function, const RelayoutRules &rules,
                  TargetAttr target, bool explains, CopyRemarks &remarks)
      : function(function), rules(rules), target(target), explains(explains),
        remarks(remarks) {}

  /// Returns the number of buffers.
  FailureOr<int64_t> assign(LocalBuffers found) {
    buffers = std::move(found);
    types.resize(buffers.all.size());
    for (const LocalValues &values : buffers.all)
      if (failed(checkType(values)))
        return failure();
    std::vector<OperandUsage> roles =
        chooseUsages(buffers, rules.target, rules.options);
    int64_t count = 0;
    for (auto [i, role] : llvm::enumerate(roles)) {
      if (buffers.all[i].allocations.empty())
        continue;
      FailureOr<MemRefType> type = chooseType(buffers.all[i], role);
      if (failed(type) || failed(setType(static_cast<unsigned>(i), *type)))
        return failure();
      count += static_cast<int64_t>(buffers.all[i].allocations.size());
    }
    for (const LocalValues &values : buffers.all)
      for (OpOperand *use : values.uses)
        relayoutUse(*use, rules, remarks);
    if (remarks.hasFailed())
      return failure();
    replaceAllocations();
    assignStartNpus(function, rules.target);
    return count;
  }

private:
  static LogicalResult checkType(const LocalValues &values) {
    MemRefType type = values.getType();
    // O11
    if (!getLocalTensorDesc(type.getShape(), type.getElementType(),
                            OperandUsage::Map))
      return emitError(values.values.front().getLoc(),
                       "expected a buffer in local memory to have up to four "
                       "static dimensions and elements of whole bytes, but "
                       "got ")
             << type;
    return success();
  }

  FailureOr<MemRefType> chooseType(const LocalValues &values,
                                   OperandUsage role) const {
    MemRefType type = values.getType();
    Operation *op = values.allocations.front();
    layout::LocalTensorDesc use = getUse(type, role);
    use.cutsGroups =
        type.getRank() == 4 &&
        cutsGroups(values, std::max<int64_t>(4 / use.elementBytes, 1));
    layout::LayoutChoice choice =
        layout::chooseLayout(use, rules.target, rules.options);
    layout::Result<MemRefType> result =
        getLocalType(type, choice, rules.target);
    // O11
    if (!result)
      return op->emitError("expected a buffer that local memory has a layout "
                           "for, but got: ")
             << layout::toString(result.violation());
    LDBG() << op->getLoc() << ": " << layout::toString(role) << " becomes "
           << *result;
    if (explains)
      for (Operation *allocation : values.allocations)
        allocation->emitRemark("its layout as ")
            << layout::toString(role) << " is "
            << layout::explainChoice(use, rules.target, rules.options);
    return *result;
  }

  /// Sets the type of the values at `index`, and those of their views.
  LogicalResult setType(unsigned index, MemRefType type) {
    LocalValues &values = buffers.all[index];
    if (MemRefType given = types[index]) {
      if (given == type)
        return success();
      // O11
      return emitError(values.values.back().getLoc(),
                       "expected values that control flow forwards to have "
                       "one layout, but got ")
             << given << " and " << type;
    }
    types[index] = type;
    for (Value value : values.values)
      value.setType(type);
    for (Operation *view : values.views) {
      auto reshape = dyn_cast<ReshapeOp>(view);
      if (failed(reshape ? setReshaped(reshape, type) : setBlock(view, type)))
        return failure();
    }
    return success();
  }

  LogicalResult setReshaped(ReshapeOp op, MemRefType source) {
    if (MemRefType type = findReshapedType(op, source, rules))
      return setType(buffers.indexOf.lookup(op.getResult()), type);
    LDBG() << op.getLoc() << ": reshape is copied, as its addresses change";
    forget(op);
    copyReshape(op, rules, remarks);
    return failure(remarks.hasFailed());
  }

  LogicalResult setBlock(Operation *op, MemRefType source) {
    Slice slice = *Slice::of(op);
    SliceView view = getSliceView(source, slice, target);
    if (view.isView()) {
      unsigned index = buffers.indexOf.lookup(op->getResult(0));
      OpBuilder builder(op);
      Value block = createView(builder, op->getLoc(), op->getOperand(0), view);
      Value old = op->getResult(0);
      old.replaceAllUsesWith(block);
      llvm::replace(buffers.all[index].values, old, block);
      op->erase();
      return setType(index, cast<MemRefType>(block.getType()));
    }
    if (!view.cause->reason) {
      remarks.reject(op, *view.cause);
      return failure();
    }
    LDBG() << op->getLoc() << ": slice is copied: " << view.cause->text;
    forget(op);
    copySlice(cast<OffsetSizeAndStrideOpInterface>(op), *view.cause, remarks);
    return failure(remarks.hasFailed());
  }

  /// Drops the uses of the result of `op`, which copies replace.
  void forget(Operation *op) {
    LocalValues &values = buffers.all[buffers.indexOf.lookup(op->getResult(0))];
    llvm::erase_if(values.uses, [&](OpOperand *use) {
      return use->get() == op->getResult(0);
    });
  }

  void replaceAllocations() {
    for (LocalValues &values : buffers.all)
      for (Operation *op : values.allocations) {
        if (isa<AllocOp>(op))
          continue;
        OpBuilder builder(op);
        auto alloc = AllocOp::create(builder, op->getLoc(),
                                     op->getResultTypes(), ValueRange());
        op->getResult(0).replaceAllUsesWith(alloc);
        op->erase();
      }
  }

  func::FuncOp function;
  const RelayoutRules &rules;
  TargetAttr target;
  bool explains;
  CopyRemarks &remarks;
  LocalBuffers buffers;
  /// The types that are set already.
  std::vector<MemRefType> types;
};

struct AssignLayoutsPass : mli::impl::AssignLayoutsBase<AssignLayoutsPass> {
  using AssignLayoutsBase::AssignLayoutsBase;

  void runOnOperation() override {
    CopyRemarks remarks(/*rejectsCopies=*/false, explain);
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      FailureOr<LocalBuffers> buffers = findLocalBuffers(function);
      if (failed(buffers))
        return signalPassFailure();
      if (buffers->all.empty())
        continue;
      FailureOr<TargetAttr> target = getTarget(function);
      if (failed(target))
        return signalPassFailure();
      RelayoutRules rules{target->getValue(), findLayoutPolicy(function)};
      if (mode != layout::Mode::None)
        rules.options.mode = mode;
      rules.options.usesMatrices |= matrices;
      FailureOr<int64_t> count =
          FunctionLayouts(function, rules, *target, explain, remarks)
              .assign(std::move(*buffers));
      if (failed(count))
        return signalPassFailure();
      numBuffers += *count;
    }
    numMoves += remarks.getCopies();
    numBytes += remarks.getBytes();
  }
};

} // namespace
