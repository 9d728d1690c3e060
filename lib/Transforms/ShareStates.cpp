// SPDX-License-Identifier: Apache-2.0
//
// mli-share-states writes new states over the old ones where nothing reads
// those any more.

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/KernelOperands.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-share-states"

namespace mli {
#define GEN_PASS_DEF_SHARESTATES
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

namespace {

/// The arguments that one call reads a state from and writes it to.
struct State {
  int64_t number = 0;
  BlockArgument oldHalf, newHalf;
};

} // namespace

/// The states of `function` that have both halves.
static SmallVector<State> findStates(func::FuncOp function) {
  SmallVector<State> states;
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto number = function.getArgAttrOfType<IntegerAttr>(i, stateAttrName);
    if (!number || function.getArgAttr(i, inPlaceAttrName) ||
        !isa<MemRefType>(argument.getType()))
      continue;
    auto *state = llvm::find_if(states, [&](const State &other) {
      return other.number == number.getInt();
    });
    if (state == states.end()) {
      states.push_back({number.getInt(), {}, {}});
      state = &states.back();
    }
    bool isWritten = function.getArgAttr(i, resultAttrName) != nullptr;
    (isWritten ? state->newHalf : state->oldHalf) = argument;
  }
  llvm::erase_if(states, [](const State &state) {
    return !state.oldHalf || !state.newHalf;
  });
  return states;
}

/// Whether `op` copies all elements of `from` to the same places in `to`.
static bool isWholeCopy(Operation *op, Value from, Value to) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return stripReshapes(copy.getSource()) == from &&
           stripReshapes(copy.getTarget()) == to;
  auto move = dyn_cast<MovOp>(op);
  return move && stripReshapes(move.getInput()) == from &&
         stripReshapes(move.getInit()) == to &&
         move.getInput().getType() == move.getInit().getType() &&
         move.getOffsets().empty() && move.getSizes().empty() &&
         move.getSteps().empty() && move.getDstOffsets().empty() &&
         move.getPermutation().empty() && move.getPadLow().empty() &&
         move.getPadHigh().empty();
}

namespace {

/// Decides about the states of one function.
class StateSharing {
public:
  explicit StateSharing(func::FuncOp function)
      : body(function.getBody()), lifetimes(getBufferLifetimes(function)) {}

  /// Why the halves of `state` can not be one; empty if they can.
  std::string findObstacle(const State &state) const;

private:
  const LiveRange &getRange(BlockArgument argument) const {
    return *llvm::find_if(lifetimes.arguments, [&](const LiveRange &range) {
      return range.buffer == argument;
    });
  }
  bool mayWriteOver(Operation *op, const State &state) const;

  Region &body;
  BufferLifetimes lifetimes;
};

} // namespace

/// Whether `op`, the last to read the old half and the first to write the new
/// one, reads no element after it has written one over it.
bool StateSharing::mayWriteOver(Operation *op, const State &state) const {
  if (isWholeCopy(op, state.oldHalf, state.newHalf))
    return true;
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!kernel || kernel.getDpsInits().size() != 1)
    return false;
  Value result = kernel.getDpsInits().front();
  ArrayRef<Value> aliases = getRange(state.oldHalf).aliases;
  return stripReshapes(result) == state.newHalf &&
         llvm::all_of(kernel.getDpsInputOperands(), [&](OpOperand *operand) {
           Value value = operand->get();
           return !llvm::is_contained(aliases, value) ||
                  (stripReshapes(value) == state.oldHalf &&
                   value.getType() == result.getType() &&
                   mayComputeInPlace(*operand));
         });
}

std::string StateSharing::findObstacle(const State &state) const {
  if (!body.hasOneBlock())
    return "its function has branches";
  if (state.oldHalf.getType() != state.newHalf.getType())
    return "its halves are of different types";
  Block &block = body.front();
  const LiveRange &read = getRange(state.oldHalf);
  const LiveRange &written = getRange(state.newHalf);
  if (llvm::any_of(read.aliases, [&](Value alias) {
        return llvm::is_contained(written.aliases, alias);
      }))
    return "what is read may be either half";
  // The range of an argument that is written goes to the end.
  int64_t end = lifetimes.positions.lookup(block.getTerminator()).upper;
  if (!written.firstUser || written.live.upper != end)
    return "its new half is never written";
  // With loops and parallel parts whole.
  Operation *first = block.findAncestorOpInBlock(*written.firstUser);
  Interval time = lifetimes.positions.lookup(first);
  if (read.live.upper <= time.lower ||
      (first == written.firstUser && read.live.upper == time.upper &&
       mayWriteOver(first, state)))
    return {};
  return ("its old half is in use when '" +
          written.firstUser->getName().getStringRef() + "' writes the new one")
      .str();
}

/// Makes the halves of `state` one, but for the argument of the new half, which
/// is without uses afterwards.
static void share(func::FuncOp function, const State &state) {
  unsigned from = state.newHalf.getArgNumber();
  unsigned to = state.oldHalf.getArgNumber();
  function.setArgAttr(to, resultAttrName,
                      function.getArgAttr(from, resultAttrName));
  function.setArgAttr(to, inPlaceAttrName,
                      UnitAttr::get(function.getContext()));
  SmallVector<Operation *> copies;
  function.walk([&](Operation *op) {
    if (isWholeCopy(op, state.oldHalf, state.newHalf))
      copies.push_back(op);
  });
  for (Operation *copy : copies)
    copy->erase();
  Value newHalf = state.newHalf;
  newHalf.replaceAllUsesWith(state.oldHalf);
}

namespace {

struct ShareStatesPass : mli::impl::ShareStatesBase<ShareStatesPass> {
  using ShareStatesBase::ShareStatesBase;

  void runOnOperation() override {
    SymbolTableCollection tables;
    SymbolUserMap users(tables, getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(shareStates(function, users)))
        return signalPassFailure();
  }

private:
  LogicalResult shareStates(func::FuncOp function, const SymbolUserMap &users) {
    SmallVector<State> states = findStates(function);
    if (states.empty())
      return success();
    bool isCalled = !users.useEmpty(function);
    StateSharing sharing(function);
    SmallVector<State> shared;
    for (const State &state : states) {
      std::string obstacle =
          isCalled ? "its function has callers" : sharing.findObstacle(state);
      report(function, state, obstacle);
      if (obstacle.empty())
        shared.push_back(state);
    }
    llvm::BitVector merged(function.getNumArguments());
    for (const State &state : shared) {
      share(function, state);
      merged.set(state.newHalf.getArgNumber());
    }
    return function.eraseArguments(merged);
  }

  void report(func::FuncOp function, const State &state, StringRef obstacle) {
    LDBG() << "state " << state.number << " of '" << function.getSymName()
           << "': " << (obstacle.empty() ? "in place" : obstacle);
    if (explain && obstacle.empty())
      function.emitRemark("state ")
          << state.number << " of '" << function.getSymName()
          << "' is written in place";
    else if (explain)
      function.emitRemark("state ")
          << state.number << " of '" << function.getSymName()
          << "' takes turns: " << obstacle;
    if (!obstacle.empty())
      return;
    ++numShared;
    numBytes +=
        getDenseBytes(cast<MemRefType>(state.oldHalf.getType())).value_or(0);
  }
};

} // namespace
