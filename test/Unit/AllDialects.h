// SPDX-License-Identifier: Apache-2.0
//
// Contexts for tests that parse programs.

#ifndef MLI_TEST_UNIT_ALLDIALECTS_H
#define MLI_TEST_UNIT_ALLDIALECTS_H

#include "mli/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"

namespace mli::test {

/// What a tool registers.
inline mlir::DialectRegistry allDialects() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

} // namespace mli::test

#endif // MLI_TEST_UNIT_ALLDIALECTS_H
