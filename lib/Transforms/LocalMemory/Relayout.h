// SPDX-License-Identifier: Apache-2.0
//
// Copies for kernels that do not take a local buffer as it lies.

#ifndef MLI_LIB_TRANSFORMS_LOCALMEMORY_RELAYOUT_H
#define MLI_LIB_TRANSFORMS_LOCALMEMORY_RELAYOUT_H

#include "Transforms/Slicing/CopyLog.h"

#include "mli/Analysis/LocalNeed.h"

namespace mli {

/// How copies are made.
struct RelayoutRules {
  layout::Target target;
  layout::PolicyOptions options;
};

/// Has the kernel of `use` work on a copy in a layout of its contract, if it
/// does not take its operand as it lies. An error where no move makes one.
void relayoutUse(mlir::OpOperand &use, const RelayoutRules &rules,
                 CopyLog &log);

/// The type of `op`, a reshape of a buffer of type `source` in an mli layout,
/// that is a view of it; null if there is none.
mlir::MemRefType findReshapedType(ReshapeOp op, mlir::MemRefType source,
                                  const RelayoutRules &rules);

/// What uses `op`, which is no view of its source, works on copies that go
/// through system memory. An error where something does other than read or
/// write.
void copyReshape(ReshapeOp op, const RelayoutRules &rules, CopyLog &log);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LOCALMEMORY_RELAYOUT_H
