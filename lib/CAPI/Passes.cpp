// SPDX-License-Identifier: Apache-2.0

#include "mli-c/Passes.h"

#include "mli/Conversion/Passes.h"
#include "mli/Pipelines/Pipelines.h"

#include "mlir/CAPI/Pass.h"

#include <mutex>

using namespace mlir;
using namespace mli;

#include "mli-c/Conversion.capi.cpp.inc"
#include "mli-c/Transforms.capi.cpp.inc"

void mliRegisterPasses() {
  static std::once_flag once;
  std::call_once(once, registerPasses);
}
