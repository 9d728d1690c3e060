// SPDX-License-Identifier: Apache-2.0
//
// mli-assign-addresses gives every buffer of a module an address: in the arena,
// in system memory, or in local memory.

#include "Transforms/Addresses/Addresses.h"

#include "mli/IR/AttributeNames.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-assign-addresses"

#include <deque>

namespace mli {
#define GEN_PASS_DEF_ASSIGNADDRESSES
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

/// Copies the constants of `function` to buffers at its start.
static void moveConstants(func::FuncOp function) {
  SmallVector<ConstantOp> constants;
  function.walk([&](ConstantOp op) {
    if (isa<MemRefType>(op.getType()))
      constants.push_back(op);
  });
  OpBuilder builder(function.getContext());
  Block *entry = &function.getBody().front();
  for (ConstantOp constant : llvm::reverse(constants)) {
    constant->moveBefore(entry, entry->begin());
    builder.setInsertionPointAfter(constant);
    Value buffer = memref::AllocOp::create(
        builder, constant.getLoc(), cast<MemRefType>(constant.getType()));
    constant.getResult().replaceAllUsesWith(buffer);
    memref::CopyOp::create(builder, constant.getLoc(), constant, buffer);
  }
}

namespace {

/// The plan of one function.
struct FunctionPlan {
  explicit FunctionPlan(func::FuncOp function)
      : function(function), analysis(function) {}

  func::FuncOp function;
  MemoryAnalysis analysis;
  MemoryPlan system, local;
};

struct AssignAddressesPass
    : mli::impl::AssignAddressesBase<AssignAddressesPass> {
  using AssignAddressesBase::AssignAddressesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!llvm::isPowerOf2_64(systemAlignment)) {
      module.emitError("expected 'system-alignment' to be a power of 2, but "
                       "got ")
          << static_cast<int64_t>(systemAlignment);
      return signalPassFailure();
    }
    FailureOr<SmallVector<func::FuncOp>> functions = sortByCalls(module);
    if (failed(functions))
      return signalPassFailure();
    for (func::FuncOp function : *functions)
      if (BlockArgument arena = findArena(function)) {
        function.emitError("expected '")
            << function.getSymName() << "' to have no arena yet, but got "
            << "argument " << arena.getArgNumber();
        return signalPassFailure();
      }
    for (func::FuncOp function : *functions) {
      alternateCarriedBuffers(function);
      if (copyConstants)
        moveConstants(function);
    }
    module.walk([&](func::CallOp call) { called.insert(call.getCallee()); });
    // Plans point into their analyses, which stay where they are.
    std::deque<FunctionPlan> plans;
    FunctionMemories needs;
    for (func::FuncOp function : *functions) {
      FunctionPlan &plan = plans.emplace_back(function);
      if (failed(planSpace(plan, Space::system, plan.system, needs)) ||
          failed(planSpace(plan, Space::local, plan.local, needs)))
        return signalPassFailure();
      needs[function.getSymName()] = getFunctionMemory(plan.system, plan.local);
    }
    for (FunctionPlan &plan : plans)
      apply(plan, needs);
    describeArena(needs);
  }

private:
  LogicalResult planSpace(FunctionPlan &function, Space space,
                          MemoryPlan &memory, const FunctionMemories &needs) {
    MemoryRules rules;
    rules.space = space;
    rules.systemAlignment = systemAlignment;
    rules.plansArguments = arguments && function.function.isPublic();
    rules.computesInPlace = inPlace;
    rules.reusesEmptyBlocks = reuseEmptyBlocks;
    if (space == Space::system && arenaBytes > 0)
      rules.arenaBytes = arenaBytes;
    allocation::PlannerOptions options;
    options.budget = budget;
    options.minimise = minimise || space == Space::system;
    FailureOr<MemoryPlan> plan =
        function.analysis.makePlan(rules, options, needs);
    if (failed(plan))
      return failure();
    memory = std::move(*plan);
    if (!memory.isPlaced())
      return reportConflict(function.function, memory, options);
    LDBG() << "'" << function.function.getSymName() << "' takes "
           << memory.found.plan.peak << " bytes of " << stringifySpace(space)
           << " memory for " << memory.problem.users.size() << " buffers";
    if (space == Space::local)
      separateBanks(function.function, memory,
                    highestEnd(function.function, memory.found),
                    {banks, explain});
    return success();
  }

  /// Where buffers in local memory may end once all of them fit. A function
  /// that is called, or minimised, keeps its peak.
  int64_t highestEnd(func::FuncOp function, const InPlacePlan &found) const {
    bool mayGrow = !minimise && !called.contains(function.getSymName());
    return mayGrow ? found.problem.memory.capacity.value_or(found.plan.peak)
                   : found.plan.peak;
  }

  /// Whether `function` takes an arena.
  static bool takesArena(func::FuncOp function, const FunctionMemories &needs) {
    return !function.isExternal() &&
           (function.isPublic() ||
            needs.lookup(function.getSymName()).arenaBytes > 0);
  }

  static void apply(FunctionPlan &plan, const FunctionMemories &needs);

  void describeArena(const FunctionMemories &needs) {
    FunctionMemory all;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isPublic())
        continue;
      FunctionMemory need = needs.lookup(function.getSymName());
      all.arenaBytes = std::max(all.arenaBytes, need.arenaBytes);
      all.arenaAlignment = std::max(all.arenaAlignment, need.arenaAlignment);
    }
    Builder builder(&getContext());
    getOperation()->setAttr(arenaBytesAttrName,
                            builder.getI64IntegerAttr(all.arenaBytes));
    getOperation()->setAttr(arenaAlignmentAttrName,
                            builder.getI64IntegerAttr(all.arenaAlignment));
  }

  /// Functions that are called.
  llvm::StringSet<> called;
};

} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static MemRefType getArenaType(MLIRContext *context, int64_t bytes) {
  return MemRefType::get(bytes, IntegerType::get(context, 8));
}

static BlockArgument addArena(func::FuncOp function, int64_t bytes) {
  MLIRContext *context = function.getContext();
  unsigned index = function.getNumArguments();
  NamedAttribute mark(StringAttr::get(context, arenaAttrName),
                      UnitAttr::get(context));
  (void)function.insertArgument(index, getArenaType(context, bytes),
                                DictionaryAttr::get(context, mark),
                                function.getLoc());
  return function.getArgument(index);
}

void AssignAddressesPass::apply(FunctionPlan &plan,
                                const FunctionMemories &needs) {
  func::FuncOp function = plan.function;
  llvm::DenseMap<Operation *, int64_t> frames;
  Value arena;
  if (takesArena(function, needs))
    arena = addArena(function, plan.system.getPlan().peak);
  applySystem(plan.system, arena, frames);
  applyLocal(plan.local, plan.analysis.getLifetimes());
  SymbolTableCollection symbols;
  auto number = static_cast<int64_t>(plan.system.problem.users.size());
  function.walk([&](func::CallOp call) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || !takesArena(callee, needs))
      return;
    OpBuilder builder(call);
    int64_t bytes = needs.lookup(callee.getSymName()).arenaBytes;
    MemRefType type = getArenaType(call.getContext(), bytes);
    call.getOperandsMutable().append(createArenaView(
        builder, call.getLoc(), type, arena, frames.lookup(call), number++));
  });
}
