// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a block and the tensors between them, as far as the bound of
// moved bytes depends on them.

#ifndef MLI_LIB_ANALYSIS_MOVEBOUND_MOVEBOUNDGRAPH_H
#define MLI_LIB_ANALYSIS_MOVEBOUND_MOVEBOUNDGRAPH_H

#include "mlir/IR/Block.h"

#include <optional>
#include <vector>

namespace mli::movebound {

/// A tensor that a kernel makes, or an argument.
struct MovedValue {
  /// Bytes that its readers need, at most as many as it has.
  int64_t bytes = 0;
  /// The kernel that makes it; nothing for an argument.
  std::optional<size_t> producer;
  bool isReturned = false;
  /// The kernels that read it, ascending.
  llvm::SmallVector<size_t, 2> users;

  /// Whether it is made before kernel `step`, and kernels from there on read
  /// it.
  bool isLiveAt(size_t step) const {
    return (!producer || *producer < step) && isReadFrom(step);
  }
  bool isReadFrom(size_t step) const {
    return !users.empty() && users.back() >= step;
  }
};

/// Bytes that a kernel needs of a value.
struct ValueRead {
  size_t value;
  int64_t bytes;
};

/// What of the elements that a kernel reads is there when it goes on.
enum class Gathering {
  /// All channels of a position, or all that it reads.
  All,
  /// As much as of the result that follows from it.
  AsResult,
  Unknown
};

struct MovedKernel {
  llvm::SmallVector<ValueRead, 2> reads;
  llvm::SmallVector<size_t, 1> results;
  /// Bytes of constants, and of arguments that are weights, that no kernel
  /// before reads.
  int64_t constantBytes = 0;
  /// Of these the bytes that each position of the result needs all of; 0 if
  /// the kernel does not sum over all channels of a map.
  int64_t summedBytes = 0;
  /// Rows times columns of the result of a sum.
  int64_t positions = 1;
  Gathering gathering = Gathering::Unknown;
};

struct MoveGraph {
  /// Nothing if `block` has operations of which it is not known what they move.
  static std::optional<MoveGraph> get(mlir::Block &block);

  std::vector<MovedValue> values;
  std::vector<MovedKernel> kernels;
};

/// At least so many elements of its map does `window`, a kernel with static
/// shapes and padding, read.
int64_t countWindowElements(mlir::Operation *op);

} // namespace mli::movebound

#endif // MLI_LIB_ANALYSIS_MOVEBOUND_MOVEBOUNDGRAPH_H
