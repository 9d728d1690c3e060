// SPDX-License-Identifier: Apache-2.0
//
// Parts of a tensor are computed in their place: the kernel writes a view of
// the whole. One-shot bufferization sees that the insertion then copies
// nothing. Where a part comes from elsewhere, the kernel is a move.

#include "LegalizeSubtensors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;

namespace {

/// A part of a whole, and where it goes.
struct Part {
  Value value;
  SmallVector<OpFoldResult> offsets;
  /// Its number, for people.
  int64_t number;
};

/// What a part is computed into, before the program says that it is a part.
struct Root {
  /// Operands to get the view instead: of one kernel, or of all that build an
  /// inner whole.
  SmallVector<OpOperand *> operands;
  /// The first of these.
  Operation *first;
};

class Placement {
public:
  Placement(ModuleOp module, CopyLog &log)
      : rewriter(module.getContext()), log(log) {
    int64_t next = 0;
    module.walk<WalkOrder::PreOrder>(
        [&](Operation *op) { positions[op] = next++; });
  }

  void place(tensor::ConcatOp op);
  void place(tensor::InsertSliceOp op);
  void place(tensor::PadOp op);

private:
  std::optional<Root> findRoot(Value part, Block *block);
  /// Why `part` has no root.
  static std::string whyElsewhere(Value part, Block *block);
  Value viewOf(Value whole, const Part &part);
  bool takesView(const Root &root, RankedTensorType whole, const Part &part);
  /// Computes `part` in the place that `view` is.
  void redirect(const Root &root, Value view);
  Value insert(Value whole, const Part &part);
  Value moveIn(Operation *op, Value whole, const Part &part);
  /// The new value is where the old one was.
  void replace(Operation *op, Value value) {
    positions[value.getDefiningOp()] = position(op);
    positions.erase(op);
    rewriter.replaceOp(op, value);
  }
  void eraseIfDead(Value value) {
    Operation *op = value.getDefiningOp();
    if (op && isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  }
  int64_t position(Operation *op) const {
    auto found = positions.find(op);
    return found == positions.end() ? INT64_MAX : found->second;
  }

  IRRewriter rewriter;
  CopyLog &log;
  /// In program order; what is new has the position of what it stands behind.
  DenseMap<Operation *, int64_t> positions;
  /// The empty tensor behind each whole that is built here.
  DenseMap<Value, tensor::EmptyOp> wholes;
};

} // namespace

std::optional<Root> Placement::findRoot(Value part, Block *block) {
  Operation *op = part.getDefiningOp();
  if (!op || op->getBlock() != block || !part.hasOneUse())
    return std::nullopt;
  if (tensor::EmptyOp whole = wholes.lookup(part)) {
    Root root{{}, whole};
    for (OpOperand &use : whole->getUses())
      root.operands.push_back(&use);
    return root;
  }
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!kernel || !positions.count(op))
    return std::nullopt;
  OpOperand *init = kernel.getTiedOpOperand(cast<OpResult>(part));
  if (!init->get().getDefiningOp<tensor::EmptyOp>())
    return std::nullopt;
  return Root{{init}, op};
}

std::string Placement::whyElsewhere(Value part, Block *block) {
  Operation *op = part.getDefiningOp();
  if (!op)
    return "an argument";
  if (isa<ConstantOp>(op) || matchPattern(op, m_Constant()))
    return "a constant";
  if (op->getBlock() != block)
    return "a value of another block";
  if (!part.hasOneUse())
    return "a value of " + std::to_string(llvm::range_size(part.getUses())) +
           " uses";
  return "a value of '" + op->getName().getStringRef().str() + "'";
}

static SmallVector<OpFoldResult> sizesOf(OpBuilder &builder, Location loc,
                                         Value value) {
  return tensor::getMixedSizes(builder, loc, value);
}

Value Placement::viewOf(Value whole, const Part &part) {
  Location loc = part.value.getLoc();
  auto type = cast<RankedTensorType>(part.value.getType());
  SmallVector<OpFoldResult> sizes =
      type.hasStaticShape()
          ? getAsIndexOpFoldResult(rewriter.getContext(), type.getShape())
          : sizesOf(rewriter, loc, part.value);
  return SubtensorOp::create(rewriter, loc, whole, part.offsets, sizes,
                             type.getRank());
}

/// Whether the kernel writes its result with the strides of the view.
bool Placement::takesView(const Root &root, RankedTensorType whole,
                          const Part &part) {
  auto type = cast<RankedTensorType>(part.value.getType());
  SmallVector<int64_t> offsets;
  SmallVector<Value> values;
  dispatchIndexOpFoldResults(part.offsets, values, offsets);
  if (!values.empty() || !type.hasStaticShape() || !whole.hasStaticShape())
    return false;
  auto view = cast<MemRefType>(Type(SubtensorOp::inferResultType(
      MemRefType::get(whole.getShape(), whole.getElementType()), offsets,
      type.getShape(), type.getRank(), {})));
  return llvm::all_of(root.operands, [&](OpOperand *operand) {
    return meetsNeed(view, getMemoryNeed(*operand));
  });
}

void Placement::redirect(const Root &root, Value view) {
  for (OpOperand *operand : root.operands) {
    auto empty = operand->get().getDefiningOp<tensor::EmptyOp>();
    operand->set(view);
    if (empty && empty->use_empty())
      rewriter.eraseOp(empty);
  }
  log.addInPlace();
}

Value Placement::insert(Value whole, const Part &part) {
  Location loc = part.value.getLoc();
  SmallVector<OpFoldResult> sizes = sizesOf(rewriter, loc, part.value);
  SmallVector<OpFoldResult> steps(sizes.size(), rewriter.getIndexAttr(1));
  return tensor::InsertSliceOp::create(rewriter, loc, part.value, whole,
                                       part.offsets, sizes, steps);
}

/// A part that comes from elsewhere, for `op`.
Value Placement::moveIn(Operation *op, Value whole, const Part &part) {
  auto type = cast<RankedTensorType>(part.value.getType());
  CopyCause cause{CopyReason::placed_elsewhere,
                  ("expected part " + llvm::Twine(part.number) + " of '" +
                   op->getName().getStringRef() +
                   "' to be computed in its place, but got " +
                   whyElsewhere(part.value, op->getBlock()))
                      .str(),
                  "a kernel that writes it there"};
  log.addCopy(op, cause, type);
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  // No move takes these; bufferization copies them.
  if (quantized && quantized.isPerAxis())
    return insert(whole, part);
  Value view = viewOf(whole, part);
  Part moved = part;
  moved.value = MovOp::create(rewriter, op->getLoc(), part.value, view,
                              getReasonAttr(op->getContext(), cause))
                    ->getResult(0);
  return insert(whole, moved);
}

//===----------------------------------------------------------------------===//
// Concatenations
//===----------------------------------------------------------------------===//

/// The parts of `op`, which are as large as `rewriter` finds them.
static SmallVector<Part> partsOf(OpBuilder &builder, tensor::ConcatOp op) {
  SmallVector<Part> parts;
  auto dim = static_cast<int64_t>(op.getDim());
  SmallVector<OpFoldResult> offsets(op.getRank(), builder.getIndexAttr(0));
  AffineExpr a = builder.getAffineSymbolExpr(0);
  AffineExpr b = builder.getAffineSymbolExpr(1);
  for (auto [i, value] : llvm::enumerate(op.getInputs())) {
    parts.push_back({value, offsets, static_cast<int64_t>(i)});
    OpFoldResult size = tensor::getMixedSize(builder, op.getLoc(), value, dim);
    offsets[dim] = affine::makeComposedFoldedAffineApply(
        builder, op.getLoc(), a + b, {offsets[dim], size});
  }
  return parts;
}

void Placement::place(tensor::ConcatOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  if (!isOfDialect(type) || op.getInputs().size() < 2)
    return;
  rewriter.setInsertionPoint(op);
  SmallVector<Part> parts = partsOf(rewriter, op), others;
  struct Placed {
    Part part;
    Root root;
  };
  SmallVector<Placed> placed;
  for (Part &part : parts) {
    std::optional<Root> root = findRoot(part.value, op->getBlock());
    if (root && takesView(*root, type, part))
      placed.push_back({part, *root});
    else
      others.push_back(part);
  }
  llvm::sort(placed, [&](const Placed &a, const Placed &b) {
    return position(a.root.first) < position(b.root.first);
  });

  if (!placed.empty())
    rewriter.setInsertionPoint(placed.front().root.first);
  SmallVector<OpFoldResult> sizes =
      type.hasStaticShape()
          ? getAsIndexOpFoldResult(op.getContext(), type.getShape())
          : SmallVector<OpFoldResult>();
  if (sizes.empty()) {
    sizes = sizesOf(rewriter, op.getLoc(), op.getInputs().front());
    AffineExpr a = rewriter.getAffineSymbolExpr(0);
    AffineExpr b = rewriter.getAffineSymbolExpr(1);
    int64_t dim = op.getDim();
    OpFoldResult last =
        tensor::getMixedSize(rewriter, op.getLoc(), parts.back().value, dim);
    sizes[dim] = affine::makeComposedFoldedAffineApply(
        rewriter, op.getLoc(), a + b, {parts.back().offsets[dim], last});
  }
  auto empty = tensor::EmptyOp::create(
      rewriter, op.getLoc(), sizes, type.getElementType(), type.getEncoding());
  positions[empty] =
      placed.empty() ? position(op) : position(placed.front().root.first);
  Value whole = empty;
  int64_t last = -1;
  for (Placed &next : placed) {
    // One that begins before the last is complete would tie a knot.
    if (position(next.root.first) < last) {
      others.push_back(next.part);
      continue;
    }
    rewriter.setInsertionPoint(next.root.first);
    redirect(next.root, viewOf(whole, next.part));
    Operation *producer = next.part.value.getDefiningOp();
    rewriter.setInsertionPointAfter(producer);
    whole = insert(whole, next.part);
    last = position(producer);
    positions[whole.getDefiningOp()] = last;
  }
  rewriter.setInsertionPoint(op);
  for (const Part &part : others)
    whole = moveIn(op, whole, part);
  wholes[whole] = empty;
  replace(op, whole);
}

//===----------------------------------------------------------------------===//
// Insertions
//===----------------------------------------------------------------------===//

void Placement::place(tensor::InsertSliceOp op) {
  if (!isOfDialect(op.getDestType()) || !isOfDialect(op.getSourceType()) ||
      positions.count(op) == 0)
    return;
  Slice slice = *Slice::of(op);
  SliceView view = getSliceView(op.getDestType(), slice, {});
  if (!view.isView() || view.blocks.size() != 1)
    return;
  Operation *whole = op.getDest().getDefiningOp();
  bool isEarlier = !whole || whole->getBlock() != op->getBlock();
  auto createPlace = [&] {
    return createView(rewriter, op.getLoc(), op.getDest(), view);
  };
  std::optional<Root> root = findRoot(op.getSource(), op->getBlock());
  if (root && (isEarlier || position(whole) < position(root->first)) &&
      llvm::all_of(
          slice.offsets,
          [](OpFoldResult offset) { return isa<Attribute>(offset); }) &&
      op.getSourceType().hasStaticShape()) {
    rewriter.setInsertionPoint(root->first);
    Value place = createPlace();
    if (place.getType() == op.getSourceType())
      return redirect(*root, place);
    rewriter.eraseOp(place.getDefiningOp());
  }
  Operation *source = op.getSource().getDefiningOp();
  auto quantized = dyn_cast<QuantizedType>(op.getSourceType().getElementType());
  // What else there is may be in its place already: loops carry that.
  bool isElsewhere =
      source ? isa<ConstantOp, ReshapeOp, SubtensorOp, tensor::ExtractSliceOp>(
                   source) ||
                   (root && !root->operands.empty())
             : isa<FunctionOpInterface>(op->getParentOp());
  // A whole that others see, too, is copied anyway, and with it the part.
  bool isOwn = whole && !isa<ConstantOp>(whole) && op.getDest().hasOneUse();
  if (!isElsewhere || !isOwn || (quantized && quantized.isPerAxis()))
    return;
  CopyCause cause{CopyReason::placed_elsewhere,
                  "expected the source of 'tensor.insert_slice' to be computed "
                  "in its place, but got " +
                      whyElsewhere(op.getSource(), op->getBlock()),
                  "a kernel that writes it there"};
  rewriter.setInsertionPoint(op);
  Value place = createPlace();
  if (place.getType() != op.getSourceType())
    return rewriter.eraseOp(place.getDefiningOp());
  log.addCopy(op, cause, op.getSourceType());
  auto mov = MovOp::create(rewriter, op.getLoc(), op.getSource(), place,
                           getReasonAttr(op.getContext(), cause));
  rewriter.modifyOpInPlace(
      op, [&] { op.getSourceMutable().assign(mov->getResult(0)); });
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// The code that `value`, a scalar, is, as one element of a constant; null if
/// it is not known.
static Attribute knownCode(Value value) {
  auto extract = value.getDefiningOp<tensor::ExtractOp>();
  auto constant =
      extract ? extract.getTensor().getDefiningOp<ConstantOp>() : ConstantOp();
  if (!constant || !constant.getValue().isSplat())
    return {};
  return constant.getValue().getSplatValue<Attribute>();
}

static bool isZeroCode(Value value) {
  if (matchPattern(value, m_PosZeroFloat()))
    return true;
  auto code = dyn_cast_or_null<IntegerAttr>(knownCode(value));
  return code && code.getValue().isZero();
}

void Placement::place(tensor::PadOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  if (!isOfDialect(type) || (quantized && quantized.isPerAxis()))
    return;
  rewriter.setInsertionPoint(op);
  Value value = op.getConstantPaddingValue();
  bool isKnown = value && type.hasStaticShape() &&
                 !ShapedType::isDynamicShape(op.getStaticLow()) &&
                 !ShapedType::isDynamicShape(op.getStaticHigh());
  bool isZero = isKnown && isZeroCode(value);
  auto code =
      isKnown ? dyn_cast_or_null<IntegerAttr>(knownCode(value)) : IntegerAttr();
  if (!isZero && !code)
    return log.refuse(
        op, {std::nullopt,
             "expected 'tensor.pad' to have a constant as value and known "
             "padding, but got values",
             ""});
  std::string padding;
  llvm::raw_string_ostream os(padding);
  os << "expected no padding, but got [";
  llvm::interleaveComma(op.getStaticLow(), os);
  os << "] before and [";
  llvm::interleaveComma(op.getStaticHigh(), os);
  os << "] behind";
  CopyCause cause{CopyReason::padding, padding,
                  "padding of the kernel that reads it"};
  log.addCopy(op, cause, type);
  Value empty =
      tensor::EmptyOp::create(rewriter, op.getLoc(), type, ValueRange());
  CopyReasonAttr reason = getReasonAttr(op.getContext(), cause);
  if (isZero) {
    auto mov =
        MovOp::create(rewriter, op.getLoc(), op.getSource(), empty, reason);
    mov.setPadLow(op.getStaticLow());
    mov.setPadHigh(op.getStaticHigh());
    replace(op, mov->getResult(0));
    return eraseIfDead(value);
  }
  auto codes = RankedTensorType::get(type.getShape(), code.getType());
  Value filling =
      ConstantOp::create(rewriter, op.getLoc(), type,
                         DenseElementsAttr::get(codes, Attribute(code)));
  Value filled = MovOp::create(rewriter, op.getLoc(), filling, empty, reason)
                     ->getResult(0);
  Part part{op.getSource(),
            getAsIndexOpFoldResult(op.getContext(), op.getStaticLow()), 0};
  Value whole = moveIn(op, filled, part);
  replace(op, whole);
  eraseIfDead(value);
}

void mli::placeParts(ModuleOp module, CopyLog &log) {
  Placement placement(module, log);
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<tensor::ConcatOp, tensor::InsertSliceOp, tensor::PadOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto concat = dyn_cast<tensor::ConcatOp>(op))
      placement.place(concat);
    else if (auto pad = dyn_cast<tensor::PadOp>(op))
      placement.place(pad);
    else
      placement.place(cast<tensor::InsertSliceOp>(op));
  }
}
