// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/ConstantData.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

std::optional<ArrayRef<char>> mli::getHeldBytes(ElementsAttr value) {
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(value))
    return dense.getRawData();
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value);
  if (!resource)
    return std::nullopt;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  return blob ? blob->getData() : ArrayRef<char>();
}

const char *mli::layOutElements(ArrayRef<char> held, size_t bytes, size_t width,
                                std::vector<char> &storage) {
  bool isAligned = reinterpret_cast<uintptr_t>(held.data()) % width == 0;
  if (held.size() == bytes && isAligned)
    return held.data();
  storage.reserve(bytes);
  while (storage.size() < bytes)
    storage.insert(storage.end(), held.begin(), held.end());
  return storage.data();
}

llvm::SmallVector<char> mli::withOutputsLast(ArrayRef<char> bytes,
                                             int64_t outputs) {
  int64_t inputs = static_cast<int64_t>(bytes.size()) / outputs;
  llvm::SmallVector<char> moved;
  moved.resize_for_overwrite(bytes.size());
  // By square tiles, each side in whole lines of the cache: rows a power of two
  // apart would push each other out of it.
  constexpr int64_t side = 64;
  char tile[side][side];
  for (int64_t o = 0; o < outputs; o += side)
    for (int64_t i = 0; i < inputs; i += side) {
      int64_t height = std::min(side, outputs - o);
      int64_t width = std::min(side, inputs - i);
      for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < width; ++x)
          tile[x][y] = bytes[(o + y) * inputs + i + x];
      for (int64_t x = 0; x < width; ++x)
        std::copy_n(tile[x], height, &moved[(i + x) * outputs + o]);
    }
  return moved;
}
