// SPDX-License-Identifier: Apache-2.0
//
// Operations that importing creates with what lies in the file.

#include "GraphImporter.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

/// Data of this size and more is not printed with the operations, nor copied
/// where it can stay in the file.
static constexpr size_t resourceBytes = 1 << 16;

Value GraphImporter::createConstant(Type element, ArrayRef<int64_t> shape,
                                    ArrayRef<char> bytes,
                                    std::shared_ptr<void> holder,
                                    bool isUnsigned) {
  auto result = RankedTensorType::get(shape, element);
  Type storage = storageOf(element);
  auto type = RankedTensorType::get(shape, storage);
  SmallVector<char> flipped;
  if (isUnsigned) {
    flipped.assign(bytes.begin(), bytes.end());
    for (char &code : flipped)
      code = static_cast<char>(code ^ 0x80);
    bytes = flipped;
  }
  if (bytes.size() < resourceBytes)
    return ConstantOp::create(builder, loc, result,
                              DenseElementsAttr::getFromRawBuffer(type, bytes));
  size_t alignment = llvm::divideCeil(storage.getIntOrFloatBitWidth(), 8);
  bool isInFile =
      !std::less<>()(bytes.begin(), model.bytes.data()) &&
      std::less<>()(bytes.begin(), model.bytes.data() + model.bytes.size());
  if (isInFile)
    holder = owner;
  bool isAligned = reinterpret_cast<uintptr_t>(bytes.data()) % alignment == 0;
  AsmResourceBlob blob =
      (isInFile || holder) && isAligned
          ? AsmResourceBlob(
                bytes, alignment, [holder](void *, size_t, size_t) {},
                /*dataIsMutable=*/false)
          : HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, alignment);
  return ConstantOp::create(
      builder, loc, result,
      DenseResourceElementsAttr::get(type, "weights", std::move(blob)));
}

FailureOr<Value> GraphImporter::createPermute(Value value,
                                              ArrayRef<int64_t> order) {
  if (Value permuted = TensorBuilder::createPermute(value, order))
    return permuted;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return refuse("expected a permutation of at most 4 dimensions, but got ",
                runsOf(shape, order).size());
}
