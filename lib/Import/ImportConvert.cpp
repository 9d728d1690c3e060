// SPDX-License-Identifier: Apache-2.0
//
// Imports changes of quantisation.

#include "GraphImporter.h"
#include "TFLite_generated.h"
#include "Wide/WideLayers.h"

#include "mli/Quant/Requantize.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

/// The error in quantized values of `to` over the whole range of `from`. The
/// factors of kernels have 15 bits, which shows in 16 and 32-bit results.
static double getConversionError(GraphImporter &importer, int32_t from,
                                 Type source, int32_t to, Type result) {
  auto in = dyn_cast<QuantizedType>(source);
  auto out = dyn_cast<QuantizedType>(result);
  if (!in || !out)
    return 0;
  double factor = importer.getScale(from) / importer.getScale(to);
  mli::quant::Ratio ratio =
      mli::quant::requantize(in.getParam(0), out.getParam(0)).ratio;
  double error =
      std::abs(std::ldexp(ratio.multiplier, -ratio.shift) / factor - 1);
  return error * std::min(std::ldexp(factor, elementWidth(source)),
                          std::ldexp(1, elementWidth(result)));
}

/// Fails for float32 and a tensor of 16 bits whose scale kernels do not hold.
static LogicalResult checkReals(GraphImporter &importer, int32_t from,
                                int32_t to) {
  auto isReal = [&](int32_t index) {
    return importer.getTensor(index).type == schema::TensorType::FLOAT32;
  };
  if (isReal(from) == isReal(to))
    return success();
  int32_t index = isReal(from) ? to : from;
  if (importer.getLabel(index) == 1)
    return success();
  return importer.reject("expected the scale of ", importer.describe(index),
                         ", of int16, and those connected with it to be powers "
                         "of two beside float32, but got ",
                         importer.getScale(index));
}

LogicalResult tflite::importConvert(GraphImporter &importer) {
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(input) || failed(output) ||
      failed(checkReals(importer, *input, *output)))
    return failure();
  auto isWide = [&](int32_t index) {
    return importer.getTensor(index).type == schema::TensorType::INT16;
  };
  if (isWide(*input) && isWide(*output))
    return importWideConvert(importer);
  if (failed(importer.checkQuantized(*input)) ||
      failed(importer.checkQuantized(*output)))
    return failure();
  FailureOr<Type> from = importer.getElement(*input);
  FailureOr<Type> element = failed(from) ? from : importer.getElement(*output);
  if (failed(element))
    return failure();
  int64_t elements = importer.getTensor(*input).getNumElements();
  if (importer.getTensor(*output).getNumElements() != elements)
    return importer.reject("expected an output of ", elements,
                           " elements, but got ",
                           importer.getTensor(*output).getNumElements());
  double error = getConversionError(importer, *input, *from, *output, *element);
  if (error > 2)
    return importer.reject("expected a conversion from ",
                           importer.describe(*input), " to ",
                           importer.describe(*output),
                           " that is exact to 1, but got an error of up to ",
                           static_cast<int64_t>(error / 2));
  FailureOr<Value> source = importer.read(*input);
  if (failed(source))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(*input);
  if (shape.size() > 4 || (shape.size() == 4 && shape.front() == 1))
    source = importer.createReshape(
        *source, shape.size() > 4 ? ArrayRef(elements) : shape.drop_front());
  importer.define(*output, importer.createConvert(*source, *element));
  return success();
}
