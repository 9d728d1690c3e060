// SPDX-License-Identifier: Apache-2.0
//
// Records of comma-separated text (RFC 4180): a field in quotes holds commas,
// line breaks and, doubled, quotes.

#ifndef MLI_TOOLS_MLI_PLAN_RECORD_H
#define MLI_TOOLS_MLI_PLAN_RECORD_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/StringSaver.h"

#include <optional>
#include <string>

namespace mli::plan_tool {

/// Takes the first field off `record` as it is written, and the comma after
/// it; without one it is the last.
llvm::StringRef takeField(llvm::StringRef &record, bool &isLast);

/// Takes the first record off `text`, and the line break after it.
llvm::StringRef takeRecord(llvm::StringRef &text);

/// The contents of a field that is written in this way: without its quotes, or
/// without the spaces around it if it has none. Nothing if its quotes do not
/// match. `saver` keeps texts that the input does not hold.
std::optional<llvm::StringRef> getValue(llvm::StringRef field,
                                        llvm::StringSaver &saver);

/// A field in a message: in one line, its beginning alone if it is long.
std::string shown(llvm::StringRef field);

} // namespace mli::plan_tool

#endif // MLI_TOOLS_MLI_PLAN_RECORD_H
