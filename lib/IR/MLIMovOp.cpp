// SPDX-License-Identifier: Apache-2.0
//
// What a move may do, and moves that are left out or become one.

#include "Contract/VerifiedTypes.h"

#include "mli/Contract/Blocks.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/OtherShape.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

/// A list of the operation: absent, or one entry a dimension in [least, most].
static LogicalResult verifyMovList(MovOp op, StringRef name,
                                   ArrayRef<int64_t> values, int64_t least,
                                   int64_t most) {
  if (values.empty())
    return success();
  size_t rank = op.getInput().getType().getRank();
  if (failed(contract::verifyCount(op, name, values, rank)))
    return failure();
  return contract::verifyRange(op, name, values, least, most);
}

static LogicalResult verifyMovLists(MovOp op) {
  struct List {
    StringRef name;
    ArrayRef<int64_t> values;
    int64_t least, most;
  };
  int64_t rank = op.getInput().getType().getRank();
  // The uint32 and uint8 fields of mli_mov_cfg_t hold these of valid tensors.
  for (const List &list :
       {List{"offsets", op.getOffsets(), 0, INT32_MAX},
        List{"sizes", op.getSizes(), 1, INT32_MAX},
        List{"steps", op.getSteps(), 1, INT32_MAX},
        List{"dst_offsets", op.getDstOffsets(), 0, INT32_MAX},
        List{"permutation", op.getPermutation(), 0, rank - 1},
        List{"pad_low", op.getPadLow(), 0, UINT8_MAX},
        List{"pad_high", op.getPadHigh(), 0, UINT8_MAX}})
    if (failed(
            verifyMovList(op, list.name, list.values, list.least, list.most)))
      return failure();
  return success();
}

/// Entry `i` of a list that may be absent.
static int64_t at(ArrayRef<int64_t> values, int64_t i, int64_t absent) {
  return values.empty() ? absent : values[i];
}

static contract::MovedDim movedDim(MovOp op, const Operand &input,
                                   int64_t dim) {
  return {input.knownSize(dim),        at(op.getOffsets(), dim, 0),
          at(op.getSizes(), dim, 0),   at(op.getPadLow(), dim, 0),
          at(op.getPadHigh(), dim, 0), at(op.getSteps(), dim, 1)};
}

/// Dimension `i` of the block that is written into `init`.
static int64_t writtenSize(MovOp op, const Operand &input, int64_t i) {
  contract::MovedDim dim = movedDim(op, input, at(op.getPermutation(), i, i));
  bool isKnown = dim.size != 0 || ShapedType::isStatic(dim.extent);
  return isKnown ? dim.count() : ShapedType::kDynamic;
}

/// The parameters that `dim` of the source, which they are of, gives the block
/// that is written.
static SmallVector<quant::QuantParams>
movedParams(QuantizedType type, const contract::MovedDim &dim) {
  SmallVector<quant::QuantParams> params;
  for (int64_t t = 0; t < dim.count(); ++t) {
    int64_t index = dim.offset - dim.padLow + t * dim.step;
    // K32
    params.push_back(index >= 0 && index < dim.extent ? type.getParam(index)
                                                      : quant::QuantParams());
  }
  return params;
}

static Type withParams(QuantizedType type, int32_t axis,
                       ArrayRef<quant::QuantParams> params) {
  MLIRContext *context = type.getContext();
  if (isa<Sa8Type>(type))
    return Sa8Type::get(context, axis, params);
  return Sa32Type::get(context, axis, params);
}

/// The type that elements of `init` have so that each keeps its parameters. The
/// written block lies in `init`.
static Type movedElement(MovOp op, const Operand &input, const Operand &init) {
  QuantizedType type = input.quantized(), present = init.quantized();
  if (!type || !type.isPerAxis())
    return input.element();
  int64_t axis = 0;
  while (at(op.getPermutation(), axis, axis) != type.getAxis())
    ++axis;
  contract::MovedDim dim = movedDim(op, input, type.getAxis());
  // Most moves keep all parameters, and then need no new type.
  if (!op.isPartial() && axis == type.getAxis() && dim.offset == 0 &&
      dim.padLow == 0 && dim.step == 1 &&
      dim.count() == static_cast<int64_t>(type.getNumParams()))
    return input.element();
  SmallVector<quant::QuantParams> params = movedParams(type, dim);
  // Parameters outside the block are its own.
  if (op.isPartial() && present.getAxis() == axis) {
    auto offset = static_cast<size_t>(op.getDstOffsets()[axis]);
    for (size_t i = 0; i < offset; ++i)
      params.insert(params.begin() + i, present.getParam(i));
    for (size_t i = params.size(); i < present.getNumParams(); ++i)
      params.push_back(present.getParam(i));
  }
  return withParams(type, static_cast<int32_t>(axis), params);
}

/// Each element keeps its parameters, wherever it goes to.
static LogicalResult verifySlice(MovOp op, const Operand &input,
                                 const Operand &init) {
  if (failed(contract::verifySameKind(op, input, init)))
    return failure();
  Type expected = movedElement(op, input, init);
  // D15
  if (init.element() != expected)
    return op.emitOpError("expected 'init' to have elements of ")
           << expected << ", as the move cuts the quantised axis of 'input', "
           << "but got " << init.element();
  return success();
}

/// Checks a move of all elements to another shape, within local memory.
static LogicalResult verifyOtherShape(MovOp op, const Operand &input,
                                      const Operand &init) {
  QuantizedType type = input.quantized();
  // D15
  if (type && type.isPerAxis())
    return op.emitOpError("expected 'input' to be quantised per tensor, but "
                          "got axis ")
           << type.getAxis();
  // D21
  if (!input.type.hasStaticShape() || !init.type.hasStaticShape() ||
      input.type.getNumElements() != init.type.getNumElements())
    return op.emitOpError("expected 'init' to have as many elements as "
                          "'input', of type ")
           << input.type << ", but got " << init.type;
  return contract::verifySameElement(op, input, init);
}

static LogicalResult verifyMove(MovOp op, Operand input, Operand init) {
  if (isReshapingMove(op) && isLocal(input.type) && isLocal(init.type))
    return verifyOtherShape(op, input, init);
  if (failed(contract::verifyTensors(op, {input, init})) ||
      failed(verifyMovLists(op)))
    return failure();
  ArrayRef<int64_t> permutation = op.getPermutation();
  SmallVector<int64_t> same =
      llvm::to_vector(llvm::seq<int64_t>(input.type.getRank()));
  if (failed(contract::verifyPermutation(
          op, input, init, permutation.empty() ? same : permutation)))
    return failure();
  bool hasAxis = input.quantized() && input.quantized().isPerAxis();
  if (!hasAxis && failed(contract::verifySameElement(op, input, init)))
    return failure();
  for (int64_t i = 0, rank = input.type.getRank(); i < rank; ++i) {
    contract::MovedDim dim = movedDim(op, input, i);
    auto slice = contract::Block::ofOneAtLeast(dim.offset, dim.size);
    // D16
    if (ShapedType::isStatic(dim.extent) && !slice.endsIn(dim.padded()))
      return op.emitOpError("expected dimension ")
             << i << " of 'input' with padding to reach " << slice.end()
             << ", the end of the slice, but got " << dim.padded();
  }
  for (int64_t i = 0, rank = init.type.getRank(); i < rank; ++i) {
    int64_t written = writtenSize(op, input, i), size = init.knownSize(i);
    contract::Block block = {op.isPartial() ? op.getDstOffsets()[i] : 0,
                             written};
    // D17
    if (ShapedType::isStatic(written) && ShapedType::isStatic(size) &&
        (written < 1 || !block.endsIn(size) ||
         (!op.isPartial() && written != size)))
      return op.emitOpError("expected dimension ")
             << i << " of 'init' to hold the " << written
             << " elements written from " << block.offset << ", but got "
             << size;
  }
  return hasAxis ? verifySlice(op, input, init) : success();
}

LogicalResult MovOp::verify() {
  return contract::verifyOnce(
      *this, {{"input", getInput().getType()}, {"init", getInit().getType()}},
      [](Operation *op, ArrayRef<Operand> operands) {
        return verifyMove(cast<MovOp>(op), operands[0], operands[1]);
      },
      {getOffsetsAttr(), getSizesAttr(), getStepsAttr(), getDstOffsetsAttr(),
       getPermutationAttr(), getPadLowAttr(), getPadHighAttr()});
}

bool MovOp::keepsIndices() {
  if (isReshapingMove(*this))
    return false;
  for (int64_t i = 0; i < getInput().getType().getRank(); ++i)
    if (at(getOffsets(), i, 0) != at(getDstOffsets(), i, 0) ||
        at(getSteps(), i, 1) != 1 || at(getPermutation(), i, i) != i ||
        at(getPadLow(), i, 0) != 0 || at(getPadHigh(), i, 0) != 0)
      return false;
  return true;
}

/// What `value` is without reshapes that lead back to its shape.
static Value skipReshapes(Value value) {
  auto getShape = [](Value each) {
    return cast<ShapedType>(each.getType()).getShape();
  };
  Value source = value;
  for (Value each = value; auto reshape = each.getDefiningOp<ReshapeOp>();) {
    each = reshape.getSource();
    if (getShape(each) == getShape(value))
      source = each;
  }
  return source;
}

/// Whether both are one place: a value, or equal views of one place.
static bool isSamePlace(Value one, Value other) {
  one = skipReshapes(one);
  other = skipReshapes(other);
  if (one == other)
    return true;
  auto left = one.getDefiningOp<ViewLikeOpInterface>();
  auto right = other.getDefiningOp<ViewLikeOpInterface>();
  return left && right && isPure(left) &&
         OperationEquivalence::isEquivalentTo(
             left, right,
             [](Value one, Value other) {
               return success(isSamePlace(one, other));
             },
             /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

/// A move onto itself, as insertions into a tensor in place leave them: the
/// runtime rejects operands that overlap.
// F4
static LogicalResult dropMoveOntoItself(MovOp op, PatternRewriter &rewriter) {
  if (!isSamePlace(op.getInput(), op.getInit()) || !op.keepsIndices())
    return failure();
  if (op.getNumResults() != 0)
    rewriter.replaceOp(op, op.getInit());
  else
    rewriter.eraseOp(op);
  return success();
}

/// Drops a move of all of a tensor to where it was, of the same type, which
/// includes the memory; unless a pass has decided that there is a copy.
// F4
static LogicalResult dropCopy(MovOp op, PatternRewriter &rewriter) {
  ShapedType type = op.getInput().getType();
  if (!op.hasPureTensorSemantics() || type != op.getInit().getType() ||
      op.isPartial() || !op.keepsIndices() || op.getReason() ||
      (!op.getSizes().empty() && op.getSizes() != type.getShape()))
    return failure();
  rewriter.replaceOp(op, op.getInput());
  return success();
}

/// A move of what `inner` moved takes it from the source at once, unless it
/// pads itself: then what `inner` left out is not 0. Data from another memory
/// stays there no longer than decided.
// F5
static LogicalResult composeMoves(MovOp op, MovOp inner,
                                  PatternRewriter &rewriter) {
  auto isZero = [](int64_t value) { return value == 0; };
  bool isInOneMemory =
      isLocal(inner.getInput().getType()) == isLocal(inner.getInit().getType());
  if (isReshapingMove(op) || isReshapingMove(inner) || inner.isPartial() ||
      inner.getReason() || !isInOneMemory ||
      !llvm::all_of(op.getPadLow(), isZero) ||
      !llvm::all_of(op.getPadHigh(), isZero) ||
      !op.getInput().getType().hasStaticShape())
    return rewriter.notifyMatchFailure(op, "not a part of another move");
  Operand input{"input", op.getInput().getType()};
  int64_t rank = input.type.getRank();
  SmallVector<int64_t> offsets(rank), sizes(rank), steps(rank),
      permutation(rank);
  for (int64_t i = 0; i < rank; ++i) {
    int64_t middle = at(op.getPermutation(), i, i);
    int64_t source = at(inner.getPermutation(), middle, middle);
    int64_t step = at(inner.getSteps(), source, 1);
    permutation[i] = source;
    steps[source] = at(op.getSteps(), middle, 1) * step;
    offsets[source] = at(inner.getOffsets(), source, 0) +
                      at(op.getOffsets(), middle, 0) * step;
    sizes[source] = (writtenSize(op, input, i) - 1) * steps[source] + 1;
    if (steps[source] > INT32_MAX)
      return rewriter.notifyMatchFailure(op, "steps are too large");
  }
  rewriter.replaceOpWithNewOp<MovOp>(
      op, op->getResultTypes(), inner.getInput(), op.getInit(), offsets, sizes,
      steps, op.getDstOffsets(), permutation, inner.getPadLow(),
      inner.getPadHigh(), op.getReasonAttr());
  return success();
}

LogicalResult MovOp::canonicalize(MovOp op, PatternRewriter &rewriter) {
  if (succeeded(dropMoveOntoItself(op, rewriter)) ||
      succeeded(dropCopy(op, rewriter)))
    return success();
  if (auto inner = op.getInput().getDefiningOp<MovOp>())
    return composeMoves(op, inner, rewriter);
  return rewriter.notifyMatchFailure(op, "elements change their place");
}
