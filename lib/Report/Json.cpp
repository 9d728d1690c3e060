// SPDX-License-Identifier: Apache-2.0

#include "mli/Report/Report.h"

#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mli::report;
using llvm::json::fixUTF8;
using Json = llvm::json::OStream;

/// The version of what is written: it changes where a key changes its meaning.
static constexpr int64_t formatVersion = 1;

template <typename Range, typename Write>
static void writeArray(Json &json, llvm::StringRef key, const Range &range,
                       const Write &write) {
  json.attributeArray(key, [&] {
    for (const auto &each : range)
      write(each);
  });
}

template <typename Range, typename Write>
static void writeObjects(Json &json, llvm::StringRef key, const Range &range,
                         const Write &write) {
  writeArray(json, key, range,
             [&](const auto &each) { json.object([&] { write(each); }); });
}

static void writeTexts(Json &json, llvm::StringRef key,
                       const std::vector<std::string> &texts) {
  writeArray(json, key, texts,
             [&](const std::string &text) { json.value(fixUTF8(text)); });
}

template <typename Number>
static void writeNumbers(Json &json, llvm::StringRef key,
                         const std::vector<Number> &numbers) {
  writeArray(json, key, numbers,
             [&](Number number) { json.value(static_cast<int64_t>(number)); });
}

/// JSON has numbers that are finite only.
static void writeReal(Json &json, llvm::StringRef key,
                      std::optional<double> number) {
  bool isNumber = number && std::isfinite(*number);
  json.attribute(key, isNumber ? number : std::nullopt);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static void writeKernel(Json &json, const Kernel &kernel) {
  json.attribute("kernel", fixUTF8(kernel.kernel));
  if (kernel.function.empty())
    return;
  json.attribute("function", fixUTF8(kernel.function));
  writeNumbers(json, "shape", kernel.shape);
  json.attribute("calls", kernel.calls);
  json.attribute("products", kernel.products);
  json.attribute("bytes", kernel.bytes);
  if (kernel.microseconds)
    writeReal(json, "us", kernel.microseconds);
}

static void writeDifference(Json &json, const Difference &difference) {
  json.attribute("elements", difference.elements);
  json.attribute("differing", difference.differing);
  writeReal(json, "max_abs", difference.greatest);
  writeReal(json, "sqnr_db", difference.sqnr);
}

static void writeDifference(Json &json, const KernelDifference &kernel) {
  json.attribute("kernel", fixUTF8(kernel.kernel));
  if (kernel.obstacle.empty())
    writeDifference(json, kernel.difference);
  else
    json.attribute("obstacle", fixUTF8(kernel.obstacle));
}

namespace {

/// What the steps of a layer cost.
struct Cost {
  double transfers = 0, kernels = 0;
};

} // namespace

/// Those of all layers; none if no steps are known.
static std::vector<Cost> addCosts(const Function &function) {
  if (!function.estimate || function.estimate->steps.empty())
    return {};
  std::vector<Cost> costs(function.layers.size());
  for (const Step &step : function.estimate->steps)
    if (step.layer)
      (step.isTransfer ? costs[*step.layer].transfers
                       : costs[*step.layer].kernels) += step.end - step.begin;
  return costs;
}

static void writeCost(Json &json, const Cost &cost) {
  json.attributeObject("estimate", [&] {
    json.attribute("transfers", cost.transfers);
    json.attribute("kernels", cost.kernels);
  });
}

static void writeLayer(Json &json, const Layer &layer, const Cost *cost) {
  json.attribute("name", fixUTF8(layer.name));
  json.attribute("label", fixUTF8(layer.label));
  json.attribute("place", fixUTF8(layer.place));
  writeTexts(json, "texts", layer.texts);
  writeNumbers(json, "steps", layer.steps);
  writeNumbers(json, "inputs", layer.inputs);
  writeObjects(json, "kernels", layer.kernels,
               [&](const Kernel &kernel) { writeKernel(json, kernel); });
  json.attribute("moved_in", layer.movedIn);
  json.attribute("moved_out", layer.movedOut);
  writeObjects(json, "copies", layer.copies, [&](const Copies &copies) {
    json.attribute("reason", copies.reason);
    json.attribute("bytes", copies.bytes);
  });
  if (cost)
    writeCost(json, *cost);
  if (!layer.differences.empty())
    writeObjects(json, "differences", layer.differences,
                 [&](const auto &each) { writeDifference(json, each); });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static void writeSizes(Json &json, const Sizes &sizes) {
  json.attributeObject("sizes", [&] {
    json.attribute("weights", sizes.weights);
    json.attribute("packed_weights", sizes.packedWeights);
    json.attribute("inputs_and_results", sizes.inputsAndResults);
    json.attribute("states", sizes.states);
    json.attribute("arena", sizes.arena);
    json.attribute("local", sizes.local);
    if (sizes.code)
      json.attribute("code", *sizes.code);
  });
}

/// Steps are many: each is an array.
static void writeStep(Json &json, const Step &step) {
  json.array([&] {
    json.value(step.layer);
    json.value(step.isTransfer);
    json.value(step.begin);
    json.value(step.end);
    json.value(step.bytes);
  });
}

static void writeEstimate(Json &json, const Estimate &estimate) {
  json.attributeObject("estimate", [&] {
    json.attribute("unit", "bytes moved");
    json.attribute("transfers", estimate.transfers);
    json.attribute("kernels", estimate.kernels);
    json.attribute("overlapped", estimate.overlapped);
    writeArray(json, "steps", estimate.steps,
               [&](const Step &step) { writeStep(json, step); });
  });
}

static void writeMoved(Json &json, const Moved &moved) {
  json.attributeObject("moved", [&] {
    json.attribute("in", moved.in);
    json.attribute("out", moved.out);
    json.attribute("least", moved.least);
    if (moved.bound)
      json.attribute("bound", *moved.bound);
  });
}

static void writeMeasured(Json &json, const Measured &measured) {
  json.attributeObject("measured", [&] {
    json.attribute("time", "this host");
    json.attribute("runs", measured.runs);
    writeReal(json, "latency_us", measured.median);
    writeReal(json, "least_us", measured.least);
  });
}

static void writeFunction(Json &json, const Function &function) {
  json.attribute("function", fixUTF8(function.name));
  if (!function.target.empty())
    json.attribute("target", function.target);
  if (function.sizes)
    writeSizes(json, *function.sizes);
  if (function.moved)
    writeMoved(json, *function.moved);
  if (function.measured)
    writeMeasured(json, *function.measured);
  if (!function.results.empty())
    writeObjects(json, "results", function.results,
                 [&](const auto &each) { writeDifference(json, each); });
  std::vector<Cost> costs = addCosts(function);
  const Cost *cost = costs.empty() ? nullptr : costs.data();
  writeObjects(json, "layers", function.layers, [&](const Layer &layer) {
    writeLayer(json, layer, cost);
    if (cost)
      ++cost;
  });
  if (function.estimate)
    writeEstimate(json, *function.estimate);
  writeArray(json, "memories", function.memories,
             [&](const std::string &map) { json.rawValue(map); });
}

void mli::report::writeJson(llvm::raw_ostream &os, const Report &report) {
  Json json(os);
  json.object([&] {
    json.attribute("format", formatVersion);
    writeObjects(
        json, "functions", report.functions,
        [&](const Function &function) { writeFunction(json, function); });
  });
  os << "\n";
}
