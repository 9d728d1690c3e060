// SPDX-License-Identifier: Apache-2.0
//
// Imports convolutions and fully connected layers.

#include "Weighted.h"
#include "Wide/WideLayers.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::BuiltinOptions;

/// Reads the layer of the operator, whose input is operand `input`, its weights
/// operand 1 of `rank` dimensions and its bias operand `bias`.
static FailureOr<Weighted> readTensors(GraphImporter &importer, size_t input,
                                       size_t bias, int32_t outputAxis,
                                       size_t rank) {
  FailureOr<int32_t> source = importer.getInput(input);
  FailureOr<int32_t> weights = importer.getInput(1);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(source) || failed(weights) || failed(output))
    return failure();
  return readWeighted(importer, *source, *weights,
                      importer.getOperator().getInput(bias), *output,
                      outputAxis, rank, /*takesUnsigned=*/true);
}

/// Chooses the constants of a layer of 8 or 16 bits, of `inputs` channels.
static LogicalResult chooseFormats(GraphImporter &importer, Weighted &layer,
                                   int64_t inputs,
                                   schema::ActivationFunctionType activation) {
  subtractZeroPoints(importer, layer, inputs);
  bool isWide =
      importer.getTensor(layer.input).type == schema::TensorType::INT16;
  return isWide ? chooseWideScales(importer, layer, activation)
                : chooseScales(importer, layer, activation);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Adds the border of the input of `window` to its padding. Fails if kernels do
/// not pad so much.
static bool absorb(const PaddedFeatureMap &map, const Window &window,
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

namespace {
template <typename ConvOp>
struct OpKind {
  using Op = ConvOp;
};
} // namespace

/// Creates a convolution whose weights are in the order of the kernel. Of its
/// groups, if some are computed alone, those are a convolution of groups.
template <typename ConvOp>
static LogicalResult createConv(GraphImporter &importer, const Weighted &layer,
                                const Window &window) {
  std::optional<PaddedFeatureMap> map = importer.findPadded(layer.input);
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
  auto create = [&](auto kind) {
    return [&](Value source, const KernelOperands &each, Value init,
               ReluKind relu) {
      return importer.createOp<typename decltype(kind)::Op>(
          source, each.weights, each.bias, init, *padding, window.strides,
          window.dilations, relu);
    };
  };
  auto createAll = create(OpKind<ConvOp>());
  if (used.repeatedGroups.size() == 1)
    return createLayer(importer, used, input, output, createAll,
                       create(OpKind<Conv2DOp>()));
  return createLayer(importer, used, input, output, createAll,
                     create(OpKind<GroupConv2DOp>()));
}

/// The window of a convolution of `kernel`, [height, width].
template <typename Table>
static Window getWindow(const Table *options, ArrayRef<int64_t> kernel) {
  Window window{{kernel[0], kernel[1]},
                {options->stride_h(), options->stride_w()},
                {1, 1},
                options->padding()};
  if constexpr (!std::is_same_v<Table, schema::TransposeConvOptions>) {
    window.dilations[0] = options->dilation_h_factor();
    window.dilations[1] = options->dilation_w_factor();
  }
  return window;
}

namespace {
/// A convolution between NHWC feature maps. Its weights are in the order of the
/// kernel.
struct Convolution {
  Weighted layer;
  Window window;
};
} // namespace

/// Reads a convolution with options of type `type`, whose input is operand
/// `input` and whose bias is operand `bias`. `reorder` gives the weights, with
/// `outputAxis`, the order of the kernel.
template <typename Table, typename Reorder>
static FailureOr<Convolution>
readConvolution(GraphImporter &importer, BuiltinOptions type, size_t input,
                size_t bias, int32_t outputAxis, Reorder reorder) {
  auto options = getOptions<Table>(importer, type);
  if (failed(options))
    return failure();
  FailureOr<Weighted> layer = readTensors(importer, input, bias, outputAxis, 4);
  if (failed(layer) ||
      failed(importer.checkFeatureMaps(layer->input, layer->output)) ||
      failed(reorder(importer, *layer)) ||
      failed(chooseFormats(importer, *layer,
                           importer.getShape(layer->input).back(),
                           (*options)->fused_activation_function())))
    return failure();
  Window window = getWindow(*options, layer->shape);
  return Convolution{std::move(*layer), window};
}

/// Transposes weights from OHWI to HWIO.
static LogicalResult reorderOHWI(GraphImporter &importer, Weighted &layer) {
  ArrayRef<int64_t> ohwi = importer.getShape(layer.weights);
  layer.shape = {ohwi[1], ohwi[2], ohwi[3], ohwi[0]};
  layer.moveOutputsLast();
  return success();
}

/// Drops the batch of weights: channel c * M + m of the result is filter m of
/// channel c.
static LogicalResult reorder1HWC(GraphImporter &importer, Weighted &layer) {
  ArrayRef<int64_t> weights = importer.getShape(layer.weights);
  if (weights[0] != 1)
    return importer.reject("expected dimension 0 of weights ",
                           importer.describe(layer.weights),
                           " to be 1, but got ", weights[0]);
  layer.shape = {weights[1], weights[2], 1, weights[3]};
  return success();
}

LogicalResult tflite::importConv2D(GraphImporter &importer) {
  auto conv = readConvolution<schema::Conv2DOptions>(
      importer, BuiltinOptions::Conv2DOptions, 0, 2, 0, reorderOHWI);
  if (failed(conv))
    return failure();
  const auto &[layer, window] = *conv;
  if (importer.getShape(layer.weights)[3] == importer.getShape(layer.input)[3])
    return createConv<Conv2DOp>(importer, layer, window);
  return createConv<GroupConv2DOp>(importer, layer, window);
}

LogicalResult tflite::importDepthwiseConv2D(GraphImporter &importer) {
  auto conv = readConvolution<schema::DepthwiseConv2DOptions>(
      importer, BuiltinOptions::DepthwiseConv2DOptions, 0, 2, 3, reorder1HWC);
  if (failed(conv))
    return failure();
  const auto &[layer, window] = *conv;
  int64_t channels = importer.getShape(layer.input).back();
  bool isDepthwise = layer.repeated.empty() || isPatched(importer, layer);
  if (channels == layer.shape[3] && isDepthwise)
    return createConv<DepthwiseConv2DOp>(importer, layer, window);
  if (channels == 1)
    return createConv<Conv2DOp>(importer, layer, window);
  return createConv<GroupConv2DOp>(importer, layer, window);
}

LogicalResult tflite::importTransposeConv(GraphImporter &importer) {
  auto conv = readConvolution<schema::TransposeConvOptions>(
      importer, BuiltinOptions::TransposeConvOptions, 2, 3, 0, reorderOHWI);
  if (failed(conv))
    return failure();
  ArrayRef<int64_t> input = importer.getShape(conv->layer.input);
  ArrayRef<int64_t> output = importer.getShape(conv->layer.output);
  FailureOr<SmallVector<int64_t, 4>> padding = getTransposedPadding(
      importer, conv->window, input.slice(1, 2), output.slice(1, 2));
  if (failed(padding))
    return failure();
  return createLayer(
      importer, conv->layer, input, output,
      [&](Value source, const KernelOperands &each, Value init, ReluKind relu) {
        return importer.createOp<TransposeConv2DOp>(source, each.weights,
                                                    each.bias, init, *padding,
                                                    conv->window.strides, relu);
      });
}

//===----------------------------------------------------------------------===//
// Fully connected
//===----------------------------------------------------------------------===//

/// Whether the second operand is one matrix, a constant of 8 bits.
static bool hasConstantMatrix(GraphImporter &importer) {
  int32_t weights = importer.getOperator().getInput(1);
  return weights < 0 ||
         (importer.getTensor(weights).isConstant &&
          importer.getTensor(weights).type != schema::TensorType::INT16 &&
          importer.getShape(weights).size() == 2);
}

/// Imports a product with a matrix of weights, whose dimension `outputAxis` is
/// that of the outputs.
static LogicalResult importDense(GraphImporter &importer, int32_t outputAxis,
                                 schema::ActivationFunctionType activation) {
  FailureOr<Weighted> layer = readTensors(importer, 0, 2, outputAxis, 2);
  if (failed(layer) || failed(importer.checkElements(layer->input)) ||
      failed(importer.checkElements(layer->output)))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(layer->weights);
  int64_t outputs = shape[outputAxis], inputs = shape[1 - outputAxis];
  int64_t rows = importer.getTensor(layer->output).getNumElements() / outputs;
  int64_t elements = importer.getTensor(layer->input).getNumElements();
  if (importer.getTensor(layer->output).getNumElements() != rows * outputs ||
      elements != rows * inputs)
    return importer.reject("expected weights for ", inputs, " to ", outputs,
                           " elements to fit input and output, but got ",
                           elements, " to ",
                           importer.getTensor(layer->output).getNumElements());
  layer->shape = {inputs, outputs};
  if (outputAxis == 0)
    layer->moveOutputsLast();
  if (failed(chooseFormats(importer, *layer, inputs, activation)))
    return failure();
  return createLayer(
      importer, *layer, {rows, inputs}, {rows, outputs},
      [&](Value source, const KernelOperands &each, Value init, ReluKind relu) {
        return importer.createOp<FullyConnectedOp>(source, each.weights,
                                                   each.bias, init, relu);
      });
}

LogicalResult tflite::importFullyConnected(GraphImporter &importer) {
  auto options = getOptions<schema::FullyConnectedOptions>(
      importer, BuiltinOptions::FullyConnectedOptions);
  if (failed(options))
    return failure();
  if ((*options)->weights_format() != 0)
    return importer.reject("expected weights in the default format, but got "
                           "format ",
                           static_cast<int>((*options)->weights_format()));
  auto activation = (*options)->fused_activation_function();
  if (!hasConstantMatrix(importer))
    return importVariableProduct(importer, {false, true}, activation);
  return importDense(importer, /*outputAxis=*/0, activation);
}

LogicalResult tflite::importBatchMatmul(GraphImporter &importer) {
  auto options = getOptions<schema::BatchMatMulOptions>(
      importer, BuiltinOptions::BatchMatMulOptions);
  if (failed(options))
    return failure();
  bool isLeft = (*options)->adj_x(), isRight = (*options)->adj_y();
  constexpr auto none = schema::ActivationFunctionType::NONE;
  if (isLeft || !hasConstantMatrix(importer))
    return importVariableProduct(importer, {isLeft, isRight}, none);
  return importDense(importer, /*outputAxis=*/isRight ? 0 : 1, none);
}
