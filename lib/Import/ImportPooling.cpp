// SPDX-License-Identifier: Apache-2.0
//
// Importing pooling, and reductions that are pooling of the whole map.

#include "Imports.h"
#include "Options.h"

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
  FailureOr<mli::quant::QuantParams> params = importer.getParams(*output);
  if (failed(params))
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
  FailureOr<Value> source = importer.read(*input);
  FailureOr<Type> element = importer.getElement(*output);
  if (failed(padding) || failed(limits) || failed(source) || failed(element))
    return failure();
  FailureOr<Value> result =
      createPool<PoolOp>(importer, *source, *element, to, window, *padding,
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

/// A window of `count` elements whose sides fit a kernel; nothing if none do.
static std::optional<std::pair<int64_t, int64_t>> findSides(int64_t count) {
  for (int64_t height = UINT8_MAX; height > 0; --height)
    if (count % height == 0 && count / height <= UINT8_MAX)
      return std::pair(height, count / height);
  return std::nullopt;
}

/// Kernels reduce rows and columns: other dimensions are put there.
template <typename PoolOp>
static LogicalResult importReduction(GraphImporter &importer) {
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
  ArrayRef<int64_t> shape = importer.getShape(*input);

  // Dimensions as [kept before, reduced, kept behind], which needs no move, or
  // else [reduced, kept].
  auto isReduced = [&](int64_t i) { return (*reduced)[i]; };
  auto dims = llvm::to_vector(llvm::seq<int64_t>(shape.size()));
  auto product = [&](ArrayRef<int64_t> list) {
    int64_t size = 1;
    for (int64_t dim : list)
      size *= shape[dim];
    return size;
  };
  auto *first = llvm::find_if(dims, isReduced);
  auto *last = std::find_if_not(first, dims.end(), isReduced);
  bool isRun = std::none_of(last, dims.end(), isReduced);
  if (!isRun || (last == dims.end() && product({first, last}) > 1)) {
    SmallVector<int64_t> order;
    llvm::copy_if(dims, std::back_inserter(order), isReduced);
    size_t count = order.size();
    llvm::copy_if(dims, std::back_inserter(order),
                  [&](int64_t i) { return !isReduced(i); });
    FailureOr<Value> permuted = importer.createPermute(*source, order);
    if (failed(permuted))
      return failure();
    source = permuted;
    dims = order;
    first = dims.begin();
    last = dims.begin() + count;
  }
  int64_t before = product({dims.begin(), first});
  int64_t count = product({first, last});
  int64_t behind = product({last, dims.end()});
  if (importer.getTensor(*output).getNumElements() != before * behind)
    return importer.refuse("expected an output of ", before * behind,
                           " elements, but got ",
                           importer.getTensor(*output).getNumElements());
  auto sides = findSides(count);
  if (!sides)
    return importer.refuse("expected a reduction of a number of elements that "
                           "has sides of at most 255, but got ",
                           count);
  auto [height, width] = *sides;
  Window window{{height, width}, {1, 1}, {1, 1}, schema::Padding::VALID};
  FailureOr<Value> result = createPool<PoolOp>(
      importer,
      importer.createReshape(*source, {before, height, width, behind}),
      *element, {before, 1, 1, behind}, window, {0, 0, 0, 0},
      Clip{ReluKind::none, {}});
  if (failed(result))
    return failure();
  importer.define(*output, *result);
  return success();
}

LogicalResult tflite::importMean(GraphImporter &importer) {
  return importReduction<AvePoolOp>(importer);
}
LogicalResult tflite::importReduceMax(GraphImporter &importer) {
  return importReduction<MaxPoolOp>(importer);
}
