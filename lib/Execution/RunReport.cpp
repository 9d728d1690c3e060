// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/RunReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <cmath>

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static report::Sizes getSizes(const CompiledFunction &function) {
  const MemoryStatistics &memory = function.memory;
  report::Sizes sizes;
  sizes.weights = memory.constantBytes;
  sizes.packedWeights = memory.packedBytes;
  sizes.inputsAndResults = memory.argumentBytes;
  for (RankedTensorType type :
       ArrayRef(function.inputs).take_back(function.numStates))
    sizes.states +=
        type.getNumElements() * static_cast<int64_t>(getElementBytes(
                                    *getHostElement(type.getElementType())));
  sizes.arena = memory.arenaBytes;
  sizes.local = memory.localBytes;
  sizes.code = memory.codeBytes;
  return sizes;
}

static void addLocal(report::Function &function,
                     const MemoryStatistics &memory) {
  report::Estimate &estimate = function.estimate.emplace();
  estimate.transfers = memory.moveCost;
  estimate.kernels = memory.kernelCost;
  estimate.overlapped = memory.overlappedCost;
  report::Moved &moved = function.moved.emplace();
  moved.in = memory.movedInBytes;
  moved.out = memory.movedOutBytes;
  moved.least = memory.moveLimits.least;
  moved.bound = memory.moveLimits.bound;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

namespace {

/// Finds layers of a report by their keys.
class LayerFinder {
public:
  LayerFinder(report::Report &report, report::Function &entry) : entry(entry) {
    add(entry);
    for (report::Function &function : report.functions)
      add(function);
  }

  /// That of `key`, which the entry gets as `name` if no function has it.
  report::Layer &get(const LayerKey &key, StringRef name) {
    auto [found, isNew] =
        layers[key.function].try_emplace(key.text, &entry, entry.layers.size());
    auto [function, number] = found->second;
    if (isNew) {
      report::Layer &layer = entry.layers.emplace_back();
      layer.key = key.text;
      layer.name = layer.place = name.str();
    }
    return function->layers[number];
  }

  /// The number of that of `key` in the entry.
  std::optional<size_t> findNumber(const LayerKey &key) const {
    if (key.function != entry.name)
      return std::nullopt;
    const Numbers &numbers = layers.find(entry.name)->second;
    auto found = numbers.find(key.text);
    return found == numbers.end() ? std::nullopt
                                  : std::optional(found->second.second);
  }

private:
  void add(report::Function &function) {
    Numbers &numbers = layers[function.name];
    for (auto [i, layer] : llvm::enumerate(function.layers))
      numbers.try_emplace(layer.key, &function, i);
  }

  using Numbers = llvm::StringMap<std::pair<report::Function *, size_t>>;

  report::Function &entry;
  llvm::StringMap<Numbers> layers;
};

} // namespace

static report::Kernel describeKernel(const RunLayer &layer) {
  report::Kernel kernel;
  kernel.kernel = layer.kernel;
  kernel.shape.assign(layer.shape.begin(), layer.shape.end());
  kernel.calls = layer.calls;
  kernel.products = layer.work.products;
  kernel.bytes = layer.work.bytes;
  return kernel;
}

/// Replaces the kinds of kernels by what is known of their calls.
static void addKernels(const RunFacts &facts, LayerFinder &layers) {
  const RunLayers &run = *facts.function.layers;
  for (const RunLayer &layer : run.layers)
    llvm::erase_if(
        layers.get(layer.key, layer.name).kernels,
        [&](const report::Kernel &kernel) { return kernel.function.empty(); });
  // The function of the first call of each layer.
  std::vector<std::string> functions(run.layers.size());
  for (const LayerCall &call : run.calls)
    if (functions[call.layer].empty())
      functions[call.layer] = call.function;
  for (auto [i, layer] : llvm::enumerate(run.layers)) {
    report::Kernel kernel = describeKernel(layer);
    kernel.function = functions[i];
    if (facts.measured) {
      kernel.function = facts.measured->layers[i].function;
      kernel.microseconds = facts.measured->layers[i].microseconds;
    }
    layers.get(layer.key, layer.name).kernels.push_back(std::move(kernel));
  }
}

static void addSteps(const RunLayers &run, const LayerFinder &layers,
                     report::Estimate &estimate) {
  for (const EstimatedStep &step : run.estimate)
    estimate.steps.push_back({layers.findNumber(step.key), step.isTransfer,
                              step.begin, step.end, step.work.bytes});
}

static report::Difference describeDifference(size_t elements,
                                             const Difference &difference,
                                             const Similarity &similarity) {
  report::Difference described;
  described.elements = static_cast<int64_t>(elements);
  described.differing = static_cast<int64_t>(difference.elements);
  if (!std::isnan(difference.greatest))
    described.greatest = difference.greatest;
  if (std::isfinite(similarity.sqnr))
    described.sqnr = similarity.sqnr;
  return described;
}

static void addDifference(const LayerDifference &difference,
                          LayerFinder &layers) {
  const auto &[layer, value] = *difference.layer;
  report::KernelDifference described;
  described.kernel = layer.kernel;
  described.obstacle = difference.obstacle;
  if (described.obstacle.empty())
    described.difference = describeDifference(
        value.getNumElements(), difference.difference, difference.similarity);
  layers.get(layer.key, layer.name.empty() ? layer.key.text : layer.name)
      .differences.push_back(std::move(described));
}

/// Drops the functions of `report` that `entry` does not call, so that it is
/// the first: functions are before those that they call.
static void keepCalled(report::Report &report, StringRef entry) {
  llvm::StringMap<const report::Function *> functions;
  for (const report::Function &function : report.functions)
    functions[function.name] = &function;
  llvm::StringSet<> called;
  auto visit = [&](auto &&self, StringRef name) -> void {
    const report::Function *function = functions.lookup(name);
    if (!called.insert(name).second || !function)
      return;
    for (const std::string &callee : function->callees)
      self(self, callee);
  };
  visit(visit, entry);
  llvm::erase_if(report.functions, [&](const report::Function &function) {
    return !called.contains(function.name);
  });
}

void mli::completeReport(report::Report &report, const RunFacts &facts) {
  const CompiledFunction &compiled = facts.function;
  keepCalled(report, compiled.name);
  auto entry = llvm::find_if(report.functions, [&](const auto &function) {
    return function.name == compiled.name;
  });
  assert(entry != report.functions.end() && "expected a report of the entry");
  entry->sizes = getSizes(compiled);
  if (compiled.memory.localBytes > 0)
    addLocal(*entry, compiled.memory);
  if (facts.measured)
    entry->measured = {facts.runs, facts.measured->median,
                       facts.measured->least};
  for (const ResultDifference &result : facts.results)
    entry->results.push_back(describeDifference(
        result.elements, result.difference, result.similarity));
  LayerFinder layers(report, *entry);
  addKernels(facts, layers);
  if (entry->estimate)
    addSteps(*compiled.layers, layers, *entry->estimate);
  for (const LayerDifference &difference : facts.differences)
    addDifference(difference, layers);
}
