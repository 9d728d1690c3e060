// SPDX-License-Identifier: Apache-2.0
//
// Imports reductions: maxima, sums and means, which are pooling of whole
// feature maps, and positions of maxima.

#include "Options.h"
#include "Unary.h"
#include "Wide/WideLayers.h"

#include "mli/Analysis/CodeRanges.h"
#include "mli/Frontend/ArgMax.h"
#include "mli/Frontend/ReducedSum.h"
#include "mli/Frontend/WideAverage.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

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
      failed(checkCodes(importer, *input, *output)))
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

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static LogicalResult rejectFactor(GraphImporter &importer, double factor) {
  return importer.reject("expected the scales of input and output to give a "
                         "factor in range, but got ",
                         factor);
}

/// Imports a sum or mean of 16 bits.
static LogicalResult importWideReducedSum(GraphImporter &importer,
                                          bool isMean) {
  auto create = [&](Value source, Type element,
                    const Reduction &plan) -> FailureOr<Value> {
    auto out = cast<Fx16Type>(element);
    WideScales scales = getWideScales(importer);
    double factor =
        isMean ? scales.ratio / static_cast<double>(plan.count) : scales.ratio;
    auto ones =
        chooseWideReducedSum(importer.getLoc(),
                             {cast<Fx16Type>(getElementTypeOrSelf(source)), out,
                              factor, plan.count, isMean && scales.areEqual},
                             importer.getImportOptions().averages);
    if (failed(ones))
      return rejectFactor(importer, factor);
    return createWideReducedSum(importer, source, out, plan, *ones);
  };
  return importReduction(importer, create);
}

/// Imports a sum or mean. With `isMean` it may be an average pool.
static LogicalResult importReducedSum(GraphImporter &importer, bool isMean) {
  if (hasWideInput(importer))
    return importWideReducedSum(importer, isMean);
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
      return rejectFactor(importer, factor);
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

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

LogicalResult tflite::importArgMax(GraphImporter &importer) {
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(input) || failed(output) ||
      failed(importer.checkElements(*input)) ||
      failed(importer.getParams(*input)))
    return failure();
  FailureOr<int64_t> axis = getAxisInput(importer, 1, *input);
  FailureOr<Type> element = importer.getElement(*output);
  FailureOr<Value> source = importer.read(*input);
  if (failed(axis) || failed(element) || failed(source))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(*input);
  int64_t size = shape[*axis], rows = llvm::product_of(shape) / size;
  if (importer.getTensor(*output).getNumElements() != rows)
    return importer.reject("expected an output of ", rows,
                           " elements, but got ",
                           importer.getTensor(*output).getNumElements());
  if (size > maxPositions)
    return importer.reject("expected at most ", maxPositions,
                           " elements along the axis, but got ", size);
  importer.define(*output,
                  createArgMax(importer, *source, shape, *axis, *element));
  return success();
}
