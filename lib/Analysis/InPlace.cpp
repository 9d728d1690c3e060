// SPDX-License-Identifier: Apache-2.0
//
// Which kernels may write their result over an input.

#include "ProblemParts.h"

#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mli;

/// Whether `op` computes each element of its result, or each slice, from that
/// of its inputs and from nothing that it has written before.
static bool mayComputeInPlace(Operation *op) {
  // K55
  return isa<ReluOp, LeakyReluOp, PreluOp, SigmOp, TanhOp, SoftmaxOp,
             L2NormalizeOp, ConvertOp, EltwiseAddOp, EltwiseSubOp, EltwiseMulOp,
             EltwiseMinOp, EltwiseMaxOp>(op);
}

/// `buffer`, or what it is another shape of.
static Value findWhole(Value buffer) {
  while (auto reshape = buffer.getDefiningOp<ReshapeOp>())
    buffer = reshape.getSource();
  return buffer;
}

/// Whether all elements of one are at the places of those of the other.
static bool haveEqualPlaces(MemRefType one, MemRefType other) {
  return one.getShape() == other.getShape() &&
         one.getLayout() == other.getLayout() &&
         elementWidth(one.getElementType()) ==
             elementWidth(other.getElementType());
}

namespace {

class InPlaceFinder {
public:
  InPlaceFinder(MemoryProblem &problem, const BufferLifetimes &lifetimes)
      : problem(problem), lifetimes(lifetimes) {
    for (auto [i, user] : llvm::enumerate(problem.users))
      if (user.range)
        indexOf[user.range->buffer] = i;
  }

  /// Makes one of an input that dies in a kernel and a result that begins
  /// there, where the kernel may write over what it reads.
  void share() {
    llvm::IntEqClasses shared(problem.users.size());
    for (auto [i, user] : llvm::enumerate(problem.users))
      if (user.range)
        if (std::optional<size_t> input = findInputToReplace(i))
          shared.join(static_cast<unsigned>(i), static_cast<unsigned>(*input));
    shared.compress();
    SmallVector<unsigned> sizes(shared.getNumClasses(), 0);
    for (unsigned i = 0; i < problem.users.size(); ++i)
      ++sizes[shared[i]];
    for (unsigned i = 0; i < problem.users.size(); ++i)
      if (sizes[shared[i]] > 1)
        problem.problem.buffers[i].aliasSet = static_cast<int32_t>(shared[i]);
  }

private:
  /// The buffer that `i` may lie on: an input of the kernel that writes it
  /// first, and nobody's any more afterwards.
  std::optional<size_t> findInputToReplace(size_t i) const {
    const allocation::Buffer &buffer = problem.problem.buffers[i];
    Value value = problem.users[i].range->buffer;
    for (Operation *user : value.getUsers()) {
      if (!mayComputeInPlace(user) ||
          lifetimes.positions.lookup(user).lower != buffer.live.lower)
        continue;
      auto kernel = cast<DestinationStyleOpInterface>(user);
      if (kernel.getDpsInits().size() != 1 ||
          kernel.getDpsInits().front() != value)
        continue;
      for (OpOperand *operand : kernel.getDpsInputOperands()) {
        auto input = indexOf.find(findWhole(operand->get()));
        if (input != indexOf.end() &&
            mayReplace(i, input->second, operand->get()))
          return input->second;
      }
    }
    return std::nullopt;
  }

  bool mayReplace(size_t i, size_t input, Value operand) const {
    const allocation::Buffer &after = problem.problem.buffers[i];
    const allocation::Buffer &before = problem.problem.buffers[input];
    auto type = problem.users[i].type;
    return i != input && before.live.upper == after.live.lower + 1 &&
           haveEqualPlaces(problem.users[input].type, type) &&
           before.size == after.size && before.pinned == after.pinned &&
           problem.users[i].startNpus == problem.users[input].startNpus;
  }

  MemoryProblem &problem;
  const BufferLifetimes &lifetimes;
  llvm::DenseMap<Value, size_t> indexOf;
};

} // namespace

void mli::shareInPlace(MemoryProblem &problem,
                       const BufferLifetimes &lifetimes) {
  InPlaceFinder(problem, lifetimes).share();
}
