// SPDX-License-Identifier: Apache-2.0

#include "Guarded.h"

#include <cstring>

using namespace mli;
using namespace mli::fuzz;

/// Bytes on either side.
static constexpr int64_t guardBytes = 64;

/// Whether rows may have gaps between them.
static bool mayHaveGaps(const contract::Tensor *contract) {
  return contract && contract->memory == contract::Memory::UnitInnerStride;
}

Guarded::Guarded(mli_tensor &tensor, const contract::Tensor *contract,
                 Random &random)
    : width((tensor.el_type & 0xff) / 8) {
  std::vector<char> elements(tensor.data.mem.pi8,
                             tensor.data.mem.pi8 + tensor.data.capacity);
  bool hasGaps = mayHaveGaps(contract) && random.chance(60);
  // The stride of a leading dimension of one index is never taken: it may be
  // any, also where there are no gaps.
  bool hasFreeStrides = random.chance(30);
  uint32_t leading = 0;
  while (leading < tensor.rank && tensor.shape[leading] == 1)
    ++leading;
  int64_t stride = 1, last = 0;
  for (uint32_t dim = tensor.rank; dim-- > 0;) {
    bool isFree = hasGaps || (hasFreeStrides && dim < leading);
    if (isFree && dim + 1 < tensor.rank && random.chance(40))
      stride += random.pick(1, 3);
    tensor.mem_stride[dim] = static_cast<int32_t>(stride);
    last += (tensor.shape[dim] - 1) * stride;
    stride *= tensor.shape[dim];
  }
  first = guardBytes + width * random.pick(0, 7);
  memory.resize(first + (last + 1) * width + guardBytes);
  for (char &byte : memory)
    byte = static_cast<char>(random.next());
  tensor.data.mem.pi8 = reinterpret_cast<int8_t *>(memory.data()) + first;
  tensor.data.capacity = static_cast<uint32_t>((last + 1) * width);
  layout = tensor;
  const char *from = elements.data();
  forEachElement([&](int64_t offset) {
    std::memcpy(&memory[offset], from, width);
    from += width;
  });
  before = memory;
}

void Guarded::forEachElement(llvm::function_ref<void(int64_t)> visit) const {
  llvm::SmallVector<int64_t, 4> shape(layout.shape, layout.shape + layout.rank);
  forEachIndex(shape, [&](llvm::ArrayRef<int64_t> index) {
    int64_t offset = 0;
    for (size_t i = 0; i < index.size(); ++i)
      offset += index[i] * layout.mem_stride[i];
    visit(first + offset * width);
  });
}

bool Guarded::isIntact(bool isOutput) const {
  if (!isOutput)
    return memory == before;
  std::vector<char> expected = before;
  forEachElement([&](int64_t offset) {
    std::memcpy(&expected[offset], &memory[offset], width);
  });
  return memory == expected;
}

std::vector<char> Guarded::takeElements() const {
  std::vector<char> elements;
  forEachElement([&](int64_t offset) {
    elements.insert(elements.end(), &memory[offset], &memory[offset] + width);
  });
  return elements;
}
