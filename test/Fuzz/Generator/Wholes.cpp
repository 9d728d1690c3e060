// SPDX-License-Identifier: Apache-2.0
//
// Steps that take a tensor apart and put it together.

#include "Writer.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

/// A dimension beside the quantised axis of `type`; -1 if there is none.
static int64_t pickDim(Writer &w, RankedTensorType type) {
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  int64_t axis = quantized ? quantized.getAxis() : -1;
  int64_t dim = w.random.pick(0, type.getRank() - 1);
  if (dim != axis)
    return dim;
  return type.getRank() == 1 ? -1 : (dim + 1) % type.getRank();
}

static Value slice(Writer &w, Value source, int64_t dim, int64_t begin,
                   int64_t size) {
  SmallVector<int64_t> offsets(typeOf(source).getRank(), 0),
      sizes(typeOf(source).getShape());
  offsets[dim] = begin;
  sizes[dim] = size;
  return w.slice(source, offsets, sizes);
}

/// `whole` with `part` in it from `begin` on along `dim`.
static Value insert(Writer &w, Value part, Value whole, int64_t dim,
                    int64_t begin) {
  SmallVector<int64_t> offsets(typeOf(part).getRank(), 0),
      steps(offsets.size(), 1);
  offsets[dim] = begin;
  MLIRContext *context = w.builder.getContext();
  return tensor::InsertSliceOp::create(
      w.builder, w.loc, part, whole, getAsIndexOpFoldResult(context, offsets),
      getAsIndexOpFoldResult(context, typeOf(part).getShape()),
      getAsIndexOpFoldResult(context, steps));
}

static Value clip(Writer &w, Value value) {
  auto kind = w.random.chance(50) ? ReluKind::gen : ReluKind::none;
  return w.kernel(
      "relu", {value}, typeOf(value),
      w.attribute("relu", ReluKindAttr::get(w.builder.getContext(), kind)));
}

/// The same, computed in `place`.
static Value clipInto(Writer &w, Value value, Value place) {
  OperationState state(w.loc, ReluOp::getOperationName());
  state.addOperands({value, place});
  state.addTypes(place.getType());
  state.addAttributes(w.attribute(
      "relu", ReluKindAttr::get(w.builder.getContext(), ReluKind::gen)));
  return w.builder.create(state)->getResult(0);
}

static bool hasDims(RankedTensorType type) {
  return isMap(type) && type.getRank() > 0;
}

/// `parts` behind each other, by one operation or by one for each.
static Value join(Writer &w, ArrayRef<Value> parts, int64_t dim) {
  RankedTensorType type = typeOf(parts.front());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = 0;
  for (Value part : parts)
    shape[dim] += typeOf(part).getDimSize(dim);
  RankedTensorType whole = w.getType(shape, type.getElementType());
  if (w.random.chance(50))
    return w.add(tensor::ConcatOp::create(w.builder, w.loc, whole, dim, parts));
  Value value =
      tensor::EmptyOp::create(w.builder, w.loc, shape, type.getElementType());
  int64_t begin = 0;
  bool isMoved = w.random.chance(40) &&
                 !cast<QuantizedType>(type.getElementType()).isPerAxis();
  for (Value part : parts) {
    SmallVector<int64_t> offsets(shape.size(), 0);
    offsets[dim] = begin;
    begin += typeOf(part).getDimSize(dim);
    if (!isMoved) {
      value = insert(w, part, value, dim, offsets[dim]);
      continue;
    }
    OperationState state(w.loc, MovOp::getOperationName());
    state.addOperands({part, value});
    state.addTypes(whole);
    state.addAttributes(w.attribute("dst_offsets", offsets));
    value = w.builder.create(state)->getResult(0);
  }
  return w.add(value);
}

/// Each part of a whole is converted, and the whole again.
bool fuzz::makeConvertedParts(Writer &w) {
  Value source = w.find([](RankedTensorType type) {
    return isa<QuantizedType>(type.getElementType()) && type.getRank() > 0;
  });
  if (!source)
    return false;
  RankedTensorType type = typeOf(source);
  int64_t dim = pickDim(w, type);
  if (dim < 0)
    return false;
  static constexpr ElementKind kinds[] = {ElementKind::Sa8, ElementKind::Fx16,
                                          ElementKind::Fx8, ElementKind::Sa32};
  Type middle = w.types.getMapElement(kinds);
  SmallVector<Value> parts;
  for (int64_t begin = w.random.chance(20) ? 1 : 0,
               extent = type.getDimSize(dim);
       begin < extent;) {
    int64_t size = w.random.pick(1, extent - begin);
    parts.push_back(w.convert(slice(w, source, dim, begin, size), middle));
    // They adjoin, or nearly.
    begin += size + (w.random.chance(10) ? 1 : 0);
  }
  if (parts.empty())
    return false;
  Value whole = join(w, parts, dim);
  if (w.random.chance(80))
    w.convert(whole, w.random.chance(60) ? type.getElementType()
                                         : w.types.getMapElement(kinds));
  return true;
}

/// Parts that others read before they are put together and behind that, where
/// the whole may have been written over.
bool fuzz::makeSharedParts(Writer &w) {
  Value first = w.find(hasDims);
  if (!first)
    return false;
  RankedTensorType type = typeOf(first);
  int64_t dim = w.random.pick(0, type.getRank() - 1);
  if (type.getNumElements() > 1000)
    return false;
  SmallVector<Value> parts;
  for (int64_t i = w.random.pick(2, 3); i > 0; --i)
    parts.push_back(
        clip(w, parts.empty() || w.random.chance(50) ? first : parts.back()));
  Value computed = parts.front();
  if (w.random.chance(30))
    parts.push_back(parts.front());
  if (w.random.chance(30)) {
    // Rows of another shape.
    for (Value &part : parts)
      part = w.reshape(part, {typeOf(part).getNumElements()});
    dim = 0;
  }
  clip(w, join(w, parts, dim));
  if (w.random.chance(60))
    clip(w, computed);
  return true;
}

/// Parts that are computed one after the other into a value that is there, some
/// of them from what others put there.
bool fuzz::makeRefill(Writer &w) {
  Value whole = w.find(hasDims);
  if (!whole)
    return false;
  if (w.random.chance(40))
    whole = clip(w, whole);
  RankedTensorType type = typeOf(whole);
  int64_t dim = w.random.pick(0, type.getRank() - 1);
  int64_t extent = type.getDimSize(dim), size = (extent + 1) / 2;
  for (int64_t i = w.random.pick(2, 4); i > 0; --i) {
    Value source = slice(w, whole, dim, w.random.pick(0, extent - size), size);
    int64_t begin = w.random.pick(0, extent - size);
    if (w.random.chance(15))
      clip(w, whole);
    Value part;
    if (w.random.chance(70)) {
      // Right where it goes.
      part = clipInto(w, source, slice(w, whole, dim, begin, size));
    } else {
      part = clip(w, source);
    }
    Value former = whole;
    whole = insert(w, part, whole, dim, begin);
    if (w.random.chance(5))
      clip(w, former);
  }
  w.add(whole);
  return true;
}

/// Rows of a ring move up, and what is computed from others is put behind them.
bool fuzz::makeRing(Writer &w) {
  Value ring = w.find(hasDims);
  if (!ring)
    return false;
  if (w.random.chance(60))
    ring = clip(w, ring);
  int64_t dim = pickDim(w, typeOf(ring));
  int64_t size = dim < 0 ? 0 : typeOf(ring).getDimSize(dim);
  if (size < 2)
    return false;
  for (int64_t i = w.random.pick(1, 3); i > 0; --i) {
    int64_t rows = w.random.pick(1, size - 1);
    Value source = slice(w, ring, dim, w.random.pick(0, size - rows), rows);
    // What reads the ring as it was behind the advance, needs a copy of it.
    if (w.random.chance(60))
      source = clip(w, source);
    Value former = ring;
    ring = AdvanceOp::create(w.builder, w.loc, ring, rows, dim).getResults()[0];
    Value last = slice(w, ring, dim, size - rows, rows);
    w.values.pop_back(); // It is undefined.
    Value part =
        w.random.chance(70) ? clipInto(w, source, last) : clip(w, source);
    ring = insert(w, part, ring, dim, size - rows);
    if (w.random.chance(5))
      clip(w, former);
  }
  w.add(ring);
  return true;
}
