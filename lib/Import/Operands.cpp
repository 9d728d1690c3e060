// SPDX-License-Identifier: Apache-2.0

#include "Operands.h"

#include "Takes.h"

#include "TFLite_generated.h"
#include "mli/Frontend/Broadcast.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

/// The indices of each dimension with which slices of `own`, whose dimensions
/// are 1 or the last ones of `shape`, are repeated to that.
static std::optional<SmallVector<SmallVector<int64_t>>>
findRepeats(ArrayRef<int64_t> own, ArrayRef<int64_t> shape) {
  SmallVector<SmallVector<int64_t>> indices;
  for (auto [i, extent] : llvm::enumerate(shape)) {
    size_t missing = shape.size() - own.size();
    int64_t from = i < missing ? 1 : own[i - missing];
    if (from != 1 && from != extent)
      return std::nullopt;
    if (from == 1)
      indices.emplace_back(extent, 0);
    else
      indices.push_back(llvm::to_vector(llvm::seq<int64_t>(0, extent)));
  }
  return indices;
}

FailureOr<Value> tflite::readOperand(GraphImporter &importer, int32_t index,
                                     ArrayRef<int64_t> shape, bool repeatsOne) {
  const Tensor &tensor = importer.getTensor(index);
  FailureOr<Type> element = importer.getElement(index);
  if (failed(element) || failed(importer.checkQuantized(index)) ||
      failed(importer.checkElements(index)))
    return failure();
  ArrayRef<int64_t> own = dropLeadingOnes(tensor.shape);
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
            repeatBytes(*data, tensor.shape, shape, size))
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

SmallVector<int64_t> tflite::getBroadcastShape(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> flat(shape);
  // Kernels take at most four dimensions.
  while (flat.size() > 4) {
    flat[1] *= flat[0];
    flat.erase(flat.begin());
  }
  if (flat.empty())
    flat.push_back(1);
  return flat;
}
