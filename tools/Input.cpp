// SPDX-License-Identifier: Apache-2.0

#include "Input.h"

#include "llvm/Support/ProgramStack.h"

int mli::runOnLargeStack(llvm::function_ref<int()> tool) {
  constexpr unsigned stackBytes = 1U << 30;
  int status = 0;
  llvm::runOnNewStack(stackBytes, [&] { status = tool(); });
  return status;
}
