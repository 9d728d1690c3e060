// SPDX-License-Identifier: Apache-2.0
//
// What is in local memory while each kernel of a function runs.

#ifndef MLI_LIB_TRANSFORMS_SCHEDULING_LOCALPROFILE_H
#define MLI_LIB_TRANSFORMS_SCHEDULING_LOCALPROFILE_H

#include "EngineCost.h"

#include "mli/Analysis/MemoryProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mli {

/// Local memory of one function, while operations are moved in it.
class LocalProfile {
public:
  /// Fails with a diagnostic where buffers can not have addresses.
  static mlir::FailureOr<LocalProfile> of(mlir::func::FuncOp function,
                                          const tiling::CostModel &cost);

  /// Of each NPU, while `kernel` runs.
  int64_t getBytes(mlir::Operation *kernel) const {
    return taken.lookup(kernel);
  }
  /// Of each NPU, for the buffer.
  int64_t getBytes(mlir::Value buffer) const { return sizes.lookup(buffer); }

  bool isLive(mlir::Value buffer, mlir::Operation *kernel) const;
  /// From now on the buffer is live while `kernel` runs.
  void extend(mlir::Value buffer, mlir::Operation *kernel);

  /// The same, where the bytes of `kernel` count it already.
  void assumeLive(mlir::Value buffer, mlir::Operation *kernel) {
    extended.insert({buffer, kernel});
  }

  /// `copy` is a kernel as `kernel` is, with `extra` bytes more around it.
  void copyKernel(mlir::Operation *copy, mlir::Operation *kernel,
                  int64_t extra);
  /// `copy` is a buffer as `buffer` is, which is live nowhere.
  void copyBuffer(mlir::Value copy, mlir::Value buffer);

  const EngineCost &getCost() const { return engines; }

private:
  explicit LocalProfile(const tiling::CostModel &cost) : engines{cost} {}
  void addKernels(mlir::func::FuncOp function, const MemoryProblem &problem,
                  const BufferLifetimes &lifetimes);

  EngineCost engines;
  llvm::DenseMap<mlir::Operation *, int64_t> taken, positions;
  llvm::DenseMap<mlir::Value, int64_t> sizes;
  llvm::DenseMap<mlir::Value, Interval> live;
  llvm::DenseSet<std::pair<mlir::Value, mlir::Operation *>> extended;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SCHEDULING_LOCALPROFILE_H
