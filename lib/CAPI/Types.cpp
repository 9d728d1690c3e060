// SPDX-License-Identifier: Apache-2.0

#include "mli-c/Types.h"

#include "Support.h"

#include "mli/IR/ElementParams.h"

using namespace mlir;
using namespace mli;
using namespace mli::capi;

//===----------------------------------------------------------------------===//
// All quantised types
//===----------------------------------------------------------------------===//

static QuantizedType getQuantized(MlirType type) {
  return castOrReport<QuantizedType>(type, "a quantised type of mli");
}

bool mliTypeIsAQuantized(MlirType type) {
  return isa_and_present<QuantizedType>(unwrap(type));
}

MlirType mliQuantizedTypeGetStorageType(MlirType type) {
  QuantizedType quantized = getQuantized(type);
  return wrap(quantized ? Type(quantized.getStorageType()) : Type());
}

int32_t mliQuantizedTypeGetAxis(MlirType type) {
  QuantizedType quantized = getQuantized(type);
  return quantized ? quantized.getAxis() : 0;
}

intptr_t mliQuantizedTypeGetNumParams(MlirType type) {
  QuantizedType quantized = getQuantized(type);
  return quantized ? static_cast<intptr_t>(quantized.getNumParams()) : 0;
}

MliQuantParams mliQuantizedTypeGetParams(MlirType type, intptr_t index) {
  QuantizedType quantized = getQuantized(type);
  if (!quantized)
    return {};
  auto count = static_cast<intptr_t>(quantized.getNumParams());
  if (index < 0 || index >= count) {
    emitError(quantized.getContext())
        << "expected an index of parameters in [0, " << count << "), but got "
        << index;
    return {};
  }
  quant::QuantParams params = quantized.getParam(index);
  return {params.scale, params.fracBits, params.zeroPoint};
}

//===----------------------------------------------------------------------===//
// Fixed point
//===----------------------------------------------------------------------===//

#define MLI_FX_TYPE(Name)                                                      \
  MlirType mli##Name##TypeGet(MlirContext context, int32_t fracBits) {         \
    MLIRContext *loaded = getLoaded(context);                                  \
    if (!loaded)                                                               \
      return {};                                                               \
    return wrap(Name##Type::getChecked([&] { return emitError(loaded); },      \
                                       loaded, fracBits));                     \
  }                                                                            \
  bool mliTypeIsA##Name(MlirType type) {                                       \
    return isa_and_present<Name##Type>(unwrap(type));                          \
  }                                                                            \
  MlirTypeID mli##Name##TypeGetTypeID() {                                      \
    return wrap(Name##Type::getTypeID());                                      \
  }
MLI_FX_TYPE(Fx4)
MLI_FX_TYPE(Fx8)
MLI_FX_TYPE(Fx16)
#undef MLI_FX_TYPE

int32_t mliFxTypeGetFracBits(MlirType type) {
  Type found = unwrap(type);
  if (isa_and_present<Fx4Type, Fx8Type, Fx16Type>(found))
    return cast<QuantizedType>(found).getParam(0).fracBits;
  if (found)
    emitError(found.getContext())
        << "expected a fixed-point type of mli, but got " << found;
  return 0;
}

//===----------------------------------------------------------------------===//
// Signed asymmetric
//===----------------------------------------------------------------------===//

/// A type with `count` sets of parameters; null if they are none.
template <typename T>
static MlirType getSaType(MlirContext context, int32_t axis, intptr_t count,
                          const MliQuantParams *params) {
  MLIRContext *loaded = getLoaded(context);
  if (!loaded)
    return {};
  auto report = [&] { return emitError(loaded); };
  if (count < 0 || (count > 0 && !params)) {
    emitError(loaded) << "expected the parameters of " << count
                      << " indices, but got none";
    return {};
  }
  SmallVector<quant::QuantParams> sets;
  for (const MliQuantParams &given : ArrayRef(params, count)) {
    FailureOr<quant::QuantParams> set =
        checkParams(report, given.scale, given.fracBits, given.zeroPoint);
    if (failed(set))
      return {};
    sets.push_back(*set);
  }
  return wrap(
      T::getChecked(report, loaded, axis, ArrayRef<quant::QuantParams>(sets)));
}

/// The same with parameters along a dimension.
template <typename T>
static MlirType getSaTypePerAxis(MlirContext context, int32_t axis,
                                 intptr_t count, const MliQuantParams *params) {
  if (axis >= 0)
    return getSaType<T>(context, axis, count, params);
  if (MLIRContext *loaded = getLoaded(context))
    emitError(loaded) << "expected an axis of 0 to 3, but got " << axis;
  return {};
}

#define MLI_SA_TYPE(Name)                                                      \
  MlirType mli##Name##TypeGet(MlirContext context, MliQuantParams params) {    \
    return getSaType<Name##Type>(context, -1, 1, &params);                     \
  }                                                                            \
  MlirType mli##Name##TypeGetPerAxis(MlirContext context, int32_t axis,        \
                                     intptr_t numParams,                       \
                                     const MliQuantParams *params) {           \
    return getSaTypePerAxis<Name##Type>(context, axis, numParams, params);     \
  }                                                                            \
  bool mliTypeIsA##Name(MlirType type) {                                       \
    return isa_and_present<Name##Type>(unwrap(type));                          \
  }                                                                            \
  MlirTypeID mli##Name##TypeGetTypeID() {                                      \
    return wrap(Name##Type::getTypeID());                                      \
  }
MLI_SA_TYPE(Sa8)
MLI_SA_TYPE(Sa32)
#undef MLI_SA_TYPE
