// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/RunLayers.h"

#include "mli/Analysis/LayerGraph.h"
#include "mli/Analysis/MovedBytes.h"
#include "mli/Analysis/RunCounts.h"
#include "mli/Calls/LocalOperand.h"
#include "mli/Execution/Trace.h"
#include "mli/IR/LayerFacts.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/LocationNames.h"
#include "mli/IR/OtherShape.h"
#include "mli/IR/PackedAttr.h"

#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using namespace mli;

static constexpr llvm::StringLiteral moveName = "mli_mov_tensor_sync";
static constexpr llvm::StringLiteral packedName = "mli_krn_packed";

//===----------------------------------------------------------------------===//
// Kernels of the network
//===----------------------------------------------------------------------===//

static ShapedType getResultType(Operation *op) {
  auto kernel = cast<DestinationStyleOpInterface>(op);
  return cast<ShapedType>(kernel.getDpsInits().front().getType());
}

static SmallVector<int64_t> getShape(Operation *op) {
  return llvm::map_to_vector(getResultType(op).getShape(), [](int64_t size) {
    return ShapedType::isDynamic(size) ? -1 : size;
  });
}

NetworkKernels::NetworkKernels(func::FuncOp function) {
  function.walk([&](KernelOpInterface op) {
    Kernel &kernel = kernels[{op->getLoc(), op->getName()}];
    if (kernel.count++ > 0)
      return;
    kernel.shape = getShape(op);
    kernel.products = countProducts(op);
  });
}

void NetworkKernels::complete(Operation *op, RunLayer &layer) const {
  auto known = kernels.find({op->getLoc(), op->getName()});
  if (known == kernels.end() || known->second.count > 1)
    return;
  layer.shape = known->second.shape;
  if (!layer.work.products)
    layer.work.products = known->second.products;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// The function of the API whose call computes `op`, on buffers; empty if there
/// is none, as for transfers between memories.
static std::string findCallee(Operation *op) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!kernel || !kernel.hasPureBufferSemantics())
    return "";
  if (getPackedLayer(op))
    return packedName.str();
  if (auto mov = dyn_cast<MovOp>(op)) {
    bool isCopy = isReshapingMove(mov) || calls::findLocalMove(mov);
    return isCopy ? "" : moveName.str();
  }
  auto computing = dyn_cast<KernelOpInterface>(op);
  if (!computing || (!computing.getFamily() && !isa<ConvertOp>(op)))
    return "";
  return calls::getCallee(computing).str();
}

static LayerWork getWork(Operation *op) {
  LayerWork work;
  work.products = countProducts(op);
  int64_t bytes = 0;
  for (Type type : op->getOperandTypes()) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref)
      continue;
    if (!memref.hasStaticShape()) {
      work.bytes = std::nullopt;
      return work;
    }
    bytes +=
        memref.getNumElements() * (elementWidth(memref.getElementType()) / 8);
  }
  work.bytes = bytes;
  return work;
}

static void add(std::optional<int64_t> &sum, std::optional<int64_t> more) {
  sum = sum && more ? std::optional(*sum + *more) : std::nullopt;
}

LayerWork &LayerWork::operator+=(const LayerWork &more) {
  add(products, more.products);
  add(bytes, more.bytes);
  return *this;
}

namespace {

/// Follows one run of a function.
class LayerFinder {
public:
  explicit LayerFinder(const NetworkKernels &kernels) : kernels(kernels) {}

  void follow(func::FuncOp function);
  RunLayers take();

private:
  void visit(Operation *op);
  size_t addCall(Operation *op);
  size_t findLayer(Operation *op, StringRef callee);

  const NetworkKernels &kernels;
  RunLayers found;
  bool isFollowed = true;
  /// The functions around what is visited: none of them is called again.
  llvm::SmallPtrSet<Operation *, 4> followed;
  /// The number of the call of each operation; none if it makes none.
  llvm::DenseMap<Operation *, std::optional<size_t>> known;
  /// The layers by the function and place of their operations, and one of
  /// these.
  std::map<std::tuple<Operation *, const void *, StringRef, std::string>,
           size_t>
      places;
  SmallVector<Operation *> examples;
  LayerKeys keys;
};

} // namespace

size_t LayerFinder::findLayer(Operation *op, StringRef callee) {
  // Nothing tells operations without a place apart but that they are others.
  Location loc = op->getLoc();
  const void *place = describePlace(loc).empty() ? static_cast<const void *>(op)
                                                 : loc.getAsOpaquePointer();
  auto [entry, isNew] =
      places.try_emplace({op->getParentOfType<func::FuncOp>(), place,
                          op->getName().stripDialect(), callee.str()},
                         found.layers.size());
  if (isNew) {
    found.layers.push_back({keys.get(op),
                            describePlace(op),
                            op->getName().stripDialect().str(),
                            getShape(op),
                            {},
                            0});
    examples.push_back(op);
  }
  return entry->second;
}

size_t LayerFinder::addCall(Operation *op) {
  std::string callee = findCallee(op);
  found.calls.push_back({findLayer(op, callee), callee, getWork(op)});
  return found.calls.size() - 1;
}

void LayerFinder::visit(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    return follow(callee);
  }
  auto [entry, isNew] = known.try_emplace(op);
  if (isNew && !findCallee(op).empty())
    entry->second = addCall(op);
  if (!entry->second)
    return;
  const LayerCall &call = found.calls[*entry->second];
  RunLayer &layer = found.layers[call.layer];
  ++layer.calls;
  layer.work += call.work;
  found.order.push_back(*entry->second);
}

void LayerFinder::follow(func::FuncOp function) {
  if (!followed.insert(function).second) {
    isFollowed = false;
    return;
  }
  RunCounts counts(
      function,
      [&](Operation *op, int64_t times) {
        isFollowed &= times == 1;
        visit(op);
      },
      RunCounts::Loops::InOrder);
  followed.erase(function);
}

RunLayers LayerFinder::take() {
  for (auto [op, layer] : llvm::zip_equal(examples, found.layers))
    kernels.complete(op, layer);
  // Without all of them, no order is that of a run.
  if (!isFollowed)
    found.order.clear();
  return std::move(found);
}

/// What `op` of a schedule is for readers.
static EstimatedStep describeStep(const ScheduledOp &step, LayerKeys &keys) {
  LayerWork work = getWork(step.op);
  if (step.isTransfer)
    work.bytes = getMovedBytes(cast<MovOp>(step.op));
  return {keys.get(step.op),
          describePlace(step.op),
          step.op->getName().stripDialect().str(),
          step.isTransfer,
          work,
          step.begin,
          step.end};
}

RunLayers mli::findLayers(func::FuncOp function, const NetworkKernels &kernels,
                          const Schedule &schedule) {
  LayerFinder finder(kernels);
  finder.follow(function);
  RunLayers layers = finder.take();
  layers.estimate = describeSchedule(schedule);
  return layers;
}

std::vector<EstimatedStep> mli::describeSchedule(const Schedule &schedule) {
  std::vector<EstimatedStep> steps;
  steps.reserve(schedule.size());
  LayerKeys keys;
  for (const ScheduledOp &step : schedule)
    steps.push_back(describeStep(step, keys));
  return steps;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Whether `function`, which a run called, is that of `call`.
static bool isCallOf(StringRef function, const LayerCall &call) {
  return function == call.function ||
         (call.function == packedName && function.starts_with(packedName));
}

llvm::Expected<std::vector<const LayerCall *>>
mli::matchCalls(const RunLayers &layers, StringRef name,
                ArrayRef<std::string> functions) {
  std::vector<const LayerCall *> matched(functions.size());
  size_t next = 0;
  bool isMatched = true;
  for (auto [function, call] : llvm::zip_equal(functions, matched)) {
    if (getCallKind(function) != CallKind::Kernel && function != moveName)
      continue;
    isMatched = next < layers.order.size() &&
                isCallOf(function, layers.calls[layers.order[next]]);
    if (!isMatched)
      break;
    call = &layers.calls[layers.order[next++]];
  }
  if (isMatched && next == layers.order.size())
    return matched;
  return llvm::createStringError(
      "expected the loops and conditions of '" + name +
      "' to be known when it is compiled, to measure its layers, but got calls "
      "that depend on data, or more than " +
      llvm::formatv("{0:N}", RunCounts::maxIterations).str() + " iterations");
}
