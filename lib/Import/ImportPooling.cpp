// SPDX-License-Identifier: Apache-2.0
//
// Imports pooling.

#include "Options.h"
#include "Unary.h"
#include "Wide/WideLayers.h"

#include "mli/Analysis/CodeRanges.h"
#include "mli/Frontend/AveragePool.h"
#include "mli/Frontend/ReducedSum.h"
#include "mli/Frontend/WideAverage.h"
#include "mli/Quant/Mean.h"

#include "mlir/IR/TypeUtilities.h"

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

static PoolShape getPoolShape(GraphImporter &importer, int32_t input,
                              int32_t output, const Window &window,
                              ArrayRef<int64_t> padding) {
  auto getAxis = [&](size_t i) -> mli::quant::PoolAxis {
    return {importer.getShape(input)[i + 1], importer.getShape(output)[i + 1],
            window.kernel[i], window.strides[i], padding[2 * i]};
  };
  return {getAxis(0), getAxis(1), importer.getShape(output).back()};
}

/// The average pool that the operator specifies. Between equal formats TFLite
/// divides sums of codes, and rounds halves away from the code 0; unsigned ones
/// have none below.
static AveragePool getAveragePool(GraphImporter &importer, Value map,
                                  int32_t input, int32_t output,
                                  const PoolShape &shape, const Clip &clip) {
  auto getFormat = [&](int32_t tensor) {
    return cast<Sa8Type>(*importer.getElement(tensor)).getParams().front();
  };
  mli::quant::QuantParams in = getFormat(input), out = getFormat(output);
  bool isUnsigned =
      importer.getTensor(output).type == schema::TensorType::UINT8;
  std::optional<int32_t> pivot;
  if (in == out && !isUnsigned)
    pivot = 0;
  double factor =
      in == out ? 1 : importer.getScale(input) / importer.getScale(output);
  return {
      shape, {{in, out, factor, /*count=*/0, getCodeRange(map)}, pivot}, clip};
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
      /*isNeeded=*/!pool.fitsKernel() || !(error < 1));
  if (products)
    return createPool(
        importer, map, element, outputShape, [&](Value source, Value init) {
          return createAverageProducts(importer, pool, *products, source, init);
        });
  if (!pool.fitsKernel())
    return importer.reject("expected windows of at most 255 x 255 elements "
                           "where the kernel computes them, but got ",
                           pool.rows.kernel, " x ", pool.columns.kernel);
  const mli::quant::Mean &mean = pool.mean.mean;
  if (!(error < 1))
    return importer.reject(
        "expected formats with which the average pool is off "
        "by at most 1, but from ",
        toString(mean.in), " to ", toString(mean.out), " it would ",
        describePoolError(error));
  return createPool(importer, map, element, outputShape, createKernel);
}

/// How `activation` clips codes of `output`.
static FailureOr<Clip> getClip(GraphImporter &importer,
                               schema::ActivationFunctionType activation,
                               int32_t output) {
  bool isWide = importer.getTensor(output).type == schema::TensorType::INT16;
  mli::quant::QuantParams params;
  if (!isWide)
    params = *importer.getParams(output);
  FailureOr<mli::quant::Limits> limits =
      getLimits(importer, activation, importer.getScale(output),
                params.zeroPoint, isWide ? 16 : 8);
  if (failed(limits))
    return failure();
  return isWide ? chooseWideClip(*limits) : chooseClip(*limits, params);
}

/// Imports an average pool of `map`, of 16 bits: the kernel, or products with
/// ones.
static FailureOr<Value>
createWideAverage(GraphImporter &importer, Value map, Type element,
                  ArrayRef<int64_t> outputShape, const PoolShape &shape,
                  const Clip &clip, PoolFunction createKernel) {
  WideScales scales = getWideScales(importer);
  WidePool pool{shape, cast<Fx16Type>(getElementTypeOrSelf(map)),
                cast<Fx16Type>(element), scales.ratio, scales.areEqual};
  std::string reason;
  auto products = chooseWideAverage(
      importer.getLoc(), pool, importer.getImportOptions().averages, reason);
  if (failed(products))
    return importer.reject(reason);
  if (!*products)
    return createPool(importer, map, element, outputShape, createKernel);
  return createPool(
      importer, map, element, outputShape, [&](Value source, Value init) {
        Value result =
            mli::createWideAverage(importer, pool, **products, source, init);
        return createClip(importer, result, clip);
      });
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
  if ((std::is_same_v<PoolOp, MaxPoolOp> &&
       failed(checkSameFormat(importer, *input, *output))) ||
      failed(checkCodes(importer, *input, *output)))
    return failure();
  ArrayRef<int64_t> from = importer.getShape(*input);
  ArrayRef<int64_t> to = importer.getShape(*output);
  Window window{{(*options)->filter_height(), (*options)->filter_width()},
                {(*options)->stride_h(), (*options)->stride_w()},
                {1, 1},
                (*options)->padding()};
  FailureOr<SmallVector<int64_t, 4>> padding =
      getPadding(importer, window, from.slice(1, 2), to.slice(1, 2));
  FailureOr<Clip> clip =
      getClip(importer, (*options)->fused_activation_function(), *output);
  FailureOr<Value> map = importer.read(*input);
  FailureOr<Type> element = importer.getElement(*output);
  if (failed(padding) || failed(clip) || failed(map) || failed(element))
    return failure();
  auto createKernel = [&](Value source, Value init) {
    Value result = importer.createOp<PoolOp>(source, init, window.kernel,
                                             *padding, window.strides);
    return createClip(importer, result, *clip);
  };
  PoolShape shape = getPoolShape(importer, *input, *output, window, *padding);
  FailureOr<Value> result;
  if constexpr (std::is_same_v<PoolOp, AvePoolOp>)
    result = isa<Fx16Type>(*element)
                 ? createWideAverage(importer, *map, *element, to, shape, *clip,
                                     createKernel)
                 : createAverage(importer, *map, *element, to,
                                 getAveragePool(importer, *map, *input, *output,
                                                shape, *clip),
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
