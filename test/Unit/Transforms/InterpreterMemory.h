// SPDX-License-Identifier: Apache-2.0
//
// Where an interpreter has its tensors and buffers, and what copies them.

#ifndef MLI_TEST_UNIT_TRANSFORMS_INTERPRETERMEMORY_H
#define MLI_TEST_UNIT_TRANSFORMS_INTERPRETERMEMORY_H

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <deque>

namespace mli::test {

/// A tensor or buffer: where each of its elements is.
struct View {
  llvm::SmallVector<int64_t> shape;
  int64_t width = 1; ///< bytes of an element
  /// In plain memory, in elements.
  uint8_t *base = nullptr;
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
  /// In local memory: the layout, and the place of its first element.
  LayoutAttr layout;
  layout::TensorLayout place;

  int64_t count() const;
};

/// Calls `visit` with every index of `shape`, in row-major order.
template <typename Visit>
void forEachIndex(llvm::ArrayRef<int64_t> shape, Visit visit) {
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0, e = mlir::computeProduct(shape); i < e; ++i) {
    visit(index);
    for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
}

class InterpreterMemory {
protected:
  /// In local memory only if `isLocal`: otherwise all is plain memory, and
  /// layouts are overlooked. Memory that is not written holds `seed`.
  InterpreterMemory(bool isLocal, uint8_t seed)
      : isLocal(isLocal), seed(seed) {}

  View allocate(mlir::ShapedType type);
  View copyOf(const View &view);
  uint8_t *at(const View &view, llvm::ArrayRef<int64_t> index);
  void copy(const View &from, const View &to);
  std::vector<uint8_t> getBytes(const View &view);
  void setBytes(const View &view, llvm::ArrayRef<char> bytes);

private:
  bool isLocal;
  uint8_t seed;
  int64_t nextLocal = 0;
  std::deque<std::vector<uint8_t>> memory;
  std::vector<uint8_t> localMemory;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_TRANSFORMS_INTERPRETERMEMORY_H
