// SPDX-License-Identifier: Apache-2.0
//
// A rewrite of mli-legalize-layouts: moves permutations after elementwise
// operations and concatenations, where they move no more bytes.

#include "Legalization.h"

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

/// Whether a permutation of the inputs of `op` can move to its result: `op` is
/// elementwise or a concatenation.
static bool isTransposable(Operation *op) {
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    // An operand with one index of the quantised axis would need another type.
    RankedTensorType type = concat.getResultType();
    auto element = dyn_cast<QuantizedType>(type.getElementType());
    return type.hasStaticShape() && !(element && element.isPerAxis());
  }
  return op->hasTrait<ElementwiseKernel>() &&
         cast<DestinationStyleOpInterface>(op).hasPureTensorSemantics();
}

/// The inputs of `op` but for tables, which have no feature map dimensions.
static SmallVector<OpOperand *> getInputs(Operation *op) {
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

/// The number of each operation in program order. The replacement of one that
/// is erased takes over its number.
using ProgramOrder = DenseMap<Operation *, int64_t>;

} // namespace

/// The bytes that a permutation of `value` moves; very many if the runtime has
/// none for its type.
static int64_t getPermutedBytes(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!isa<Fx8Type, Fx16Type, Sa8Type>(type.getElementType()))
    return int64_t{1} << 50;
  int64_t bytes = elementWidth(type.getElementType()) / 8;
  // A dynamic size is the same wherever the permutation stands.
  for (int64_t size : type.getShape())
    bytes *= ShapedType::isDynamic(size) ? 1 : size;
  return bytes;
}

namespace {

/// The operations that equal permutations can move across.
class PermuteRegion {
public:
  PermuteRegion(PermuteOp first, const ProgramOrder &order);

  /// Moves the permutations to where they move the fewest bytes. Returns
  /// whether they were not there.
  bool move(ProgramOrder &order);

  /// The first member, from which each permutation of the region finds the same
  /// region.
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
  int64_t getCost(Operation *op);
  void rebuild(IRRewriter &rewriter, Operation *op, IRMapping &mapping,
               ProgramOrder &order);

  Block *block;
  SmallVector<int64_t> permutation, back;
  /// The members in program order.
  llvm::SetVector<Operation *> members;
  /// The bytes that permutations after the first `moved` members move more than
  /// those where they are now: the least of all numbers of members.
  int64_t minCost = 0;
  size_t moved = 0;
  /// The number of uses of each value that still need it permuted.
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
      if (user->getBlock() == block && isTransposable(user))
        open[order.lookup(user)] = user;
  };
  addUsers(first);
  // The search goes on over so many members that cost more. It runs from each
  // permutation, so that more would take quadratic time.
  constexpr size_t maxExtraMembers = 64;
  int64_t cost = 0;
  while (!open.empty() && members.size() - moved < maxExtraMembers) {
    Operation *next = open.begin()->second;
    open.erase(open.begin());
    if (!isMember(next))
      continue;
    members.insert(next);
    cost += getCost(next);
    if (cost <= minCost) {
      minCost = cost;
      moved = members.size();
    }
    addUsers(next);
    // The other permutations of the inputs extend the region.
    for (OpOperand *input : getInputs(next))
      if (auto permute = input->get().getDefiningOp<PermuteOp>();
          permute && seen.insert(permute).second)
        for (Operation *user : permute->getUsers())
          if (user->getBlock() == block && isTransposable(user) &&
              order.lookup(user) > order.lookup(next))
            open[order.lookup(user)] = user;
  }
}

/// Whether all inputs of `op` are permuted alike, constants or scalars, and one
/// of them is permuted but not a constant, as permutations of constants alone
/// would move to each other for ever.
bool PermuteRegion::isMember(Operation *op) {
  bool isAny = false;
  for (OpOperand *input : getInputs(op)) {
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

/// The bytes that permutations move more after `op` than after the members
/// before it.
int64_t PermuteRegion::getCost(Operation *op) {
  int64_t cost = 0;
  auto isOther = [](OpOperand &use) { return !isa<PermuteOp>(use.getOwner()); };
  for (OpOperand *input : getInputs(op)) {
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
      cost -= getPermutedBytes(value);
    // An operand that no kernel computes in its destination is copied there.
    if (isSource && isa<tensor::ConcatOp>(op)) {
      Value operand = value.getDefiningOp<PermuteOp>().getInput();
      if (!operand.hasOneUse() || !value.hasOneUse() ||
          !operand.getDefiningOp<DestinationStyleOpInterface>())
        cost += getPermutedBytes(operand);
    }
  }
  Value result = op->getResult(0);
  if (llvm::any_of(result.getUses(), isOther))
    cost += getPermutedBytes(result);
  for (Operation *user : result.getUsers())
    if (auto permute = dyn_cast<PermuteOp>(user);
        permute && isIdentityPermutation(
                       applyPermutation(permutation, permute.getPermutation())))
      cost -= getPermutedBytes(permute->getResult(0));
  return cost;
}

void PermuteRegion::rebuild(IRRewriter &rewriter, Operation *op,
                            IRMapping &mapping, ProgramOrder &order) {
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  for (OpOperand *input : getInputs(op)) {
    Value value = input->get();
    if (mapping.contains(value) || isScalar(value))
      continue;
    mapping.map(value, isPermute(value)
                           ? value.getDefiningOp<PermuteOp>().getInput()
                           : createPermute(rewriter, loc, value, back));
  }
  Value result = op->getResult(0);
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  // Dynamic sizes are those of a value that is defined before `op`.
  Value like = kernel ? kernel.getDpsInits().front() : result;
  Value permutedInit = createPermutedEmpty(rewriter, loc, like, back), init;
  Operation *clone = rewriter.clone(*op, mapping);
  if (kernel) {
    init = kernel.getDpsInits().front();
    // Not by its value, which may be an input as well.
    cast<DestinationStyleOpInterface>(clone).setDpsInitOperand(0, permutedInit);
  }
  clone->getResult(0).setType(permutedInit.getType());
  order[clone] = order.lookup(op);
  if (auto concat = dyn_cast<tensor::ConcatOp>(clone)) {
    concat.setDim(permutation[concat.getDim()]);
    rewriter.eraseOp(permutedInit.getDefiningOp());
    init = createPermutedEmpty(
        rewriter, loc, result,
        llvm::to_vector(llvm::seq<int64_t>(0, permutation.size())));
  }
  // Axis -1 is one slope for all elements.
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

/// The use of `permute` by the first operation that it can move across; null if
/// there is none.
static OpOperand *findFirstTransposable(PermuteOp permute,
                                        const ProgramOrder &order) {
  OpOperand *first = nullptr;
  for (OpOperand &use : permute->getUses())
    if (use.getOwner()->getBlock() == permute->getBlock() &&
        isTransposable(use.getOwner()) &&
        (!first ||
         order.lookup(use.getOwner()) < order.lookup(first->getOwner())))
      first = &use;
  return first;
}

/// Whether `use` is one of the inputs of its owner, without tables.
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
  // The numbers of the first members of regions that stay, which other
  // permutations of these regions need not search again.
  llvm::DenseSet<int64_t> staying;
  for (PermuteOp permute : permutes) {
    // A permutation after a moved one is folded with it first: in a chain each
    // would stay one kernel before its inverse for ever.
    auto input = permute.getInput().getDefiningOp<PermuteOp>();
    if (input && !order.contains(input))
      continue;
    OpOperand *first = findFirstTransposable(permute, order);
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
