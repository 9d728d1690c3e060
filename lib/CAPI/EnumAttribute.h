// SPDX-License-Identifier: Apache-2.0
//
// Defines the functions of attributes that hold one value of an enumeration.

#ifndef MLI_LIB_CAPI_ENUMATTRIBUTE_H
#define MLI_LIB_CAPI_ENUMATTRIBUTE_H

#include "Support.h"

namespace mli::capi {

/// The attribute of `value`; null if there is no such one.
template <typename Attr, typename Enum>
MlirAttribute getEnumAttr(MlirContext context, uint32_t value,
                          std::optional<Enum> (*symbolize)(uint32_t)) {
  mlir::MLIRContext *loaded = getLoaded(context);
  if (!loaded)
    return {};
  if (std::optional<Enum> found = symbolize(value))
    return wrap(Attr::get(loaded, *found));
  emitError(loaded) << "expected a value of '" << Attr::name << "', but got "
                    << value;
  return {};
}

} // namespace mli::capi

/// For the attribute of `Enum`, which is called `Name` in C and whose values
/// are those of `CEnum` up to `Last`.
#define MLI_DEFINE_ENUM_ATTRIBUTE(Name, CEnum, Enum, Last)                     \
  static_assert(Last == mli::getMaxEnumValFor##Enum());                        \
  MlirAttribute mli##Name##AttrGet(MlirContext context, CEnum value) {         \
    return mli::capi::getEnumAttr<mli::Enum##Attr, mli::Enum>(                 \
        context, static_cast<uint32_t>(value), mli::symbolize##Enum);          \
  }                                                                            \
  bool mliAttributeIsA##Name(MlirAttribute attr) {                             \
    return llvm::isa_and_present<mli::Enum##Attr>(unwrap(attr));               \
  }                                                                            \
  CEnum mli##Name##AttrGetValue(MlirAttribute attr) {                          \
    auto found = mli::capi::castOrReport<mli::Enum##Attr>(attr);               \
    return static_cast<CEnum>(found ? static_cast<uint32_t>(found.getValue())  \
                                    : 0);                                      \
  }                                                                            \
  MlirTypeID mli##Name##AttrGetTypeID() {                                      \
    return wrap(mli::Enum##Attr::getTypeID());                                 \
  }

#endif // MLI_LIB_CAPI_ENUMATTRIBUTE_H
