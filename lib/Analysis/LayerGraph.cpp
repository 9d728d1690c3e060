// SPDX-License-Identifier: Apache-2.0
//
// Finds the layers of a function by the places of its operations, and their
// inputs by following what was written to buffers.

#include "mli/Analysis/LayerGraph.h"

#include "mli/Analysis/BufferNames.h"
#include "mli/Analysis/RunCounts.h"
#include "mli/IR/LayerFacts.h"
#include "mli/IR/LayerName.h"
#include "mli/IR/LocationNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mli;

static bool isMove(Operation *op) {
  return isa<MovOp, AdvanceOp, memref::CopyOp>(op);
}

/// Whether `op` is a step of a function, as FunctionSteps.h has them.
static bool isStep(Operation *op) {
  return isMove(op) || isa<KernelOpInterface, func::CallOp>(op);
}

namespace {

/// Finds the layers of one function.
class LayerGraph {
public:
  LayerGraph(func::FuncOp function, const BufferLifetimes &lifetimes);
  std::vector<NetworkLayer> take();

private:
  using Layers = llvm::SmallSetVector<size_t, 4>;

  void addLayers(ArrayRef<Operation *> steps);
  void addStep(Operation *op, NetworkLayer &layer);
  void addText(Operation *op, NetworkLayer &layer);
  void addMoved(Operation *op, NetworkLayer &layer) const;

  /// The layers that have written buffers, all buffers together.
  size_t countWriters() const;
  void follow(Operation *op);
  /// What wrote the buffer of `value`; null if it is no buffer that is known.
  Layers *findWriters(Value value);
  void read(Operation *op, ValueRange values);
  void write(Operation *op, ValueRange values);
  void transfer(Value from, Value to);
  void followCall(func::CallOp call);

  LayerKeys layerKeys;
  std::function<std::string(Operation *)> describe;
  RunCounts counts;
  std::vector<NetworkLayer> layers;
  /// The number of the layer of each step.
  llvm::DenseMap<Operation *, size_t> layerOf;
  /// The layer that each text is of, or of which more than one has it.
  llvm::StringMap<std::optional<const NetworkLayer *>> textOwners;
  /// Layers that have a kernel, not moves alone.
  llvm::DenseSet<size_t> computing;
  std::vector<Layers> inputs;
  /// The buffer that each value is a view of, and the layers that wrote it.
  llvm::DenseMap<Value, size_t> buffers;
  std::vector<Layers> writers;
};

} // namespace

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

LayerKey LayerKeys::get(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  LayerKey key{function.getSymName().str(), describePlace(op->getLoc())};
  if (!key.text.empty())
    return key;
  auto &describe = texts[function];
  if (!describe)
    describe = getLayerTexts(function);
  key.text = describe(op);
  return key;
}

static std::string getKind(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return ("call " + call.getCallee()).str();
  return isMove(op) ? "mov" : op->getName().stripDialect().str();
}

/// Names `layer` by its step `op`, which may be one of many.
void LayerGraph::addStep(Operation *op, NetworkLayer &layer) {
  std::string kind = getKind(op);
  // Conversions of what goes in or comes out are not what a layer is called.
  bool isNameless = llvm::all_of(layer.kernels, [&](StringRef other) {
    return other == "convert" && kind != "convert";
  });
  if (!llvm::is_contained(layer.kernels, kind))
    layer.kernels.push_back(kind);
  if (!isNameless)
    return;
  LayerName name = getLayerName(op->getLoc());
  layer.place = describePlace(op);
  layer.label = name.name.str();
  if (!name.empty() && !name.op.empty())
    layer.name = describeLayer(name.op.lower(), name);
  else if (isa<KernelOpInterface>(op))
    layer.name = describe(op);
  else
    layer.name = describeKernel(op);
}

/// Finds the layers of all `steps`. Moves for a kernel come before it, but
/// belong to it: where there is a kernel, moves make no layer.
void LayerGraph::addLayers(ArrayRef<Operation *> steps) {
  SmallVector<LayerKey> keys;
  llvm::StringSet<> kernelKeys;
  for (Operation *op : steps) {
    keys.push_back(layerKeys.get(op));
    if (!isMove(op))
      kernelKeys.insert(keys.back().text);
  }
  llvm::StringMap<size_t> numbers;
  for (auto [op, key] : llvm::zip_equal(steps, keys)) {
    if (isMove(op) && kernelKeys.contains(key.text))
      continue;
    auto [number, isNew] = numbers.try_emplace(key.text, layers.size());
    if (isNew)
      layers.emplace_back().key = key;
    if (!isMove(op))
      computing.insert(number->second);
    addStep(op, layers[number->second]);
  }
  for (auto [op, key] : llvm::zip_equal(steps, keys))
    layerOf[op] = numbers.lookup(key.text);
}

void LayerGraph::addText(Operation *op, NetworkLayer &layer) {
  std::string text = describe(op);
  auto [owner, isNew] = textOwners.try_emplace(text, &layer);
  if (isNew)
    layer.texts.push_back(std::move(text));
  else if (owner->second != &layer)
    owner->second = std::nullopt;
}

void LayerGraph::addMoved(Operation *op, NetworkLayer &layer) const {
  int64_t runs = counts.of(op);
  MovedBytes moved = getTransferredBytes(op);
  layer.moved.in += moved.in * runs;
  layer.moved.out += moved.out * runs;
  auto mov = dyn_cast<MovOp>(op);
  if (!mov || !mov.getReason() || !mov.getInit().getType().hasStaticShape())
    return;
  StringRef reason = stringifyCopyReason(*mov.getReason());
  auto known = llvm::find_if(layer.copies, [&](const LayerCopies &copies) {
    return copies.reason == reason;
  });
  if (known == layer.copies.end())
    known = layer.copies.insert(known, {reason.str(), 0});
  known->bytes += getMovedBytes(mov) * runs;
}

LayerGraph::LayerGraph(func::FuncOp function, const BufferLifetimes &lifetimes)
    : describe(getLayerTexts(function)), counts(function) {
  for (const LiveRange &range :
       llvm::concat<const LiveRange>(lifetimes.ranges, lifetimes.arguments)) {
    for (Value alias : range.aliases)
      buffers.try_emplace(alias, writers.size());
    buffers.try_emplace(range.buffer, writers.size());
    writers.emplace_back();
  }
  SmallVector<Operation *> steps;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isStep(op))
      steps.push_back(op);
  });
  addLayers(steps);
  inputs.resize(layers.size());
  for (auto [i, op] : llvm::enumerate(steps)) {
    NetworkLayer &layer = layers[layerOf.lookup(op)];
    layer.steps.push_back(i);
    addText(op, layer);
    addMoved(op, layer);
  }
  // In loops that run ahead, what is written is read further up.
  size_t before;
  do {
    before = countWriters();
    llvm::for_each(steps, [&](Operation *op) { follow(op); });
  } while (countWriters() > before);
}

std::vector<NetworkLayer> LayerGraph::take() {
  for (auto [layer, found] : llvm::zip_equal(layers, inputs)) {
    layer.inputs.assign(found.begin(), found.end());
    llvm::sort(layer.inputs);
    llvm::erase_if(layer.texts, [&](const std::string &text) {
      return !textOwners.lookup(text);
    });
  }
  return std::move(layers);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

size_t LayerGraph::countWriters() const {
  size_t count = 0;
  for (const Layers &written : writers)
    count += written.size();
  return count;
}

LayerGraph::Layers *LayerGraph::findWriters(Value value) {
  auto buffer = buffers.find(value);
  return buffer == buffers.end() ? nullptr : &writers[buffer->second];
}

void LayerGraph::read(Operation *op, ValueRange values) {
  size_t reader = layerOf.lookup(op);
  for (Value value : values)
    if (const Layers *written = findWriters(value))
      for (size_t writer : *written)
        if (writer < reader)
          inputs[reader].insert(writer);
}

void LayerGraph::write(Operation *op, ValueRange values) {
  for (Value value : values)
    if (Layers *written = findWriters(value))
      written->insert(layerOf.lookup(op));
}

void LayerGraph::transfer(Value from, Value to) {
  const Layers *source = findWriters(from);
  Layers *target = findWriters(to);
  if (source && target && source != target)
    target->insert(source->begin(), source->end());
}

/// A function reads what something has written, and writes the rest.
void LayerGraph::followCall(func::CallOp call) {
  for (Value value : call.getOperands()) {
    const Layers *written = findWriters(value);
    if (!written)
      continue;
    bool isRead = isa<BlockArgument>(value) || !written->empty();
    isRead ? read(call, value) : write(call, value);
  }
}

void LayerGraph::follow(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return followCall(call);
  bool isTransfer = isMove(op) && computing.contains(layerOf.lookup(op));
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return transfer(copy.getSource(), copy.getTarget());
  auto step = dyn_cast<DestinationStyleOpInterface>(op);
  if (!step || isa<AdvanceOp>(op))
    return;
  if (isTransfer)
    return transfer(cast<MovOp>(op).getInput(), cast<MovOp>(op).getInit());
  SmallVector<Value> values;
  for (OpOperand *operand : step.getDpsInputOperands())
    values.push_back(operand->get());
  read(op, values);
  // What a kernel computes in place replaces what it reads.
  for (Value init : step.getDpsInits()) {
    bool isInPlace = llvm::any_of(values, [&](Value value) {
      return stripReshapes(value) == stripReshapes(init);
    });
    Layers *written = findWriters(init);
    if (written && isInPlace)
      written->clear();
  }
  write(op, step.getDpsInits());
}

std::vector<NetworkLayer>
mli::findNetworkLayers(func::FuncOp function,
                       const BufferLifetimes &lifetimes) {
  return LayerGraph(function, lifetimes).take();
}
