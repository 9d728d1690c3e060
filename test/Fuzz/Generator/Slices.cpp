// SPDX-License-Identifier: Apache-2.0
//
// Steps on parts of tensors.

#include "Writer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

static bool isPerTensor(RankedTensorType type) {
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  return !quantized || !quantized.isPerAxis();
}

/// `number` as it is, or as a value that folding does not see or does.
static OpFoldResult hide(Writer &w, int64_t number) {
  if (number == 1 && w.random.chance(20))
    return w.one();
  if (w.random.chance(8))
    return w.index(number);
  return w.builder.getIndexAttr(number);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The dimension that the parameters of `type` vary along, or -1.
static int64_t getAxis(RankedTensorType type) {
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  return quantized ? quantized.getAxis() : -1;
}

/// A slice with steps, of which dimensions of one index may be left out. Along
/// a quantised axis it is whole, and what is left out lies behind it.
bool fuzz::makeSlice(Writer &w) {
  Value source =
      w.find([](RankedTensorType type) { return type.getRank() > 0; });
  if (!source)
    return false;
  RankedTensorType type = typeOf(source);
  int64_t axis = getAxis(type);
  bool reduces = w.random.chance(40), mayDrop = reduces;
  SmallVector<OpFoldResult> offsets, sizes, steps;
  SmallVector<int64_t> kept;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    auto d = static_cast<int64_t>(dim);
    int64_t offset =
        d == axis || w.random.chance(40) ? 0 : w.random.pick(0, extent - 1);
    int64_t step = axis < 0 && w.random.chance(25) ? w.random.pick(2, 3) : 1;
    int64_t most = (extent - offset - 1) / step + 1;
    int64_t size = d == axis             ? extent
                   : w.random.chance(30) ? 1
                   : w.random.chance(30) ? most
                                         : w.random.pick(1, most);
    offsets.push_back(d == axis ? w.builder.getIndexAttr(0) : hide(w, offset));
    sizes.push_back(w.builder.getIndexAttr(size));
    steps.push_back(w.builder.getIndexAttr(step));
    // Of dimensions of one index the first are those that are dropped.
    mayDrop &= axis < 0 || d > axis || size != 1;
    bool isDropped = size == 1 && d != axis && mayDrop && w.random.chance(60);
    mayDrop &= axis < 0 || isDropped || size != 1;
    if (!isDropped)
      kept.push_back(size);
  }
  if (kept.empty())
    kept.push_back(1);
  w.add(tensor::ExtractSliceOp::create(w.builder, w.loc,
                                       w.getType(kept, type.getElementType()),
                                       source, offsets, sizes, steps));
  return true;
}

bool fuzz::makeSubtensor(Writer &w) {
  Value source = w.find([](RankedTensorType type) {
    return type.getRank() > 0 && !isa<IntegerType>(type.getElementType());
  });
  if (!source)
    return false;
  RankedTensorType type = typeOf(source);
  // Parameters along an axis are cut, too.
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  if (w.has(Feature::PerAxis) && w.random.chance(50) && quantized &&
      !quantized.isPerAxis()) {
    int64_t axis = w.random.pick(0, type.getRank() - 1);
    source = w.source(w.getType(
        type.getShape(), w.types.getWeightElement(ElementKind::Sa8, axis,
                                                  type.getDimSize(axis))));
    type = typeOf(source);
    quantized = cast<QuantizedType>(type.getElementType());
  }
  int64_t axis = getAxis(type);
  SmallVector<OpFoldResult> offsets, sizes;
  int64_t rank = type.getRank(), units = 0;
  bool isBehindUnitAxis = false;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    int64_t offset = w.random.chance(40) ? 0 : w.random.pick(0, extent - 1);
    int64_t size = w.random.chance(30) ? 1 : w.random.pick(1, extent - offset);
    bool isAxis = static_cast<int64_t>(dim) == axis;
    offsets.push_back(isAxis ? w.builder.getIndexAttr(offset)
                             : hide(w, offset));
    sizes.push_back(w.builder.getIndexAttr(size));
    // The first dimensions of one index are left out, and the axis never is.
    isBehindUnitAxis |= isAxis && size == 1;
    units += size == 1 && !isBehindUnitAxis ? 1 : 0;
  }
  int64_t dropped =
      w.random.chance(50) ? std::min(w.random.pick(0, units), rank - 1) : 0;
  w.add(SubtensorOp::create(w.builder, w.loc, source, offsets, sizes,
                            rank - dropped));
  return true;
}

//===----------------------------------------------------------------------===//
// Insertions
//===----------------------------------------------------------------------===//

/// `part` in steps in `whole`, somewhere; null where it does not fit.
static Value insertSomewhere(Writer &w, Value part, Value whole) {
  RankedTensorType from = typeOf(part), to = typeOf(whole);
  SmallVector<OpFoldResult> offsets, sizes, steps;
  size_t behind = from.getRank();
  SmallVector<int64_t> full(to.getRank(), 1);
  // A part of fewer dimensions is one index of the first.
  for (size_t i = 0; i < behind; ++i)
    full[to.getRank() - behind + i] = from.getDimSize(i);
  for (auto [size, room] : llvm::zip(full, to.getShape())) {
    if (size > room)
      return {};
    int64_t step = w.random.chance(30) ? w.random.pick(2, 3) : 1;
    if ((size - 1) * step >= room)
      step = 1;
    offsets.push_back(hide(w, w.random.pick(0, room - (size - 1) * step - 1)));
    sizes.push_back(w.builder.getIndexAttr(size));
    steps.push_back(w.builder.getIndexAttr(step));
  }
  return tensor::InsertSliceOp::create(w.builder, w.loc, part, whole, offsets,
                                       sizes, steps);
}

bool fuzz::makeInsertion(Writer &w) {
  Value part = w.find([](RankedTensorType type) {
    return isPerTensor(type) && type.getRank() > 0;
  });
  if (!part)
    return false;
  RankedTensorType type = typeOf(part);
  Value whole = w.find([&](RankedTensorType other) {
    if (other.getElementType() != type.getElementType() ||
        other.getRank() < type.getRank())
      return false;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.getDimSize(i) >
          other.getDimSize(other.getRank() - type.getRank() + i))
        return false;
    return true;
  });
  if (!whole || whole == part || w.random.chance(20)) {
    SmallVector<int64_t> shape;
    for (int64_t extent : type.getShape())
      shape.push_back(extent + w.random.pick(0, 4));
    whole = w.source(w.getType(shape, type.getElementType()));
  }
  Value result = insertSomewhere(w, part, whole);
  if (result)
    w.add(result);
  return result != nullptr;
}

/// So many that they are worth a copy of the whole. Kernels read now and then
/// what it is.
bool fuzz::makeManyInsertions(Writer &w) {
  Value whole =
      w.need(w.random.pick(1, 3), {ElementKind::Sa8, ElementKind::Fx16});
  RankedTensorType type = typeOf(whole);
  int64_t dim = w.random.pick(0, type.getRank() - 1);
  SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape());
  sizes[dim] = 1;
  Value part = w.slice(whole, offsets, sizes);
  auto clip = [&](Value value) {
    return w.kernel(
        "relu", {value}, typeOf(value),
        w.attribute("relu",
                    ReluKindAttr::get(w.builder.getContext(), ReluKind::gen)));
  };
  if (w.random.chance(80))
    part = clip(part);
  for (int64_t i = 0, e = w.random.pick(20, 40); i < e; ++i) {
    offsets[dim] = w.random.pick(0, type.getDimSize(dim) - 1);
    SmallVector<int64_t> steps(type.getRank(), 1);
    whole = tensor::InsertSliceOp::create(
        w.builder, w.loc, part, whole,
        getAsIndexOpFoldResult(w.builder.getContext(), offsets),
        getAsIndexOpFoldResult(w.builder.getContext(), sizes),
        getAsIndexOpFoldResult(w.builder.getContext(), steps));
    if (w.random.chance(5))
      w.add(whole);
    if (w.random.chance(5))
      clip(whole);
  }
  w.add(whole);
  return true;
}

/// A kernel in so many tiles along one or two dimensions, which are put into an
/// argument, a constant, an empty tensor or what a kernel computes; some read
/// what is there by then.
bool fuzz::makeManyTiles(Writer &w) {
  if (w.depth > 0)
    return false;
  int64_t rows = w.random.chance(50) ? 1 : w.random.pick(4, 8);
  int64_t columns = w.random.pick(64, 128) / rows, inner = w.random.pick(1, 3);
  static constexpr ElementKind kinds[] = {ElementKind::Sa8, ElementKind::Fx16,
                                          ElementKind::Fx8};
  RankedTensorType type =
      w.getType({rows, columns, inner}, w.types.getMapElement(kinds));
  ReluKindAttr kind = ReluKindAttr::get(w.builder.getContext(), ReluKind::gen);
  Value source = w.argument(type), whole;
  switch (w.random.pick(0, 3)) {
  case 0:
    whole = w.argument(type);
    break;
  case 1:
    whole = w.constant(type, w.types.getValues(type));
    break;
  case 2:
    whole = tensor::EmptyOp::create(w.builder, w.loc, type.getShape(),
                                    type.getElementType());
    break;
  default:
    whole = w.kernel("relu", {source}, type, w.attribute("relu", kind));
  }
  bool isInPlace = w.random.chance(50), readsBack = w.random.chance(30);
  SmallVector<int64_t> sizes = {1, 1, inner};
  RankedTensorType partType = w.getType(sizes, type.getElementType());
  auto tileOf = [&](Value value, ArrayRef<int64_t> offsets) -> Value {
    MLIRContext *context = w.builder.getContext();
    return tensor::ExtractSliceOp::create(
        w.builder, w.loc, partType, value,
        getAsIndexOpFoldResult(context, offsets),
        getAsIndexOpFoldResult(context, sizes),
        getAsIndexOpFoldResult(context, ArrayRef<int64_t>{1, 1, 1}));
  };
  SmallVector<int64_t> last;
  for (int64_t i = 0; i < rows * columns; ++i) {
    SmallVector<int64_t> offsets = {i / columns, i % columns, 0};
    Value input = readsBack && !last.empty() ? tileOf(whole, last)
                                             : tileOf(source, offsets);
    Value place = isInPlace
                      ? tileOf(whole, offsets)
                      : Value(tensor::EmptyOp::create(w.builder, w.loc, sizes,
                                                      type.getElementType()));
    OperationState state(w.loc, ReluOp::getOperationName());
    state.addOperands({input, place});
    state.addTypes(partType);
    state.addAttributes(w.attribute("relu", kind));
    Value part = w.builder.create(state)->getResult(0);
    MLIRContext *context = w.builder.getContext();
    whole = tensor::InsertSliceOp::create(
        w.builder, w.loc, part, whole, getAsIndexOpFoldResult(context, offsets),
        getAsIndexOpFoldResult(context, sizes),
        getAsIndexOpFoldResult(context, ArrayRef<int64_t>{1, 1, 1}));
    last = offsets;
  }
  w.add(whole);
  return true;
}

//===----------------------------------------------------------------------===//
// Wholes
//===----------------------------------------------------------------------===//

bool fuzz::makeConcat(Writer &w) {
  Value first =
      w.find([](RankedTensorType type) { return type.getRank() > 0; });
  if (!first)
    return false;
  RankedTensorType type = typeOf(first);
  int64_t dim = w.random.pick(0, type.getRank() - 1);
  if (dim == getAxis(type))
    return false;
  SmallVector<Value> parts = {first};
  for (int64_t i = w.random.pick(1, 3); i > 0; --i) {
    Value part = w.find([&](RankedTensorType other) {
      if (other.getElementType() != type.getElementType() ||
          other.getRank() != type.getRank())
        return false;
      for (int64_t d = 0; d < type.getRank(); ++d)
        if (d != dim && other.getDimSize(d) != type.getDimSize(d))
          return false;
      return true;
    });
    if (part && typeOf(part).getNumElements() < 1000)
      parts.push_back(part);
  }
  shuffle(parts, w.random);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = 0;
  for (Value part : parts)
    shape[dim] += typeOf(part).getDimSize(dim);
  w.add(tensor::ConcatOp::create(
      w.builder, w.loc, w.getType(shape, type.getElementType()), dim, parts));
  return true;
}

bool fuzz::makePad(Writer &w) {
  Value source = w.find([](RankedTensorType type) {
    auto quantized = dyn_cast<QuantizedType>(type.getElementType());
    return quantized && !quantized.isPerAxis() && type.getRank() > 0;
  });
  if (!source)
    return false;
  RankedTensorType type = typeOf(source);
  SmallVector<OpFoldResult> low, high;
  SmallVector<int64_t> shape;
  for (int64_t extent : type.getShape()) {
    int64_t before = w.random.pick(0, 2), after = w.random.pick(0, 2);
    low.push_back(w.builder.getIndexAttr(before));
    high.push_back(w.builder.getIndexAttr(after));
    shape.push_back(before + extent + after);
  }
  RankedTensorType scalar = w.getType({}, type.getElementType());
  auto storage = w.builder.getIntegerType(elementWidth(type.getElementType()));
  auto value = DenseElementsAttr::get(
      w.getType({}, storage),
      {APInt(storage.getWidth(),
             w.random.chance(60) ? 0 : w.random.pick(-100, 100),
             /*isSigned=*/true)});
  Value code = tensor::ExtractOp::create(
      w.builder, w.loc, w.constant(scalar, value), ValueRange());
  w.add(tensor::PadOp::create(w.builder, w.loc,
                              w.getType(shape, type.getElementType()), source,
                              low, high, code));
  return true;
}

/// Another dimension of size 1, one less, or two as one beside the axis.
static bool reshapeBesideAxis(Writer &w, Value source) {
  RankedTensorType type = typeOf(source);
  auto element = cast<QuantizedType>(type.getElementType());
  SmallVector<int64_t> shape(type.getShape());
  int64_t axis = element.getAxis(), dim = w.random.pick(0, type.getRank() - 1);
  bool isInFront = dim < axis;
  if (type.getRank() < 4 && w.random.chance(50)) {
    shape.insert(shape.begin() + dim, 1);
    axis += dim <= axis ? 1 : 0;
  } else if (type.getRank() > 1 && shape[dim] == 1 && dim != axis) {
    shape.erase(shape.begin() + dim);
    axis -= isInFront ? 1 : 0;
  } else if (dim + 1 < type.getRank() && dim != axis && dim + 1 != axis) {
    shape[dim] *= shape[dim + 1];
    shape.erase(shape.begin() + dim + 1);
    axis -= isInFront ? 1 : 0;
  } else {
    return false;
  }
  Type renumbered = element.withAxis(static_cast<int32_t>(axis));
  w.add(ReshapeOp::create(w.builder, w.loc, w.getType(shape, renumbered),
                          source));
  return true;
}

bool fuzz::makeReshape(Writer &w) {
  Value source = w.find([](RankedTensorType type) {
    return !isa<IntegerType>(type.getElementType());
  });
  if (!source)
    return false;
  if (!isPerTensor(typeOf(source)))
    return reshapeBesideAxis(w, source);
  w.reshape(source, factorize(typeOf(source).getNumElements(),
                              w.random.pick(1, 4), w.random));
  return true;
}

//===----------------------------------------------------------------------===//
// Plain integers and queries
//===----------------------------------------------------------------------===//

/// `whole` with an element or a slice of it in another place of it, one of
/// which is `place`.
static Value accessAt(Writer &w, Value whole, Value place) {
  Type element = typeOf(whole).getElementType();
  int64_t extent = typeOf(whole).getDimSize(0);
  if (w.random.chance(50)) {
    Value read = tensor::ExtractOp::create(
        w.builder, w.loc, whole, w.index(w.random.pick(0, extent - 1)));
    return tensor::InsertOp::create(w.builder, w.loc, read, whole, place);
  }
  int64_t step = w.random.pick(1, 2);
  Value part = tensor::ExtractSliceOp::create(
      w.builder, w.loc, w.getType({1}, element), whole,
      ArrayRef<OpFoldResult>{place},
      ArrayRef<OpFoldResult>{w.builder.getIndexAttr(1)},
      ArrayRef<OpFoldResult>{w.builder.getIndexAttr(step)});
  return tensor::InsertSliceOp::create(
      w.builder, w.loc, part, whole,
      ArrayRef<OpFoldResult>{w.builder.getIndexAttr(extent - 1)},
      ArrayRef<OpFoldResult>{w.builder.getIndexAttr(1)},
      ArrayRef<OpFoldResult>{w.builder.getIndexAttr(1)});
}

/// The same in a loop, up to the place `last`.
static Value accessInLoop(Writer &w, Value whole, int64_t last) {
  int64_t first = std::max<int64_t>(0, last - w.random.pick(0, 3));
  Value end = w.index(last + 1);
  if (w.random.chance(50))
    end = arith::MulIOp::create(w.builder, w.loc, w.one(), end);
  auto loop = scf::ForOp::create(w.builder, w.loc, w.index(first), end,
                                 w.index(1), ValueRange{whole});
  w.inBlock(loop.getBody(), [&] {
    scf::YieldOp::create(
        w.builder, w.loc,
        accessAt(w, loop.getRegionIterArg(0), loop.getInductionVar()));
  });
  return loop.getResult(0);
}

/// A tensor of plain integers that elements and slices are put into at computed
/// places.
bool fuzz::makePlainTensors(Writer &w) {
  Type element = w.builder.getIntegerType(w.random.chance(60) ? 8 : 32);
  Value whole = w.find([&](RankedTensorType type) {
    return type.getElementType() == element && type.getRank() == 1 &&
           type.getDimSize(0) > 1;
  });
  if (!whole)
    whole = w.add(w.argument(w.getType({w.random.pick(2, 9)}, element)));
  int64_t extent = typeOf(whole).getDimSize(0);
  // What nobody uses may never be read: a result of `main` is used.
  bool mayLeave = w.depth == 0 && w.isInMain() && w.has(Feature::Outside);
  int64_t reach = mayLeave ? extent + w.random.pick(0, 2) : extent - 1;
  int64_t last = w.random.pick(0, reach);
  if (w.random.chance(40)) {
    whole = accessInLoop(w, whole, last);
  } else {
    // one * place, which folding does not see.
    Value place =
        arith::MulIOp::create(w.builder, w.loc, w.one(), w.index(last));
    whole = accessAt(w, whole, place);
  }
  w.add(whole);
  if (mayLeave)
    w.kept.push_back(whole);
  return true;
}

/// What queries return goes into a tensor of integers.
bool fuzz::makeQuery(Writer &w) {
  Value source = w.any();
  RankedTensorType type = typeOf(source);
  if (isa<IntegerType>(type.getElementType()))
    return false;
  static constexpr const char *names[] = {"mli.elem_count", "mli.element_size",
                                          "mli.scale", "mli.scale_shift",
                                          "mli.zero_offset"};
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  int64_t most = quantized && quantized.isPerAxis()
                     ? static_cast<int64_t>(quantized.getNumParams()) - 1
                     : 0;
  int64_t query = w.random.pick(0, 4);
  OperationState state(w.loc, names[query]);
  state.addOperands(source);
  state.addTypes(query < 2 ? Type(w.builder.getIndexType())
                           : Type(w.builder.getI32Type()));
  if (query == 0)
    state.addAttributes(w.attribute32("dim", w.random.pick(0, type.getRank())));
  if (query >= 2)
    state.addOperands(w.index(w.random.pick(0, most)));
  Value number = w.builder.create(state)->getResult(0);
  if (query < 2)
    number = arith::IndexCastOp::create(w.builder, w.loc,
                                        w.builder.getI32Type(), number);
  Value whole = w.argument(w.getType({3}, w.builder.getI32Type()));
  w.add(tensor::InsertOp::create(w.builder, w.loc, number, whole, w.one()));
  return true;
}
