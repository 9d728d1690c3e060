// SPDX-License-Identifier: Apache-2.0
//
// Imports splits and concatenations along an axis.

#include "Options.h"

#include "mli/Frontend/Moves.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::BuiltinOptions;

//===----------------------------------------------------------------------===//
// Slices along one axis
//===----------------------------------------------------------------------===//

/// Defines tensor `output` as the slice [offset, offset + size) of `source`,
/// seen as `view`.
static LogicalResult defineSlice(GraphImporter &importer, int32_t input,
                                 Value source, const AxisView &view,
                                 int64_t offset, int64_t size, int32_t output) {
  FailureOr<Type> element = importer.getElement(output);
  if (failed(element) || failed(importer.checkSameType(input, output)))
    return failure();
  int64_t elements = importer.getTensor(output).getNumElements();
  if (elements != view.before * size * view.after)
    return importer.reject("expected ", importer.describe(output), " to have ",
                           view.before * size * view.after,
                           " elements, but got ", elements);
  Value reshaped =
      importer.createReshape(source, {view.before, view.extent, view.after});
  Value init = importer.createEmpty(getElementTypeOrSelf(source),
                                    {view.before, size, view.after});
  auto mov =
      MovOp::create(importer.getBuilder(), importer.getLoc(), reshaped, init);
  mov.setOffsets({0, offset, 0});
  mov.setSizes({view.before, size, view.after});
  importer.define(output, importer.createConvert(mov.getResult(0), *element));
  return success();
}

/// Splits `input` along `axis`. Each output takes its own extent, or, with
/// `isUnpacked`, one index without the dimension.
static LogicalResult importSlices(GraphImporter &importer, int32_t input,
                                  int64_t axis, bool isUnpacked) {
  FailureOr<Value> source = importer.read(input);
  if (failed(source))
    return failure();
  AxisView view(importer.getShape(input), axis);
  int64_t offset = 0;
  for (int32_t output : importer.getOperator().outputs) {
    ArrayRef<int64_t> shape = importer.getShape(output);
    if (failed(importer.checkElements(output)))
      return failure();
    if (!isUnpacked && shape.size() != importer.getShape(input).size())
      return importer.reject("expected ", importer.describe(output),
                             " to have the dimensions of the input, but got ",
                             shape.size());
    int64_t size = isUnpacked ? 1 : shape[axis];
    if (offset + size > view.extent)
      return importer.reject("expected outputs of ", view.extent,
                             " together, but got more");
    if (failed(
            defineSlice(importer, input, *source, view, offset, size, output)))
      return failure();
    offset += size;
  }
  return success();
}

static LogicalResult importSplitAt(GraphImporter &importer, size_t inputAt,
                                   size_t axisAt) {
  FailureOr<int32_t> input = importer.getInput(inputAt);
  if (failed(input) || failed(importer.checkElements(*input)))
    return failure();
  FailureOr<int64_t> axis = getAxisInput(importer, axisAt, *input);
  if (failed(axis))
    return failure();
  return importSlices(importer, *input, *axis, /*isUnpacked=*/false);
}

LogicalResult tflite::importSplit(GraphImporter &importer) {
  return importSplitAt(importer, 1, 0);
}
LogicalResult tflite::importSplitV(GraphImporter &importer) {
  return importSplitAt(importer, 0, 2);
}

LogicalResult tflite::importUnpack(GraphImporter &importer) {
  auto options = getOptions<schema::UnpackOptions>(
      importer, BuiltinOptions::UnpackOptions);
  FailureOr<int32_t> input = importer.getInput(0);
  if (failed(options) || failed(input) ||
      failed(importer.checkElements(*input)))
    return failure();
  FailureOr<int64_t> axis =
      getAxis(importer, (*options)->axis(), importer.getShape(*input).size());
  if (failed(axis))
    return failure();
  return importSlices(importer, *input, *axis, /*isUnpacked=*/true);
}

/// Concatenates all inputs along `axis` of the output.
static LogicalResult importConcat(GraphImporter &importer, int64_t axis,
                                  bool isPacked) {
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(output) || failed(importer.checkElements(*output)))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(*output);
  FailureOr<int64_t> dim = getAxis(importer, axis, shape.size());
  FailureOr<Type> element = importer.getElement(*output);
  if (failed(dim) || failed(element))
    return failure();
  AxisView view(shape, *dim);
  SmallVector<Value> operands;
  int64_t offset = 0;
  for (size_t i = 0; i < importer.getOperator().inputs.size(); ++i) {
    FailureOr<int32_t> input = importer.getInput(i);
    if (failed(input) || failed(importer.checkElements(*input)) ||
        failed(importer.checkSameType(*output, *input)))
      return failure();
    int64_t elements = importer.getTensor(*input).getNumElements();
    int64_t size = elements / (view.before * view.after);
    if (elements != size * view.before * view.after ||
        (isPacked && size != 1) || size > view.extent - offset)
      return importer.reject("expected ", importer.describe(*input),
                             " to fit the output, but got ", elements,
                             " elements");
    FailureOr<Value> source =
        importer.read(*input, {view.before, size, view.after});
    if (failed(source))
      return failure();
    operands.push_back(*source);
    offset += size;
  }
  if (offset != view.extent)
    return importer.reject("expected inputs of ", view.extent,
                           " together, but got ", offset);
  importer.define(*output,
                  createConcat(importer, operands, *element, shape, *dim));
  return success();
}

LogicalResult tflite::importConcatenation(GraphImporter &importer) {
  auto options = getOptions<schema::ConcatenationOptions>(
      importer, BuiltinOptions::ConcatenationOptions);
  if (failed(options))
    return failure();
  if ((*options)->fused_activation_function() !=
      schema::ActivationFunctionType::NONE)
    return importer.reject(
        "expected no fused activation, but got ",
        static_cast<int>((*options)->fused_activation_function()));
  return importConcat(importer, (*options)->axis(), /*isPacked=*/false);
}

LogicalResult tflite::importPack(GraphImporter &importer) {
  auto options =
      getOptions<schema::PackOptions>(importer, BuiltinOptions::PackOptions);
  if (failed(options))
    return failure();
  return importConcat(importer, (*options)->axis(), /*isPacked=*/true);
}
