// SPDX-License-Identifier: Apache-2.0

#include "WholeBuffers.h"

#include "PartWriter.h"
#include "ResultBuffers.h"
#include "Transforms/Slicing/PartBounds.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/IR/MLI.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;

namespace {

/// A whole, and how it comes about.
class Whole {
public:
  /// What begins with `first`, a use of what it begins as.
  Whole(OpOperand &first, bool mayHaveSlices);

  /// Whether it is a buffer with profit.
  bool isWorthIt() const;
  /// Adds what is in the place of the insertions to `written`. Loops hand on
  /// what they got.
  void makeBuffer(SmallVectorImpl<Operation *> &written, BufferCopies &copies);
  bool hasLoops() const { return loops > 0; }
  /// What it comes about by.
  ArrayRef<Link> getLinks() const { return links; }

private:
  bool areReadersServed(ArrayRef<Link> steps) const;
  bool areSlicesServed() const;
  std::optional<Link> begin(OpOperand &use);
  std::optional<Link> follow(OpOperand &use);
  Link followInsertion(tensor::InsertSliceOp insert);
  std::optional<Link> findNext(Value value, bool mayHaveSlices);
  Value collect(Value value, std::vector<Link> &links,
                bool mayHaveSlices = false);
  Value createBuffer(BufferCopies &copies) const;
  /// What it begins as. Wholes that are made before may replace that.
  Value getRoot() const { return first->get(); }

  OpOperand *first;
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

static PartReaders readersOf(Operation *slice) {
  return llvm::to_vector<0>(llvm::make_pointer_range(slice->getUses()));
}

/// Whether nothing writes what slices of a whole that is not complete see.
bool Whole::areSlicesServed() const {
  if (llvm::all_of(links, [](const Link &link) { return link.slices.empty(); }))
    return true;
  std::vector<PartBounds> behind;
  PartBounds around;
  for (const Link &link : llvm::reverse(links)) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(link.op);
    std::optional<PartBounds> written =
        insert ? boundsOf(insert) : std::nullopt;
    if (!written)
      return &link == &links.front() && link.slices.empty();
    if (behind.empty())
      around = *written;
    around.include(*written);
    behind.push_back(std::move(*written));
    auto isServed = [&](Operation *slice) {
      std::optional<PartBounds> seen =
          boundsOf(cast<OffsetSizeAndStrideOpInterface>(slice));
      auto isApart = [&](const PartBounds &part) {
        return seen->isApart(part);
      };
      return seen && slice->getBlock() == links.back().op->getBlock() &&
             (isApart(around) || llvm::all_of(behind, isApart)) &&
             areServed(readersOf(slice), slice, links.back().op);
    };
    if (!llvm::all_of(link.slices, isServed))
      return false;
  }
  return true;
}

bool Whole::isWorthIt() const {
  Value root = getRoot();
  constexpr int64_t many = 32; // These are worth a copy of what they begin as.
  bool isCopied = !root.getDefiningOp<tensor::EmptyOp>() && !isKept(root);
  return insertions >= (isCopied ? many : 2) && final && !final.use_empty() &&
         areReadersServed(links) && areSlicesServed();
}

Whole::Whole(OpOperand &first, bool mayHaveSlices) : first(&first) {
  std::optional<Link> link = begin(first);
  if (!link)
    return;
  links.push_back(std::move(*link));
  final = collect(resultOf(links.back()), links, mayHaveSlices);
}

/// The first link, where what the whole begins as holds nothing or is copied.
std::optional<Link> Whole::begin(OpOperand &use) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  if (!kernel || !isa_and_nonnull<MLIDialect>(kernel->getDialect()))
    return follow(use);
  if (!use.get().getDefiningOp<tensor::EmptyOp>() || !kernel.isDpsInit(&use))
    return std::nullopt;
  return Link{kernel, nullptr, kernel.getTiedOpResult(&use).getResultNumber()};
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

/// Whether `op` sees a part of what it is a slice of as it is.
static bool isPartOf(Operation *op, Value whole) {
  return isa<SubtensorOp>(op) || (isa<tensor::ExtractSliceOp>(op) &&
                                  getElementTypeOrSelf(op->getResult(0)) ==
                                      getElementTypeOrSelf(whole));
}

/// Whether kernels read `value`, what a whole is in front of `next`, before
/// that writes the next part.
static bool areReadBefore(ArrayRef<OpOperand *> reads, const Link &next,
                          Value value) {
  return llvm::all_of(reads, [&](OpOperand *read) {
    Operation *user =
        value.getParentBlock()->findAncestorOpInBlock(*read->getOwner());
    return user && user->isBeforeInBlock(next.getBegin());
  });
}

/// The only thing that happens to `value` besides slices and kernels that read
/// it, if that is a link.
std::optional<Link> Whole::findNext(Value value, bool mayHaveSlices) {
  std::optional<Link> next;
  SmallVector<Operation *, 0> slices;
  PartReaders reads;
  for (OpOperand &use : value.getUses()) {
    if (isa<tensor::ExtractSliceOp, SubtensorOp>(use.getOwner())) {
      slices.push_back(use.getOwner());
      continue;
    }
    if (isRead(use)) {
      reads.push_back(&use);
      continue;
    }
    if (next)
      return std::nullopt;
    next = follow(use);
    // What happens in a loop happens to the same value in each round.
    if (!next || use.getOwner()->getBlock() != value.getParentBlock())
      return std::nullopt;
  }
  if (!next || !areReadBefore(reads, *next, value))
    return std::nullopt;
  llvm::erase(slices, next->place);
  auto isPart = [&](Operation *slice) { return isPartOf(slice, value); };
  if (!slices.empty() && !(mayHaveSlices && llvm::all_of(slices, isPart)))
    return std::nullopt;
  next->slices = std::move(slices);
  next->reads = std::move(reads);
  return next;
}

/// What `value` is when no link follows.
Value Whole::collect(Value value, std::vector<Link> &links,
                     bool mayHaveSlices) {
  while (std::optional<Link> next = findNext(value, mayHaveSlices)) {
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
  for (Operation *user : tensor.getUsers())
    if (isPartOf(user, tensor))
      readers.push_back(user);
  if (readers.size() <= few)
    readers.clear();
  return readers;
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

/// The buffer of the whole, which holds what it begins as.
Value Whole::createBuffer(BufferCopies &copies) const {
  // What a loop puts together has a buffer in each of its rounds, as the next
  // may get it.
  Value root = getRoot();
  Operation *writer = links.front().op;
  Operation *begin = links.front().getBegin();
  auto empty = root.getDefiningOp<tensor::EmptyOp>();
  OpBuilder builder(empty && begin->getBlock() == empty->getBlock() ? empty
                                                                    : begin);
  Location loc = empty ? empty.getLoc() : writer->getLoc();
  auto type = cast<RankedTensorType>(root.getType());
  Value buffer = memref::AllocOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
      empty ? SmallVector<Value>(empty.getDynamicSizes())
            : tensor::createDynamicDimValues(builder, loc, root));
  if (!empty)
    copies.noteBegin(createWrite(builder, loc, root, buffer), writer);
  return buffer;
}

/// Those that read `slice` when the whole is complete see what that is then.
static void readLater(Operation *slice, Value complete) {
  Operation *late = nullptr;
  for (OpOperand *reader : readersOf(slice)) {
    Operation *user =
        slice->getBlock()->findAncestorOpInBlock(*reader->getOwner());
    if (user->isBeforeInBlock(complete.getDefiningOp()))
      continue;
    if (!late) {
      OpBuilder builder(slice->getContext());
      builder.setInsertionPointAfterValue(complete);
      late = builder.clone(*slice);
      late->setOperand(0, complete);
    }
    reader->set(late->getResult(0));
  }
}

void Whole::makeBuffer(SmallVectorImpl<Operation *> &written,
                       BufferCopies &copies) {
  Value root = getRoot();
  Value buffer = createBuffer(copies);
  Operation *last = links.back().op;
  OpBuilder builder(last->getContext());
  builder.setInsertionPointAfter(last);
  Value result = createTensor(builder, last->getLoc(), root.getType(), buffer);
  final.replaceAllUsesWith(result);
  for (const Link &link : links)
    for (Operation *slice : link.slices)
      readLater(slice, result);
  for (const Link &link : links)
    readParts(link.slices, buffer);
  PartWriter(written, result).write(links, root, buffer);
}

/// What wholes may begin as, those that others are made of first.
static SetVector<Value> findRoots(ModuleOp module) {
  SetVector<Value> roots;
  auto add = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && !type.getEncoding())
      roots.insert(value);
  };
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      add(empty);
    else if (isa<tensor::ExtractSliceOp, SubtensorOp>(op))
      add(op->getOperand(0)); // What is put together there is part of it.
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      add(insert.getDest());
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      llvm::for_each(loop.getInitArgs(), add);
  });
  return roots;
}

namespace {

/// The wholes of a module. No link is part of two.
class Wholes {
public:
  explicit Wholes(ModuleOp module) {
    for (Value root : findRoots(module))
      for (OpOperand &use : root.getUses())
        add(use);
  }

  auto begin() { return wholes.begin(); }
  auto end() { return wholes.end(); }

private:
  void add(OpOperand &use) {
    if (taken.count(&use))
      return;
    Whole whole(use, /*mayHaveSlices=*/true);
    if (!whole.isWorthIt())
      whole = Whole(use, /*mayHaveSlices=*/false);
    if (!whole.isWorthIt())
      return;
    take(whole.getLinks());
    wholes.push_back(std::move(whole));
  }

  /// Uses that go on with a whole begin none.
  void take(ArrayRef<Link> links) {
    for (const Link &link : links) {
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(link.op))
        taken.insert(&insert.getDestMutable());
      else if (auto loop = dyn_cast<scf::ForOp>(link.op))
        taken.insert(&loop.getInitArgsMutable()[link.number]);
      take(link.body);
    }
  }

  std::vector<Whole> wholes;
  llvm::DenseSet<OpOperand *> taken;
};

} // namespace

LogicalResult mli::makeWholeBuffers(ModuleOp module, BufferCopies &copies) {
  Wholes wholes(module);
  SmallVector<Operation *> written;
  bool hasLoops = false;
  for (Whole &whole : wholes) {
    whole.makeBuffer(written, copies);
    hasLoops |= whole.hasLoops();
  }
  readArguments(module);
  // Folding loops erases those that run no round.
  llvm::for_each(written, [&](Operation *op) { copies.noteInsertion(op); });
  return success(!hasLoops || succeeded(foldCarriedBuffers(module)));
}
