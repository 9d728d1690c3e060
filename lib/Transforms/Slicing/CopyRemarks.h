// SPDX-License-Identifier: Apache-2.0
//
// Reports the copies that mli-legalize-subtensors, mli-bufferize and
// mli-assign-layouts insert, and inserts those around a kernel.

#ifndef MLI_LIB_TRANSFORMS_SLICING_COPYREMARKS_H
#define MLI_LIB_TRANSFORMS_SLICING_COPYREMARKS_H

#include "mli/Analysis/SliceView.h"

namespace mli {

/// Emits a remark or an error for each copy, and counts views and copies for
/// the statistics of a pass.
class CopyRemarks {
public:
  /// Copies are errors if `rejectsCopies`, else remarks if `explains`.
  CopyRemarks(bool rejectsCopies, bool explains)
      : rejectsCopies(rejectsCopies), explains(explains) {}

  /// Reports that the elements of `copied` are copied at `loc`, `times` times.
  void addCopy(mlir::Location loc, const CopyCause &cause,
               mlir::ShapedType copied, int64_t times = 1);
  /// Emits an error on `op`, which neither a view nor a copy can replace.
  void reject(mlir::Operation *op, const CopyCause &cause);
  /// Records that the pass fails because of an error emitted elsewhere.
  void fail() { failed = true; }
  void addView() { ++views; }
  /// Counts a value that its producer writes into its destination directly.
  void addInPlace() { ++inPlace; }
  /// Takes back `addInPlace` of a value that is moved there after all.
  void dropInPlace() { --inPlace; }

  bool hasFailed() const { return failed; }
  int64_t getViews() const { return views; }
  int64_t getInPlace() const { return inPlace; }
  int64_t getCopies() const { return copies; }
  /// Bytes of all copies of static shape.
  int64_t getBytes() const { return bytes; }

private:
  bool rejectsCopies, explains, failed = false;
  int64_t views = 0, inPlace = 0, copies = 0, bytes = 0;
};

/// The `#mli.copy_reason` of `cause`, which has a reason.
CopyReasonAttr getReasonAttr(mlir::MLIRContext *context,
                             const CopyCause &cause);

/// Describes the producer of `value`, which no kernel in `block` computes into
/// its destination, as `a constant`.
std::string describeProducer(mlir::Value value, mlir::Block *block);

/// How an operation accesses an operand.
struct Access {
  bool reads = false, writes = false;
};

/// The access of `use`, whose owner declares its memory effects.
Access getAccess(mlir::OpOperand &use);

/// Lets the owner of `use` work on `copy` instead. `copyIn` creates the copy to
/// it before the owner if that reads its operand, `copyOut` the copy back after
/// it if it writes it.
void copyInCopyOut(mlir::OpOperand &use, mlir::Value copy,
                   llvm::function_ref<void(mlir::OpBuilder &)> copyIn,
                   llvm::function_ref<void(mlir::OpBuilder &)> copyOut);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SLICING_COPYREMARKS_H
