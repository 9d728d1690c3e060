// SPDX-License-Identifier: Apache-2.0

#include "InterpreterMemory.h"

#include "mli/Layout/ElementMap.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace mlir;
using namespace mli;
using namespace mli::test;

int64_t View::count() const { return computeProduct(shape); }

uint8_t *InterpreterMemory::at(const View &view, ArrayRef<int64_t> index) {
  if (view.layout) {
    layout::Location where =
        layout::locate(view.place, view.layout.getLocalIndex(index));
    int64_t byte = where.npu * view.place.target.npuBytes + where.offset;
    return &localMemory.at(byte);
  }
  int64_t element = view.offset;
  for (auto [i, stride] : llvm::zip_equal(index, view.strides))
    element += i * stride;
  return view.base + element * view.width;
}

View InterpreterMemory::allocate(ShapedType type) {
  View view;
  view.shape.assign(type.getShape().begin(), type.getShape().end());
  view.width = elementWidth(type.getElementType()) / 8;
  auto memref = dyn_cast<MemRefType>(type);
  view.layout = isLocal && memref ? dyn_cast<LayoutAttr>(memref.getLayout())
                                  : LayoutAttr();
  if (!view.layout) {
    memory.emplace_back(view.count() * view.width, seed);
    view.base = memory.back().data();
    view.strides = computeStrides(view.shape);
    return view;
  }
  layout::Target target;
  target.npus = view.layout.getNpus();
  target.npuBytes = view.layout.getNpuElements() * view.width;
  localMemory.resize(target.totalBytes(), seed);
  view.place = view.layout.getTensorLayout(view.shape, view.width, target);
  view.place.offset = nextLocal;
  nextLocal += llvm::alignTo(layout::bytesPerNpu(view.place) + 1, 128);
  EXPECT_LE(nextLocal, target.npuBytes) << "local memory is full";
  return view;
}

void InterpreterMemory::copy(const View &from, const View &to) {
  ASSERT_EQ(from.shape, to.shape);
  forEachIndex(from.shape, [&](ArrayRef<int64_t> index) {
    std::memcpy(at(to, index), at(from, index), from.width);
  });
}

View InterpreterMemory::copyOf(const View &view) {
  View result = view;
  result.layout = {};
  memory.emplace_back(view.count() * view.width, seed);
  result.base = memory.back().data();
  result.offset = 0;
  result.strides = computeStrides(view.shape);
  copy(view, result);
  return result;
}

std::vector<uint8_t> InterpreterMemory::getBytes(const View &view) {
  std::vector<uint8_t> bytes;
  forEachIndex(view.shape, [&](ArrayRef<int64_t> index) {
    uint8_t *element = at(view, index);
    bytes.insert(bytes.end(), element, element + view.width);
  });
  return bytes;
}

void InterpreterMemory::setBytes(const View &view, ArrayRef<char> bytes) {
  bool isSplat = static_cast<int64_t>(bytes.size()) == view.width;
  int64_t next = 0;
  forEachIndex(view.shape, [&](ArrayRef<int64_t> index) {
    std::memcpy(at(view, index), bytes.data() + next, view.width);
    next += isSplat ? 0 : view.width;
  });
}
