// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/MLI.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

#include "mli/IR/MLIEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "mli/IR/MLIAttrs.cpp.inc"

void MLIDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mli/IR/MLIAttrs.cpp.inc"
      >();
}
