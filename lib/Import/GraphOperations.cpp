// SPDX-License-Identifier: Apache-2.0
//
// Operations that importing creates with what lies in the file.

#include "GraphImporter.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

Value GraphImporter::createConstant(Type element, ArrayRef<int64_t> shape,
                                    ArrayRef<char> bytes,
                                    const std::shared_ptr<void> &holder,
                                    bool isUnsigned) {
  SmallVector<char> flipped;
  if (isUnsigned) {
    flipped.assign(bytes.begin(), bytes.end());
    for (char &code : flipped)
      code = static_cast<char>(code ^ 0x80);
    bytes = flipped;
  }
  bool isInFile =
      !std::less<>()(bytes.begin(), model.bytes.data()) &&
      std::less<>()(bytes.begin(), model.bytes.data() + model.bytes.size());
  return TensorBuilder::createConstant(element, shape, bytes,
                                       isInFile ? owner : holder);
}

FailureOr<Value> GraphImporter::createPermute(Value value,
                                              ArrayRef<int64_t> order) {
  if (Value permuted = TensorBuilder::createPermute(value, order))
    return permuted;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return refuse("expected a permutation of at most 4 dimensions, but got ",
                runsOf(shape, order).size());
}
