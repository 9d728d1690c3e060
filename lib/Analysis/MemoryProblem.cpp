// SPDX-License-Identifier: Apache-2.0
//
// Names and addresses of what is planned.

#include "mli/Analysis/MemoryProblem.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/LayerName.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mli;

std::optional<int64_t> mli::getAddress(Value buffer) {
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto address = function.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), addressAttrName);
    return address ? std::optional(address.getInt()) : std::nullopt;
  }
  auto alloc = buffer.getDefiningOp<AllocOp>();
  if (!alloc)
    return getArenaOffset(buffer);
  if (!alloc.getAddress())
    return std::nullopt;
  return static_cast<int64_t>(*alloc.getAddress());
}

int64_t
MemoryProblem::getStartNpu(size_t i,
                           const allocation::Placement &placement) const {
  if (problem.memory.npus > 1 || users[i].startNpus.empty())
    return placement.startNpu;
  return users[i].startNpus.front();
}

std::string MemoryProblem::getName(size_t i) const {
  const MemoryUser &user = users[i];
  if (auto call = dyn_cast<func::CallOp>(user.op))
    return call.getCallee().str();
  if (!user.range)
    return "scratch of " + user.op->getName().getStringRef().str();
  if (auto argument = dyn_cast<BlockArgument>(user.range->buffer))
    return "argument " + std::to_string(argument.getArgNumber());
  StringRef name = getLayerName(user.op->getLoc()).name;
  if (name.empty() && user.range->firstUser)
    name = getLayerName(user.range->firstUser->getLoc()).name;
  return name.empty() ? "buffer " + std::to_string(i) : name.str();
}
