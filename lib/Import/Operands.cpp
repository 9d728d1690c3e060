// SPDX-License-Identifier: Apache-2.0

#include "Operands.h"

#include "Takes.h"

#include "TFLite_generated.h"
#include "mli/Frontend/Broadcast.h"
#include "mli/Frontend/Moves.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

/// The shape of operand `index` with the dimensions merged that
/// `getBroadcastShape` merges of the output; fails if it is repeated along some
/// of these only.
static FailureOr<SmallVector<int64_t>> mergeOperand(GraphImporter &importer,
                                                    int32_t index) {
  ArrayRef<int64_t> own = importer.getTensor(index).shape;
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(output))
    return failure();
  ArrayRef<int64_t> to = importer.getShape(*output);
  if (to.size() <= maxDims || own.size() > to.size())
    return llvm::to_vector(own);
  SmallVector<int64_t> all(to.size() - own.size(), 1);
  llvm::append_range(all, own);
  size_t count = to.size() - maxDims + 1;
  ArrayRef<int64_t> first = ArrayRef(all).take_front(count);
  auto isOne = [](int64_t extent) { return extent == 1; };
  if (first != to.take_front(count) && !llvm::all_of(first, isOne))
    return importer.reject("expected ", importer.describe(index),
                           " to have the first ", count,
                           " dimensions of the output or 1, but got others");
  return mergeDims(all);
}

FailureOr<Value> tflite::readOperand(GraphImporter &importer, int32_t index,
                                     ArrayRef<int64_t> shape, bool repeatsOne) {
  const Tensor &tensor = importer.getTensor(index);
  FailureOr<Type> element = importer.getElement(index);
  if (failed(element) || failed(importer.checkQuantized(index)) ||
      failed(importer.checkElements(index)))
    return failure();
  FailureOr<SmallVector<int64_t>> merged = mergeOperand(importer, index);
  if (failed(merged))
    return failure();
  ArrayRef<int64_t> own = dropLeadingOnes(*merged);
  if (own.size() > shape.size())
    return importer.reject("expected ", importer.describe(index),
                           " to have at most ", shape.size(),
                           " dimensions, but got ", own.size());
  if (own.empty() && !repeatsOne)
    return importer.read(index, {1});
  if (dropLeadingOnes(shape) == own)
    return importer.read(index, shape);
  if (tensor.isConstant) {
    bool isUnsigned = tensor.type == schema::TensorType::UINT8;
    SmallVector<char> narrow;
    FailureOr<ArrayRef<char>> data = importer.getData(index, narrow);
    if (failed(data))
      return failure();
    int64_t size = static_cast<int64_t>(data->size()) / tensor.getNumElements();
    if (std::optional<SmallVector<char>> bytes =
            repeatBytes(*data, *merged, shape, size))
      return importer.createConstant(*element, shape, *bytes,
                                     /*holder=*/nullptr, isUnsigned);
  }
  if (shape.take_back(own.size()) == own)
    return importer.read(index, own);
  if (std::optional<SmallVector<SmallVector<int64_t>>> indices =
          findRepeats(own, shape)) {
    SmallVector<int64_t> whole(shape.size() - own.size(), 1);
    llvm::append_range(whole, own);
    FailureOr<Value> value = importer.read(index, whole);
    return failed(value) ? value : takeSlices(importer, *value, *indices);
  }
  return importer.reject("expected ", importer.describe(index),
                         " to have the dimensions of the output or 1, but got "
                         "others");
}

std::optional<SmallVector<double>> tflite::readNumbers(GraphImporter &importer,
                                                       int32_t index) {
  const Tensor &tensor = importer.getTensor(index);
  bool isUnsigned = tensor.type == schema::TensorType::UINT8;
  if (!tensor.isConstant || tensor.quantization.zeroPoints.size() != 1 ||
      (!isUnsigned && tensor.type != schema::TensorType::INT8))
    return std::nullopt;
  SmallVector<double> numbers;
  for (char byte : tensor.data) {
    int64_t code = isUnsigned ? int64_t(static_cast<uint8_t>(byte))
                              : int64_t(static_cast<int8_t>(byte));
    numbers.push_back(
        importer.getScale(index) *
        static_cast<double>(code - tensor.quantization.zeroPoints.front()));
  }
  return numbers;
}

SmallVector<int64_t> tflite::getBroadcastShape(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> flat = mergeDims(shape);
  if (flat.empty())
    flat.push_back(1);
  return flat;
}
