// SPDX-License-Identifier: Apache-2.0
//
// Which kernels may write their result over an input.

#include "ProblemParts.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/MLIParallel.h"

#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mli;

/// Whether all elements of one are at the places of those of the other, in the
/// order of both.
static bool haveEqualPlaces(MemRefType one, MemRefType other) {
  if (elementWidth(one.getElementType()) !=
          elementWidth(other.getElementType()) ||
      one.getNumElements() != other.getNumElements())
    return false;
  if (one.getLayout().isIdentity() && other.getLayout().isIdentity())
    return true;
  if (isa<LayoutAttr>(one.getLayout()) && isa<LayoutAttr>(other.getLayout()))
    return hasSameAddresses(one, other);
  return one.getShape() == other.getShape() &&
         one.getLayout() == other.getLayout();
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
  /// Returns the buffer that `i` may lie on: an input of the kernel that writes
  /// it first, which no operation uses afterwards.
  std::optional<size_t> findInputToReplace(size_t i) const {
    const LiveRange &range = *problem.users[i].range;
    for (Value alias : range.aliases) {
      if (stripReshapes(alias) != range.buffer)
        continue;
      for (Operation *user : alias.getUsers())
        if (std::optional<size_t> input = findInputToReplace(i, user, alias))
          return input;
    }
    return std::nullopt;
  }

  /// Returns the same if it is `user` that writes `i`, as `result`.
  std::optional<size_t> findInputToReplace(size_t i, Operation *user,
                                           Value result) const {
    const allocation::Buffer &buffer = problem.problem.buffers[i];
    Interval time = lifetimes.positions.lookup(getParallelOrSelf(user));
    auto kernel = dyn_cast<DestinationStyleOpInterface>(user);
    if (!kernel || time.lower != buffer.live.lower ||
        kernel.getDpsInits().size() != 1 ||
        kernel.getDpsInits().front() != result)
      return std::nullopt;
    for (OpOperand *operand : kernel.getDpsInputOperands()) {
      auto input = indexOf.find(stripReshapes(operand->get()));
      if (input == indexOf.end() || !mayReplace(i, input->second, time))
        continue;
      const LiveRange &range = *problem.users[input->second].range;
      auto isSame = [&](Value value) {
        return llvm::is_contained(range.aliases, value);
      };
      if (mayWriteOver(*operand, isSame) && isAloneWith(user, input->second))
        return input->second;
    }
    return std::nullopt;
  }

  /// Whether no other operation that runs with `user` uses `input`.
  bool isAloneWith(Operation *user, size_t input) const {
    Operation *parallel = getParallelOrSelf(user);
    const LiveRange &range = *problem.users[input].range;
    return llvm::none_of(range.aliases, [&](Value alias) {
      return llvm::any_of(alias.getUsers(), [&](Operation *other) {
        return other != user && getParallelOrSelf(other) == parallel;
      });
    });
  }

  /// Whether buffer `i` may replace `input` in a kernel that runs at `time`.
  bool mayReplace(size_t i, size_t input, Interval time) const {
    const allocation::Buffer &after = problem.problem.buffers[i];
    const allocation::Buffer &before = problem.problem.buffers[input];
    auto type = problem.users[i].type;
    return i != input && before.live.upper == time.upper &&
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
