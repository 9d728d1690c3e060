// SPDX-License-Identifier: Apache-2.0
//
// JSON of anybody.

#ifndef MLI_SUPPORT_JSON_H
#define MLI_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

namespace mli {

/// Parses `text`, also where LLVM's parser, which calls itself for each
/// bracket, would run out of stack: that many brackets in one another are an
/// error.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace mli

#endif // MLI_SUPPORT_JSON_H
