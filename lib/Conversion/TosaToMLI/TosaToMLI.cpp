// SPDX-License-Identifier: Apache-2.0

#include "TosaBoundary.h"
#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace mli {
#define GEN_PASS_DEF_CONVERTTOSATOMLI
#include "mli/Conversion/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;
using namespace mli::raising;

static bool isInTosa(Operation *op) {
  return isa_and_nonnull<tosa::TosaDialect>(op->getDialect());
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {

/// Raises what can be raised of the functions of a module.
class Raiser {
public:
  Raiser(ModuleOp module, bool isExactSums, Refusals &refusals)
      : module(module), isExactSums(isExactSums), refusals(refusals) {}

  /// Returns the number of groups.
  size_t run();

private:
  void match();
  /// Drops groups and links until the rest has a solution.
  void solve();
  void drop(const Group &group);
  /// Erases what the groups were made of, casts for users that stay.
  void replace(Emitter &emitter);
  void findDead();
  /// Those whose result something reads.
  DenseSet<const Group *> findNeeded() const;
  void remarkRounding();

  ModuleOp module;
  bool isExactSums;
  Refusals &refusals;
  SmallVector<GroupPtr> groups;
  SmallVector<Link> links;
  Scales scales;
  /// The roots, and what only they used.
  llvm::SetVector<Operation *> dead;
};

} // namespace

void Raiser::match() {
  module.walk([&](func::FuncOp function) {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (GroupPtr group = isInTosa(op) ? matchGroup(op, refusals) : nullptr)
        groups.push_back(std::move(group));
    });
  });
}

void Raiser::drop(const Group &group) {
  refuseRoot(group.getRoot(), group.getSubject(), refusals);
  llvm::erase_if(groups,
                 [&](const GroupPtr &other) { return other.get() == &group; });
}

void Raiser::solve() {
  for (bool isSolved = false; !isSolved;) {
    scales = Scales();
    if (auto conflict = scales.solve(groups, links)) {
      if (!conflict->group) {
        // Casts stay between the functions.
        links.erase(links.begin() + conflict->link);
        continue;
      }
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

void Raiser::findDead() {
  // What groups read of others stays.
  DenseSet<Operation *> read;
  for (const GroupPtr &group : groups) {
    dead.insert(group->getRoot());
    for (const Constraint &constraint : group->getConstraints())
      for (Value value : constraint.getValues())
        if (!constantOf(value))
          read.insert(value.getDefiningOp());
  }
  for (size_t i = 0; i < dead.size(); ++i)
    for (Value operand : dead[i]->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && isInTosa(producer) && !read.contains(producer) &&
          isMemoryEffectFree(producer) &&
          llvm::all_of(producer->getUsers(),
                       [&](Operation *user) { return dead.contains(user); }))
        dead.insert(producer);
    }
}

DenseSet<const Group *> Raiser::findNeeded() const {
  DenseMap<Value, const Group *> givers;
  DenseSet<const Group *> needed;
  SmallVector<const Group *> open;
  auto need = [&](const Group *group) {
    if (group && needed.insert(group).second)
      open.push_back(group);
  };
  for (const GroupPtr &group : groups) {
    givers[group->getResult()] = group.get();
    if (!llvm::all_of(group->getResult().getUsers(),
                      [&](Operation *user) { return dead.contains(user); }))
      need(group.get());
  }
  // A pad that convolutions have taken over is read by none of them.
  while (!open.empty())
    for (const Constraint &constraint : open.pop_back_val()->getConstraints())
      for (Value value : constraint.getValues())
        need(givers.lookup(value));
  return needed;
}

void Raiser::remarkRounding() {
  auto roundsTwice = [](Operation *op) {
    auto rescale = dyn_cast<tosa::RescaleOp>(op);
    if (!rescale ||
        rescale.getRoundingMode() != tosa::RoundingMode::DOUBLE_ROUND)
      return false;
    // Up to 31 there is no first rounding.
    std::optional<SmallVector<int64_t>> shifts = integersOf(rescale.getShift());
    return shifts && llvm::any_of(*shifts, [](int64_t s) { return s > 31; });
  };
  module.walk([&](func::FuncOp function) {
    auto count = llvm::count_if(dead, [&](Operation *op) {
      return op->getParentOfType<func::FuncOp>() == function && roundsTwice(op);
    });
    // Not on the operation: nobody wants to see the whole function.
    if (count != 0)
      emitRemark(function.getLoc(),
                 "DOUBLE_ROUND is computed as a single rounding in ")
          << count << " rescales";
  });
}

void Raiser::replace(Emitter &emitter) {
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

size_t Raiser::run() {
  match();
  links = findLinks(module);
  solve();
  findDead();
  DenseSet<const Group *> needed = findNeeded();
  Emitter emitter(module.getContext(), scales, isExactSums);
  for (const GroupPtr &group : groups)
    if (needed.contains(group.get()))
      emitter.emit(*group);
  remarkRounding();
  replace(emitter);
  convertSignatures(module);
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
    numRaised += Raiser(module, exactSums, refusals).run();
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
