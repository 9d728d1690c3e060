// SPDX-License-Identifier: Apache-2.0
//
// The values that an interpreter computes: tensors, and numbers.

#ifndef MLI_TEST_FUZZ_INTERPRETER_TENSOR_H
#define MLI_TEST_FUZZ_INTERPRETER_TENSOR_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace mli::fuzz {

/// Elements of any type in row-major order without gaps. The shape of `type` is
/// static.
struct Tensor {
  mlir::RankedTensorType type;
  std::vector<char> bytes;

  Tensor() = default;
  /// All bytes of it are `fill`.
  Tensor(mlir::RankedTensorType type, char fill);

  llvm::ArrayRef<int64_t> getShape() const { return type.getShape(); }
  /// Bytes of one element.
  size_t getWidth() const;
  /// Where the element at `index` begins, which is inside.
  char *at(llvm::ArrayRef<int64_t> index);
  const char *at(llvm::ArrayRef<int64_t> index) const;
  /// Element number `position` in row-major order: a quantised value, an
  /// integer or the bits of an f32.
  int64_t get(int64_t position) const;
  void set(int64_t position, int64_t value);
};

/// Bytes of an element of type `element`.
size_t getElementBytes(mlir::Type element);

/// A block of a tensor, which may be written in steps, without some dimensions
/// of one index.
struct TensorBlock {
  llvm::SmallVector<int64_t, 4> offsets, sizes, steps;

  /// Whether all of it is in a tensor of `shape`.
  bool isIn(llvm::ArrayRef<int64_t> shape) const;
};

/// Elements of a buffer, which several views may share.
struct View {
  /// All of the buffer.
  std::shared_ptr<Tensor> whole;
  /// In elements of it.
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 4> shape, strides;

  View() = default;
  /// All elements of a new buffer that holds `tensor`.
  explicit View(Tensor tensor);

  /// Copies of the elements, as a tensor.
  Tensor load() const;
  /// Writes the elements of `tensor`, which has the shape of the view.
  void store(const Tensor &tensor) const;
  /// Whether the elements lie one after the other.
  bool isDense() const;

private:
  void forEachPosition(llvm::function_ref<void(int64_t)> visit) const;
};

/// The elements of `block` of `whole`, as a tensor of `type`.
Tensor extract(const Tensor &whole, const TensorBlock &block,
               mlir::RankedTensorType type);

/// Writes the elements of `part` to `block` of `whole`.
void insert(const Tensor &part, const TensorBlock &block, Tensor &whole);

/// Calls `visit` for each index of `shape`, in row-major order.
void forEachIndex(llvm::ArrayRef<int64_t> shape,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_INTERPRETER_TENSOR_H
