// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-assign-layouts: the usage of each buffer that decides its
// layout.

#include "AssignLayouts.h"

#include "mli/Analysis/BufferLifetimes.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mli;
using layout::OperandUsage;

layout::LocalTensorDesc mli::getUse(MemRefType type, OperandUsage role) {
  return *getLocalTensorDesc(type.getShape(), type.getElementType(), role);
}

namespace {

class RoleChooser {
public:
  RoleChooser(const LocalBuffers &buffers, const layout::Target &target,
              const layout::PolicyOptions &options)
      : buffers(buffers), target(target), options(options),
        together(buffers.all.size()) {}

  std::vector<OperandUsage> choose() {
    for (auto [i, values] : llvm::enumerate(buffers.all)) {
      for (OpOperand *use : values.uses)
        joinOthers(static_cast<unsigned>(i), *use);
      joinBlocks(static_cast<unsigned>(i));
    }
    together.compress();
    members.resize(together.getNumClasses());
    for (unsigned i = 0; i < buffers.all.size(); ++i)
      members[together[i]].push_back(i);
    std::vector<OperandUsage> roles, result;
    roles.reserve(members.size());
    for (const auto &group : members)
      roles.push_back(chooseOne(group));
    result.reserve(buffers.all.size());
    for (unsigned i = 0; i < buffers.all.size(); ++i)
      result.push_back(roles[together[i]]);
    return result;
  }

private:
  /// Gives the operands of a kernel without a contract one role.
  // O13
  void joinOthers(unsigned index, OpOperand &use) {
    if (!isa<DestinationStyleOpInterface>(use.getOwner()) ||
        hasFixedLayouts(use) || getOperandUsage(use) != OperandUsage::Map)
      return;
    for (OpOperand &other : use.getOwner()->getOpOperands()) {
      auto found = buffers.indexOf.find(other.get());
      if (found != buffers.indexOf.end() &&
          getOperandUsage(other) == OperandUsage::Map &&
          buffers.all[found->second].getType().getShape() ==
              buffers.all[index].getType().getShape())
        together.join(index, found->second);
    }
  }

  /// Gives a slice that keeps all dimensions the role of its source.
  void joinBlocks(unsigned index) {
    for (Operation *view : buffers.all[index].views) {
      unsigned slice = buffers.indexOf.lookup(view->getResult(0));
      bool keepsRank = buffers.all[slice].getType().getRank() ==
                       buffers.all[index].getType().getRank();
      if (!isa<ReshapeOp>(view) && keepsRank)
        together.join(index, slice);
    }
  }

  // O12
  OperandUsage chooseOne(ArrayRef<unsigned> group) const {
    llvm::SmallSetVector<OperandUsage, 2> wanted;
    for (unsigned i : group)
      for (OpOperand *use : buffers.all[i].uses)
        if (hasFixedLayouts(*use) || getOperandUsage(*use) != OperandUsage::Map)
          wanted.insert(getOperandUsage(*use));
    OperandUsage best = OperandUsage::Map;
    int64_t fewest = INT64_MAX;
    for (OperandUsage role : wanted) {
      int64_t bytes = wanted.size() == 1 ? 0 : getCopiedBytes(group, role);
      if (bytes >= fewest)
        continue;
      best = role;
      fewest = bytes;
    }
    return best;
  }

  /// The bytes of the operands that are copied for kernels if all of `group`
  /// have `role`.
  int64_t getCopiedBytes(ArrayRef<unsigned> group, OperandUsage role) const {
    int64_t bytes = 0;
    for (unsigned i : group) {
      MemRefType type = buffers.all[i].getType();
      layout::LayoutChoice choice =
          layout::chooseLayout(getUse(type, role), target, options);
      for (OpOperand *use : buffers.all[i].uses)
        if (hasFixedLayouts(*use) &&
            !layout::isAccepted(choice, getUse(type, getOperandUsage(*use)),
                                target, options))
          bytes += *getDenseBytes(type);
    }
    return bytes;
  }

  const LocalBuffers &buffers;
  const layout::Target &target;
  const layout::PolicyOptions &options;
  llvm::IntEqClasses together;
  std::vector<SmallVector<unsigned, 1>> members;
};

} // namespace

std::vector<OperandUsage>
mli::chooseUsages(const LocalBuffers &buffers, const layout::Target &target,
                  const layout::PolicyOptions &options) {
  return RoleChooser(buffers, target, options).choose();
}
