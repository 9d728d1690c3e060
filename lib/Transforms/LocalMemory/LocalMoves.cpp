// SPDX-License-Identifier: Apache-2.0
//
// The first step of mli-insert-moves: which moves are within local memory.

#include "InsertMoves.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/Analysis/SliceView.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/LayoutPolicy.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

namespace {

/// Chooses the moves within local memory, and creates those of reshapes.
class MoveChooser {
public:
  MoveChooser(const layout::Target &target, const layout::PolicyOptions &policy,
              const LocalTensors &local)
      : target(target), policy(policy), local(local) {}

  void choose(ReshapeOp op);
  void choose(MovOp op);
  LocalMoves take() { return std::move(moves); }

private:
  bool isKernel(Operation *op) const {
    return op && (isLocalKernel(op) || moves.contains(op));
  }
  /// Whether a kernel reads `use` in local memory.
  bool isRead(OpOperand &use) const {
    auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return isKernel(use.getOwner()) && !kernel.isDpsInit(&use);
  }
  bool fits(Operation *op) const;

  const layout::Target &target;
  layout::PolicyOptions policy;
  const LocalTensors &local;
  LocalMoves moves;
};

} // namespace

/// Whether moves within local memory take `value`: of static shape, in system
/// memory, and not quantised along an axis.
static bool isMovable(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto element =
      type ? dyn_cast<QuantizedType>(type.getElementType()) : QuantizedType();
  return type && type.hasStaticShape() && !type.getEncoding() &&
         !(element && element.isPerAxis());
}

/// Whether moves within local memory take source and result of `op`, a move or
/// a reshape.
static bool isMovable(Operation *op) {
  return op->getNumResults() == 1 && isMovable(op->getOperand(0)) &&
         isMovable(op->getResult(0));
}

/// The role of `value` as the result of its kernel, or for all its users.
static layout::OperandUsage getRoleInLocal(Value value) {
  auto result = dyn_cast<OpResult>(value);
  auto kernel = result
                    ? dyn_cast<DestinationStyleOpInterface>(result.getOwner())
                    : nullptr;
  if (kernel && isLocalKernel(kernel))
    return getOperandUsage(*kernel.getTiedOpOperand(result));
  return getOperandUsage(ArrayRef<Value>(value));
}

/// Whether source and result of `op` fit local memory together, beside the
/// tensors that are there.
bool MoveChooser::fits(Operation *op) const {
  int64_t bytes = local.getBytes(op);
  for (Value value : {op->getOperand(0), Value(op->getResult(0))}) {
    auto type = cast<RankedTensorType>(value.getType());
    std::optional<int64_t> size =
        getLocalBytes(type.getShape(), type.getElementType(),
                      getRoleInLocal(value), target, policy);
    if (!size || *size > target.npuBytes)
      return false;
    bytes += *size;
  }
  return bytes <= target.npuBytes;
}

void MoveChooser::choose(ReshapeOp op) {
  auto reads = [&](OpOperand &use) { return isRead(use); };
  if (!isKernel(op.getSource().getDefiningOp()) ||
      llvm::none_of(op->getUses(), reads) || !fits(op))
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
  if (op.isPartial())
    return;
  Value source = op.getInput(), result = op->getResult(0);
  auto getBytesOf = [](Value value) {
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
  int64_t inSystem = (isSourceFree ? 0 : getBytesOf(source)) +
                     (isResultRead ? getBytesOf(result) : 0);
  int64_t inLocal = (isSourceLocal ? 0 : getBytesOf(source)) +
                    (isResultSeen ? getBytesOf(result) : 0);
  if (inLocal < inSystem && fits(op))
    moves.insert(op);
}

FailureOr<LocalMoves> mli::chooseLocalMoves(func::FuncOp function,
                                            const layout::Target &target) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<ReshapeOp, MovOp>(op) && isMovable(op))
      ops.push_back(op);
  });
  // Moves of streams are none of these, and there are many.
  if (ops.empty())
    return LocalMoves();
  layout::PolicyOptions policy = findLayoutPolicy(function);
  FailureOr<LocalTensors> local = LocalTensors::of(function, target, policy);
  if (failed(local))
    return failure();
  MoveChooser chooser(target, policy, *local);
  for (Operation *op : ops)
    llvm::TypeSwitch<Operation *>(op).Case<ReshapeOp, MovOp>(
        [&](auto op) { chooser.choose(op); });
  return chooser.take();
}
