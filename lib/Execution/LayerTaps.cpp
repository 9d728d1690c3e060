// SPDX-License-Identifier: Apache-2.0

#include "LayerTaps.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/Analysis/LayerGraph.h"
#include "mli/Execution/Program.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/LocationNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The entry of a location's dictionary that has the number of a layer.
static constexpr StringLiteral layerKey = "mli.layer";

bool mli::isLayer(Operation *op) {
  // Those on buffers have no results.
  if (!isComputingKernel(op) || op->getNumResults() == 0)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && type.hasStaticShape() && getHostElement(type.getElementType());
}

std::vector<RecordedLayer> mli::numberLayers(func::FuncOp function) {
  std::vector<RecordedLayer> layers;
  Builder builder(function.getContext());
  function.walk([&](Operation *op) {
    if (!isLayer(op))
      return;
    RecordedLayer layer;
    layer.index = layers.size();
    layer.kernel = op->getName().stripDialect().str();
    layer.name = describePlace(op->getLoc());
    layer.key = {function.getSymName().str(),
                 layer.name.empty()
                     ? layer.kernel + " " + std::to_string(layer.index)
                     : layer.name};
    layer.type = cast<RankedTensorType>(op->getResult(0).getType());
    auto number = builder.getDictionaryAttr(
        builder.getNamedAttr(layerKey, builder.getI64IntegerAttr(layer.index)));
    if (op->getParentOp() != function)
      layer.obstacle = "only that of one iteration is there at one time";
    op->setLoc(FusedLoc::get(builder.getContext(), {op->getLoc()}, number));
    layers.push_back(std::move(layer));
  });
  return layers;
}

/// The number that `numberLayers` noted in `loc`.
static std::optional<unsigned> findNumber(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  if (!fused)
    return std::nullopt;
  if (auto entries = dyn_cast_or_null<DictionaryAttr>(fused.getMetadata()))
    if (auto number = entries.getAs<IntegerAttr>(layerKey))
      return number.getInt();
  for (Location part : fused.getLocations())
    if (std::optional<unsigned> number = findNumber(part))
      return number;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

namespace {

/// The view that holds the whole result of a layer, and the operations of the
/// function's body in which it is written.
struct Tap {
  Value view;
  Operation *first, *last;
};

/// Finds the taps of one function.
class TapFinder {
public:
  TapFinder(func::FuncOp function, ArrayRef<RecordedLayer> layers)
      : body(&function.getBody().front()), layers(layers) {}

  /// The taps of all layers that have one, in order.
  llvm::MapVector<unsigned, Tap> find();

private:
  const RecordedLayer *findLayer(Operation *op) const;
  Value findResultView(Value view, RankedTensorType type) const;
  void addKernel(Operation *op);
  void addMove(MovOp move);
  void addTap(llvm::MapVector<unsigned, Tap> &taps, unsigned layer, Value view,
              Operation *writer) const;
  bool isOverwritten(unsigned layer, const Tap &tap) const;

  Block *body;
  ArrayRef<RecordedLayer> layers;
  /// Taps where kernels write, and where tiles of what they write are moved to.
  llvm::MapVector<unsigned, Tap> written, moved;
  /// The buffers of tiles, and the layers that write them; more than one are
  /// none.
  llvm::DenseMap<Value, std::optional<unsigned>> tiles;
  /// Layers with results in places that do not agree.
  llvm::DenseSet<unsigned> scattered;
};

} // namespace

/// The layer that `op` computes, or a tile of it.
const RecordedLayer *TapFinder::findLayer(Operation *op) const {
  if (!isComputingKernel(op))
    return nullptr;
  std::optional<unsigned> number = findNumber(op->getLoc());
  if (!number || *number >= layers.size() ||
      layers[*number].kernel != op->getName().stripDialect())
    return nullptr;
  return &layers[*number];
}

bool mli::isSameShape(ArrayRef<int64_t> shape, ArrayRef<int64_t> other) {
  auto isMore = [](int64_t extent) { return extent != 1; };
  return llvm::equal(llvm::make_filter_range(shape, isMore),
                     llvm::make_filter_range(other, isMore));
}

/// The outermost of `view` and what it is a view of that is there in the body
/// and has the elements of `type`; null if none has.
Value TapFinder::findResultView(Value view, RankedTensorType type) const {
  Value whole;
  while (view) {
    auto memref = cast<MemRefType>(view.getType());
    if (isSameShape(memref.getShape(), type.getShape()) &&
        memref.getElementType() == type.getElementType() &&
        view.getParentBlock() == body)
      whole = view;
    auto op = view.getDefiningOp<ViewLikeOpInterface>();
    view = op ? op.getViewSource() : Value();
  }
  return whole;
}

void TapFinder::addTap(llvm::MapVector<unsigned, Tap> &taps, unsigned layer,
                       Value view, Operation *writer) const {
  writer = body->findAncestorOpInBlock(*writer);
  auto [it, isNew] = taps.insert({layer, {view, writer, writer}});
  it->second.last = writer;
  if (it->second.view != view)
    it->second.view = {};
}

void TapFinder::addKernel(Operation *op) {
  const RecordedLayer *layer = findLayer(op);
  if (!layer)
    return;
  Value out = cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0)->get();
  if (Value whole = findResultView(out, layer->type)) {
    addTap(written, layer->index, whole, op);
    return;
  }
  scattered.insert(layer->index);
  auto [it, isNew] = tiles.try_emplace(findViewRoot(out), layer->index);
  if (it->second != layer->index)
    it->second = std::nullopt;
}

/// Takes `move` as one of a tile to where the whole result is, if it is that.
void TapFinder::addMove(MovOp move) {
  auto tile = tiles.find(findViewRoot(move.getInput()));
  bool isPlain = move.getPermutation().empty() && move.getSteps().empty() &&
                 move.getPadLow().empty() && move.getPadHigh().empty();
  if (tile == tiles.end() || !tile->second || !isPlain)
    return;
  unsigned layer = *tile->second;
  if (Value whole = findResultView(move.getInit(), layers[layer].type))
    addTap(moved, layer, whole, move);
}

/// Whether another layer writes where `tap` is while it is written.
bool TapFinder::isOverwritten(unsigned layer, const Tap &tap) const {
  auto isAtOnce = [&](const auto &entry) {
    const auto &[other, second] = entry;
    return other != layer && second.view &&
           stripReshapes(second.view) == stripReshapes(tap.view) &&
           !second.last->isBeforeInBlock(tap.first) &&
           !tap.last->isBeforeInBlock(second.first);
  };
  return llvm::any_of(written, isAtOnce) || llvm::any_of(moved, isAtOnce);
}

llvm::MapVector<unsigned, Tap> TapFinder::find() {
  body->walk([&](Operation *op) { addKernel(op); });
  body->walk([&](MovOp move) { addMove(move); });
  llvm::MapVector<unsigned, Tap> taps;
  for (const RecordedLayer &layer : layers) {
    auto &from = scattered.contains(layer.index) ? moved : written;
    auto *it = from.find(layer.index);
    if (it != from.end() && it->second.view &&
        !isOverwritten(layer.index, it->second))
      taps.insert(*it);
  }
  return taps;
}

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

/// Appends an argument for `layer` to `function`, and moves its result there.
static void addTap(func::FuncOp function, RecordedLayer &layer,
                   const Tap &tap) {
  layer.describeElement = describeElements(tap.view, layer.type.getShape());
  auto type =
      MemRefType::get(layer.type.getShape(), layer.type.getElementType());
  unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, type, /*argAttrs=*/{},
                                function.getLoc());
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfter(tap.last);
  Location loc = tap.last->getLoc();
  Value record = function.getArgument(number);
  auto view = cast<MemRefType>(tap.view.getType());
  if (view.getShape() != type.getShape())
    record = ReshapeOp::create(
        builder, loc,
        ReshapeOp::inferViewType(type, view.getShape(), view.getElementType()),
        record);
  MovOp::create(builder, loc, tap.view, record);
}

/// Sets the keys of those of `layers` that kernels of `function` compute.
static void findKeys(func::FuncOp function,
                     std::vector<RecordedLayer> &layers) {
  LayerKeys keys;
  llvm::BitVector isFound(layers.size());
  function.walk([&](KernelOpInterface op) {
    std::optional<unsigned> number = findNumber(op->getLoc());
    if (!number || *number >= layers.size() || isFound.test(*number))
      return;
    isFound.set(*number);
    layers[*number].key = keys.get(op);
  });
}

void mli::tapLayers(func::FuncOp function, std::vector<RecordedLayer> &layers) {
  findKeys(function, layers);
  llvm::MapVector<unsigned, Tap> taps = TapFinder(function, layers).find();
  for (RecordedLayer &layer : layers) {
    auto *it = taps.find(layer.index);
    if (!layer.obstacle.empty())
      continue;
    if (it != taps.end())
      addTap(function, layer, it->second);
    else
      layer.obstacle = "only parts of it are there at one time";
  }
}
