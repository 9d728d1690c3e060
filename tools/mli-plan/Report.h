// SPDX-License-Identifier: Apache-2.0
//
// A plan, or the reason that there is none, for people and for programs.

#ifndef MLI_TOOLS_MLI_PLAN_REPORT_H
#define MLI_TOOLS_MLI_PLAN_REPORT_H

#include "Csv.h"
#include "mli/Allocation/Conflict.h"

#include <optional>

namespace mli::plan_tool {

/// Everything that was found out about a table.
struct Outcome {
  const Table &table;
  allocation::Plan plan;
  std::optional<allocation::Conflict> conflict;
};

/// The column that pins a buffer.
inline constexpr llvm::StringLiteral pinnedColumn = "fixed";

/// One line: peak, bounds, how it was found.
void writeSummary(const Outcome &outcome, llvm::raw_ostream &os);

/// Required, available and excess bytes, the buffers live at peak usage, which
/// buffers can not be together, the memory map, and what would help.
void writeFailure(const Outcome &outcome, llvm::StringRef file,
                  llvm::raw_ostream &os);

void writeJson(const Outcome &outcome, llvm::raw_ostream &os);

/// Time to the right, addresses upwards, one panel for each NPU that differs
/// from the one before it.
void writeSvg(const Outcome &outcome, llvm::raw_ostream &os);

/// The metadata buffer "OfflineMemoryAllocation" of TensorFlow Lite Micro:
/// little-endian 32-bit integers. Ids that are all numbers are tensor indices,
/// else rows are; tensors without a row are left to the runtime (-1).
llvm::Error writeTflm(const Outcome &outcome, llvm::raw_ostream &os);

} // namespace mli::plan_tool

#endif // MLI_TOOLS_MLI_PLAN_REPORT_H
