// SPDX-License-Identifier: Apache-2.0
//
// Imports ARG_MAX.

#include "Options.h"

#include "mli/Frontend/ArgMax.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

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
