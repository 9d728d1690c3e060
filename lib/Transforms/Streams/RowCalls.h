// SPDX-License-Identifier: Apache-2.0
//
// The calls of a kernel of a stream that have equal shapes and padding: each
// run of them is one operation.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_ROWCALLS_H
#define MLI_LIB_TRANSFORMS_STREAMS_ROWCALLS_H

#include "StreamSchedule.h"

namespace mli::streams {

/// The calls [begin, end) of a kernel.
struct CallRun {
  /// The rows of `read` that call `begin` reads.
  Interval getRows(const RowRead &read) const;

  int64_t begin, end;
  /// Rows of the result that each computes, and of that call the first.
  int64_t rows, firstRow;
};

/// The runs of all calls of `vertex`, ascending.
llvm::SmallVector<CallRun> getCallRuns(const StreamSchedule &schedule,
                                       size_t vertex);

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_ROWCALLS_H
