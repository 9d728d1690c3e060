// SPDX-License-Identifier: Apache-2.0
//
// What `mli-run --sweep` prints and writes.

#ifndef MLI_TOOLS_MLI_RUN_SWEEPREPORT_H
#define MLI_TOOLS_MLI_RUN_SWEEPREPORT_H

#include "mli/Execution/MemorySweep.h"

namespace mli {

struct SweepReport {
  std::string model, target;
  /// By size, ascending.
  std::vector<SweepPoint> points;
  /// The least size that fits, and the kernel that needs it; nothing if one
  /// step fits.
  SweepPoint least;
  std::optional<SweepPoint::Need> binding;
};

/// A table, a line for each size, and a line for the least one.
void printSweep(llvm::raw_ostream &os, const SweepReport &report);

void writeSweepCsv(llvm::raw_ostream &os, const SweepReport &report);
void writeSweepJson(llvm::raw_ostream &os, const SweepReport &report);
/// The moved bytes over the least there are by the size of local memory, and
/// the bound of them.
void writeSweepSvg(llvm::raw_ostream &os, const SweepReport &report);

} // namespace mli

#endif // MLI_TOOLS_MLI_RUN_SWEEPREPORT_H
