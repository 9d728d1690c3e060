// SPDX-License-Identifier: Apache-2.0

#include "TileDecision.h"

#include "TileRefusals.h"

#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

bool mli::tiling::isTileable(Operation *op) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  return kernel && isa<TilingInterface>(op) && !isa<MovOp>(op) &&
         isa_and_present<MLIDialect>(op->getDialect()) &&
         kernel.hasPureTensorSemantics();
}

TileGroup mli::tiling::makeGroup(ArrayRef<const StaticKernel *> kernels,
                                 const layout::Target &target) {
  SmallVector<unsigned> operands;
  for (auto [user, producer] : llvm::zip(kernels, kernels.drop_front()))
    for (OpOperand &operand : user->op->getOpOperands())
      if (operand.get().getDefiningOp() == producer->op)
        operands.push_back(operand.getOperandNumber());
  return {kernels, operands, target};
}

namespace {

/// What is known of one kernel while groups are chosen.
struct Node {
  StaticKernel kernel;
  /// The producer that may be computed in the tiles of this one.
  Node *producer = nullptr;
  bool fits = false;
  /// The cheapest way to compute everything up to here, if there is one: in a
  /// group of `count` kernels, cut as `plan` says.
  double best = std::numeric_limits<double>::infinity();
  unsigned count = 0;
  TilePlan plan;
  bool isTaken = false;
};

class Decider {
public:
  Decider(FunctionOpInterface function, const DecisionRules &rules)
      : function(function), rules(rules) {}

  FailureOr<std::vector<TileDecision>> run();

private:
  LogicalResult addKernels();
  Node *findProducer(Operation *op);
  void choose(Node &node);
  double savedByStaying(const Node &node);
  LogicalResult override(Node &node, const TileOverride &tile);
  SmallVector<const StaticKernel *> membersOf(Node &node, unsigned count);
  const std::optional<TilePlan> &findPlan(const TileGroup &group);
  std::string keyOf(size_t number);

  FunctionOpInterface function;
  const DecisionRules &rules;
  llvm::MapVector<Operation *, std::unique_ptr<Node>> nodes;
  /// Networks repeat their layers.
  std::map<SmallVector<int64_t>, std::optional<TilePlan>> plans;
};

} // namespace

std::string Decider::keyOf(size_t number) {
  return (function.getName() + ":" + Twine(number)).str();
}

/// The largest of the inputs that only `op` uses.
Node *Decider::findProducer(Operation *op) {
  Node *found = nullptr;
  int64_t most = 0;
  auto kernel = cast<DestinationStyleOpInterface>(op);
  for (OpOperand *input : kernel.getDpsInputOperands()) {
    Operation *producer = input->get().getDefiningOp();
    auto *node = producer ? nodes.find(producer) : nodes.end();
    if (node == nodes.end() || !input->get().hasOneUse() ||
        producer->getNumResults() != 1 ||
        producer->getBlock() != op->getBlock())
      continue;
    int64_t elements =
        cast<ShapedType>(input->get().getType()).getNumElements();
    if (elements <= most)
      continue;
    most = elements;
    found = node->second.get();
  }
  return found;
}

LogicalResult Decider::addKernels() {
  bool hasFailed = false;
  function.walk([&](Operation *op) {
    bool isDecided = op->hasAttr(tileAttrName) || op->hasAttr(fusedAttrName);
    if (!isTileable(op) || isDecided)
      return;
    std::optional<StaticKernel> kernel = StaticKernel::get(op);
    if (!kernel) {
      hasFailed |= failed(refuseDynamic(op));
      return;
    }
    auto node = std::make_unique<Node>();
    node->kernel = std::move(*kernel);
    node->producer = findProducer(op);
    const std::optional<TilePlan> &plan =
        findPlan(makeGroup({&node->kernel}, rules.target));
    node->fits = plan && plan->tiles.order.empty();
    nodes.insert({op, std::move(node)});
  });
  return failure(hasFailed);
}

SmallVector<const StaticKernel *> Decider::membersOf(Node &node,
                                                     unsigned count) {
  SmallVector<const StaticKernel *> members;
  for (Node *member = &node; members.size() < count; member = member->producer)
    members.push_back(&member->kernel);
  return members;
}

const std::optional<TilePlan> &Decider::findPlan(const TileGroup &group) {
  auto [found, isNew] = plans.try_emplace(group.getNumbers());
  if (isNew)
    found->second = searchTiles(group, rules.capacity, rules.overrides.cost,
                                rules.doubling == DoubleBuffering::On);
  return found->second;
}

/// Bytes that a kernel which is whole need not move, as the kernel at the other
/// end is whole as well.
double Decider::savedByStaying(const Node &node) {
  auto isWhole = [&](Operation *op) {
    auto *found = op ? nodes.find(op) : nodes.end();
    return found != nodes.end() && found->second->fits;
  };
  double saved = 0;
  auto add = [&](Value value, int64_t elementBytes) {
    saved +=
        rules.overrides.cost.byte * static_cast<double>(elementBytes) *
        static_cast<double>(cast<ShapedType>(value.getType()).getNumElements());
  };
  auto kernel = cast<DestinationStyleOpInterface>(node.kernel.op);
  for (OpOperand *input : kernel.getDpsInputOperands())
    if (isWhole(input->get().getDefiningOp()))
      add(input->get(),
          node.kernel.operands[input->getOperandNumber()].elementBytes);
  for (Value result : kernel->getResults())
    if (llvm::all_of(result.getUsers(), isWhole))
      add(result, node.kernel.operands.back().elementBytes);
  return saved;
}

/// A group of kernels that all fit is none: what one leaves in local memory the
/// next one finds there.
void Decider::choose(Node &node) {
  bool allFit = true;
  unsigned count = 0;
  for (Node *first = &node; first && count < rules.maxChain;
       first = first->producer) {
    ++count;
    allFit &= first->fits;
    if (count > 1 && allFit)
      continue;
    const std::optional<TilePlan> &plan =
        findPlan(makeGroup(membersOf(node, count), rules.target));
    if (!plan)
      continue;
    double total = plan->score + (first->producer ? first->producer->best : 0);
    if (count == 1 && node.fits)
      total -= savedByStaying(node);
    if (total >= node.best)
      continue;
    node.best = total;
    node.count = count;
    node.plan = *plan;
  }
  // So that what is behind a kernel that does not fit is compared all the same.
  if (node.count == 0)
    node.best = node.producer ? node.producer->best : 0;
}

FailureOr<std::vector<TileDecision>> Decider::run() {
  if (failed(addKernels()))
    return failure();
  std::vector<TileDecision> decisions;
  for (auto &[op, node] : nodes)
    choose(*node);
  bool hasFailed = false;
  size_t number = nodes.size();
  for (auto &[op, node] : llvm::reverse(nodes)) {
    --number;
    if (node->isTaken)
      continue;
    std::string key = keyOf(number);
    auto tile = rules.overrides.tiles.find(key);
    bool isOverride = tile != rules.overrides.tiles.end();
    if (isOverride) {
      if (failed(override(*node, tile->second))) {
        hasFailed = true;
        continue;
      }
    } else if (node->count == 0) {
      hasFailed |= failed(refuseLarge(makeGroup({&node->kernel}, rules.target),
                                      rules.capacity));
      continue;
    }
    TileDecision decision{{}, node->plan, std::move(key), isOverride};
    Node *member = node.get();
    for (unsigned i = 0; i < node->count; ++i, member = member->producer) {
      member->isTaken = true;
      decision.kernels.push_back(member->kernel.op);
    }
    if (!decision.plan.tiles.order.empty())
      decisions.push_back(std::move(decision));
  }
  if (hasFailed)
    return failure();
  std::reverse(decisions.begin(), decisions.end());
  return decisions;
}

LogicalResult Decider::override(Node &node, const TileOverride &tile) {
  unsigned available = 1;
  for (Node *member = node.producer; member && !member->isTaken;
       member = member->producer)
    ++available;
  if (tile.fused >= available)
    return refuseFused(node.kernel.op, tile.fused, available - 1);
  node.count = tile.fused + 1;
  TileGroup group = makeGroup(membersOf(node, node.count), rules.target);
  TileOverride doubled = tile;
  doubled.isDoubled = rules.overrides.cost.overlap != 0.0;
  FailureOr<TilePlan> plan =
      checkTiles(group, doubled, rules.capacity, rules.overrides.cost);
  if (failed(plan))
    return failure();
  node.plan = std::move(*plan);
  return success();
}

FailureOr<std::vector<TileDecision>>
mli::tiling::decideTiles(FunctionOpInterface function,
                         const DecisionRules &rules) {
  return Decider(function, rules).run();
}
