// SPDX-License-Identifier: Apache-2.0
//
// The functions that vectors name, called with arguments by parameter name.

#ifndef MLI_TEST_GOLDEN_TOOL_CALLS_H
#define MLI_TEST_GOLDEN_TOOL_CALLS_H

#include "Arguments.h"

#include "llvm/ADT/StringMap.h"

namespace mli::golden {

using Call = mli_status (*)(Arguments &);

/// The call of a function, or null if the runtime has none of that name.
Call findCall(llvm::StringRef function);

/// All of them, by name. The functions of tables are not among them.
const llvm::StringMap<Call> &allCalls();

/// Those of data movement but plain moves, for `allCalls`.
llvm::ArrayRef<std::pair<llvm::StringRef, Call>> moveCalls();

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_CALLS_H
