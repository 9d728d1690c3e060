// SPDX-License-Identifier: Apache-2.0

#include "Options.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::ActivationFunctionType;
using schema::BuiltinOptions;

FailureOr<ActivationFunctionType> tflite::getActivation(GraphImporter &importer,
                                                        BuiltinOptions type) {
  if (importer.getOperator().table->builtin_options_type() ==
      BuiltinOptions::NONE)
    return ActivationFunctionType::NONE;
  auto options = getOptions<schema::ActivationOptions>(importer, type);
  if (failed(options))
    return failure();
  return (*options)->fused_activation_function();
}

FailureOr<mli::quant::Limits>
tflite::getLimits(GraphImporter &importer, ActivationFunctionType activation,
                  double scale, int16_t zeroPoint, int bits) {
  const int32_t high = (1 << (bits - 1)) - 1, low = -high - 1;
  auto quantize = [&](double number) -> int32_t {
    double rounded = std::round(number / scale) + zeroPoint;
    return static_cast<int32_t>(std::clamp<double>(rounded, low, high));
  };
  switch (activation) {
  case ActivationFunctionType::NONE:
    return mli::quant::Limits{low, high};
  case ActivationFunctionType::RELU:
    return mli::quant::Limits{quantize(0), high};
  case ActivationFunctionType::RELU6:
    return mli::quant::Limits{quantize(0), quantize(6)};
  case ActivationFunctionType::RELU_N1_TO_1:
    return mli::quant::Limits{quantize(-1), quantize(1)};
  default:
    return importer.reject("expected the fused activation to be none, relu, "
                           "relu6 or relu_n1_to_1, but got ",
                           static_cast<int>(activation));
  }
}

/// Whether the padding of `window` is SAME; fails unless it is SAME or VALID.
static FailureOr<bool> readIsSame(GraphImporter &importer,
                                  const Window &window) {
  bool isSame = window.padding == schema::Padding::SAME;
  if (isSame || window.padding == schema::Padding::VALID)
    return isSame;
  return importer.reject("expected padding SAME or VALID, but got ",
                         static_cast<int>(window.padding));
}

FailureOr<SmallVector<int64_t, 4>>
tflite::getPadding(GraphImporter &importer, const Window &window,
                   ArrayRef<int64_t> input, ArrayRef<int64_t> output) {
  FailureOr<bool> isSame = readIsSame(importer, window);
  if (failed(isSame))
    return failure();
  SmallVector<int64_t, 4> padding;
  for (int i : {0, 1}) {
    int64_t stride = window.strides[i];
    if (stride < 1 || window.dilations[i] < 1 || window.kernel[i] < 1)
      return importer.reject("expected kernel, stride and dilation to be at "
                             "least 1, but got ",
                             window.kernel[i], ", ", stride, ", ",
                             window.dilations[i]);
    int64_t extent = (window.kernel[i] - 1) * window.dilations[i] + 1;
    int64_t reached = *isSame ? (input[i] + stride - 1) / stride
                              : (input[i] - extent + stride) / stride;
    if (reached != output[i])
      return importer.reject("expected dimension ", i + 1,
                             " of the output to be ", reached, ", but got ",
                             output[i]);
    int64_t total =
        std::max<int64_t>((output[i] - 1) * stride + extent - input[i], 0);
    padding.push_back(total / 2);
    padding.push_back(total - total / 2);
  }
  return padding;
}

FailureOr<SmallVector<int64_t, 4>>
tflite::getTransposedPadding(GraphImporter &importer, const Window &window,
                             ArrayRef<int64_t> input,
                             ArrayRef<int64_t> output) {
  FailureOr<bool> isSame = readIsSame(importer, window);
  if (failed(isSame))
    return failure();
  SmallVector<int64_t, 4> padding;
  for (int i : {0, 1}) {
    int64_t stride = window.strides[i], kernel = window.kernel[i];
    if (stride < 1)
      return importer.reject("expected strides of at least 1, but got ",
                             stride);
    // The number of windows is that of the convolution from output to input.
    int64_t windows = *isSame ? (output[i] + stride - 1) / stride
                              : (output[i] - kernel + stride) / stride;
    int64_t low =
        std::max<int64_t>((windows - 1) * stride + kernel - output[i], 0) / 2;
    int64_t high = (input[i] - 1) * stride + kernel - low - output[i];
    if (high < 0)
      return importer.reject("expected dimension ", i + 1,
                             " of the output to be at most ", output[i] + high,
                             ", but got ", output[i]);
    padding.push_back(low);
    padding.push_back(high);
  }
  return padding;
}

FailureOr<int64_t> tflite::getAxis(GraphImporter &importer, int64_t axis,
                                   size_t rank) {
  int64_t found = axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
  if (found < 0 || found >= static_cast<int64_t>(rank))
    return importer.reject("expected an axis of ", rank,
                           " dimensions, but got ", axis);
  return found;
}

FailureOr<SmallVector<int64_t>> tflite::getList(GraphImporter &importer,
                                                size_t index, size_t count) {
  FailureOr<SmallVector<int64_t>> list = importer.getIntegers(index);
  if (succeeded(list) && list->size() != count)
    return importer.reject(
        "expected ", importer.describe(*importer.getInput(index)), " to have ",
        count, " numbers, but got ", list->size());
  return list;
}

FailureOr<int64_t> tflite::getAxisInput(GraphImporter &importer, size_t index,
                                        int32_t of) {
  auto list = getList(importer, index, 1);
  if (failed(list))
    return failure();
  return getAxis(importer, list->front(), importer.getShape(of).size());
}
