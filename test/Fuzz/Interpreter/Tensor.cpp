// SPDX-License-Identifier: Apache-2.0

#include "Tensor.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <cstring>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

size_t fuzz::getElementBytes(Type element) {
  if (element.isIndex())
    return 8;
  if (auto integer = dyn_cast<IntegerType>(element))
    return (integer.getWidth() + 7) / 8;
  return elementWidth(element) / 8;
}

Tensor::Tensor(RankedTensorType type, char fill)
    : type(type), bytes(type.getNumElements() *
                            fuzz::getElementBytes(type.getElementType()),
                        fill) {}

size_t Tensor::getWidth() const {
  return fuzz::getElementBytes(type.getElementType());
}

static int64_t getPosition(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t position = 0;
  for (auto [extent, i] : llvm::zip_equal(shape, index))
    position = position * extent + i;
  return position;
}

const char *Tensor::at(ArrayRef<int64_t> index) const {
  return bytes.data() +
         getPosition(getShape(), index) * static_cast<int64_t>(getWidth());
}

char *Tensor::at(ArrayRef<int64_t> index) {
  return const_cast<char *>(std::as_const(*this).at(index));
}

int64_t Tensor::get(int64_t position) const {
  size_t width = getWidth();
  int64_t value = 0;
  std::memcpy(&value, bytes.data() + position * width, width);
  // The sign is the highest bit that is there.
  auto unused = static_cast<unsigned>(64 - 8 * width);
  return static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
}

void Tensor::set(int64_t position, int64_t value) {
  size_t width = getWidth();
  std::memcpy(bytes.data() + position * width, &value, width);
}

void fuzz::forEachIndex(ArrayRef<int64_t> shape,
                        llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(shape, 0))
    return;
  SmallVector<int64_t, 4> index(shape.size(), 0);
  while (true) {
    visit(index);
    size_t dim = shape.size();
    while (dim > 0 && ++index[dim - 1] == shape[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}

bool TensorBlock::isIn(ArrayRef<int64_t> shape) const {
  for (auto [offset, size, step, extent] :
       llvm::zip_equal(offsets, sizes, steps, shape)) {
    __extension__ using Wide = __int128;
    if (size < 0 || offset < 0 || step < 0)
      return false;
    if (size > 0 && Wide{offset} + Wide{size - 1} * step >= Wide{extent})
      return false;
  }
  return true;
}

/// Calls `visit` with the position in `whole` of each element of `block`.
static void forEachPosition(const Tensor &whole, const TensorBlock &block,
                            llvm::function_ref<void(int64_t)> visit) {
  SmallVector<int64_t, 4> at(block.sizes.size());
  forEachIndex(block.sizes, [&](ArrayRef<int64_t> index) {
    for (size_t i = 0; i < at.size(); ++i)
      at[i] = block.offsets[i] + index[i] * block.steps[i];
    visit(getPosition(whole.getShape(), at));
  });
}

Tensor fuzz::extract(const Tensor &whole, const TensorBlock &block,
                     RankedTensorType type) {
  Tensor part(type, 0);
  char *to = part.bytes.data();
  size_t width = whole.getWidth();
  forEachPosition(whole, block, [&](int64_t position) {
    std::memcpy(to, whole.bytes.data() + position * width, width);
    to += width;
  });
  return part;
}

void fuzz::insert(const Tensor &part, const TensorBlock &block, Tensor &whole) {
  const char *from = part.bytes.data();
  size_t width = whole.getWidth();
  forEachPosition(whole, block, [&](int64_t position) {
    std::memcpy(whole.bytes.data() + position * width, from, width);
    from += width;
  });
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

View::View(Tensor tensor)
    : whole(std::make_shared<Tensor>(std::move(tensor))),
      shape(whole->getShape()), strides(computeStrides(shape)) {}

void View::forEachPosition(llvm::function_ref<void(int64_t)> visit) const {
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    int64_t position = offset;
    for (auto [i, stride] : llvm::zip_equal(index, strides))
      position += i * stride;
    visit(position);
  });
}

Tensor View::load() const {
  Tensor result(RankedTensorType::get(shape, whole->type.getElementType()), 0);
  char *to = result.bytes.data();
  size_t width = whole->getWidth();
  forEachPosition([&](int64_t position) {
    std::memcpy(to, whole->bytes.data() + position * width, width);
    to += width;
  });
  return result;
}

void View::store(const Tensor &tensor) const {
  const char *from = tensor.bytes.data();
  size_t width = whole->getWidth();
  forEachPosition([&](int64_t position) {
    std::memcpy(whole->bytes.data() + position * width, from, width);
    from += width;
  });
}

bool View::isDense() const {
  int64_t expected = 1;
  for (size_t i = shape.size(); i-- > 0; expected *= shape[i])
    if (shape[i] != 1 && strides[i] != expected)
      return false;
  return true;
}
