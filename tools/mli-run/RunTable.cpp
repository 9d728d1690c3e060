// SPDX-License-Identifier: Apache-2.0

#include "Records.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace mli;

static bool isWithin(const LayerDifference &layer, const Tolerance &tolerance) {
  return tolerance.holds(layer.difference, layer.similarity);
}

/// The index of element `number` in row-major order.
static std::vector<int64_t> getIndex(ArrayRef<int64_t> shape, size_t number) {
  SmallVector<int64_t> index =
      delinearize(static_cast<int64_t>(number), computeStrides(shape));
  return {index.begin(), index.end()};
}

/// Prints `[1, 0, 2]: expected 5, got 6` for element `number` of a tensor of
/// `shape`.
static void printFirst(llvm::raw_ostream &os, ArrayRef<int64_t> shape,
                       size_t number, double expected, double got) {
  os << formatShape(getIndex(shape, number)) << ": expected "
     << llvm::format("%.9g", expected) << ", got " << llvm::format("%.9g", got);
}

bool mli::printReference(llvm::raw_ostream &os, const Port &port,
                         const HostTensor &result, const HostTensor &reference,
                         const ResultDifference &compared,
                         const Tolerance &tolerance) {
  const auto &[elements, difference, similarity] = compared;
  if (difference.elements > 0) {
    // As callers have them.
    double offset = port.isUnsigned ? 128 : 0;
    os << "  first at ";
    printFirst(os, reference.shape, difference.first,
               reference.get(difference.first) + offset,
               result.get(difference.first) + offset);
    os << llvm::format("; SQNR %.1f dB, cosine %.6f\n", similarity.sqnr,
                       similarity.cosine);
  }
  return tolerance.holds(difference, similarity);
}

/// `name` without its middle where it is long, as names of fused layers are.
static std::string shorten(StringRef name) {
  constexpr size_t part = 24;
  if (name.size() <= 2 * part + 3)
    return name.str();
  return (name.take_front(part) + "..." + name.take_back(part)).str();
}

static void printNames(llvm::raw_ostream &os, const LayerDifference &layer,
                       llvm::function_ref<std::string(StringRef)> edit) {
  os << "'" << edit(layer.layer->layer.name) << "'";
  if (!layer.otherName.empty())
    os << ", in the record '" << edit(layer.otherName) << "'";
}

static void printRow(llvm::raw_ostream &os, const LayerDifference &layer,
                     size_t width, const Tolerance &tolerance) {
  const RecordedLayer &own = layer.layer->layer;
  os << llvm::format("%5u  ", own.index)
     << llvm::left_justify(own.kernel, width) << "  ";
  if (!layer.obstacle.empty()) {
    os << "not compared: " << layer.obstacle << "  ";
    printNames(os, layer, shorten);
    os << "\n";
    return;
  }
  os << llvm::format("%8zu  %9zu  %7g  %7.1f  %8.6f  ",
                     layer.layer->value.getNumElements(),
                     layer.difference.elements, layer.difference.greatest,
                     layer.similarity.sqnr, layer.similarity.cosine)
     << (isWithin(layer, tolerance) ? "within " : "outside") << "  ";
  printNames(os, layer, shorten);
  if (layer.difference.elements > 0) {
    os << ", first ";
    printFirst(os, own.type.getShape(), layer.difference.first, layer.expected,
               layer.got);
  }
  os << "\n";
  if (!layer.otherType.empty())
    os << "       type " << own.type << ", in the record " << layer.otherType
       << "\n";
}

/// Prints where `layers` part: in `first`, or in one of those right before it
/// that were not compared.
static void printParting(llvm::raw_ostream &os,
                         ArrayRef<LayerDifference> layers, size_t first) {
  const LayerDifference &layer = layers[first];
  const RecordedLayer &own = layer.layer->layer;
  os << "the first that is outside: layer " << first << ", " << own.kernel
     << " ";
  printNames(os, layer, [](StringRef name) { return name.str(); });
  os << "\n";
  size_t begin = first;
  while (begin > 0 && !layers[begin - 1].obstacle.empty())
    --begin;
  if (begin + 1 == first)
    os << "  layer " << begin << " before it was not compared\n";
  else if (begin < first)
    os << "  layers " << begin << " to " << first - 1
       << " before it were not compared\n";
  // Nothing differs but the type, which a tolerance in dB is for.
  if (layer.difference.elements == 0)
    return;
  ArrayRef<int64_t> shape = own.type.getShape();
  os << "  element ";
  printFirst(os, shape, layer.difference.first, layer.expected, layer.got);
  os << "\n  at "
     << own.describeElement(getIndex(shape, layer.difference.first)) << "\n";
}

bool mli::printRunComparison(llvm::raw_ostream &os,
                             ArrayRef<LayerDifference> layers,
                             const Tolerance &tolerance) {
  size_t width = StringRef("kernel").size(), skipped = 0, outside = 0,
         first = 0;
  for (const LayerDifference &layer : layers)
    width = std::max(width, layer.layer->layer.kernel.size());
  os << "layer  " << llvm::left_justify("kernel", width)
     << "  elements  differing  max |d|  SQNR dB    cosine  verdict  name\n";
  for (auto [i, layer] : llvm::enumerate(layers)) {
    printRow(os, layer, width, tolerance);
    if (!layer.obstacle.empty())
      ++skipped;
    else if (!isWithin(layer, tolerance) && outside++ == 0)
      first = i;
  }
  os << layers.size() - skipped - outside << " layers within, " << outside
     << " outside, " << skipped << " not compared\n";
  if (outside > 0)
    printParting(os, layers, first);
  bool isNothingCompared = !layers.empty() && skipped == layers.size();
  if (isNothingCompared)
    os << "no layer is whole in both runs: nothing is known of them\n";
  return outside == 0 && !isNothingCompared;
}
