// SPDX-License-Identifier: Apache-2.0

#include "StartChoices.h"

#include "mli/Analysis/MemoryProblem.h"
#include "mli/Layout/Policy.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mli;

/// Whether `op` is one instruction on its operands. A move of a part leads to
/// other channels.
// L31
static bool isComputed(Operation *op) {
  auto mov = dyn_cast<MovOp>(op);
  return mov ? mov.keepsIndices() : isa<DestinationStyleOpInterface>(op);
}

namespace {

/// A buffer and all that may be a view of it.
struct Choice {
  AllocOp alloc;
  Value buffer;
  MemRefType type;
  SmallVector<Value> aliases;
};

class StartChooser {
public:
  StartChooser(func::FuncOp function, const layout::Target &target)
      : target(target) {
    BufferViewFlowAnalysis flow(function);
    function.walk([&](AllocOp alloc) {
      bool isOpen = isScattered(alloc.getType()) && !alloc.getAddress() &&
                    !alloc.getStartNpus() && !alloc.getStartGroup();
      if (!isOpen)
        return;
      auto aliases = flow.resolve(alloc.getResult());
      choices.push_back({alloc,
                         alloc.getResult(),
                         alloc.getType(),
                         {aliases.begin(), aliases.end()}});
    });
  }

  void run() {
    for (Choice &choice : choices)
      choice.alloc.setStartNpus(findStarts(choice));
    groupOperands();
  }

private:
  MemRefType moved(Value alias, const Choice &choice, int64_t npu) const {
    return moveStartNpu(cast<MemRefType>(alias.getType()), choice.type, npu,
                        target);
  }

  /// Whether the types of all views follow from those of what they see if the
  /// buffer starts on `npu`.
  bool isLegal(const Choice &choice, int64_t npu) const {
    return llvm::all_of(choice.aliases, [&](Value alias) {
      if (alias == choice.buffer)
        return true;
      MemRefType type = moved(alias, choice, npu);
      if (layout::verify(getTensorLayout(type, target)))
        return false;
      if (auto block = alias.getDefiningOp<SubtensorOp>())
        return block.inferResultType(moved(block.getSource(), choice, npu)) ==
               type;
      if (auto reshape = alias.getDefiningOp<ReshapeOp>())
        return hasSameAddresses(moved(reshape.getSource(), choice, npu), type);
      return true;
    });
  }

  // O8
  SmallVector<int64_t> findStarts(const Choice &choice) const {
    int64_t given = getStartNpu(choice.type);
    int64_t last = layout::lastStartNpu(getTensorLayout(choice.type, target));
    SmallVector<int64_t> starts;
    for (int64_t npu = 0; npu <= std::max(given, last); ++npu)
      if (npu == given || (npu <= last && isLegal(choice, npu)))
        starts.push_back(npu);
    return starts;
  }

  /// Whether `alias` starts where its buffer does, which may be NPU 0, that all
  /// of a group have in common.
  static bool canBeGrouped(Value alias, Choice &choice) {
    return getStartNpu(cast<MemRefType>(alias.getType())) ==
               getStartNpu(choice.type) &&
           choice.alloc.getStartNpus()->front() == 0;
  }

  /// Operands of one kernel that start where their buffers do start together.
  // O16
  void groupOperands() {
    llvm::IntEqClasses together(static_cast<unsigned>(choices.size()));
    llvm::DenseMap<Operation *, unsigned> firstOf;
    for (auto [i, choice] : llvm::enumerate(choices))
      for (Value alias : choice.aliases)
        for (Operation *user : alias.getUsers())
          if (isComputed(user) && canBeGrouped(alias, choice))
            together.join(static_cast<unsigned>(i),
                          firstOf.try_emplace(user, static_cast<unsigned>(i))
                              .first->second);
    together.compress();
    SmallVector<unsigned> sizes(together.getNumClasses());
    for (unsigned i = 0; i < choices.size(); ++i)
      ++sizes[together[i]];
    for (auto [i, choice] : llvm::enumerate(choices))
      if (unsigned group = together[static_cast<unsigned>(i)]; sizes[group] > 1)
        choice.alloc.setStartGroup(group);
  }

  const layout::Target &target;
  std::vector<Choice> choices;
};

} // namespace

void mli::chooseStarts(func::FuncOp function, const layout::Target &target) {
  StartChooser(function, target).run();
}
