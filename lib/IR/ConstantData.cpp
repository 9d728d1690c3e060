// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/ConstantData.h"

using namespace mlir;

llvm::SmallVector<char> mli::withOutputsLast(ArrayRef<char> bytes,
                                             int64_t outputs) {
  int64_t inputs = static_cast<int64_t>(bytes.size()) / outputs;
  llvm::SmallVector<char> moved;
  moved.resize_for_overwrite(bytes.size());
  // Blocks of outputs, so that both sides stay in the cache.
  constexpr int64_t block = 64;
  for (int64_t first = 0; first < outputs; first += block)
    for (int64_t i = 0; i < inputs; ++i)
      for (int64_t o = first; o < std::min(first + block, outputs); ++o)
        moved[i * outputs + o] = bytes[o * inputs + i];
  return moved;
}
