// SPDX-License-Identifier: Apache-2.0
//
// The use of local memory over the time of a function, for mli-double-buffer.

#ifndef MLI_LIB_TRANSFORMS_SCHEDULING_LOCALPROFILE_H
#define MLI_LIB_TRANSFORMS_SCHEDULING_LOCALPROFILE_H

#include "EngineCost.h"

#include "mli/Analysis/MemoryAnalysis.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mli {

/// The bytes of local memory that are in use while each kernel of a function
/// runs, updated as operations move.
class LocalProfile {
public:
  /// Fails, with an error, if buffers can not have addresses.
  static mlir::FailureOr<LocalProfile> of(mlir::func::FuncOp function,
                                          const tiling::CostModel &cost);

  /// Bytes of each NPU in use while `kernel` runs.
  int64_t getBytes(mlir::Operation *kernel) const {
    return taken.lookup(kernel);
  }
  /// Bytes of each NPU that `buffer` takes.
  int64_t getBytes(mlir::Value buffer) const { return sizes.lookup(buffer); }

  bool isLive(mlir::Value buffer, mlir::Operation *kernel) const;
  /// Makes `buffer` live while `kernel` runs.
  void extend(mlir::Value buffer, mlir::Operation *kernel);

  /// Does the same where the bytes of `kernel` contain those of `buffer`
  /// already.
  void assumeLive(mlir::Value buffer, mlir::Operation *kernel) {
    extended.insert({buffer, kernel});
  }

  /// Adds `copy`, a kernel like `kernel` with `extra` more bytes in use.
  void copyKernel(mlir::Operation *copy, mlir::Operation *kernel,
                  int64_t extra);
  /// Adds `copy`, a buffer like `buffer` that is live nowhere yet.
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
