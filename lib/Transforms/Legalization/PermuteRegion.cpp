// SPDX-License-Identifier: Apache-2.0

#include "PermuteRegion.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/PermutedElement.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace mli;

Value mli::createPermutedEmpty(OpBuilder &builder, Location loc, Value like,
                               ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, like);
  return tensor::EmptyOp::create(
      builder, loc, applyPermutation(sizes, permutation),
      getPermutedElement(type.getElementType(), permutation),
      type.getEncoding());
}

Value mli::createPermute(OpBuilder &builder, Location loc, Value input,
                         ArrayRef<int64_t> permutation) {
  Value init = createPermutedEmpty(builder, loc, input, permutation);
  return PermuteOp::create(builder, loc, input, init, permutation)
      ->getResult(0);
}

/// Whether `op` computes every element from those at its index, in its inputs
/// of the shape of its result, or puts its inputs together.
static bool isCrossed(Operation *op) {
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    // A part of one element along an axis would have to name another one.
    RankedTensorType type = concat.getResultType();
    auto element = dyn_cast<QuantizedType>(type.getElementType());
    return type.hasStaticShape() && !(element && element.isPerAxis());
  }
  return op->hasTrait<ElementwiseKernel>() &&
         cast<DestinationStyleOpInterface>(op).hasPureTensorSemantics();
}

/// What `op` reads, but for tables, which are in no order of dimensions.
static SmallVector<OpOperand *> inputsOf(Operation *op) {
  if (auto kernel = dyn_cast<DestinationStyleOpInterface>(op))
    return llvm::filter_to_vector(
        kernel.getDpsInputOperands(),
        [](OpOperand *operand) { return !isTable(*operand); });
  return llvm::map_to_vector(op->getOpOperands(),
                             [](OpOperand &operand) { return &operand; });
}

static bool isScalar(Value value) {
  auto type = cast<ShapedType>(value.getType());
  return type.hasStaticShape() && type.getNumElements() == 1;
}

namespace {

/// The place of each operation in the program. What stands for one that is
/// erased takes its place.
using ProgramOrder = DenseMap<Operation *, int64_t>;

} // namespace

/// What a permutation of `value` moves; far too much if there is none.
static int64_t bytesOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!isa<Fx8Type, Fx16Type, Sa8Type>(type.getElementType()))
    return int64_t{1} << 50;
  int64_t bytes = elementWidth(type.getElementType()) / 8;
  // One that is not known is as large wherever it stands.
  for (int64_t size : type.getShape())
    bytes *= ShapedType::isDynamic(size) ? 1 : size;
  return bytes;
}

namespace {

/// What the permutations of one kind lead to.
class PermuteRegion {
public:
  PermuteRegion(PermuteOp first, const ProgramOrder &order);

  /// Moves the permutations as far as that moves the least; whether it does.
  bool move(ProgramOrder &order);

  /// What all that meet there lead to the same region from.
  Operation *getFront() const {
    return members.empty() ? nullptr : members.front();
  }

private:
  bool isMember(Operation *op);
  bool isPermute(Value value) const {
    auto permute = value.getDefiningOp<PermuteOp>();
    return permute && permute->getBlock() == block &&
           permute.hasPureTensorSemantics() &&
           permute.getPermutation() == ArrayRef(permutation);
  }
  int64_t costOf(Operation *op);
  void rebuild(IRRewriter &rewriter, Operation *op, IRMapping &mapping,
               ProgramOrder &order);

  Block *block;
  SmallVector<int64_t> permutation, back;
  /// In program order, each behind what it reads of the others.
  llvm::SetVector<Operation *> members;
  /// What permutations move more if they stand behind the first `moved` members
  /// than where they are: that is the least.
  int64_t least = 0;
  size_t moved = 0;
  /// Uses of each value that still need it permuted.
  DenseMap<Value, int64_t> readers;
};

} // namespace

PermuteRegion::PermuteRegion(PermuteOp first, const ProgramOrder &order)
    : block(first->getBlock()), permutation(first.getPermutation()),
      back(invertPermutationVector(permutation)) {
  std::map<int64_t, Operation *> open;
  llvm::SmallPtrSet<Operation *, 8> seen = {first};
  auto addUsers = [&](Operation *op) {
    for (Operation *user : op->getUsers())
      if (user->getBlock() == block && isCrossed(user))
        open[order.lookup(user)] = user;
  };
  addUsers(first);
  // As far as that, a region that costs more is looked through for one that
  // costs less: each region is, from each of its permutations.
  constexpr size_t mostInVain = 64;
  int64_t cost = 0;
  while (!open.empty() && members.size() - moved < mostInVain) {
    Operation *next = open.begin()->second;
    open.erase(open.begin());
    if (!isMember(next))
      continue;
    members.insert(next);
    cost += costOf(next);
    if (cost <= least) {
      least = cost;
      moved = members.size();
    }
    addUsers(next);
    // Other permutations that meet the first one lead on as well.
    for (OpOperand *input : inputsOf(next))
      if (auto permute = input->get().getDefiningOp<PermuteOp>();
          permute && seen.insert(permute).second)
        for (Operation *user : permute->getUsers())
          if (user->getBlock() == block && isCrossed(user) &&
              order.lookup(user) > order.lookup(next))
            open[order.lookup(user)] = user;
  }
}

/// Whether all of its inputs are permuted alike, constants or scalars.
/// Constants alone do not ask for a permutation: with each it would go to the
/// other.
bool PermuteRegion::isMember(Operation *op) {
  bool isAny = false;
  for (OpOperand *input : inputsOf(op)) {
    Value value = input->get();
    bool isPermuted =
        !isScalar(value) &&
        (isPermute(value) || members.contains(value.getDefiningOp()));
    auto permute = value.getDefiningOp<PermuteOp>();
    isAny |= isPermuted &&
             (!permute || !permute.getInput().getDefiningOp<ConstantOp>());
    if (!isPermuted && !isScalar(value) && !value.getDefiningOp<ConstantOp>())
      return false;
  }
  return isAny;
}

/// What permutations move more if they stand behind `op` than if they stand
/// behind the members before it.
int64_t PermuteRegion::costOf(Operation *op) {
  int64_t cost = 0;
  auto isOther = [](OpOperand &use) { return !isa<PermuteOp>(use.getOwner()); };
  for (OpOperand *input : inputsOf(op)) {
    Value value = input->get();
    bool isSource = isPermute(value);
    if (isScalar(value) ||
        (!isSource && !members.contains(value.getDefiningOp())))
      continue;
    auto [left, isNew] = readers.try_emplace(value, 0);
    if (isNew)
      left->second = isSource ? llvm::range_size(value.getUses())
                              : llvm::count_if(value.getUses(), isOther);
    if (--left->second == 0)
      cost -= bytesOf(value);
    // A part that no kernel computes in its place is copied there.
    if (isSource && isa<tensor::ConcatOp>(op)) {
      Value part = value.getDefiningOp<PermuteOp>().getInput();
      if (!part.hasOneUse() || !value.hasOneUse() ||
          !part.getDefiningOp<DestinationStyleOpInterface>())
        cost += bytesOf(part);
    }
  }
  Value result = op->getResult(0);
  if (llvm::any_of(result.getUses(), isOther))
    cost += bytesOf(result);
  for (Operation *user : result.getUsers())
    if (auto permute = dyn_cast<PermuteOp>(user);
        permute && isIdentityPermutation(
                       applyPermutation(permutation, permute.getPermutation())))
      cost -= bytesOf(permute->getResult(0));
  return cost;
}

void PermuteRegion::rebuild(IRRewriter &rewriter, Operation *op,
                            IRMapping &mapping, ProgramOrder &order) {
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  for (OpOperand *input : inputsOf(op)) {
    Value value = input->get();
    if (mapping.contains(value) || isScalar(value))
      continue;
    mapping.map(value, isPermute(value)
                           ? value.getDefiningOp<PermuteOp>().getInput()
                           : createPermute(rewriter, loc, value, back));
  }
  Value result = op->getResult(0);
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  // Sizes that are not known are those of what is there before `op`.
  Value like = kernel ? kernel.getDpsInits().front() : result;
  Value ahead = createPermutedEmpty(rewriter, loc, like, back), init;
  IRMapping own = mapping;
  if (kernel) {
    init = kernel.getDpsInits().front();
    own.map(init, ahead);
  }
  Operation *clone = rewriter.clone(*op, own);
  clone->getResult(0).setType(ahead.getType());
  order[clone] = order.lookup(op);
  if (auto concat = dyn_cast<tensor::ConcatOp>(clone)) {
    concat.setDim(permutation[concat.getDim()]);
    rewriter.eraseOp(ahead.getDefiningOp());
    init = createPermutedEmpty(
        rewriter, loc, result,
        llvm::to_vector(llvm::seq<int64_t>(0, permutation.size())));
  }
  // One slope for all, at axis -1, is in no order.
  if (auto prelu = dyn_cast<PreluOp>(clone);
      prelu && static_cast<int32_t>(prelu.getAxis()) >= 0)
    prelu.setAxis(static_cast<int32_t>(permutation[prelu.getAxis()]));
  mapping.map(result, clone->getResult(0));
  auto permute =
      PermuteOp::create(rewriter, loc, clone->getResult(0), init, permutation);
  rewriter.replaceAllUsesWith(result, permute->getResult(0));
  mapping.map(permute->getResult(0), clone->getResult(0));
}

bool PermuteRegion::move(ProgramOrder &order) {
  IRRewriter rewriter(block->getParentOp()->getContext());
  IRMapping mapping;
  ArrayRef<Operation *> first = members.getArrayRef().take_front(moved);
  for (Operation *op : first)
    rebuild(rewriter, op, mapping, order);
  for (Operation *op : llvm::reverse(first)) {
    order.erase(op);
    rewriter.eraseOp(op);
  }
  return moved > 0;
}

/// The first that a region from `permute` on can have; null if there is none.
static OpOperand *firstCrossed(PermuteOp permute, const ProgramOrder &order) {
  OpOperand *first = nullptr;
  for (OpOperand &use : permute->getUses())
    if (use.getOwner()->getBlock() == permute->getBlock() &&
        isCrossed(use.getOwner()) &&
        (!first ||
         order.lookup(use.getOwner()) < order.lookup(first->getOwner())))
      first = &use;
  return first;
}

/// Whether `use` is one of `inputsOf` its owner.
static bool isInput(OpOperand &use) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  return !kernel || (!kernel.isDpsInit(&use) && !isTable(use));
}

bool mli::movePermutes(ModuleOp module) {
  ProgramOrder order;
  SmallVector<PermuteOp> permutes;
  module.walk([&](Operation *op) {
    order[op] = static_cast<int64_t>(order.size());
    auto permute = dyn_cast<PermuteOp>(op);
    if (permute && permute.hasPureTensorSemantics())
      permutes.push_back(permute);
  });
  bool hasMoved = false;
  // Places of the first of regions that stay: all that meet there stay.
  llvm::DenseSet<int64_t> staying;
  for (PermuteOp permute : permutes) {
    // Two behind each other, one of them moved there, are to become one first:
    // in a chain each would be one kernel ahead of its inverse for ever.
    auto input = permute.getInput().getDefiningOp<PermuteOp>();
    if (input && !order.contains(input))
      continue;
    OpOperand *first = firstCrossed(permute, order);
    if (!first ||
        (isInput(*first) && staying.contains(order.lookup(first->getOwner()))))
      continue;
    PermuteRegion region(permute, order);
    if (region.move(order))
      hasMoved = true;
    else if (Operation *front = region.getFront())
      staying.insert(order.lookup(front));
  }
  return hasMoved;
}
