// SPDX-License-Identifier: Apache-2.0
//
// The last step of mli-assign-layouts: the NPUs that buffers may start on.

#include "AssignLayouts.h"

#include "mli/Analysis/MemoryProblem.h"
#include "mli/Layout/Policy.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mli;

/// Whether `op` is one instruction, whose operands start on one NPU. A move of
/// a slice is not, as it writes other channels than it reads.
// L31
static bool isComputed(Operation *op) {
  auto mov = dyn_cast<MovOp>(op);
  return mov ? mov.keepsIndices() : isa<DestinationStyleOpInterface>(op);
}

namespace {

/// A buffer whose channels are scattered over NPUs, and all that may be views
/// of it.
struct ScatteredBuffer {
  AllocOp alloc;
  Value buffer;
  MemRefType type;
  SmallVector<Value> aliases;
};

class StartNpuAssignment {
public:
  StartNpuAssignment(func::FuncOp function, const layout::Target &target)
      : target(target) {
    BufferViewFlowAnalysis flow(function);
    function.walk([&](AllocOp alloc) {
      bool isOpen = isScattered(alloc.getType()) && !alloc.getAddress() &&
                    !alloc.getStartNpus() && !alloc.getStartGroup();
      if (!isOpen)
        return;
      auto aliases = flow.resolve(alloc.getResult());
      buffers.push_back({alloc,
                         alloc.getResult(),
                         alloc.getType(),
                         {aliases.begin(), aliases.end()}});
    });
  }

  void run() {
    for (ScatteredBuffer &scattered : buffers)
      scattered.alloc.setStartNpus(getStartNpus(scattered));
    groupOperands();
  }

private:
  MemRefType getMovedType(Value alias, const ScatteredBuffer &scattered,
                          int64_t npu) const {
    return moveStartNpu(cast<MemRefType>(alias.getType()), scattered.type, npu,
                        target);
  }

  /// Whether all views have legal types if the buffer starts on `npu`.
  bool isLegal(const ScatteredBuffer &scattered, int64_t npu) const {
    return llvm::all_of(scattered.aliases, [&](Value alias) {
      if (alias == scattered.buffer)
        return true;
      MemRefType type = getMovedType(alias, scattered, npu);
      if (layout::verify(getTensorLayout(type, target)))
        return false;
      if (auto block = alias.getDefiningOp<SubtensorOp>())
        return block.inferResultType(
                   getMovedType(block.getSource(), scattered, npu)) == type;
      if (auto reshape = alias.getDefiningOp<ReshapeOp>())
        return hasSameAddresses(
            getMovedType(reshape.getSource(), scattered, npu), type);
      return true;
    });
  }

  // O8
  SmallVector<int64_t> getStartNpus(const ScatteredBuffer &scattered) const {
    int64_t given = getStartNpu(scattered.type);
    int64_t last =
        layout::lastStartNpu(getTensorLayout(scattered.type, target));
    SmallVector<int64_t> starts;
    for (int64_t npu = 0; npu <= std::max(given, last); ++npu)
      if (npu == given || (npu <= last && isLegal(scattered, npu)))
        starts.push_back(npu);
    return starts;
  }

  /// Whether `alias` starts on the NPU of its buffer, and that may be NPU 0,
  /// which all buffers of a group have in common.
  static bool canBeGrouped(Value alias, ScatteredBuffer &scattered) {
    return getStartNpu(cast<MemRefType>(alias.getType())) ==
               getStartNpu(scattered.type) &&
           scattered.alloc.getStartNpus()->front() == 0;
  }

  /// Groups the buffers that operands of one kernel start on one NPU with.
  // O16
  void groupOperands() {
    llvm::IntEqClasses together(static_cast<unsigned>(buffers.size()));
    llvm::DenseMap<Operation *, unsigned> firstOf;
    for (auto [i, scattered] : llvm::enumerate(buffers))
      for (Value alias : scattered.aliases)
        for (Operation *user : alias.getUsers())
          if (isComputed(user) && canBeGrouped(alias, scattered))
            together.join(static_cast<unsigned>(i),
                          firstOf.try_emplace(user, static_cast<unsigned>(i))
                              .first->second);
    together.compress();
    SmallVector<unsigned> sizes(together.getNumClasses());
    for (unsigned i = 0; i < buffers.size(); ++i)
      ++sizes[together[i]];
    for (auto [i, scattered] : llvm::enumerate(buffers))
      if (unsigned group = together[static_cast<unsigned>(i)]; sizes[group] > 1)
        scattered.alloc.setStartGroup(group);
  }

  const layout::Target &target;
  std::vector<ScatteredBuffer> buffers;
};

} // namespace

void mli::assignStartNpus(func::FuncOp function, const layout::Target &target) {
  StartNpuAssignment(function, target).run();
}
