// SPDX-License-Identifier: Apache-2.0
//
// Checks what callers in C give, and reports errors to the handlers of a
// context.

#ifndef MLI_LIB_CAPI_SUPPORT_H
#define MLI_LIB_CAPI_SUPPORT_H

#include "mli/IR/MLI.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

namespace mli::capi {

/// Starts an error that is at no place of a file.
inline mlir::InFlightDiagnostic emitError(mlir::MLIRContext *context) {
  return mlir::emitError(mlir::UnknownLoc::get(context));
}

/// The context, if types and attributes of the dialect can be made in it; else
/// null, and the reason is reported unless `context` is null.
mlir::MLIRContext *getLoaded(MlirContext context);

/// Whether the dialects that networks use are registered in `context`; if not,
/// that is reported.
bool hasDialects(mlir::MLIRContext *context);

/// Whether `text` is one, and not a null pointer with a length.
inline bool isText(MlirStringRef text) { return text.data || text.length == 0; }

/// `value`, a type or an attribute, as a `T`; else null, and the reason is
/// reported unless `value` is null.
template <typename T, typename Handle>
T castOrReport(Handle handle, llvm::StringRef name = T::name) {
  auto value = unwrap(handle);
  auto found = llvm::dyn_cast_if_present<T>(value);
  if (!found && value)
    emitError(value.getContext())
        << "expected " << name << ", but got " << value;
  return found;
}

} // namespace mli::capi

#endif // MLI_LIB_CAPI_SUPPORT_H
