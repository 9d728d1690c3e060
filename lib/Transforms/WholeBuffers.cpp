// SPDX-License-Identifier: Apache-2.0

#include "WholeBuffers.h"

#include "PartWriter.h"
#include "ResultBuffers.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/IR/MLI.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;

namespace {

/// A whole, and how it comes about.
class Whole {
public:
  /// What begins with `first`, a use of the empty tensor.
  explicit Whole(OpOperand &first);

  /// Whether it is a buffer with profit.
  bool isWorthIt() const {
    return insertions > 1 && final && !final.use_empty() &&
           areReadersServed(links);
  }
  /// Adds what is in the place of the insertions to `written`. Loops hand on
  /// what they got.
  void makeBuffer(SmallVectorImpl<Operation *> &written);
  bool hasLoops() const { return loops > 0; }

private:
  bool areReadersServed(ArrayRef<Link> steps) const;
  std::optional<Link> follow(OpOperand &use);
  Link followInsertion(tensor::InsertSliceOp insert);
  std::optional<Link> findNext(Value value);
  Value collect(Value value, std::vector<Link> &links);

  tensor::EmptyOp empty;
  std::vector<Link> links;
  Value final;
  int64_t insertions = 0, loops = 0;
};

} // namespace

static Value resultOf(const Link &link) {
  return link.op->getResult(link.number);
}

/// Whether `place` is the part of a whole that `insert` writes.
static bool isPlaceOf(Operation *place, tensor::InsertSliceOp insert) {
  auto slice = dyn_cast_if_present<OffsetSizeAndStrideOpInterface>(place);
  return slice && isa<tensor::ExtractSliceOp, SubtensorOp>(place) &&
         place->getOperand(0) == insert.getDest() &&
         place->getBlock() == insert->getBlock() &&
         place->getResult(0).getType() == insert.getSourceType() &&
         slice.getMixedOffsets() == insert.getMixedOffsets() &&
         slice.getMixedSizes() == insert.getMixedSizes() &&
         llvm::all_of(insert.getStaticStrides(),
                      [](int64_t step) { return step == 1; });
}

/// The slice that one kernel computes the source of `insert` into, maybe in
/// another shape; null if there is none, or it is another one.
static Operation *findPlace(tensor::InsertSliceOp insert) {
  auto source = dyn_cast<OpResult>(findWhole(insert.getSource()));
  auto kernel = source
                    ? dyn_cast<DestinationStyleOpInterface>(source.getOwner())
                    : nullptr;
  if (!kernel || kernel->getBlock() != insert->getBlock())
    return nullptr;
  Value init = kernel.getTiedOpOperand(source)->get();
  auto reshape = init.getDefiningOp<ReshapeOp>();
  if (reshape && init.hasOneUse())
    init = reshape.getSource();
  Operation *place = init.getDefiningOp();
  return init.hasOneUse() && isPlaceOf(place, insert) ? place : nullptr;
}

/// Whether others read a part that `link` puts there.
static bool hasReaders(const Link &link) {
  return !link.readers.empty() || llvm::any_of(link.body, hasReaders);
}

/// Whether all that read parts of it see these as they were put there.
bool Whole::areReadersServed(ArrayRef<Link> steps) const {
  if (llvm::none_of(steps, hasReaders))
    return true;
  SmallVector<tensor::InsertSliceOp> all;
  for (const Link &link : steps) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(link.op);
    if (!insert || !areServed(link.readers, insert, links.back().op) ||
        !areReadersServed(link.body))
      return false;
    all.push_back(insert);
  }
  return areDisjoint(all);
}

Whole::Whole(OpOperand &first) {
  empty = first.get().getDefiningOp<tensor::EmptyOp>();
  std::optional<Link> link = follow(first);
  if (!link)
    return;
  links.push_back(std::move(*link));
  final = collect(resultOf(links.back()), links);
}

/// Where what `insert` inserts is computed: by a kernel, or part by part.
Link Whole::followInsertion(tensor::InsertSliceOp insert) {
  ++insertions;
  if (Operation *place = findPlace(insert)) {
    Link link{insert, place};
    collectReaders(insert.getSource(), insert, link.readers);
    return link;
  }
  constexpr int most = 8; // More are places of other parts.
  int seen = 0;
  for (Operation *user : insert.getDest().getUsers()) {
    if (++seen > most)
      break;
    if (user == insert || !isPlaceOf(user, insert))
      continue;
    Link link{insert, user};
    Value part = collect(user->getResult(0), link.body);
    if (!link.body.empty() && part == insert.getSource()) {
      collectReaders(part, insert, link.readers);
      return link;
    }
  }
  return {insert};
}

/// The link that `use` of a whole so far is.
std::optional<Link> Whole::follow(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (&use != &insert.getDestMutable())
      return std::nullopt;
    return followInsertion(insert);
  }
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || !loop.getTiedLoopResult(&use))
    return std::nullopt;
  Link link{op, nullptr, loop.getTiedLoopResult(&use).getResultNumber()};
  Value last = collect(loop.getTiedLoopRegionIterArg(&use), link.body);
  if (link.body.empty() || !last.hasOneUse() ||
      loop.getYieldedValues()[link.number] != last)
    return std::nullopt;
  ++loops;
  return link;
}

/// The only thing that happens to `value`, if that is a link.
std::optional<Link> Whole::findNext(Value value) {
  std::optional<Link> next;
  int64_t slices = 0;
  for (OpOperand &use : value.getUses()) {
    if (isa<tensor::ExtractSliceOp, SubtensorOp>(use.getOwner())) {
      ++slices;
      continue;
    }
    if (next)
      return std::nullopt;
    next = follow(use);
    // What happens in a loop happens to the same value in each round.
    if (!next || use.getOwner()->getBlock() != value.getParentBlock())
      return std::nullopt;
  }
  if (next && slices != (next->place ? 1 : 0))
    return std::nullopt;
  return next;
}

/// What `value` is when no link follows.
Value Whole::collect(Value value, std::vector<Link> &links) {
  while (std::optional<Link> next = findNext(value)) {
    value = resultOf(*next);
    links.push_back(std::move(*next));
  }
  return value;
}

/// Those that see a part of `tensor` as it is, where these are so many that
/// they are better not compared with each other.
static SmallVector<Operation *> findReaders(Value tensor) {
  constexpr size_t few = 8;
  SmallVector<Operation *> readers;
  Type element = getElementTypeOrSelf(tensor);
  for (Operation *user : tensor.getUsers())
    if (isa<SubtensorOp>(user) ||
        (isa<tensor::ExtractSliceOp>(user) &&
         getElementTypeOrSelf(user->getResult(0)) == element))
      readers.push_back(user);
  if (readers.size() <= few)
    readers.clear();
  return readers;
}

/// Each of `readers` sees a part of `buffer`, to which nobody writes.
static void readParts(ArrayRef<Operation *> readers, Value buffer) {
  for (Operation *slice : readers) {
    OpBuilder builder(slice);
    auto type = cast<RankedTensorType>(slice->getResult(0).getType());
    Value part = createPart(builder, slice, type, buffer);
    slice->getResult(0).replaceAllUsesWith(createTensor(
        builder, slice->getLoc(), type, part, /*isWritable=*/false));
    slice->erase();
  }
}

/// Arguments, which nobody writes.
static void readArguments(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    for (BlockArgument argument : function.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type || type.getEncoding() || function.isExternal())
        continue;
      SmallVector<Operation *> readers = findReaders(argument);
      if (readers.empty())
        continue;
      OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
      Value buffer = bufferization::ToBufferOp::create(
          builder, function.getLoc(),
          MemRefType::get(type.getShape(), type.getElementType()), argument,
          /*read_only=*/true);
      readParts(readers, buffer);
    }
}

void Whole::makeBuffer(SmallVectorImpl<Operation *> &written) {
  // What a loop puts together has a buffer in each of its rounds, as the next
  // may get it.
  Operation *begin =
      links.front().place ? links.front().place : links.front().op;
  OpBuilder builder(begin->getBlock() == empty->getBlock() ? empty : begin);
  auto type = cast<RankedTensorType>(empty.getType());
  Value buffer = memref::AllocOp::create(
      builder, empty.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType()),
      empty.getDynamicSizes());
  Operation *last = links.back().op;
  builder.setInsertionPointAfter(last);
  Value result = createTensor(builder, last->getLoc(), type, buffer);
  final.replaceAllUsesWith(result);
  PartWriter(written, result).write(links, empty, buffer);
}

LogicalResult mli::makeWholeBuffers(ModuleOp module, BufferCopies &copies) {
  SmallVector<tensor::EmptyOp> empties;
  module.walk([&](tensor::EmptyOp op) {
    if (!cast<RankedTensorType>(op.getType()).getEncoding())
      empties.push_back(op);
  });
  // What an empty tensor holds does not matter: each use may begin a whole.
  std::vector<Whole> wholes;
  for (tensor::EmptyOp op : empties)
    for (OpOperand &use : op->getUses()) {
      wholes.emplace_back(use);
      if (!wholes.back().isWorthIt())
        wholes.pop_back();
    }
  readArguments(module);
  SmallVector<Operation *> written;
  bool hasLoops = false;
  for (Whole &whole : wholes) {
    whole.makeBuffer(written);
    hasLoops |= whole.hasLoops();
  }
  // Folding loops erases those that run no round.
  llvm::for_each(written, [&](Operation *op) { copies.noteInsertion(op); });
  return success(!hasLoops || succeeded(foldCarriedBuffers(module)));
}
