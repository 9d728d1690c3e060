// SPDX-License-Identifier: Apache-2.0

#include "Weighted.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

static int64_t getPlaces(ArrayRef<int64_t> shape) {
  return llvm::product_of(shape.drop_back());
}

bool tflite::isPatched(GraphImporter &importer, const Weighted &layer) {
  if (layer.repeated.empty() || layer.bytes.terms)
    return false;
  int64_t inputPlaces = getPlaces(importer.getShape(layer.input));
  int64_t outputPlaces = getPlaces(importer.getShape(layer.output));
  auto [groups, channels, filters] = layer.channels;
  auto chosen = static_cast<int64_t>(layer.repeatedGroups.size());
  auto repeated = static_cast<int64_t>(layer.repeated.size());
  int64_t taps = static_cast<int64_t>(layer.getValues().size()) /
                 ((channels + repeated) * groups * filters);
  int64_t whole = groups * (inputPlaces * (channels + repeated) +
                            outputPlaces * filters * taps * repeated);
  int64_t patch =
      chosen * (inputPlaces * (channels + repeated) +
                outputPlaces * filters * (taps * (channels + repeated) + 1));
  return patch < whole;
}

/// `value` with the repeated channels of the groups `chosen`.
static Value createRepeated(GraphImporter &importer, const Weighted &layer,
                            Value value, ArrayRef<int64_t> chosen) {
  return createRepeated(importer, value, layer.channels, chosen,
                        layer.repeated);
}

/// The constants of the groups `chosen`, of which the kernel takes `channels`.
static LayerOperands selectOperands(GraphImporter &importer,
                                    const Weighted &layer, int64_t channels,
                                    ArrayRef<int64_t> chosen) {
  ArrayRef<char> weights = layer.bytes.weights.empty()
                               ? layer.getValues()
                               : ArrayRef<char>(layer.bytes.weights);
  int64_t count = *std::prev(layer.shape.end(), 2);
  Weighted part = layer;
  part.bytes = selectGroups(layer.bytes, weights, count, layer.channels,
                            channels, chosen);
  auto groups = static_cast<int64_t>(chosen.size());
  *std::prev(part.shape.end(), 2) = channels;
  part.shape.back() = groups * layer.channels.filters;
  return createOperands(importer, part);
}

/// Creates the layer with one kernel, which takes the channels of all groups.
static Value createWhole(GraphImporter &importer, const Weighted &layer,
                         Value input, Type element,
                         ArrayRef<int64_t> outputShape,
                         ProductFunction create) {
  LayerOperands operands = createOperands(importer, layer);
  if (!layer.repeated.empty())
    input = createRepeated(
        importer, layer, input,
        llvm::to_vector(llvm::seq<int64_t>(layer.channels.groups)));
  return importer.createSliced(
      {input}, element, outputShape, [&](ValueRange slices, Value init) {
        return createProduct(importer, operands, layer.clip, slices.front(),
                             init, create);
      });
}

/// Creates the layer without repeated channels, and the groups that have some
/// once more.
static Value createPatched(GraphImporter &importer, const Weighted &layer,
                           Value input, Type element,
                           ArrayRef<int64_t> outputShape,
                           ProductFunction create,
                           ProductFunction createGrouped) {
  auto [groups, channels, filters] = layer.channels;
  ArrayRef<int64_t> chosen = layer.repeatedGroups;
  LayerOperands whole = selectOperands(
      importer, layer, channels, llvm::to_vector(llvm::seq<int64_t>(groups)));
  LayerOperands few = selectOperands(
      importer, layer, channels + static_cast<int64_t>(layer.repeated.size()),
      chosen);
  Value repeated = createRepeated(importer, layer, input, chosen);
  SmallVector<int64_t> shape(outputShape.drop_front());
  shape.back() = static_cast<int64_t>(chosen.size()) * filters;
  return importer.createSliced(
      {input, repeated}, element, outputShape,
      [&](ValueRange slices, Value init) {
        Value all =
            createProduct(importer, whole, layer.clip, slices[0], init, create);
        Value part =
            createProduct(importer, few, layer.clip, slices[1],
                          importer.createEmpty(element, shape), createGrouped);
        return createReplaced(importer, part, all, layer.channels, chosen);
      });
}

/// Says which channels of `layer` kernels take twice, and in which form.
static void remarkRepeated(Location loc, const Weighted &layer, bool isPatch) {
  int64_t groups = layer.channels.groups;
  // From where they begin again, they are taken a third time.
  ArrayRef<int64_t> twice = layer.repeated;
  const auto *end = std::is_sorted_until(twice.begin(), twice.end(),
                                         std::less_equal<int64_t>());
  ArrayRef<int64_t> thrice = twice.drop_front(end - twice.begin());
  twice = twice.drop_back(thrice.size());
  if (groups == 1)
    remarkList(loc, "weights of 9 bits, whose channels the kernel takes twice",
               twice, layer.channels.channels, "channels");
  else
    remarkList(loc,
               isPatch ? "weights of 9 bits, whose channels another kernel "
                         "takes twice"
                       : "weights of 9 bits, whose channels the kernel takes "
                         "twice, as those of all groups",
               layer.repeatedGroups, groups, "groups");
  if (!thrice.empty())
    remarkList(loc, "weights of 255, whose channels the kernel takes 3 times",
               thrice, layer.channels.channels, "channels");
}

LogicalResult
tflite::createLayer(GraphImporter &importer, const Weighted &layer,
                    ArrayRef<int64_t> inputShape, ArrayRef<int64_t> outputShape,
                    ProductFunction create, ProductFunction createGrouped) {
  FailureOr<Value> input = importer.read(layer.input, inputShape);
  if (failed(input))
    return failure();
  FailureOr<Type> element = importer.getElement(layer.output);
  if (failed(element))
    return failure();
  bool isPatch = createGrouped && isPatched(importer, layer);
  if (!layer.repeated.empty())
    remarkRepeated(importer.getLoc(), layer, isPatch);
  Value result = isPatch ? createPatched(importer, layer, *input, *element,
                                         outputShape, create, createGrouped)
                         : createWhole(importer, layer, *input, *element,
                                       outputShape, create);
  importer.define(layer.output, result);
  return success();
}
