// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/RunReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

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

/// Finds layers of a report by their places.
class LayerPlaces {
public:
  LayerPlaces(report::Report &report, report::Function &entry) : entry(entry) {
    add(entry);
    for (report::Function &function : report.functions)
      add(function);
  }

  /// That at `place`, which the entry gets if no function has it.
  report::Layer &get(StringRef place) {
    auto found = places.find(place);
    if (found != places.end())
      return found->second.first->layers[found->second.second];
    report::Layer &layer = entry.layers.emplace_back();
    layer.name = layer.place = place.str();
    places[place] = {&entry, entry.layers.size() - 1};
    return layer;
  }

  /// The number of that at `place` in the entry.
  std::optional<size_t> findNumber(StringRef place) const {
    auto found = places.find(place);
    if (found == places.end() || found->second.first != &entry)
      return std::nullopt;
    return found->second.second;
  }

private:
  void add(report::Function &function) {
    for (auto [i, layer] : llvm::enumerate(function.layers))
      places.try_emplace(layer.place, &function, i);
  }

  report::Function &entry;
  llvm::StringMap<std::pair<report::Function *, size_t>> places;
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
static void addKernels(const RunFacts &facts, LayerPlaces &places) {
  const RunLayers &run = *facts.function.layers;
  for (const RunLayer &layer : run.layers)
    llvm::erase_if(
        places.get(layer.name).kernels,
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
    places.get(layer.name).kernels.push_back(std::move(kernel));
  }
}

static void addSteps(const RunLayers &run, const LayerPlaces &places,
                     report::Estimate &estimate) {
  for (const EstimatedStep &step : run.estimate)
    estimate.steps.push_back({places.findNumber(step.name), step.isTransfer,
                              step.begin, step.end, step.work.bytes});
}

static report::Difference
describeDifference(const LayerDifference &difference) {
  report::Difference described;
  described.kernel = difference.layer->layer.kernel;
  described.obstacle = difference.obstacle;
  if (!described.obstacle.empty())
    return described;
  described.elements =
      static_cast<int64_t>(difference.layer->value.getNumElements());
  described.differing = static_cast<int64_t>(difference.difference.elements);
  if (!std::isnan(difference.difference.greatest))
    described.greatest = difference.difference.greatest;
  if (std::isfinite(difference.similarity.sqnr))
    described.sqnr = difference.similarity.sqnr;
  return described;
}

void mli::completeReport(report::Report &report, const RunFacts &facts) {
  const CompiledFunction &compiled = facts.function;
  auto entry = llvm::find_if(report.functions, [&](const auto &function) {
    return function.name == compiled.name;
  });
  if (entry == report.functions.end()) {
    // It has no memory to map.
    entry = report.functions.emplace(report.functions.begin());
    entry->name = compiled.name;
  }
  entry->sizes = getSizes(compiled);
  if (compiled.memory.localBytes > 0)
    addLocal(*entry, compiled.memory);
  if (facts.measured)
    entry->measured = {facts.runs, facts.measured->median,
                       facts.measured->least};
  LayerPlaces places(report, *entry);
  addKernels(facts, places);
  if (entry->estimate)
    addSteps(*compiled.layers, places, *entry->estimate);
  for (const LayerDifference &difference : facts.differences)
    places.get(difference.layer->layer.name)
        .differences.push_back(describeDifference(difference));
}
