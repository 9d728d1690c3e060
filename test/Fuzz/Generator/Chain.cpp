// SPDX-License-Identifier: Apache-2.0
//
// Kernels on feature maps in a row, with skips and branches that meet again:
// what can be computed row by row.

#include "Layers.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

namespace {

/// What a link of a chain does with the last map.
enum class Link {
  Meet,
  Branch,
  Convolve,
  Pool,
  Relu,
  Slopes,
  Activation,
  Scalar,
  Convert
};

class Chain {
public:
  explicit Chain(Writer &writer);

  /// Adds a kernel; false if it fits nothing that is there.
  bool addKernel();
  /// Returns some of the maps from `main`, too.
  void keepMaps();

private:
  int64_t getExtent(unsigned dim) const { return typeOf(map).getDimSize(dim); }
  ElementKind getElementKind() const {
    return *getKind(typeOf(map).getElementType());
  }
  WindowChoice chooseTowards(int64_t extent, int64_t wanted,
                             llvm::function_ref<WindowChoice(int64_t)> choose);
  MapWindows chooseWindows(bool isTransposed, bool hasDilation);
  Value convolve();
  Value meet();
  Value combine(Value other);
  Value addElementwise(Link link, Value input);
  Value addLink(Link link);

  Writer &w;
  /// The maps so far, and the one that goes on.
  SmallVector<Value> maps;
  Value map;
};

} // namespace

Chain::Chain(Writer &writer) : w(writer) {
  map = w.find([](RankedTensorType type) {
    return isMap(type) && type.getRank() == 3 && type.getDimSize(0) <= 40 &&
           type.getDimSize(1) <= 9 && type.getDimSize(2) <= 8;
  });
  if (!map || w.random.chance(60)) {
    int64_t rows = w.random.pick(1, w.random.chance(60) ? 12 : 40);
    map = w.add(w.source(w.getType(
        {rows, w.random.pick(1, 9), w.random.pick(1, 5)},
        w.types.getMapElement({ElementKind::Sa8, ElementKind::Sa8,
                               ElementKind::Sa8, ElementKind::Fx16}))));
  }
  maps.push_back(map);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// A window over `extent` elements that gives `wanted` ones, if one of some
/// does.
WindowChoice
Chain::chooseTowards(int64_t extent, int64_t wanted,
                     llvm::function_ref<WindowChoice(int64_t)> choose) {
  WindowChoice window = choose(extent);
  for (int64_t tries = 0; tries < 30 && window.output != wanted; ++tries)
    window = choose(extent);
  return window;
}

/// Any windows, or such that the result meets the last map, or an older one.
MapWindows Chain::chooseWindows(bool isTransposed, bool hasDilation) {
  auto choose = [&](int64_t extent) {
    return isTransposed ? chooseTransposedWindow(w.random, extent)
                        : chooseWindow(w.random, extent, hasDilation);
  };
  if (w.random.chance(25))
    return {choose(getExtent(0)), choose(getExtent(1))};
  RankedTensorType wanted =
      typeOf(w.random.chance(70) ? map : w.random.pick(ArrayRef<Value>(maps)));
  return {chooseTowards(getExtent(0), wanted.getDimSize(0), choose),
          chooseTowards(getExtent(1), wanted.getDimSize(1), choose)};
}

Value Chain::convolve() {
  if (getElementKind() == ElementKind::Fx8)
    return {};
  static constexpr ConvolutionKind kinds[] = {
      ConvolutionKind::Plain,     ConvolutionKind::Plain,
      ConvolutionKind::Plain,     ConvolutionKind::Depthwise,
      ConvolutionKind::Depthwise, ConvolutionKind::Grouped,
      ConvolutionKind::Transposed};
  ConvolutionKind kind = w.random.pick(ArrayRef(kinds));
  int64_t filters = w.random.chance(60) ? getExtent(2) : w.random.pick(1, 6);
  MapWindows windows = chooseWindows(kind == ConvolutionKind::Transposed,
                                     /*hasDilation=*/true);
  return addConvolution(w, map, {kind, windows, filters});
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// The last map and `other`, of its shape or a scalar, element by element.
Value Chain::combine(Value other) {
  bool mayCompare =
      typeOf(map).getElementType() == typeOf(other).getElementType();
  auto kind = static_cast<EltwiseKind>(w.random.pick(0, mayCompare ? 4 : 2));
  return addEltwise(w, kind, map, other);
}

/// The last map together with an older one of its shape: a skip, or the end of
/// a branch. Null if there is none.
Value Chain::meet() {
  SmallVector<Value> fitting;
  for (Value older : maps)
    if (older != map && typeOf(older).getShape() == typeOf(map).getShape() &&
        getKind(typeOf(older).getElementType()) == getElementKind())
      fitting.push_back(older);
  if (fitting.empty())
    return {};
  return combine(w.random.pick(ArrayRef<Value>(fitting)));
}

Value Chain::addElementwise(Link link, Value input) {
  switch (link) {
  case Link::Relu:
    return addRelu(w, input);
  case Link::Slopes:
    return addSlopes(w, input);
  case Link::Activation:
    return addActivation(w, input);
  default:
    return w.convert(
        input, w.types.getMapElement({ElementKind::Sa8, ElementKind::Sa8,
                                      ElementKind::Fx16, ElementKind::Fx8}));
  }
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

Value Chain::addLink(Link link) {
  switch (link) {
  case Link::Meet:
    return meet();
  case Link::Branch:
    map = w.random.pick(ArrayRef<Value>(maps));
    return {};
  case Link::Convolve:
    return convolve();
  case Link::Pool: {
    bool isAverage = w.random.chance(50);
    return addPool(
        w, map, isAverage,
        chooseWindows(/*isTransposed=*/false, /*hasDilation=*/false));
  }
  case Link::Scalar: {
    // Of two scalars the result has the shape of the second.
    if (typeOf(map).getNumElements() == 1)
      return {};
    RankedTensorType type = w.getType({}, typeOf(map).getElementType());
    return combine(w.constant(type, w.types.getValues(type)));
  }
  default:
    break;
  }
  // As networks of batches of one have it.
  if (!w.random.chance(20))
    return addElementwise(link, map);
  SmallVector<int64_t> shape(typeOf(map).getShape()), batch = {1};
  batch.append(shape);
  return w.reshape(addElementwise(link, w.reshape(map, batch)), shape);
}

bool Chain::addKernel() {
  static constexpr Link links[] = {
      Link::Convolve, Link::Convolve, Link::Convolve,   Link::Convolve,
      Link::Convolve, Link::Convolve, Link::Convolve,   Link::Convolve,
      Link::Pool,     Link::Pool,     Link::Pool,       Link::Meet,
      Link::Meet,     Link::Meet,     Link::Meet,       Link::Branch,
      Link::Relu,     Link::Slopes,   Link::Activation, Link::Scalar,
      Link::Convert};
  Value next = addLink(w.random.pick(ArrayRef(links)));
  if (!next)
    return false;
  map = next;
  maps.push_back(map);
  return true;
}

void Chain::keepMaps() {
  for (Value value : maps)
    if (value.getDefiningOp() && w.random.chance(6))
      w.kept.push_back(value);
}

bool fuzz::makeChain(Writer &w) {
  // Streams are formed where functions are not nested.
  if (w.depth > 0)
    return false;
  Chain chain(w);
  int64_t count = w.random.pick(3, 14);
  for (int64_t i = 0, tries = 0; i < count && tries < 5 * count; ++tries)
    i += chain.addKernel() ? 1 : 0;
  if (w.isInMain())
    chain.keepMaps();
  return true;
}
