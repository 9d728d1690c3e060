// SPDX-License-Identifier: Apache-2.0
//
// Importing pooling, and reductions that are pooling of the whole map.

#include "Imports.h"
#include "Options.h"
#include "Unary.h"

#include "mli/Analysis/CodeRanges.h"

#include "Frontend/ByteProduct.h"
#include "Frontend/Reduction.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::BuiltinOptions;

/// Creates pools of `input`, [B, H, W, C], to `outputShape` of the elements of
/// tensor `output`.
template <typename PoolOp>
static FailureOr<Value>
createPool(GraphImporter &importer, Value input, Type element,
           ArrayRef<int64_t> outputShape, const Window &window,
           ArrayRef<int64_t> padding, const Clip &clip) {
  return importer.createSliced(
      input, element, outputShape, [&](ValueRange slices, Value init) {
        Value result = PoolOp::create(importer.getBuilder(), importer.getLoc(),
                                      slices.front(), init, window.kernel,
                                      padding, window.strides)
                           .getResult(0);
        return createClip(importer, result, clip);
      });
}

/// Maxima are elements of the input.
static LogicalResult checkSameFormat(GraphImporter &importer, int32_t input,
                                     int32_t output) {
  FailureOr<Type> from = importer.getElement(input);
  FailureOr<Type> to = importer.getElement(output);
  if (failed(from) || failed(to) || *from == *to)
    return success(succeeded(from) && succeeded(to));
  return importer.refuse("expected ", importer.describe(output),
                         " to be of the format of ", importer.describe(input),
                         ", ", *from, ", but got ", *to);
}

/// `PoolOp` gives the elements of its input, or requantises.
template <typename PoolOp>
static LogicalResult importPool(GraphImporter &importer) {
  auto options = getOptions<schema::Pool2DOptions>(
      importer, BuiltinOptions::Pool2DOptions);
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(options) || failed(input) || failed(output) ||
      failed(importer.checkRank(*input, 4)) ||
      failed(importer.checkRank(*output, 4)))
    return failure();
  FailureOr<mli::quant::QuantParams> source = importer.getParams(*input);
  FailureOr<mli::quant::QuantParams> params =
      failed(source) ? source : importer.getParams(*output);
  if (failed(params) || (std::is_same_v<PoolOp, MaxPoolOp> &&
                         failed(checkSameFormat(importer, *input, *output))))
    return failure();
  ArrayRef<int64_t> from = importer.getShape(*input);
  ArrayRef<int64_t> to = importer.getShape(*output);
  if (from.front() != to.front())
    return importer.refuse("expected an output of ", from.front(),
                           " maps, but got ", to.front());
  Window window{{(*options)->filter_height(), (*options)->filter_width()},
                {(*options)->stride_h(), (*options)->stride_w()},
                {1, 1},
                (*options)->padding()};
  FailureOr<SmallVector<int64_t, 4>> padding =
      getPadding(importer, window, from.slice(1, 2), to.slice(1, 2));
  FailureOr<mli::quant::Limits> limits =
      getLimits(importer, (*options)->fused_activation_function(),
                importer.getScale(*output), params->zeroPoint);
  FailureOr<Value> map = importer.read(*input);
  FailureOr<Type> element = importer.getElement(*output);
  if (failed(padding) || failed(limits) || failed(map) || failed(element))
    return failure();
  FailureOr<Value> result =
      createPool<PoolOp>(importer, *map, *element, to, window, *padding,
                         chooseClip(*limits, *params));
  if (failed(result))
    return failure();
  importer.define(*output, *result);
  return success();
}

LogicalResult tflite::importAveragePool(GraphImporter &importer) {
  return importPool<AvePoolOp>(importer);
}
LogicalResult tflite::importMaxPool(GraphImporter &importer) {
  return importPool<MaxPoolOp>(importer);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Which dimensions the operator reduces.
static FailureOr<SmallVector<bool>> getReduced(GraphImporter &importer,
                                               int32_t input) {
  FailureOr<SmallVector<int64_t>> list = importer.getIntegers(1);
  if (failed(list))
    return failure();
  auto rank = static_cast<int64_t>(importer.getShape(input).size());
  SmallVector<bool> reduced(rank);
  for (int64_t axis : *list) {
    if (axis < -rank || axis >= rank)
      return importer.refuse("expected axes in [", -rank, ", ", rank - 1,
                             "], but got ", axis);
    reduced[axis < 0 ? axis + rank : axis] = true;
  }
  return reduced;
}

using CreateFunction = llvm::function_ref<FailureOr<Value>(
    Value source, Type element, const Reduction &plan)>;

/// Kernels reduce rows and columns: other dimensions are put there.
static LogicalResult importReduction(GraphImporter &importer,
                                     CreateFunction create) {
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(input) || failed(output) ||
      failed(importer.checkElements(*input)) ||
      failed(importer.getParams(*output)))
    return failure();
  FailureOr<SmallVector<bool>> reduced = getReduced(importer, *input);
  FailureOr<Value> source = importer.read(*input);
  FailureOr<Type> element = importer.getElement(*output);
  if (failed(reduced) || failed(source) || failed(element))
    return failure();
  Reduction plan = planReduction(importer.getShape(*input), *reduced);
  int64_t elements = importer.getTensor(*output).getNumElements();
  if (elements != plan.before * plan.behind)
    return importer.refuse("expected an output of ", plan.before * plan.behind,
                           " elements, but got ", elements);
  if (plan.height == 0)
    return importer.refuse("expected a reduction of a number of elements that "
                           "has sides of at most 255, but got ",
                           plan.count);
  if (!plan.order.empty())
    source = importer.createPermute(*source, plan.order);
  if (failed(source))
    return failure();
  FailureOr<Value> result = create(*source, *element, plan);
  if (failed(result))
    return failure();
  importer.define(*output, *result);
  return success();
}

template <typename PoolOp>
static LogicalResult importPooled(GraphImporter &importer) {
  return importReduction(importer,
                         [&](Value source, Type element,
                             const Reduction &plan) -> FailureOr<Value> {
                           return createReduction<PoolOp>(importer, source,
                                                          element, plan);
                         });
}

LogicalResult tflite::importMean(GraphImporter &importer) {
  return importPooled<AvePoolOp>(importer);
}
LogicalResult tflite::importReduceMax(GraphImporter &importer) {
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(input) || failed(output) ||
      failed(checkSameFormat(importer, *input, *output)))
    return failure();
  return importPooled<MaxPoolOp>(importer);
}

/// A convolution with ones, whose scale is what brings sums to the output's.
LogicalResult tflite::importSum(GraphImporter &importer) {
  FailureOr<UnaryTensors> tensors = readTensors(importer);
  if (failed(tensors))
    return failure();
  double ratio =
      importer.getScale(tensors->input) / importer.getScale(tensors->output);
  auto create = [&](Value source, Type element,
                    const Reduction &plan) -> FailureOr<Value> {
    int64_t shape[] = {plan.height, plan.width, 1, plan.behind};
    SmallVector<char> ones(plan.count * plan.behind, 1);
    const mli::quant::Limits all = {INT8_MIN, INT8_MAX};
    auto choice = chooseLayer(importer.getContext(),
                              {tensors->in,
                               tensors->out,
                               getCodeRange(source),
                               ones,
                               SmallVector<int32_t>(plan.behind, 0),
                               {ratio},
                               all});
    if (auto *refusal = std::get_if<ByteRefusal>(&choice)) {
      if (!refusal->reason.empty())
        return importer.refuse(refusal->reason);
      return importer.refuse("expected the scales of input and output to give "
                             "a factor in range, but got ",
                             ratio);
    }
    auto &layer = std::get<ByteLayer>(choice);
    remarkChanges(importer.getLoc(), layer);
    LayerOperands operands =
        createOperands(importer, layer, shape, [&](Type weights) {
          return importer.createSplat(weights, shape, /*code=*/1);
        });
    return createReduction(
        importer, source, element, plan, [&](Value map, Value init) {
          return createProduct(
              importer, operands, chooseClip(all, tensors->out), map, init,
              [&](Value from, const KernelOperands &each, Value into,
                  ReluKind relu) {
                return DepthwiseConv2DOp::create(
                           importer.getBuilder(), importer.getLoc(), from,
                           each.weights, each.bias, into, {0, 0, 0, 0}, {1, 1},
                           {1, 1}, relu)
                    .getResult(0);
              });
        });
  };
  return importReduction(importer, create);
}
