// SPDX-License-Identifier: Apache-2.0

#include "ConstantData.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mli;

/// The bytes of `value`, which the verifier has found to be one block.
static ArrayRef<char> bytesOf(ElementsAttr value) {
  if (auto dense = dyn_cast<DenseIntElementsAttr>(value))
    return dense.getRawData();
  return cast<DenseResourceElementsAttr>(value)
      .getRawHandle()
      .getBlob()
      ->getData();
}

Value mli::gatherConstant(OpBuilder &builder, ConstantOp source,
                          RankedTensorType type, int64_t offset,
                          ArrayRef<int64_t> strides) {
  ElementsAttr value = source.getValue();
  Type storage = value.getElementType();
  auto codes = RankedTensorType::get(type.getShape(), storage);
  ArrayRef<char> bytes = bytesOf(value);
  if (value.isSplat())
    return ConstantOp::create(
        builder, source.getLoc(), type,
        DenseElementsAttr::getFromRawBuffer(codes, bytes));
  int64_t width = storage.getIntOrFloatBitWidth() / 8;
  std::vector<char> gathered;
  gathered.reserve(type.getNumElements() * width);
  SmallVector<int64_t> index(type.getRank(), 0);
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    int64_t position = offset;
    for (auto [at, stride] : llvm::zip_equal(index, strides))
      position += at * stride;
    llvm::append_range(gathered, bytes.slice(position * width, width));
    for (int64_t d = type.getRank() - 1; d >= 0; --d) {
      if (++index[d] < type.getDimSize(d))
        break;
      index[d] = 0;
    }
  }
  return ConstantOp::create(
      builder, source.getLoc(), type,
      DenseElementsAttr::getFromRawBuffer(codes, gathered));
}
