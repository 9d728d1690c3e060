// SPDX-License-Identifier: Apache-2.0

#include "TileDecision.h"

#include "KernelGraph.h"
#include "TileFailures.h"

#include <map>

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

namespace {

/// The decisions about one kernel while groups are chosen.
struct Choice {
  bool fits = false;
  /// The cheapest way to compute this kernel and all that only lead to it, if
  /// there is one: in `group`, cut by `plan`.
  double best = std::numeric_limits<double>::infinity();
  KernelNodes group;
  TilePlan plan;
  bool isTaken = false;
  /// The override of it in a file, if there is one.
  const TileOverride *tileOverride = nullptr;
};

class TileSelector {
public:
  TileSelector(FunctionOpInterface function, const DecisionRules &rules,
               KernelGraph graph)
      : function(function), rules(rules), graph(std::move(graph)),
        choices(this->graph.getNodes().size()) {}

  FailureOr<std::vector<TileDecision>> run();

private:
  LogicalResult findSaid();
  void choose(const KernelNode &node);
  double costBefore(ArrayRef<const KernelNode *> group) const;
  double savedByStaying(const StaticKernel &kernel) const;
  LogicalResult override(const KernelNode &node, const TileOverride &tile);
  bool isGroup(ArrayRef<const KernelNode *> group) const;
  LogicalResult takeChoice(const KernelNode &node,
                           std::vector<TileDecision> &decisions);
  TileGroup makeGroup(ArrayRef<const KernelNode *> group) const;
  const std::optional<TilePlan> &findPlan(const TileGroup &group);
  SmallVector<UnfusedProducer> explain(ArrayRef<const KernelNode *> group);
  std::string getKey(const KernelNode &node);
  Choice &of(const KernelNode &node) { return choices[node.number]; }
  const Choice &of(const KernelNode &node) const {
    return choices[node.number];
  }

  FunctionOpInterface function;
  const DecisionRules &rules;
  KernelGraph graph;
  std::vector<Choice> choices;
  /// Networks repeat their layers.
  std::map<SmallVector<int64_t>, std::optional<TilePlan>> plans;
};

} // namespace

std::string TileSelector::getKey(const KernelNode &node) {
  return (function.getName() + ":" + Twine(node.number)).str();
}

TileGroup TileSelector::makeGroup(ArrayRef<const KernelNode *> group) const {
  SmallVector<const StaticKernel *> members;
  for (const KernelNode *node : group)
    members.push_back(&node->kernel);
  return {members, rules.target};
}

const std::optional<TilePlan> &TileSelector::findPlan(const TileGroup &group) {
  auto [found, isNew] = plans.try_emplace(group.getNumbers());
  if (isNew)
    found->second = searchTiles(group, rules.capacity, rules.overrides.cost,
                                rules.doubling == DoubleBuffering::On);
  return found->second;
}

/// Bytes that a kernel which is whole need not move, as the kernel at the other
/// end is whole as well.
double TileSelector::savedByStaying(const StaticKernel &kernel) const {
  auto isWhole = [&](Operation *op) {
    const KernelNode *node = op ? graph.find(op) : nullptr;
    return node && of(*node).fits;
  };
  double saved = 0;
  auto add = [&](Value value, int64_t elementBytes) {
    saved +=
        rules.overrides.cost.byte * static_cast<double>(elementBytes) *
        static_cast<double>(cast<ShapedType>(value.getType()).getNumElements());
  };
  auto op = cast<DestinationStyleOpInterface>(kernel.op);
  for (OpOperand *input : op.getDpsInputOperands())
    if (isWhole(input->get().getDefiningOp()))
      add(input->get(),
          kernel.operands[input->getOperandNumber()].elementBytes);
  for (Value result : op->getResults())
    if (llvm::all_of(result.getUsers(), isWhole))
      add(result, kernel
                      .operands[op.getTiedOpOperand(cast<OpResult>(result))
                                    ->getOperandNumber()]
                      .elementBytes);
  return saved;
}

/// The cost of all kernels that only lead to `group`: each of them leads to
/// exactly one of those that join in it.
double TileSelector::costBefore(ArrayRef<const KernelNode *> group) const {
  double cost = 0;
  for (const KernelNode *member : group)
    for (const KernelNode *joined : member->joined)
      if (!llvm::is_contained(group, joined))
        cost += of(*joined).best;
  return cost;
}

LogicalResult TileSelector::findSaid() {
  SmallVector<StringRef> keys(rules.overrides.tiles.keys());
  llvm::sort(keys);
  bool hasFailed = false;
  for (StringRef key : keys) {
    auto [name, digits] = key.rsplit(':');
    if (name != function.getName())
      continue;
    size_t count = graph.getNodes().size(), number = count;
    if (!digits.getAsInteger(10, number) && number < count &&
        getKey(*graph.getNodes()[number]) == key) {
      choices[number].tileOverride = &rules.overrides.tiles.find(key)->second;
      continue;
    }
    // Z8
    function.emitError("expected 'overrides' to name one of ")
        << count << " kernels of '" << name << "', counted from 0, but got '"
        << key << "'";
    hasFailed = true;
  }
  return failure(hasFailed);
}

/// Kernels that all fit form no group: what one leaves in local memory the next
/// one finds there. A kernel that a file cuts is only in the group that the
/// file specifies.
void TileSelector::choose(const KernelNode &node) {
  Choice &choice = of(node);
  for (KernelNodes &group : graph.getGroups(node)) {
    bool allFit = llvm::all_of(
        group, [&](const KernelNode *member) { return of(*member).fits; });
    bool isSaid = llvm::any_of(
        ArrayRef(group).drop_front(),
        [&](const KernelNode *member) { return of(*member).tileOverride; });
    if ((group.size() > 1 && allFit) || isSaid)
      continue;
    const std::optional<TilePlan> &plan = findPlan(makeGroup(group));
    if (!plan)
      continue;
    double total = plan->score + costBefore(group);
    if (group.size() == 1 && choice.fits)
      total -= savedByStaying(node.kernel);
    if (total >= choice.best)
      continue;
    choice.best = total;
    choice.group = std::move(group);
    choice.plan = *plan;
  }
  // Kernels after one that does not fit are compared all the same.
  if (choice.group.empty())
    choice.best = costBefore(&node);
}

FailureOr<std::vector<TileDecision>> TileSelector::run() {
  if (failed(findSaid()))
    return failure();
  for (const auto &node : graph.getNodes()) {
    const std::optional<TilePlan> &plan = findPlan(makeGroup(node.get()));
    of(*node).fits = plan && plan->tiles.order.empty();
  }
  for (const auto &node : graph.getNodes())
    choose(*node);
  std::vector<TileDecision> decisions;
  bool hasFailed = false;
  for (const auto &node : llvm::reverse(graph.getNodes()))
    if (!of(*node).isTaken)
      hasFailed |= failed(takeChoice(*node, decisions));
  if (hasFailed)
    return failure();
  std::reverse(decisions.begin(), decisions.end());
  return decisions;
}

/// Adds the group of `node` to `decisions`, if it is cut.
LogicalResult TileSelector::takeChoice(const KernelNode &node,
                                       std::vector<TileDecision> &decisions) {
  Choice &choice = of(node);
  TileDecision decision;
  decision.key = getKey(node);
  decision.isOverride = choice.tileOverride;
  if (choice.tileOverride) {
    if (failed(override(node, *choice.tileOverride)))
      return failure();
  } else if (choice.group.empty()) {
    return rejectLarge(makeGroup(&node), rules.capacity);
  }
  for (const KernelNode *member : choice.group) {
    of(*member).isTaken = true;
    decision.kernels.push_back(member->kernel.op);
    if (member != &node)
      decision.fused.push_back(member->number);
  }
  if (choice.plan.tiles.order.empty())
    return success();
  if (rules.explains && !decision.isOverride)
    decision.leftOut = explain(choice.group);
  decision.plan = choice.plan;
  decisions.push_back(std::move(decision));
  return success();
}

/// Why nothing more is computed in the tiles of `group`.
SmallVector<UnfusedProducer>
TileSelector::explain(ArrayRef<const KernelNode *> group) {
  SmallVector<UnfusedProducer> leftOut;
  for (const KernelNode *candidate : KernelGraph::getCandidates(group)) {
    TileGroup larger = makeGroup(addToGroup(group, *candidate));
    std::string reason = of(*candidate).tileOverride ? "a file says its tiles"
                         : group.size() >= rules.maxGroup
                             ? "groups have at most " +
                                   std::to_string(rules.maxGroup) + " kernels"
                         : findPlan(larger)
                             ? "that costs more"
                             : explainNoTiles(larger, rules.capacity);
    leftOut.push_back(
        {candidate->kernel.op, getKey(*candidate), std::move(reason)});
  }
  return leftOut;
}

/// Whether only the first kernel of `group` is used by others.
bool TileSelector::isGroup(ArrayRef<const KernelNode *> group) const {
  return llvm::all_of(group.drop_front(), [&](const KernelNode *member) {
    return !of(*member).isTaken && !member->users.empty() &&
           llvm::all_of(member->users, [&](const KernelNode *user) {
             return llvm::is_contained(group, user);
           });
  });
}

LogicalResult TileSelector::override(const KernelNode &node,
                                     const TileOverride &tile) {
  KernelNodes nodes = {&node};
  for (size_t number : tile.fused)
    if (number < node.number &&
        !llvm::is_contained(nodes, graph.getNodes()[number].get()))
      nodes = addToGroup(nodes, *graph.getNodes()[number]);
  if (nodes.size() != tile.fused.size() + 1 || !isGroup(nodes))
    return rejectFused(node.kernel.op, tile.fused);
  for (const KernelNode *member : ArrayRef(nodes).drop_front())
    // Z8
    if (of(*member).tileOverride)
      return member->kernel.op->emitOpError(
                 "expected 'overrides' to say its tiles or to fuse it, but "
                 "got both, '")
             << getKey(*member) << "' and 'fused' of '" << getKey(node) << "'";
  TileGroup group = makeGroup(nodes);
  TileOverride doubled = tile;
  doubled.isDoubled = rules.overrides.cost.overlap != 0.0;
  FailureOr<TilePlan> plan =
      checkTiles(group, doubled, rules.capacity, rules.overrides.cost);
  if (failed(plan))
    return failure();
  of(node).group = std::move(nodes);
  of(node).plan = std::move(*plan);
  return success();
}

FailureOr<std::vector<TileDecision>>
mli::tiling::decideTiles(FunctionOpInterface function,
                         const DecisionRules &rules) {
  FailureOr<KernelGraph> graph = KernelGraph::of(function, rules.maxGroup);
  if (failed(graph))
    return failure();
  return TileSelector(function, rules, std::move(*graph)).run();
}
