// SPDX-License-Identifier: Apache-2.0

#include "OperandBytes.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

OperandBytes::Key OperandBytes::getKey(const StaticKernel &kernel,
                                       unsigned number,
                                       ArrayRef<int64_t> shape) {
  const LocalOperand &operand = kernel.operands[number];
  // Kernels with tensors of more dimensions have no numbers: see
  // getLocalTensorDesc.
  assert(shape.size() < std::tuple_size_v<Key> &&
         "expected the dimensions of a tensor in local memory");
  Key key = {(operand.elementBytes << 24) |
             (static_cast<int64_t>(operand.role) << 16) |
             (static_cast<int64_t>(kernel.policy.mode) << 8) |
             static_cast<int64_t>(kernel.policy.usesMatrices)};
  llvm::copy(shape, key.begin() + 1);
  return key;
}

/// Multiplications move what differs in low bits into those of the hash, which
/// are the high ones of the product.
unsigned OperandBytes::KeyInfo::getHashValue(const Key &key) {
  constexpr uint64_t odd = 0x9e3779b97f4a7c15;
  uint64_t hash = 0;
  for (int64_t number : key)
    hash = (hash ^ static_cast<uint64_t>(number)) * odd;
  return static_cast<unsigned>(hash >> 32);
}

int64_t OperandBytes::get(const StaticKernel &kernel, unsigned number,
                          ArrayRef<int64_t> shape) {
  auto [found, isNew] = known.try_emplace(getKey(kernel, number, shape), 0);
  if (isNew)
    found->second = kernel.getBytes(number, shape, target);
  return found->second;
}
