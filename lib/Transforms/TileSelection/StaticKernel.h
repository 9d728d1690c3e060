// SPDX-License-Identifier: Apache-2.0
//
// A kernel of static shape as numbers, for mli-tile-to-fit: the ranges that a
// tile reads, and the local memory that it takes.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_STATICKERNEL_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_STATICKERNEL_H

#include "Transforms/Tiling/TileModel.h"

#include "mli/Allocation/Interval.h"
#include "mli/Layout/Policy.h"

#include <memory>

namespace mli::tiling {

/// How one dimension of an operand follows from a loop.
struct DimRange {
  /// The indices that `tile`, a range of iterations, reads: none where no
  /// window of it meets the operand.
  Interval of(Interval tile) const;
  /// The most that `count` iterations read, wherever they start.
  int64_t most(int64_t count) const;

  DimAccess use;
  /// The sizes of the dimension and of the loop.
  int64_t size = 1, iterations = 1;
  /// The parameters of a window.
  int64_t stride = 1, extent = 1, before = 0;
  Groups groups;

private:
  Interval ofWindow(Interval tile) const;
};

/// An operand in local memory.
struct LocalOperand {
  llvm::SmallVector<DimRange> dims;
  layout::OperandUsage role = layout::OperandUsage::Map;
  int64_t elementBytes = 1;
};

/// The numbers of one kernel.
struct StaticKernel {
  /// Nothing if a shape is not known or `op` is no kernel with an element type
  /// of a known size.
  static std::optional<StaticKernel> get(mlir::Operation *op);

  /// The bytes of each NPU that operand `number` takes in `shape`, rounded up
  /// to the divisor of its address.
  int64_t getBytes(unsigned number, llvm::ArrayRef<int64_t> shape,
                   const layout::Target &target) const;

  /// The most of operand `number` that a block of `sizes` reads or writes,
  /// wherever it starts.
  llvm::SmallVector<int64_t> getWorstShape(unsigned number,
                                           llvm::ArrayRef<int64_t> sizes) const;

  /// All numbers but `op`: kernels of the same numbers have the same tiles.
  llvm::SmallVector<int64_t, 0> getNumbers() const;

  /// Whether more indices of `loop` may take fewer bytes: of a batch, whose
  /// storage mode depends on how many there are.
  bool mayShrink(unsigned loop) const { return loop == 0 && sizes.size() >= 4; }

  mlir::Operation *op = nullptr;
  /// The sizes of the loops.
  llvm::SmallVector<int64_t> sizes;
  /// The sizes that a tile may have of each loop: all that divide, or are
  /// divided by, `grain`; only the whole loop if that is 0, any if it is 1.
  llvm::SmallVector<int64_t> grains;
  /// Loops whose tiles need a known offset.
  llvm::SmallVector<bool> isUnrolled;
  llvm::SmallVector<LocalOperand> operands;
  /// Tables and scratch memory.
  int64_t scratchBytes = 0;
  /// Products that one iteration sums up.
  int64_t work = 1;
  /// The options of the module for the layouts of operands.
  layout::PolicyOptions policy;
};

/// The numbers of kernels, each found once: they keep their shapes meanwhile.
class StaticKernels {
public:
  /// Those of `op`; null if it has none.
  const StaticKernel *get(mlir::Operation *op);

private:
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<const StaticKernel>> known;
};

/// Whether `op` is a kernel on tensors that local memory has to hold: moves go
/// from system memory to system memory where they have to.
bool isTileable(mlir::Operation *op);

/// Whether tiles of `count` iterations of `loop` are tiles that `kernel`
/// computes.
bool isLegalSize(const StaticKernel &kernel, unsigned loop, int64_t count);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_STATICKERNEL_H
