// SPDX-License-Identifier: Apache-2.0
//
// What a pass tells about the copies that it inserts.

#ifndef MLI_LIB_TRANSFORMS_SLICING_COPYLOG_H
#define MLI_LIB_TRANSFORMS_SLICING_COPYLOG_H

#include "mli/Analysis/SliceView.h"

namespace mli {

class CopyLog {
public:
  CopyLog(bool rejectsCopies, bool explains)
      : rejectsCopies(rejectsCopies), explains(explains) {}

  /// That the elements of `copied` are copied at `loc`, `times` times: an error
  /// or a remark there, as asked for.
  void addCopy(mlir::Location loc, const CopyCause &cause,
               mlir::ShapedType copied, int64_t times = 1);
  /// That nothing makes `op`: an error.
  void refuse(mlir::Operation *op, const CopyCause &cause);
  /// That something was diagnosed elsewhere.
  void fail() { failed = true; }
  void addView() { ++views; }
  void addInPlace() { ++inPlace; }
  /// That what was added in place is moved there after all.
  void dropInPlace() { --inPlace; }

  bool hasFailed() const { return failed; }
  int64_t getViews() const { return views; }
  int64_t getInPlace() const { return inPlace; }
  int64_t getCopies() const { return copies; }
  /// Bytes of copies whose shapes are known.
  int64_t getBytes() const { return bytes; }

private:
  bool rejectsCopies, explains, failed = false;
  int64_t views = 0, inPlace = 0, copies = 0, bytes = 0;
};

/// `#mli.copy_reason` of `cause`, which has a reason.
CopyReasonAttr getReasonAttr(mlir::MLIRContext *context,
                             const CopyCause &cause);

/// What `part`, which nothing computes in its place in `block`, is: `a
/// constant`.
std::string whyElsewhere(mlir::Value part, mlir::Block *block);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SLICING_COPYLOG_H
