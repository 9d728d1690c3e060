// SPDX-License-Identifier: Apache-2.0

#include "TosaBoundary.h"
#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace mli {
#define GEN_PASS_DEF_CONVERTTOSATOMLI
#include "mli/Conversion/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;
using namespace mli::raising;

static bool isInTosa(Operation *op) {
  return isa<tosa::TosaDialect>(op->getDialect());
}

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

namespace {

/// Raises what can be raised of one function.
class FunctionRaiser {
public:
  FunctionRaiser(func::FuncOp function, Refusals &refusals)
      : function(function), refusals(refusals) {}

  /// Returns the number of groups. `ownsSignature`: nobody calls it.
  size_t run(bool ownsSignature);

private:
  void match();
  /// Drops groups until the rest has a solution.
  void solve();
  void drop(const Group &group);
  /// Erases what the groups were made of, casts for users that stay.
  void replace(Emitter &emitter);
  /// Joins both where a group was emitted in front of what it reads.
  void joinCasts();
  llvm::SetVector<Operation *> findDead() const;
  void remarkRounding(ArrayRef<Operation *> dead);
  void convertResults();
  void convertArguments();

  func::FuncOp function;
  Refusals &refusals;
  SmallVector<GroupPtr> groups;
  Scales scales;
};

} // namespace

void FunctionRaiser::match() {
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (GroupPtr group = isInTosa(op) ? matchGroup(op, refusals) : nullptr)
      groups.push_back(std::move(group));
  });
}

void FunctionRaiser::drop(const Group &group) {
  refuseRoot(group.getRoot(), group.getSubject(), refusals);
  llvm::erase_if(groups,
                 [&](const GroupPtr &other) { return other.get() == &group; });
}

void FunctionRaiser::solve() {
  for (bool isSolved = false; !isSolved;) {
    scales = Scales();
    if (std::optional<Scales::Conflict> conflict = scales.solve(groups)) {
      (void)refusals.add(conflict->group->getSubject(), conflict->reason);
      drop(*conflict->group);
      continue;
    }
    isSolved = true;
    SmallVector<const Group *> refused;
    for (const GroupPtr &group : groups)
      if (failed(group->choose(scales, refusals)))
        refused.push_back(group.get());
    for (const Group *group : refused) {
      drop(*group);
      isSolved = false;
    }
  }
}

/// The roots, and what only they used.
llvm::SetVector<Operation *> FunctionRaiser::findDead() const {
  llvm::SetVector<Operation *> dead;
  for (const GroupPtr &group : groups)
    dead.insert(group->getRoot());
  for (size_t i = 0; i < dead.size(); ++i)
    for (Value operand : dead[i]->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && isInTosa(producer) && isMemoryEffectFree(producer) &&
          llvm::all_of(producer->getUsers(),
                       [&](Operation *user) { return dead.contains(user); }))
        dead.insert(producer);
    }
  return dead;
}

void FunctionRaiser::remarkRounding(ArrayRef<Operation *> dead) {
  auto roundsTwice = [](Operation *op) {
    auto rescale = dyn_cast<tosa::RescaleOp>(op);
    if (!rescale ||
        rescale.getRoundingMode() != tosa::RoundingMode::DOUBLE_ROUND)
      return false;
    // Up to 31 there is no first rounding.
    std::optional<SmallVector<int64_t>> shifts = integersOf(rescale.getShift());
    return shifts && llvm::any_of(*shifts, [](int64_t s) { return s > 31; });
  };
  if (auto count = llvm::count_if(dead, roundsTwice))
    // Not on the operation: nobody wants to see the whole function.
    emitRemark(function.getLoc(),
               "DOUBLE_ROUND is computed as a single rounding in ")
        << count << " rescales";
}

void FunctionRaiser::replace(Emitter &emitter) {
  llvm::SetVector<Operation *> dead = findDead();
  remarkRounding(dead.getArrayRef());
  for (const GroupPtr &group : groups) {
    SmallVector<OpOperand *> live;
    for (OpOperand &use : group->getResult().getUses())
      if (!dead.contains(use.getOwner()))
        live.push_back(&use);
    if (live.empty())
      continue;
    Value cast = emitter.castBack(group->getResult());
    for (OpOperand *use : live)
      use->set(cast);
  }
  for (Operation *op : dead)
    op->dropAllUses();
  for (Operation *op : dead)
    op->erase();
}

void FunctionRaiser::joinCasts() {
  SmallVector<UnrealizedConversionCastOp> casts;
  function.walk([&](UnrealizedConversionCastOp cast) {
    if (cast.getNumOperands() == 1 && cast.getNumResults() == 1)
      casts.push_back(cast);
  });
  for (UnrealizedConversionCastOp cast : casts)
    if (auto source = quantisedSource(cast.getOperand(0));
        source && source.getOperand(0).getType() == cast.getType(0))
      cast.getResult(0).replaceAllUsesWith(source.getOperand(0));
  for (UnrealizedConversionCastOp cast : llvm::reverse(casts))
    if (cast->use_empty())
      cast.erase();
}

void FunctionRaiser::convertResults() {
  auto returns = llvm::to_vector(function.getOps<func::ReturnOp>());
  SmallVector<Type> results(function.getResultTypes());
  for (auto [i, type] : llvm::enumerate(results)) {
    llvm::SetVector<Type> types;
    for (func::ReturnOp op : returns) {
      auto cast = quantisedSource(op.getOperand(i));
      types.insert(cast ? cast.getOperand(0).getType() : Type());
    }
    if (types.size() != 1 || !types.front())
      continue;
    type = types.front();
    for (func::ReturnOp op : returns) {
      auto cast = quantisedSource(op.getOperand(i));
      op.setOperand(i, cast.getOperand(0));
      if (cast->use_empty())
        cast.erase();
    }
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.getArgumentTypes(), results));
}

void FunctionRaiser::convertArguments() {
  for (BlockArgument argument : function.getArguments()) {
    if (!argument.hasOneUse())
      continue;
    auto cast = dyn_cast<UnrealizedConversionCastOp>(*argument.user_begin());
    if (!cast || cast.getNumResults() != 1 ||
        !isa<QuantizedType>(getElementTypeOrSelf(cast.getType(0))))
      continue;
    argument.setType(cast.getType(0));
    cast.getResult(0).replaceAllUsesWith(argument);
    cast.erase();
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.getBody().getArgumentTypes(),
                                     function.getResultTypes()));
}

size_t FunctionRaiser::run(bool ownsSignature) {
  match();
  solve();
  Emitter emitter(function.getContext(), scales);
  for (const GroupPtr &group : groups)
    emitter.emit(*group);
  replace(emitter);
  joinCasts();
  if (ownsSignature && !function.isExternal()) {
    convertResults();
    convertArguments();
  }
  return groups.size();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Constants are left for the operations that take them.
static bool isForOthers(Operation *op) {
  return isa<tosa::ConstOp, tosa::ConstShapeOp>(op) &&
         llvm::all_of(op->getUsers(), isInTosa);
}

namespace {

struct ConvertTosaToMLIPass
    : mli::impl::ConvertTosaToMLIBase<ConvertTosaToMLIPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Refusals refusals;
    module.walk([&](func::FuncOp function) {
      bool ownsSignature = SymbolTable::symbolKnownUseEmpty(function, module);
      numRaised += FunctionRaiser(function, refusals).run(ownsSignature);
    });
    bool isComplete = true;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isInTosa(op) || isForOthers(op))
        return;
      report(op, refusals.lookup(op));
      isComplete = false;
    });
    // Not with operations left, which explain the casts.
    if (full && (!isComplete || reportBoundaries(module)))
      signalPassFailure();
  }

private:
  void report(Operation *op, StringRef reason) {
    ++numLeft;
    if (reason.empty())
      reason = "no kernel computes it, alone or with its neighbours";
    if (full)
      op->emitOpError("cannot be raised to mli: ") << reason;
    else
      emitRemark(op->getLoc(), "'")
          << op->getName() << "' op not raised: " << reason;
  }
};

} // namespace
