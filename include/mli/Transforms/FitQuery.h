// SPDX-License-Identifier: Apache-2.0
//
// Finds the block of a kernel's result that local memory has room for, with all
// operands that the block needs, by the footprint of the layouts: nothing is
// allocated.

#ifndef MLI_TRANSFORMS_FITQUERY_H
#define MLI_TRANSFORMS_FITQUERY_H

#include "mli/Layout/Target.h"

#include "mlir/IR/Operation.h"

#include <memory>

namespace mli {

namespace tiling {
struct StaticKernel;
} // namespace tiling

/// The reason why a block is not larger.
enum class FitLimit {
  Nothing, ///< it has all of the dimension
  Kernel,  ///< the kernel needs all of the dimension at once
  Halo,    ///< an input, of which windows read more than the block moves by
  Input,   ///< any other input
  Weights, ///< weights, biases and other parameters
  Result,  ///< the result
  Npus,    ///< one more channel takes another block row of all NPUs
};

/// Returns the name of `limit` in reports.
llvm::StringRef toString(FitLimit limit);

/// The indices of one dimension that fit.
struct DimFit {
  /// The size of the result.
  int64_t size = 0;
  /// The most that fits; 0 if nothing does.
  int64_t block = 0;
  FitLimit limit = FitLimit::Nothing;
  /// The next larger block that the kernel computes has so much more, and takes
  /// so many more bytes; 0 if there is none.
  int64_t step = 0, stepBytes = 0;
};

/// The question, for one kernel and one capacity. Blocks have one size for each
/// dimension of the result, at least 1; where they lie, they take what the
/// worst place does, on the worst start NPU that the layouts allow.
class FitQuery {
public:
  /// `op` is a kernel operation; fails if a shape of it is not known.
  /// `capacity` are bytes of each NPU, and may be more than `target` has.
  static mlir::FailureOr<FitQuery>
  get(mlir::Operation *op, const layout::Target &target, int64_t capacity);

  /// Returns the sizes of the result.
  llvm::ArrayRef<int64_t> getSizes() const;

  /// Returns N, H, W or C, from the last one on, or a number before these.
  std::string getName(unsigned dim) const;

  /// Whether the kernel computes blocks of `count` indices of `dim`.
  bool isLegal(unsigned dim, int64_t count) const;

  /// Bytes of each NPU that the operands of `block` take, with tables and
  /// scratch memory.
  int64_t getBytes(llvm::ArrayRef<int64_t> block) const;

  /// The bytes that are free then; negative if the block does not fit.
  int64_t getSlack(llvm::ArrayRef<int64_t> block) const {
    return capacity - getBytes(block);
  }

  /// The most of `dim` that fits if the other sizes are those of `block`.
  DimFit getLargest(unsigned dim, llvm::ArrayRef<int64_t> block) const;

  /// One index of each dimension that may be cut.
  llvm::SmallVector<int64_t> getSmallestBlock() const;

  /// Returns a block that nothing can be added to: as much as fits of the last
  /// dimension, then of the one before it, and so on. Empty if not even the
  /// smallest block fits.
  llvm::SmallVector<int64_t> getLargestBlock() const;

private:
  FitQuery(std::shared_ptr<const tiling::StaticKernel> kernel,
           const layout::Target &target, int64_t capacity)
      : kernel(std::move(kernel)), target(target), capacity(capacity) {}

  llvm::SmallVector<int64_t>
  getOperandBytes(llvm::ArrayRef<int64_t> block) const;
  FitLimit findLimit(unsigned dim, llvm::ArrayRef<int64_t> block,
                     llvm::ArrayRef<int64_t> larger) const;

  std::shared_ptr<const tiling::StaticKernel> kernel;
  layout::Target target;
  int64_t capacity;
};

} // namespace mli

#endif // MLI_TRANSFORMS_FITQUERY_H
