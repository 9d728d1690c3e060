// SPDX-License-Identifier: Apache-2.0

#include "LocalMoves.h"

#include "MoveNeeds.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/Analysis/SliceView.h"
#include "mli/IR/LayoutPolicy.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;

namespace {

class MoveChooser {
public:
  MoveChooser(const layout::Target &target, const layout::PolicyOptions &policy)
      : target(target), policy(policy) {}

  void choose(ReshapeOp op);
  void choose(MovOp op);
  LocalMoves take() { return std::move(moves); }

private:
  bool isKernel(Operation *op) const {
    return op && (isLocalKernel(op) || moves.contains(op));
  }
  /// Whether a kernel reads `use` where it is in local memory.
  bool isRead(OpOperand &use) const {
    auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return isKernel(use.getOwner()) && !kernel.isDpsInit(&use);
  }
  bool fits(Value source, Value result) const;

  const layout::Target &target;
  layout::PolicyOptions policy;
  LocalMoves moves;
};

} // namespace

/// Whether a move knows all of it: also where its elements have no axis.
static bool isMovable(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto element =
      type ? dyn_cast<QuantizedType>(type.getElementType()) : QuantizedType();
  return type && type.hasStaticShape() && !type.getEncoding() &&
         !(element && element.isPerAxis());
}

/// The role that `value`, which is not moved in, or is for all its users, has.
static layout::Role roleOf(Value value) {
  auto result = dyn_cast<OpResult>(value);
  auto kernel = result
                    ? dyn_cast<DestinationStyleOpInterface>(result.getOwner())
                    : nullptr;
  if (kernel && isLocalKernel(kernel))
    return getRole(*kernel.getTiedOpOperand(result));
  return getRole(ArrayRef<Value>(value));
}

/// Whether `source` and `result` fit local memory together.
bool MoveChooser::fits(Value source, Value result) const {
  int64_t bytes = 0;
  for (Value value : {source, result}) {
    auto type = cast<RankedTensorType>(value.getType());
    std::optional<int64_t> part = getLocalBytes(
        type.getShape(), type.getElementType(), roleOf(value), target, policy);
    if (!part || *part > target.npuBytes)
      return false;
    bytes += *part;
  }
  return bytes <= target.npuBytes;
}

void MoveChooser::choose(ReshapeOp op) {
  auto reads = [&](OpOperand &use) { return isRead(use); };
  if (!isKernel(op.getSource().getDefiningOp()) ||
      llvm::none_of(op->getUses(), reads) || !isMovable(op.getSource()) ||
      !isMovable(op.getResult()) || !fits(op.getSource(), op.getResult()))
    return;
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getType());
  Value init = tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                       type.getElementType());
  auto moved = MovOp::create(builder, op.getLoc(), op.getSource(), init);
  op.getResult().replaceUsesWithIf(moved->getResult(0), reads);
  if (op->use_empty())
    op.erase();
  moves.insert(moved);
}

void MoveChooser::choose(MovOp op) {
  if (op->getNumResults() == 0 || op.isPartial() || !isMovable(op.getInput()) ||
      !isMovable(op->getResult(0)))
    return;
  Value source = op.getInput(), result = op->getResult(0);
  auto bytesOf = [](Value value) {
    return *getDenseBytes(cast<ShapedType>(value.getType()));
  };
  auto reads = [&](OpOperand &use) { return isRead(use); };
  bool isSourceLocal = isKernel(source.getDefiningOp());
  bool isSourceFree =
      !isSourceLocal || !llvm::all_of(source.getUses(), [&](OpOperand &use) {
        return use.getOwner() == op || isRead(use);
      });
  bool isResultRead = llvm::any_of(result.getUses(), reads);
  bool isResultSeen = !llvm::all_of(result.getUses(), reads);
  int64_t inSystem = (isSourceFree ? 0 : bytesOf(source)) +
                     (isResultRead ? bytesOf(result) : 0);
  int64_t inLocal = (isSourceLocal ? 0 : bytesOf(source)) +
                    (isResultSeen ? bytesOf(result) : 0);
  if (inLocal < inSystem && fits(source, result))
    moves.insert(op);
}

LocalMoves mli::chooseLocalMoves(func::FuncOp function,
                                 const layout::Target &target) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<ReshapeOp, MovOp>(op))
      ops.push_back(op);
  });
  MoveChooser chooser(target, findLayoutPolicy(function));
  for (Operation *op : ops)
    llvm::TypeSwitch<Operation *>(op).Case<ReshapeOp, MovOp>(
        [&](auto op) { chooser.choose(op); });
  return chooser.take();
}
