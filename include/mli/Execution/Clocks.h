// SPDX-License-Identifier: Apache-2.0
//
// The clocks that measurements of a run read.

#ifndef MLI_EXECUTION_CLOCKS_H
#define MLI_EXECUTION_CLOCKS_H

namespace mli {

/// Each returns microseconds since a point of its own that stays the same.
struct Clocks {
  /// The clock on the wall, which a program reads by itself.
  double (*wall)();
  /// The time that this thread had a processor: exact, but the kernel of the
  /// system reads it, which slows the next run.
  double (*processor)();
};

/// The clocks of this machine.
Clocks getSystemClocks();

} // namespace mli

#endif // MLI_EXECUTION_CLOCKS_H
