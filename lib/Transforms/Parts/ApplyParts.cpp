// SPDX-License-Identifier: Apache-2.0
//
// Writes parts into the program: tensors that stay are in local memory, moves
// that a stream makes row by row are operations, and loops are attributes.

#include "PartPlan.h"

#include "Transforms/LocalMemory/LocalTensors.h"
#include "Transforms/Streams/FormStreams.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using namespace mli::streams;

namespace {

/// Where a value is once it is computed.
struct Place {
  Value inSystem, inLocal;
};

class PartApplier {
public:
  PartApplier(RewriterBase &rewriter, const PartGraph &all,
              ArrayRef<Part> parts)
      : rewriter(rewriter), all(all), parts(parts), places(all.values.size()),
        isReadInSystem(findReadsInSystem(all, parts)) {}

  void write();

private:
  void writePart(const Part &part);
  void writeStream(const Part &part);
  Value moveIn(size_t value, OpOperand &use);
  void moveIn(size_t value, Operation *before);
  void computeInLocal(size_t number);
  Value moveOut(size_t number);
  void read(size_t number, size_t value, Value place);
  bool isInside(const Part &part, size_t value) const {
    return llvm::is_contained(part.range.inside, value);
  }

  RewriterBase &rewriter;
  const PartGraph &all;
  ArrayRef<Part> parts;
  std::vector<Place> places;
  std::vector<bool> isReadInSystem;
};

} // namespace

std::vector<bool> mli::parts::findReadsInSystem(const PartGraph &all,
                                                ArrayRef<Part> parts) {
  std::vector<bool> isRead;
  isRead.reserve(all.values.size());
  for (const PartValue &value : all.values)
    isRead.push_back(value.isSaved);
  for (const Part &part : parts) {
    for (size_t value : part.movedIn)
      isRead[value] = true;
    for (size_t vertex = part.range.begin; vertex < part.range.end; ++vertex)
      for (size_t value : all.graph.vertices[vertex].inputs) {
        const StreamValue &from = all.graph.values[value];
        bool isOutside = !from.producer || *from.producer < part.range.begin;
        if (isOutside && !llvm::is_contained(part.range.inside, value))
          isRead[value] = true;
      }
  }
  return isRead;
}

/// Has vertex `number` read `value` in `place`, in the shape that it takes.
void PartApplier::read(size_t number, size_t value, Value place) {
  Operation *op = all.graph.vertices[number].op;
  auto dps = cast<DestinationStyleOpInterface>(op);
  for (auto [i, ofOperand] : llvm::enumerate(all.kernels[number].values)) {
    OpOperand &operand = op->getOpOperand(i);
    if (ofOperand != value || dps.isDpsInit(&operand))
      continue;
    Value before = operand.get();
    auto type = cast<ShapedType>(before.getType());
    Value source = place;
    if (cast<ShapedType>(place.getType()).getShape() != type.getShape()) {
      rewriter.setInsertionPoint(op);
      source = ReshapeOp::create(rewriter, before.getLoc(),
                                 inSpace(type, Space::local), place);
    }
    operand.set(source);
    while (auto view = before.getDefiningOp<ReshapeOp>()) {
      if (!view->use_empty())
        break;
      before = view.getSource();
      rewriter.eraseOp(view);
    }
  }
}

/// Has vertex `number` compute its result in local memory.
void PartApplier::computeInLocal(size_t number) {
  Operation *op = all.graph.vertices[number].op;
  auto dps = cast<DestinationStyleOpInterface>(op);
  rewriter.setInsertionPoint(op);
  OpOperand &init = *dps.getDpsInitOperand(0);
  Value inSystem = init.get();
  init.set(
      createEmpty(rewriter, op->getLoc(), inSystem.getType(), Space::local));
  eraseUnusedEmpty(inSystem);
  op->getResult(0).setType(inSpace(op->getResult(0).getType(), Space::local));
  places[all.graph.vertices[number].results[0]].inLocal = op->getResult(0);
}

/// Moves the result of vertex `number` out for all who read it now. Returns
/// where to.
Value PartApplier::moveOut(size_t number) {
  Operation *op = all.graph.vertices[number].op;
  Value local = op->getResult(0);
  rewriter.setInsertionPointAfter(op);
  Value moved = createMove(rewriter, op->getLoc(), local, Space::system);
  rewriter.replaceAllUsesExcept(local, moved, moved.getDefiningOp());
  return moved;
}

/// Moves in, here, what `use` reads of `value`.
Value PartApplier::moveIn(size_t value, OpOperand &use) {
  Location loc = use.getOwner()->getLoc();
  Value source = findViewed(use).get();
  // A constant may come later.
  Operation *constant = source.getDefiningOp();
  Operation *here = &*rewriter.getInsertionPoint();
  if (constant && constant->hasTrait<OpTrait::ConstantLike>() &&
      constant->getBlock() == here->getBlock() &&
      here->isBeforeInBlock(constant))
    rewriter.moveOpBefore(constant, here);
  auto type = cast<ShapedType>(all.findMoved(value, use).get().getType());
  // The reshape that is there may come later.
  if (cast<ShapedType>(source.getType()).getShape() != type.getShape())
    source = ReshapeOp::create(rewriter, loc, type, source);
  return createMove(rewriter, loc, source, Space::local);
}

void PartApplier::moveIn(size_t value, Operation *before) {
  // The tensor is found at the operand of some later kernel.
  for (size_t user : all.graph.values[value].users)
    for (auto [i, ofOperand] : llvm::enumerate(all.kernels[user].values)) {
      OpOperand &operand = all.graph.vertices[user].op->getOpOperand(i);
      if (ofOperand != value || isLocal(operand.get().getType()))
        continue;
      rewriter.setInsertionPoint(before);
      places[value].inLocal = moveIn(value, operand);
      return;
    }
}

// Z18
void PartApplier::writeStream(const Part &part) {
  const PartRange &range = part.range;
  llvm::DenseMap<size_t, Value> rings;
  Operation *last = nullptr;
  int64_t count = 0;
  for (size_t number = range.begin; number < range.end; ++number) {
    const StreamVertex &vertex = all.graph.vertices[number];
    for (const RowRead &row : vertex.rowReads) {
      const StreamValue &from = all.graph.values[row.value];
      bool isOutside = !from.producer || *from.producer < range.begin;
      if (!isOutside || isInside(part, row.value))
        continue;
      Value &ring = rings[row.value];
      if (!ring) {
        rewriter.setInsertionPoint(vertex.op);
        ring = moveIn(row.value, vertex.op->getOpOperand(row.operand));
        ++count;
      }
      read(number, row.value, ring);
    }
    size_t result = vertex.results[0];
    computeInLocal(number);
    last = vertex.op;
    ++count;
    bool isKept = llvm::is_contained(range.kept, result);
    bool isUsedBehind = all.graph.values[result].livesAt(range.end);
    SmallVector<size_t> inner;
    for (size_t user : all.graph.values[result].users)
      if (user < range.end)
        inner.push_back(user);
    if (isUsedBehind && (!isKept || isReadInSystem[result])) {
      places[result].inSystem = moveOut(number);
      last = places[result].inSystem.getDefiningOp();
      ++count;
    }
    for (size_t user : inner)
      read(user, result, vertex.op->getResult(0));
  }
  writeStreamAttribute(last, count, part.stream->shape);
}

// Z17
void PartApplier::writePart(const Part &part) {
  const PartRange &range = part.range;
  for (size_t number = range.begin; number < range.end; ++number)
    for (size_t value : range.inside)
      if (llvm::is_contained(all.graph.vertices[number].inputs, value))
        read(number, value, places[value].inLocal);
  if (part.stream) {
    writeStream(part);
    return;
  }
  for (size_t value : range.kept) {
    size_t number = *all.graph.values[value].producer;
    computeInLocal(number);
    if (isReadInSystem[value])
      places[value].inSystem = moveOut(number);
  }
  if (!part.tiles || part.tiles->tiles.order.empty())
    return;
  Operation *root = all.graph.vertices[range.end - 1].op;
  Builder builder(root->getContext());
  SmallVector<int64_t> order(part.tiles->tiles.order.begin(),
                             part.tiles->tiles.order.end());
  NamedAttrList tile;
  tile.append("sizes", builder.getDenseI64ArrayAttr(part.tiles->tiles.sizes));
  tile.append("order", builder.getDenseI64ArrayAttr(order));
  if (part.tiles->isDoubled)
    tile.append("double_buffer", builder.getUnitAttr());
  root->setAttr(tileAttrName, tile.getDictionary(root->getContext()));
  for (size_t number = range.begin; number + 1 < range.end; ++number)
    all.graph.vertices[number].op->setAttr(fusedAttrName,
                                           builder.getUnitAttr());
}

void PartApplier::write() {
  for (const Part &part : parts) {
    for (size_t value : part.movedIn)
      moveIn(value, all.graph.vertices[part.range.begin].op);
    writePart(part);
  }
}

void mli::parts::writeParts(RewriterBase &rewriter, const PartGraph &all,
                            ArrayRef<Part> parts) {
  PartApplier(rewriter, all, parts).write();
}
