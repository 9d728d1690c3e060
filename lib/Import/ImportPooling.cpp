// SPDX-License-Identifier: Apache-2.0
//
// Imports pooling, and reductions, which are pooling of the whole feature map.

#include "Options.h"
#include "Unary.h"

#include "mli/Analysis/CodeRanges.h"
#include "mli/Frontend/ReducedSum.h"
#include "mli/Quant/Mean.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::BuiltinOptions;

/// Creates pools of `input`, [B, H, W, C], as `outputShape` of `element`.
using PoolFunction = llvm::function_ref<Value(Value map, Value init)>;
static FailureOr<Value> createPool(GraphImporter &importer, Value input,
                                   Type element, ArrayRef<int64_t> outputShape,
                                   PoolFunction create) {
  return importer.createSliced(input, element, outputShape,
                               [&](ValueRange slices, Value init) {
                                 return create(slices.front(), init);
                               });
}

/// Fails if formats differ, since maxima are elements of the input.
static LogicalResult checkSameFormat(GraphImporter &importer, int32_t input,
                                     int32_t output) {
  FailureOr<Type> from = importer.getElement(input);
  FailureOr<Type> to = importer.getElement(output);
  if (failed(from) || failed(to) || *from == *to)
    return success(succeeded(from) && succeeded(to));
  return importer.reject("expected ", importer.describe(output),
                         " to be of the format of ", importer.describe(input),
                         ", ", *from, ", but got ", *to);
}

/// The average pool that the operator specifies. Between equal formats TFLite
/// divides sums of codes, and rounds halves away from the code 0; unsigned ones
/// have none below.
static AveragePool getAveragePool(GraphImporter &importer, Value map,
                                  int32_t input, int32_t output,
                                  const Window &window,
                                  ArrayRef<int64_t> padding, const Clip &clip) {
  auto getFormat = [&](int32_t tensor) {
    return cast<Sa8Type>(*importer.getElement(tensor)).getParams().front();
  };
  auto getAxis = [&](size_t i) -> mli::quant::PoolAxis {
    return {importer.getShape(input)[i + 1], importer.getShape(output)[i + 1],
            window.kernel[i], window.strides[i], padding[2 * i]};
  };
  mli::quant::QuantParams in = getFormat(input), out = getFormat(output);
  bool isUnsigned =
      importer.getTensor(output).type == schema::TensorType::UINT8;
  std::optional<int32_t> pivot;
  if (in == out && !isUnsigned)
    pivot = 0;
  double factor =
      in == out ? 1 : importer.getScale(input) / importer.getScale(output);
  return {{getAxis(0), getAxis(1), importer.getShape(output).back()},
          {{in, out, factor, /*count=*/0, getCodeRange(map)}, pivot},
          clip};
}

/// The error of the kernel, which multiplies by 8 bits of the ratio of scales.
static double getKernelError(const AveragePool &pool) {
  const mli::quant::Mean &mean = pool.mean.mean;
  return mean.in == mean.out
             ? 0
             : mli::quant::poolError(mean, pool.rows, pool.columns);
}

/// Imports an average pool of `map`: products with ones, or the kernel.
static FailureOr<Value> createAverage(GraphImporter &importer, Value map,
                                      Type element,
                                      ArrayRef<int64_t> outputShape,
                                      const AveragePool &pool,
                                      PoolFunction createKernel) {
  double error = getKernelError(pool);
  std::optional<AverageProducts> products = chooseAverageProducts(
      importer.getLoc(), pool, importer.getImportOptions().averages,
      /*isNeeded=*/!(error < 1));
  if (products)
    return createPool(
        importer, map, element, outputShape, [&](Value source, Value init) {
          return createAverageProducts(importer, pool, *products, source, init);
        });
  const mli::quant::Mean &mean = pool.mean.mean;
  if (!(error < 1))
    return importer.reject(
        "expected formats with which the average pool is off "
        "by at most 1, but from ",
        toString(mean.in), " to ", toString(mean.out), " it would ",
        describePoolError(error));
  return createPool(importer, map, element, outputShape, createKernel);
}

/// Imports a pool. `PoolOp` returns elements of its input, or requantises.
template <typename PoolOp>
static LogicalResult importPool(GraphImporter &importer) {
  auto options = getOptions<schema::Pool2DOptions>(
      importer, BuiltinOptions::Pool2DOptions);
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(options) || failed(input) || failed(output) ||
      failed(importer.checkFeatureMaps(*input, *output)))
    return failure();
  FailureOr<mli::quant::QuantParams> source = importer.getParams(*input);
  FailureOr<mli::quant::QuantParams> params =
      failed(source) ? source : importer.getParams(*output);
  if (failed(params) || (std::is_same_v<PoolOp, MaxPoolOp> &&
                         failed(checkSameFormat(importer, *input, *output))))
    return failure();
  ArrayRef<int64_t> from = importer.getShape(*input);
  ArrayRef<int64_t> to = importer.getShape(*output);
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
  Clip clip = chooseClip(*limits, *params);
  auto createKernel = [&](Value source, Value init) {
    Value result = importer.createOp<PoolOp>(source, init, window.kernel,
                                             *padding, window.strides);
    return createClip(importer, result, clip);
  };
  FailureOr<Value> result;
  if constexpr (std::is_same_v<PoolOp, AvePoolOp>)
    result = createAverage(
        importer, *map, *element, to,
        getAveragePool(importer, *map, *input, *output, window, *padding, clip),
        createKernel);
  else
    result = createPool(importer, *map, *element, to, createKernel);
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

/// Reads the dimensions that the operator reduces.
static FailureOr<SmallVector<bool>> getReduced(GraphImporter &importer,
                                               int32_t input) {
  FailureOr<SmallVector<int64_t>> list = importer.getIntegers(1);
  if (failed(list))
    return failure();
  auto rank = static_cast<int64_t>(importer.getShape(input).size());
  SmallVector<bool> reduced(rank);
  for (int64_t axis : *list) {
    if (axis < -rank || axis >= rank)
      return importer.reject("expected axes in [", -rank, ", ", rank - 1,
                             "], but got ", axis);
    reduced[axis < 0 ? axis + rank : axis] = true;
  }
  return reduced;
}

using CreateFunction = llvm::function_ref<FailureOr<Value>(
    Value source, Type element, const Reduction &plan)>;

/// Imports a reduction. Kernels reduce rows and columns, so the reduced
/// dimensions are moved there.
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
  if (elements != plan.before * plan.after)
    return importer.reject("expected an output of ", plan.before * plan.after,
                           " elements, but got ", elements);
  if (plan.height == 0)
    return importer.reject("expected a reduction of a number of elements that "
                           "has sides of at most 255, but got ",
                           plan.count);
  if (!plan.order.empty())
    source = importer.createPermute(*source, plan.order);
  FailureOr<Value> result = create(*source, *element, plan);
  if (failed(result))
    return failure();
  importer.define(*output, *result);
  return success();
}

LogicalResult tflite::importReduceMax(GraphImporter &importer) {
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(input) || failed(output) ||
      failed(checkSameFormat(importer, *input, *output)))
    return failure();
  return importReduction(importer,
                         [&](Value source, Type element,
                             const Reduction &plan) -> FailureOr<Value> {
                           return createReduction<MaxPoolOp>(importer, source,
                                                             element, plan);
                         });
}

/// Imports a sum or mean. With `isMean` it may be an average pool.
static LogicalResult importReducedSum(GraphImporter &importer, bool isMean) {
  FailureOr<UnaryTensors> tensors = readTensors(importer);
  if (failed(tensors))
    return failure();
  double ratio =
      importer.getScale(tensors->input) / importer.getScale(tensors->output);
  auto create = [&](Value source, Type element,
                    const Reduction &plan) -> FailureOr<Value> {
    double factor = isMean ? ratio / static_cast<double>(plan.count) : ratio;
    auto choice = chooseSumKernel(
        importer.getContext(), plan,
        {tensors->in, tensors->out, getCodeRange(source), factor},
        isMean ? std::optional(importer.getImportOptions().averages)
               : std::nullopt);
    if (auto *rejection = std::get_if<ByteRejection>(&choice)) {
      if (!rejection->reason.empty())
        return importer.reject(rejection->reason);
      return importer.reject("expected the scales of input and output to give "
                             "a factor in range, but got ",
                             factor);
    }
    return createReducedSum(importer, source, cast<Sa8Type>(element), plan,
                            std::get<SumKernel>(choice));
  };
  return importReduction(importer, create);
}

LogicalResult tflite::importMean(GraphImporter &importer) {
  return importReducedSum(importer, /*isMean=*/true);
}
LogicalResult tflite::importSum(GraphImporter &importer) {
  return importReducedSum(importer, /*isMean=*/false);
}
