// SPDX-License-Identifier: Apache-2.0
//
// Planning problems and plans as comma-separated text.

#ifndef MLI_TOOLS_MLI_PLAN_CSV_H
#define MLI_TOOLS_MLI_PLAN_CSV_H

#include "mli/Allocation/Problem.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace mli::plan_tool {

/// A table with one buffer in each row. The text that it was read from has to
/// outlive it.
struct Table {
  llvm::StringRef header;
  /// Where `header` has these columns, or -1.
  int offsetColumn = -1, startColumn = -1;
  /// Whether a column lists the banks to avoid.
  bool hasBanks = false;
  /// The rows as they were written, and the line of each, from 1.
  std::vector<llvm::StringRef> rows;
  std::vector<unsigned> lines;
  std::vector<llvm::StringRef> ids;
  /// Keeps the fields that stand in the text in another way.
  std::shared_ptr<llvm::BumpPtrAllocator> kept =
      std::make_shared<llvm::BumpPtrAllocator>();
  allocation::Problem problem;
  /// The values of the columns `offset` and `start_npu`.
  std::vector<allocation::Placement> placements;
};

/// The id of a row, for a message.
std::string shownId(const Table &table, size_t row);

/// Reads a table; in a plan each row has an offset and, if there are several
/// NPUs, a start NPU. Errors name file, line and field.
llvm::Expected<Table> readTable(llvm::StringRef text, llvm::StringRef file,
                                const allocation::Memory &memory, bool isPlan);

/// Writes the rows as they were read, with `placements` in the columns `offset`
/// and, if there are several NPUs, `start_npu`.
void writeTable(const Table &table,
                const std::vector<allocation::Placement> &placements,
                llvm::raw_ostream &os);

} // namespace mli::plan_tool

#endif // MLI_TOOLS_MLI_PLAN_CSV_H
