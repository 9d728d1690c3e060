// SPDX-License-Identifier: Apache-2.0

#include "mli-c/Dialect.h"

#include "Support.h"

#include "mli/Pipelines/Pipelines.h"

#include "mlir/CAPI/Registration.h"

using namespace mlir;
using namespace mli;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(MLI, mli, mli::MLIDialect)

MlirLogicalResult mliRegisterAllDialects(MlirDialectRegistry registry) {
  if (!registry.ptr)
    return mlirLogicalResultFailure();
  registerDialects(*unwrap(registry));
  return mlirLogicalResultSuccess();
}

MlirStringRef mliGetVersion() { return wrap(StringRef(MLI_VERSION)); }

MLIRContext *capi::getLoaded(MlirContext context) {
  MLIRContext *found = unwrap(context);
  if (!found || found->getLoadedDialect<MLIDialect>())
    return found;
  emitError(found) << "expected a context with the dialect 'mli' loaded, but "
                      "got one without";
  return nullptr;
}

bool capi::hasDialects(MLIRContext *context) {
  std::vector<StringRef> names = context->getAvailableDialects();
  bool hasAll = llvm::all_of(
      ArrayRef<StringRef>{"mli", "func", "tensor", "scf", "arith", "llvm"},
      [&](StringRef name) { return llvm::is_contained(names, name); });
  if (!hasAll) {
    emitError(context) << "expected a context with the dialects of "
                          "mliRegisterAllDialects, but got one without";
    return false;
  }
  // Names do not show whether their extensions are there.
  DialectRegistry registry;
  registerDialects(registry);
  context->appendDialectRegistry(registry);
  return true;
}
