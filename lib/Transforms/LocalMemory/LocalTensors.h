// SPDX-License-Identifier: Apache-2.0
//
// The tensors that a program has in local memory already, as the rings of
// streams: what they take there, for how long, and how they are made.

#ifndef MLI_LIB_TRANSFORMS_LOCALMEMORY_LOCALTENSORS_H
#define MLI_LIB_TRANSFORMS_LOCALMEMORY_LOCALTENSORS_H

#include "mli/Allocation/Interval.h"
#include "mli/Analysis/LocalNeed.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace mli {

/// One buffer.
struct LocalTensor {
  layout::LocalBytes size = {0, 1};
  /// The time that it is in use.
  Interval live;
};

/// `size` rounded up for the next buffer of the same alignment; INT64_MAX if 64
/// bits do not hold that.
int64_t alignBytes(layout::LocalBytes size);

/// The buffers that the tensors in local memory of a function become.
class LocalTensors {
public:
  /// Fails, with an error, on a tensor that local memory has no place for.
  static mlir::FailureOr<LocalTensors> of(mlir::FunctionOpInterface function,
                                          const layout::Target &target,
                                          const layout::PolicyOptions &policy);

  /// From the begin of an operation to its end: those in its regions are
  /// between them.
  Interval getTime(mlir::Operation *op) const { return times.lookup(op); }
  llvm::ArrayRef<LocalTensor> getBuffers() const { return buffers; }
  /// The most bytes of each NPU that are in use while `op` runs.
  int64_t getBytes(mlir::Operation *op) const;

private:
  void setTimes(mlir::Operation *op);
  void add(llvm::ArrayRef<mlir::Value> tensors, layout::LocalBytes size);
  void shareInPlace(mlir::Operation *op);
  void countBytes();

  int64_t end = 0;
  llvm::DenseMap<mlir::Operation *, Interval> times;
  std::vector<LocalTensor> buffers;
  llvm::DenseMap<mlir::Value, size_t> numbers;
  /// The bytes in use at each time.
  std::vector<int64_t> bytes;
};

/// `type`, a tensor, in `space`.
mlir::RankedTensorType inSpace(mlir::Type type, Space space);

/// Creates a tensor of `type` in `space`, without contents.
mlir::Value createEmpty(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Type type, Space space);

/// Erases the tensor without contents that `value` is, if nothing uses it.
void eraseUnusedEmpty(mlir::Value value);

/// Creates the move of `source` to `space`. Returns its result.
mlir::Value createMove(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value source, Space space);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LOCALMEMORY_LOCALTENSORS_H
