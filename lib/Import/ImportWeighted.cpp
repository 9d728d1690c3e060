// SPDX-License-Identifier: Apache-2.0
//
// Importing what multiplies with weights: convolutions and fully connected.

#include "Imports.h"
#include "Weighted.h"
#include "WideLayers.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::BuiltinOptions;

/// The layer of the operator, with input, weights and bias at these inputs.
static FailureOr<Weighted> readTensors(GraphImporter &importer, size_t input,
                                       size_t weights, size_t bias,
                                       int32_t outputAxis, size_t rank) {
  FailureOr<int32_t> source = importer.getInput(input);
  FailureOr<int32_t> factors = importer.getInput(weights);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(source) || failed(factors) || failed(output))
    return failure();
  return readWeighted(importer, *source, *factors,
                      importer.getOperator().getInput(bias), *output,
                      outputAxis, rank);
}

/// Creates the kernels, on maps without a batch or on rows: `create` makes one
/// of input, weights and bias, destination and activation.
static LogicalResult createLayer(GraphImporter &importer, const Weighted &layer,
                                 ArrayRef<int64_t> inputShape,
                                 ArrayRef<int64_t> outputShape,
                                 ProductFunction create) {
  FailureOr<Value> input = importer.read(layer.input, inputShape);
  if (failed(input))
    return failure();
  FailureOr<Type> element = importer.getElement(layer.output);
  if (failed(element))
    return failure();
  LayerOperands operands = createOperands(importer, layer);
  Value result = importer.createSliced(
      *input, *element, outputShape, [&](ValueRange slices, Value init) {
        return createProduct(importer, operands, layer.clip, slices.front(),
                             init, create);
      });
  importer.define(layer.output, result);
  return success();
}

/// Chooses the formats of a layer of 8 or 16 bits.
static LogicalResult chooseFormats(GraphImporter &importer, Weighted &layer,
                                   schema::ActivationFunctionType activation) {
  bool isWide =
      importer.getTensor(layer.input).type == schema::TensorType::INT16;
  return isWide ? chooseWideScales(importer, layer, activation)
                : chooseScales(importer, layer, activation);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

static LogicalResult checkMaps(GraphImporter &importer, const Weighted &layer) {
  for (int32_t map : {layer.input, layer.output})
    if (failed(importer.checkRank(map, 4)))
      return failure();
  int64_t batch = importer.getShape(layer.input).front();
  int64_t outputBatch = importer.getShape(layer.output).front();
  if (batch != outputBatch)
    return importer.refuse("expected an output of ", batch, " maps, but got ",
                           outputBatch);
  return success();
}

/// Adds the border of the input of `window` to its padding, as far as kernels
/// pad: less than the window.
static bool absorb(const PaddedMap &map, const Window &window,
                   SmallVector<int64_t, 4> &padding) {
  SmallVector<int64_t, 4> sum;
  for (int i = 0; i < 4; ++i) {
    int64_t extent = (window.kernel[i / 2] - 1) * window.dilations[i / 2] + 1;
    sum.push_back(padding[i] + map.padding[i]);
    if (sum.back() >= std::min<int64_t>(extent, UINT8_MAX + 1))
      return false;
  }
  padding = sum;
  return true;
}

/// Creates a convolution whose weights are in the order of the kernel.
template <typename ConvOp>
static LogicalResult createConv(GraphImporter &importer, const Weighted &layer,
                                const Window &window) {
  std::optional<PaddedMap> map = importer.findPadded(layer.input);
  ArrayRef<int64_t> input = importer.getShape(layer.input);
  ArrayRef<int64_t> output = importer.getShape(layer.output);
  FailureOr<SmallVector<int64_t, 4>> padding =
      getPadding(importer, window, input.slice(1, 2), output.slice(1, 2));
  if (failed(padding))
    return failure();
  Weighted used = layer;
  if (map && absorb(*map, window, *padding)) {
    used.input = map->source;
    input = importer.getShape(map->source);
  }
  return createLayer(
      importer, used, input, output,
      [&](Value source, const KernelOperands &each, Value init, ReluKind relu) {
        return ConvOp::create(importer.getBuilder(), importer.getLoc(), source,
                              each.weights, each.bias, init, *padding,
                              window.strides, window.dilations, relu)
            .getResult(0);
      });
}

template <typename Options>
static Window windowOf(const Options *options, ArrayRef<int64_t> kernel) {
  return {{kernel[0], kernel[1]},
          {options->stride_h(), options->stride_w()},
          {options->dilation_h_factor(), options->dilation_w_factor()},
          options->padding()};
}

LogicalResult tflite::importConv2D(GraphImporter &importer) {
  auto options = getOptions<schema::Conv2DOptions>(
      importer, BuiltinOptions::Conv2DOptions);
  if (failed(options))
    return failure();
  FailureOr<Weighted> layer = readTensors(importer, 0, 1, 2, 0, 4);
  if (failed(layer) || failed(checkMaps(importer, *layer)))
    return failure();
  ArrayRef<int64_t> ohwi = importer.getShape(layer->weights);
  int64_t channels = importer.getShape(layer->input).back();
  layer->shape = {ohwi[1], ohwi[2], ohwi[3], ohwi[0]};
  layer->moveOutputsLast();
  if (failed(chooseFormats(importer, *layer,
                           (*options)->fused_activation_function())))
    return failure();
  Window window = windowOf(*options, {ohwi[1], ohwi[2]});
  if (ohwi[3] == channels)
    return createConv<Conv2DOp>(importer, *layer, window);
  return createConv<GroupConv2DOp>(importer, *layer, window);
}

LogicalResult tflite::importDepthwiseConv2D(GraphImporter &importer) {
  auto options = getOptions<schema::DepthwiseConv2DOptions>(
      importer, BuiltinOptions::DepthwiseConv2DOptions);
  if (failed(options))
    return failure();
  FailureOr<Weighted> layer = readTensors(importer, 0, 1, 2, 3, 4);
  if (failed(layer) || failed(checkMaps(importer, *layer)))
    return failure();
  // Channel c * M + m of the result is filter m of channel c.
  ArrayRef<int64_t> weights = importer.getShape(layer->weights);
  if (weights[0] != 1)
    return importer.refuse("expected dimension 0 of weights ",
                           importer.describe(layer->weights),
                           " to be 1, but got ", weights[0]);
  layer->shape = {weights[1], weights[2], 1, weights[3]};
  if (failed(chooseFormats(importer, *layer,
                           (*options)->fused_activation_function())))
    return failure();
  Window window = windowOf(*options, {weights[1], weights[2]});
  int64_t channels = importer.getShape(layer->input).back();
  if (channels == weights[3])
    return createConv<DepthwiseConv2DOp>(importer, *layer, window);
  if (channels == 1)
    return createConv<Conv2DOp>(importer, *layer, window);
  return createConv<GroupConv2DOp>(importer, *layer, window);
}

/// The padding that a transposed window cuts off, [low, high].
static FailureOr<SmallVector<int64_t, 4>>
getTransposedPadding(GraphImporter &importer, const Window &window,
                     ArrayRef<int64_t> input, ArrayRef<int64_t> output) {
  bool isSame = window.padding == schema::Padding::SAME;
  if (!isSame && window.padding != schema::Padding::VALID)
    return importer.refuse("expected padding SAME or VALID, but got ",
                           static_cast<int>(window.padding));
  SmallVector<int64_t, 4> padding;
  for (int i : {0, 1}) {
    int64_t stride = window.strides[i], kernel = window.kernel[i];
    if (stride < 1)
      return importer.refuse("expected strides of at least 1, but got ",
                             stride);
    // As of the convolution from the output to the input.
    int64_t windows = isSame ? (output[i] + stride - 1) / stride
                             : (output[i] - kernel + stride) / stride;
    int64_t low =
        std::max<int64_t>((windows - 1) * stride + kernel - output[i], 0) / 2;
    int64_t high = (input[i] - 1) * stride + kernel - low - output[i];
    if (high < 0)
      return importer.refuse("expected dimension ", i + 1,
                             " of the output to be at most ", output[i] + high,
                             ", but got ", output[i]);
    padding.push_back(low);
    padding.push_back(high);
  }
  return padding;
}

LogicalResult tflite::importTransposeConv(GraphImporter &importer) {
  auto options = getOptions<schema::TransposeConvOptions>(
      importer, BuiltinOptions::TransposeConvOptions);
  if (failed(options))
    return failure();
  FailureOr<Weighted> layer = readTensors(importer, 2, 1, 3, 0, 4);
  if (failed(layer) || failed(checkMaps(importer, *layer)))
    return failure();
  ArrayRef<int64_t> ohwi = importer.getShape(layer->weights);
  layer->shape = {ohwi[1], ohwi[2], ohwi[3], ohwi[0]};
  layer->moveOutputsLast();
  if (failed(chooseFormats(importer, *layer,
                           (*options)->fused_activation_function())))
    return failure();
  Window window{{ohwi[1], ohwi[2]},
                {(*options)->stride_h(), (*options)->stride_w()},
                {1, 1},
                (*options)->padding()};
  ArrayRef<int64_t> input = importer.getShape(layer->input);
  ArrayRef<int64_t> output = importer.getShape(layer->output);
  FailureOr<SmallVector<int64_t, 4>> padding = getTransposedPadding(
      importer, window, input.slice(1, 2), output.slice(1, 2));
  if (failed(padding))
    return failure();
  return createLayer(
      importer, *layer, input, output,
      [&](Value source, const KernelOperands &each, Value init, ReluKind relu) {
        return TransposeConv2DOp::create(importer.getBuilder(),
                                         importer.getLoc(), source,
                                         each.weights, each.bias, init,
                                         *padding, window.strides, relu)
            .getResult(0);
      });
}

//===----------------------------------------------------------------------===//
// Fully connected
//===----------------------------------------------------------------------===//

LogicalResult tflite::importFullyConnected(GraphImporter &importer) {
  auto options = getOptions<schema::FullyConnectedOptions>(
      importer, BuiltinOptions::FullyConnectedOptions);
  if (failed(options))
    return failure();
  if ((*options)->weights_format() != 0)
    return importer.refuse("expected weights in the default format, but got "
                           "format ",
                           static_cast<int>((*options)->weights_format()));
  FailureOr<Weighted> layer = readTensors(importer, 0, 1, 2, 0, 2);
  if (failed(layer) || failed(importer.checkElements(layer->input)) ||
      failed(importer.checkElements(layer->output)))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(layer->weights);
  int64_t outputs = shape[0], inputs = shape[1];
  int64_t rows = importer.getTensor(layer->output).getNumElements() / outputs;
  int64_t elements = importer.getTensor(layer->input).getNumElements();
  if (importer.getTensor(layer->output).getNumElements() != rows * outputs ||
      elements != rows * inputs)
    return importer.refuse("expected weights for ", inputs, " to ", outputs,
                           " elements to fit input and output, but got ",
                           elements, " to ",
                           importer.getTensor(layer->output).getNumElements());
  layer->shape = {inputs, outputs};
  layer->moveOutputsLast();
  if (failed(chooseFormats(importer, *layer,
                           (*options)->fused_activation_function())))
    return failure();
  return createLayer(
      importer, *layer, {rows, inputs}, {rows, outputs},
      [&](Value source, const KernelOperands &each, Value init, ReluKind relu) {
        return FullyConnectedOp::create(importer.getBuilder(),
                                        importer.getLoc(), source, each.weights,
                                        each.bias, init, relu)
            .getResult(0);
      });
}
