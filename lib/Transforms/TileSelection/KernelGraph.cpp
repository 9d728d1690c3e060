// SPDX-License-Identifier: Apache-2.0

#include "KernelGraph.h"

#include "TileDecision.h"
#include "TileFailures.h"

#include "mli/IR/AttributeNames.h"

#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

/// The groups of one kernel that are looked at. Up to four kernels that read
/// tiles of two operands each make 22.
static constexpr size_t maxGroups = 64;

bool mli::tiling::isTileable(Operation *op) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  return kernel && isa<TilingInterface>(op) && !isa<MovOp>(op) &&
         isa_and_present<MLIDialect>(op->getDialect()) &&
         kernel.hasPureTensorSemantics();
}

//===----------------------------------------------------------------------===//
// Users
//===----------------------------------------------------------------------===//

/// Whether tiles of the kernel read tiles of `operand`.
static bool readsTiles(const StaticKernel &kernel, OpOperand &operand) {
  return llvm::any_of(kernel.operands[operand.getOperandNumber()].dims,
                      [](const DimRange &dim) {
                        return dim.use.kind != DimAccess::Kind::Full;
                      });
}

void KernelGraph::findUsers(KernelNode &node) {
  Operation *op = node.kernel.op;
  if (op->getNumResults() != 1)
    return;
  llvm::SmallSetVector<KernelNode *, 4> users;
  for (OpOperand &use : op->getResult(0).getUses()) {
    KernelNode *user = byOp.lookup(use.getOwner());
    if (!user || use.getOwner()->getBlock() != op->getBlock() ||
        cast<DestinationStyleOpInterface>(use.getOwner()).isDpsInit(&use) ||
        !readsTiles(user->kernel, use))
      return;
    users.insert(user);
  }
  node.users.assign(users.begin(), users.end());
}

/// Whether `limit` joins lead from `node` to `target`.
static bool leadsTo(const KernelNode *node, const KernelNode *target,
                    unsigned limit) {
  for (unsigned i = 0; i < limit && node && node->number < target->number; ++i)
    node = node->join;
  return node == target;
}

/// The joins of all users are known.
void KernelGraph::findJoin(KernelNode &node) {
  if (node.users.empty())
    return;
  KernelNode *join =
      *llvm::max_element(node.users, [](KernelNode *a, KernelNode *b) {
        return a->number < b->number;
      });
  for (unsigned i = 1; i < maxGroup && join; ++i, join = join->join)
    if (llvm::all_of(node.users, [&](const KernelNode *user) {
          return leadsTo(user, join, maxGroup);
        })) {
      node.join = join;
      join->joined.push_back(&node);
      return;
    }
}

FailureOr<KernelGraph> KernelGraph::of(FunctionOpInterface function,
                                       unsigned maxGroup) {
  KernelGraph graph(maxGroup);
  bool hasFailed = false;
  function.walk([&](Operation *op) {
    bool isDecided = op->hasAttr(tileAttrName) || op->hasAttr(fusedAttrName);
    if (!isTileable(op) || isDecided)
      return;
    std::optional<StaticKernel> kernel = StaticKernel::get(op);
    if (!kernel) {
      hasFailed |= failed(rejectDynamic(op));
      return;
    }
    auto node = std::make_unique<KernelNode>();
    node->kernel = std::move(*kernel);
    node->number = graph.nodes.size();
    graph.byOp[op] = node.get();
    graph.nodes.push_back(std::move(node));
  });
  if (hasFailed)
    return failure();
  for (auto &node : graph.nodes)
    graph.findUsers(*node);
  for (auto &node : llvm::reverse(graph.nodes))
    graph.findJoin(*node);
  for (auto &node : graph.nodes)
    for (KernelNode *user : node->users)
      user->producers.push_back(node.get());
  return graph;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

KernelNodes mli::tiling::addToGroup(ArrayRef<const KernelNode *> group,
                                    const KernelNode &node) {
  KernelNodes larger(group);
  auto *behind = llvm::find_if(larger, [&](const KernelNode *member) {
    return member->number < node.number;
  });
  larger.insert(behind, &node);
  return larger;
}

KernelNodes KernelGraph::getCandidates(ArrayRef<const KernelNode *> group) {
  KernelNodes candidates;
  for (const KernelNode *member : group)
    for (const KernelNode *producer : member->producers)
      if (!llvm::is_contained(group, producer) &&
          !llvm::is_contained(candidates, producer) &&
          llvm::all_of(producer->users, [&](const KernelNode *user) {
            return llvm::is_contained(group, user);
          }))
        candidates.push_back(producer);
  return candidates;
}

std::vector<KernelNodes> KernelGraph::getGroups(const KernelNode &root) const {
  std::vector<KernelNodes> groups = {{&root}};
  for (size_t i = 0; i < groups.size() && groups[i].size() < maxGroup; ++i)
    for (const KernelNode *candidate : getCandidates(groups[i])) {
      KernelNodes larger = addToGroup(groups[i], *candidate);
      if (groups.size() == maxGroups)
        return groups;
      if (!llvm::is_contained(groups, larger))
        groups.push_back(std::move(larger));
    }
  return groups;
}
