// SPDX-License-Identifier: Apache-2.0
//
// The fields of the CSV that mli-run writes.

#ifndef MLI_TOOLS_MLI_RUN_CSV_H
#define MLI_TOOLS_MLI_RUN_CSV_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mli {

/// `text` as one field, in quotes where it has to be.
inline std::string quoteCsv(llvm::StringRef text) {
  if (text.find_first_of("\",\r\n") == llvm::StringRef::npos)
    return text.str();
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

} // namespace mli

#endif // MLI_TOOLS_MLI_RUN_CSV_H
