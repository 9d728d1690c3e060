// SPDX-License-Identifier: Apache-2.0
//
// The local memory that blocks of operands take, each shape looked at once.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_OPERANDBYTES_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_OPERANDBYTES_H

#include "StaticKernel.h"

#include <array>

namespace mli::tiling {

/// What blocks of operands take of a target: kernels of a network, and the
/// groups that they are in, have the same ones.
class OperandBytes {
public:
  explicit OperandBytes(const layout::Target &target) : target(target) {}

  const layout::Target &getTarget() const { return target; }
  /// The bytes of each NPU that operand `number` of `kernel` takes in `shape`.
  int64_t get(const StaticKernel &kernel, unsigned number,
              llvm::ArrayRef<int64_t> shape);

private:
  /// The element bytes, the use and the policy in one number, then the shape.
  using Key = std::array<int64_t, 5>;
  struct KeyInfo {
    static Key getEmptyKey() { return {-1}; }
    static Key getTombstoneKey() { return {-2}; }
    static unsigned getHashValue(const Key &key);
    static bool isEqual(const Key &one, const Key &other) {
      return one == other;
    }
  };

  static Key getKey(const StaticKernel &kernel, unsigned number,
                    llvm::ArrayRef<int64_t> shape);

  layout::Target target;
  llvm::DenseMap<Key, int64_t, KeyInfo> known;
};

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_OPERANDBYTES_H
