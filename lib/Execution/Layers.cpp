// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Layers.h"

#include "LayerTaps.h"

#include "mli/IR/LayerName.h"
#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mli;

namespace {
/// A kernel and the record of what it should give.
struct Layer {
  Operation *kernel;
  const LayerRecord *record;
  const LayerRule *rule;
  /// The recorded value: of the kernel, or of the ReLU after it.
  Value result;
  /// A function of its own: what it takes, each an argument of the network or
  /// the result of another layer.
  std::string name;
  llvm::SetVector<Value> inputs;
};
} // namespace

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

static std::string describeOp(Operation *op) {
  std::string text = describeLayer(op);
  if (!text.empty())
    return text;
  llvm::raw_string_ostream(text)
      << "'" << op->getName() << "' at " << op->getLoc();
  return text;
}

/// All kernels of `entry`, which have to be in its body itself.
static llvm::Expected<SmallVector<Operation *>>
findKernels(func::FuncOp entry) {
  SmallVector<Operation *> kernels;
  Operation *nested = nullptr;
  entry.walk([&](Operation *op) {
    if (!isLayer(op))
      return;
    kernels.push_back(op);
    if (op->getBlock() != &entry.getBody().front())
      nested = op;
  });
  if (nested)
    return llvm::createStringError(
        "expected kernels in the body of the function, but got " +
        describeOp(nested) + " inside of '" +
        nested->getParentOp()->getName().getStringRef() + "'");
  return kernels;
}

/// The next record at or after `next` of an operator that computes.
static llvm::Expected<const LayerRecord *>
nextRecord(ArrayRef<LayerRecord> records, size_t &next) {
  for (; next < records.size(); ++next) {
    const LayerRecord &record = records[next];
    if (findLayerRule(record.op))
      return &record;
    if (!isMovingOp(record.op))
      return llvm::createStringError("expected the operator of '" +
                                     record.file + "' to be known, but got '" +
                                     record.op + "'");
  }
  return nullptr;
}

/// The value that `kernel` computes for the operator of `record`: its result,
/// or the conversion of it where it computes in another type.
static Value findResult(Operation *kernel, const LayerRecord &record) {
  Value result = kernel->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  if (getHostElement(type.getElementType()) == record.value.element ||
      !result.hasOneUse())
    return result;
  auto convert = dyn_cast<ConvertOp>(*result.user_begin());
  return convert ? convert.getResult(0) : result;
}

/// Checks that `record` holds as many elements of the type of `result`, which
/// `kernel` gives.
static llvm::Error checkRecord(Operation *kernel, Value result,
                               const LayerRecord &record) {
  auto type = cast<RankedTensorType>(result.getType());
  int64_t size = type.hasStaticShape() ? type.getNumElements() : -1;
  std::optional<HostElement> element = getHostElement(type.getElementType());
  if (!element || *element != record.value.element)
    return llvm::createStringError(
        "expected '" + record.file + "' to have elements of type " +
        (element ? getElementName(*element) : "none") + " for " +
        describeOp(kernel) + ", but got " +
        getElementName(record.value.element));
  if (size != static_cast<int64_t>(record.value.getNumElements()))
    return llvm::createStringError("expected '" + record.file + "' to have " +
                                   Twine(size) + " elements for " +
                                   describeOp(kernel) + ", but got " +
                                   Twine(record.value.getNumElements()));
  return llvm::Error::success();
}

/// Whether `kernel`, which has no record, is the ReLU of the layer `before` it.
static bool isReluOf(const Layer &before, Operation *kernel) {
  return isa<ReluOp>(kernel) && before.result.hasOneUse() &&
         *before.result.user_begin() == kernel;
}

/// `next` becomes the place of the first record after those of the layers.
static llvm::Expected<std::vector<Layer>>
pairLayers(func::FuncOp entry, ArrayRef<LayerRecord> records, size_t &next) {
  auto kernels = findKernels(entry);
  if (!kernels)
    return kernels.takeError();
  std::vector<Layer> layers;
  next = 0;
  llvm::DenseSet<Value> results;
  for (Operation *kernel : *kernels) {
    if (results.contains(kernel->getResult(0)))
      continue;
    auto record = nextRecord(records, next);
    if (!record)
      return record.takeError();
    const LayerRule *rule = *record ? findLayerRule((*record)->op) : nullptr;
    StringRef name = kernel->getName().getStringRef();
    if (!rule || !rule->allowsKernel((*record)->op, name)) {
      if (!layers.empty() && isReluOf(layers.back(), kernel))
        layers.back().result = kernel->getResult(0);
      if (isa<ConvertOp, ReluOp>(kernel))
        continue;
      return llvm::createStringError(
          "expected a record of " + describeOp(kernel) + ", but got " +
          (*record ? "'" + (*record)->file + "'" : "none any more"));
    }
    Value result = findResult(kernel, **record);
    if (llvm::Error error = checkRecord(kernel, result, **record))
      return error;
    results.insert(result);
    layers.push_back({kernel,
                      *record,
                      rule,
                      result,
                      "layer_" + std::to_string((*record)->index),
                      {}});
    ++next;
  }
  return layers;
}

llvm::Expected<std::vector<const LayerRecord *>>
mli::pairRecords(func::FuncOp entry, ArrayRef<LayerRecord> records) {
  size_t next;
  auto layers = pairLayers(entry, records, next);
  if (!layers)
    return layers.takeError();
  std::vector<const LayerRecord *> pairs;
  entry.walk([&](Operation *op) {
    if (!isLayer(op))
      return;
    auto layer = llvm::find_if(*layers, [&](const Layer &other) {
      return other.result == op->getResult(0);
    });
    pairs.push_back(layer == layers->end() ? nullptr : layer->record);
  });
  return pairs;
}

//===----------------------------------------------------------------------===//
// One function for each layer
//===----------------------------------------------------------------------===//

/// The operations that compute `layer.result`, back to recorded values and
/// arguments of the network, which become `layer.inputs`.
static llvm::DenseSet<Operation *>
collectProducers(Layer &layer, const llvm::DenseSet<Value> &recorded) {
  llvm::DenseSet<Operation *> producers;
  SmallVector<Operation *> worklist = {layer.result.getDefiningOp()};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!producers.insert(op).second)
      continue;
    // Operations with regions read from outside of them as well.
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (producer ? op->isProperAncestor(producer)
                     : op->isAncestor(operand.getParentBlock()->getParentOp()))
          continue;
        if (!producer || recorded.contains(operand))
          layer.inputs.insert(operand);
        else
          worklist.push_back(producer);
      }
    });
  }
  return producers;
}

/// Adds a function to `module` that computes `layer` alone.
static void addFunction(ModuleOp module, func::FuncOp entry, Layer &layer,
                        const llvm::DenseSet<Value> &recorded) {
  llvm::DenseSet<Operation *> producers = collectProducers(layer, recorded);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = layer.kernel->getLoc();
  SmallVector<Type> types(llvm::map_range(
      layer.inputs, [](Value input) { return input.getType(); }));
  auto function = func::FuncOp::create(
      builder, loc, layer.name,
      builder.getFunctionType(types, layer.result.getType()));
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(layer.inputs.getArrayRef(), function.getArguments());
  for (Operation &op : entry.getBody().front())
    if (producers.contains(&op))
      builder.clone(op, mapping);
  func::ReturnOp::create(builder, loc, mapping.lookup(layer.result));
}

/// The module of `entry` with functions for the layers instead of it.
static OwningOpRef<ModuleOp> createModule(func::FuncOp entry,
                                          MutableArrayRef<Layer> layers) {
  OwningOpRef<ModuleOp> module(
      cast<ModuleOp>(entry->getParentOfType<ModuleOp>()->clone()));
  module->lookupSymbol(entry.getSymNameAttr())->erase();
  llvm::DenseSet<Value> recorded;
  for (const Layer &layer : layers)
    recorded.insert(layer.result);
  for (Layer &layer : layers) {
    while (module->lookupSymbol(layer.name))
      layer.name += '_';
    addFunction(*module, entry, layer, recorded);
  }
  return module;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static llvm::Expected<LayerResult> runLayer(const Program &program,
                                            const Layer &layer,
                                            ArrayRef<Layer> layers,
                                            ArrayRef<HostTensor> inputs) {
  const CompiledFunction &function = *program.lookup(layer.name);
  std::vector<HostTensor> operands;
  for (auto [input, type] : llvm::zip_equal(layer.inputs, function.inputs)) {
    if (auto argument = dyn_cast<BlockArgument>(input)) {
      operands.push_back(inputs[argument.getArgNumber()]);
      continue;
    }
    Value value = input;
    const Layer *source = llvm::find_if(
        layers, [&](const Layer &other) { return other.result == value; });
    operands.push_back(source->record->value);
    // Records have a batch, kernels do not: the same elements in order.
    operands.back().shape = type.getShape().vec();
  }
  auto results = program.run(function, operands);
  if (!results)
    return results.takeError();
  LayerResult result;
  result.index = layer.record->index;
  result.file = layer.record->file;
  result.kernel = layer.kernel->getName().getStringRef().str();
  result.elements = layer.record->value.getNumElements();
  result.difference = compare(results->front(), layer.record->value);
  result.isWithinRules = layer.rule->holds(result.difference, result.elements);
  return result;
}

llvm::Expected<LayerComparison>
mli::compareLayers(func::FuncOp entry, ArrayRef<HostTensor> inputs,
                   ArrayRef<LayerRecord> records, CompileOptions options) {
  size_t next;
  auto layers = pairLayers(entry, records, next);
  if (!layers)
    return layers.takeError();
  if (layers->empty())
    return llvm::createStringError("expected a network with kernels, but got "
                                   "none");
  OwningOpRef<ModuleOp> module = createModule(entry, *layers);
  options.entries.clear();
  for (const Layer &layer : *layers)
    options.entries.push_back(layer.name);
  FailureOr<Program> program = Program::compile(*module, options);
  if (failed(program))
    return llvm::createStringError("the layers do not compile alone");

  LayerComparison comparison;
  for (const LayerRecord &record : records.drop_front(next))
    if (!isMovingOp(record.op) && comparison.unusedRecords++ == 0)
      comparison.firstUnused = record.file;
  for (const Layer &layer : *layers) {
    auto result = runLayer(*program, layer, *layers, inputs);
    if (!result)
      return llvm::createStringError("in '" + layer.record->file + "': " +
                                     llvm::toString(result.takeError()));
    comparison.layers.push_back(std::move(*result));
  }
  return comparison;
}
