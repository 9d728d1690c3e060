// SPDX-License-Identifier: Apache-2.0
//
// convert-tosa-to-mli raises clusters of quantised TOSA operations to kernels.

#include "Conversion/TosaToMLI/Scales/TosaBoundary.h"
#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaLegalization.h"
#include "TosaPatterns.h"

#include "mli/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "convert-tosa-to-mli"

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
// Clusters
//===----------------------------------------------------------------------===//

namespace {

/// Legalizes the operations of a module for which there are kernels.
class Legalizer {
public:
  Legalizer(ModuleOp module, const ArithmeticForms &forms,
            MatchFailures &failures)
      : module(module), forms(forms), failures(failures) {}

  /// Returns the roots of the legalized clusters, which are erased.
  SmallVector<Operation *> run();

private:
  void match();
  /// Drops clusters and links until the constraints of the others have a
  /// solution.
  void solve();
  void drop(const Cluster &cluster);
  /// Erases the operations of the clusters and adds casts for users that stay.
  void replace(Emitter &emitter);
  /// Finds the operations that stay and the roots whose results these or other
  /// clusters read. Those inside of another cluster, as moves of sums of 32
  /// bits, are not among them, nor pads that convolutions have folded into
  /// their padding.
  void findLive();
  void remarkRounding();

  ModuleOp module;
  ArithmeticForms forms;
  MatchFailures &failures;
  SmallVector<ClusterPtr> clusters;
  SmallVector<Link> links;
  Scales scales;
  DenseSet<Operation *> live;
  /// The roots, and operations that only dead ones use.
  llvm::SetVector<Operation *> dead;
};

} // namespace

void Legalizer::match() {
  module.walk([&](func::FuncOp function) {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (ClusterPtr cluster = matchCluster(op, failures))
        clusters.push_back(std::move(cluster));
    });
  });
}

void Legalizer::drop(const Cluster &cluster) {
  LDBG() << cluster.getRoot()->getLoc() << ": " << cluster.getRoot()->getName()
         << " stays in TOSA";
  rejectRoot(cluster.getRoot(), cluster.getSubject(), failures);
  llvm::erase_if(clusters, [&](const ClusterPtr &other) {
    return other.get() == &cluster;
  });
}

/// Whether values of 8 bits in the scale of the result are numbers of 32 bits;
/// kernels wrap beyond.
static LogicalResult checkRatios(const Cluster &cluster,
                                 MatchFailures &failures) {
  constexpr double most = 1 << (31 - 8);
  for (const Constraint &constraint : cluster.getConstraints())
    if (constraint.kind == Constraint::Kind::Ratio && constraint.number > most)
      return failures.add(cluster.getSubject(), "expected a factor of at most ",
                          static_cast<int64_t>(most), ", but got ",
                          static_cast<int64_t>(constraint.number));
  return success();
}

void Legalizer::solve() {
  for (bool isSolved = false; !isSolved;) {
    scales = Scales();
    if (auto conflict = scales.solve(clusters, links)) {
      LDBG() << "scales conflict "
             << (conflict->cluster ? "in a cluster: " : "across a call: ")
             << conflict->reason;
      if (!conflict->cluster) {
        // Casts stay between the functions.
        links.erase(links.begin() + conflict->link);
        continue;
      }
      (void)failures.add(conflict->cluster->getSubject(), conflict->reason);
      drop(*conflict->cluster);
      continue;
    }
    isSolved = true;
    SmallVector<const Cluster *> rejected;
    for (const ClusterPtr &cluster : clusters)
      if (failed(checkRatios(*cluster, failures)) ||
          failed(cluster->choose(scales, failures)))
        rejected.push_back(cluster.get());
    for (const Cluster *cluster : rejected) {
      drop(*cluster);
      isSolved = false;
    }
  }
}

/// Whether `op` stays whatever reads it. What is in TOSA and has no users is
/// reported.
static bool isKept(Operation *op) {
  return !isInTosa(op) || op->use_empty() || !isMemoryEffectFree(op);
}

void Legalizer::findLive() {
  DenseMap<Operation *, const Cluster *> roots;
  for (const ClusterPtr &cluster : clusters)
    roots[cluster->getRoot()] = cluster.get();
  SmallVector<Operation *> open;
  auto keep = [&](Operation *op) {
    if (op && live.insert(op).second)
      open.push_back(op);
  };
  module.walk([&](Operation *op) {
    if (!roots.contains(op) && isKept(op))
      keep(op);
  });
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    const Cluster *cluster = roots.lookup(op);
    if (!cluster) {
      for (Value operand : op->getOperands())
        keep(operand.getDefiningOp());
      continue;
    }
    for (const Constraint &constraint : cluster->getConstraints())
      for (Value value : constraint.getValues())
        if (!getConstant(value))
          keep(value.getDefiningOp());
  }
  module.walk([&](Operation *op) {
    if (roots.contains(op) || (isInTosa(op) && !live.contains(op)))
      dead.insert(op);
  });
}

void Legalizer::remarkRounding() {
  auto roundsTwice = [](Operation *op) {
    auto rescale = dyn_cast<tosa::RescaleOp>(op);
    if (!rescale ||
        rescale.getRoundingMode() != tosa::RoundingMode::DOUBLE_ROUND)
      return false;
    // Shifts up to 31 have no first rounding.
    std::optional<SmallVector<int64_t>> shifts =
        getIntegers(rescale.getShift());
    return shifts && llvm::any_of(*shifts, [](int64_t s) { return s > 31; });
  };
  module.walk([&](func::FuncOp function) {
    auto count = llvm::count_if(dead, [&](Operation *op) {
      return op->getParentOfType<func::FuncOp>() == function && roundsTwice(op);
    });
    // The remark is at the function's location, since one at the function
    // prints all of it.
    if (count != 0)
      emitRemark(function.getLoc(),
                 "DOUBLE_ROUND is computed as a single rounding in ")
          << count << " rescales";
  });
}

void Legalizer::replace(Emitter &emitter) {
  for (const ClusterPtr &cluster : clusters) {
    SmallVector<OpOperand *> live;
    for (OpOperand &use : cluster->getResult().getUses())
      if (!dead.contains(use.getOwner()))
        live.push_back(&use);
    if (live.empty())
      continue;
    Value cast = emitter.castBack(cluster->getResult());
    for (OpOperand *use : live)
      use->set(cast);
  }
  for (Operation *op : dead)
    op->dropAllUses();
  for (Operation *op : dead)
    op->erase();
}

SmallVector<Operation *> Legalizer::run() {
  match();
  links = findInsertions(module);
  solve();
  findLive();
  LDBG() << clusters.size() << " clusters match";
  Emitter emitter(module.getContext(), scales, forms);
  for (const ClusterPtr &cluster : clusters)
    if (live.contains(cluster->getRoot()))
      emitter.emit(*cluster);
  remarkRounding();
  replace(emitter);
  convertSignatures(module);
  return llvm::map_to_vector(
      clusters, [](const ClusterPtr &cluster) { return cluster->getRoot(); });
}

//===----------------------------------------------------------------------===//
// What is left
//===----------------------------------------------------------------------===//

/// Whether `op` is a constant that only stays as the operand of other
/// operations.
static bool isOperandConstant(Operation *op) {
  return isa<tosa::ConstOp, tosa::ConstShapeOp>(op) &&
         llvm::all_of(op->getUsers(), isInTosa);
}

Legalization raising::legalize(ModuleOp module, const ArithmeticForms &forms) {
  MatchFailures failures;
  Legalization result;
  result.roots = Legalizer(module, forms, failures).run();
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isInTosa(op) || isOperandConstant(op))
      return;
    StringRef reason = failures.lookup(op), instead = getInstead(op);
    if (reason.empty())
      reason = "no kernel computes it, alone or with its neighbours";
    result.left.push_back(
        {op, (reason + (instead.empty() ? "" : "; ") + instead).str(),
         failures.isCause(op) || !instead.empty()});
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Whether there is anything to raise, or a cast that was left before.
static bool hasInput(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isInTosa(op) || isa<UnrealizedConversionCastOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

struct ConvertTosaToMLIPass
    : mli::impl::ConvertTosaToMLIBase<ConvertTosaToMLIPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!hasInput(module))
      return markAllAnalysesPreserved();
    Legalization result = legalize(module, {sums, averages});
    numRaised += result.roots.size();
    for (const LeftOperation &left : result.left)
      report(left);
    // Remaining operations explain the casts, so the casts are reported without
    // them only.
    if (full && (!result.left.empty() || reportBoundaries(module)))
      signalPassFailure();
  }

private:
  void report(const LeftOperation &left) {
    ++numLeft;
    if (full)
      left.op->emitOpError("cannot be raised to mli: ") << left.reason;
    else
      emitRemark(left.op->getLoc(), "'")
          << left.op->getName() << "' op not raised: " << left.reason;
  }
};

} // namespace
