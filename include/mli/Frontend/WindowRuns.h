// SPDX-License-Identifier: Apache-2.0
//
// Divides the windows of a pool into runs that have as many elements of the
// map, so that one kernel with weights can compute each run.

#ifndef MLI_FRONTEND_WINDOWRUNS_H
#define MLI_FRONTEND_WINDOWRUNS_H

#include "mli/Frontend/TensorBuilder.h"
#include "mli/Quant/Mean.h"

#include <optional>

namespace mli {

/// The windows of a pool, which leave out padding.
struct PoolShape {
  quant::PoolAxis rows, columns;
  int64_t channels;

  /// Whether kernels of pools have windows of this size.
  bool fitsKernel() const;
};

/// Windows along an axis that have as many elements of the input: `count` from
/// `first` on. The first of them begins at `begin` of the input.
struct WindowRun {
  int64_t first, count, begin, kernel;
};

/// The runs of a pool: a kernel computes each pair of rows and columns.
struct WindowRuns {
  llvm::SmallVector<WindowRun> rows, columns;

  size_t getNumKernels() const { return rows.size() * columns.size(); }
  /// Whether these are more kernels than a pool is worth.
  bool isTooMany() const;
};

/// The runs of `pool`; none where a window has no element of the map.
std::optional<WindowRuns> findWindowRuns(const PoolShape &pool);

/// Creates the windows of run `index`, rows before columns, of `height` x
/// `width` elements each of `map`, in `init`.
using RunFunction =
    llvm::function_ref<mlir::Value(size_t index, int64_t height, int64_t width,
                                   mlir::Value map, mlir::Value init)>;

/// Creates `pool` of `source`, [height, width, channels], in `init`: each of
/// `runs` with `create`, on the block of the map that its windows have.
mlir::Value createWindowRuns(TensorBuilder &tensors, const PoolShape &pool,
                             const WindowRuns &runs, mlir::Value source,
                             mlir::Value init, RunFunction create);

} // namespace mli

#endif // MLI_FRONTEND_WINDOWRUNS_H
