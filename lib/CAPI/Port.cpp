// SPDX-License-Identifier: Apache-2.0
//
// Inputs and results of functions, as their callers hold them.

#include "Handles.h"

using namespace mlir;
using namespace mli;
using namespace mli::capi;

size_t PortHandle::getNumBytes() const {
  return type.getNumElements() *
         getElementBytes(*getHostElement(type.getElementType()));
}

MlirStringRef mliPortGetName(MliPort port) {
  return ::wrap(port.ptr ? StringRef(unwrap(port)->name) : StringRef());
}

MlirType mliPortGetType(MliPort port) {
  return ::wrap(port.ptr ? Type(unwrap(port)->type) : Type());
}

static_assert(int(HostElement::I8) == MliElementInt8 &&
              int(HostElement::U8) == MliElementUInt8 &&
              int(HostElement::I16) == MliElementInt16 &&
              int(HostElement::I32) == MliElementInt32 &&
              int(HostElement::F32) == MliElementFloat32);

MliElement mliPortGetElement(MliPort port) {
  if (!port.ptr)
    return MliElementInt8;
  if (unwrap(port)->isUnsigned)
    return MliElementUInt8;
  Type element = unwrap(port)->type.getElementType();
  return static_cast<MliElement>(*getHostElement(element));
}

intptr_t mliPortGetRank(MliPort port) {
  return port.ptr ? unwrap(port)->type.getRank() : 0;
}

int64_t mliPortGetDimSize(MliPort port, intptr_t dim) {
  if (!port.ptr)
    return 0;
  const PortHandle &handle = *unwrap(port);
  ArrayRef<int64_t> shape = handle.type.getShape();
  const int64_t *size = getElement(handle.context, shape, dim, "dimensions");
  return size ? *size : 0;
}

size_t mliPortGetNumBytes(MliPort port) {
  return port.ptr ? unwrap(port)->getNumBytes() : 0;
}

//===----------------------------------------------------------------------===//
// Quantisation
//===----------------------------------------------------------------------===//

/// The quantised type of the elements of `port`; null for others.
static QuantizedType getQuantized(MliPort port) {
  if (!port.ptr)
    return {};
  return dyn_cast<QuantizedType>(unwrap(port)->type.getElementType());
}

/// Set `index` of the parameters of `port`; nothing, which is reported unless
/// `port` is null, if it has none of this index.
static std::optional<quant::QuantParams> getParams(MliPort port,
                                                   intptr_t index) {
  if (!port.ptr)
    return std::nullopt;
  intptr_t count = mliPortGetNumScales(port);
  if (index >= 0 && index < count)
    return getQuantized(port).getParam(index);
  emitError(unwrap(port)->context)
      << "expected an index of " << count << " scales, but got " << index;
  return std::nullopt;
}

intptr_t mliPortGetNumScales(MliPort port) {
  QuantizedType type = getQuantized(port);
  return type ? static_cast<intptr_t>(type.getNumParams()) : 0;
}

double mliPortGetScale(MliPort port, intptr_t index) {
  std::optional<quant::QuantParams> params = getParams(port, index);
  if (!params)
    return 0;
  return unwrap(port)->scale.value_or(quant::realScale(*params));
}

int32_t mliPortGetZeroPoint(MliPort port, intptr_t index) {
  std::optional<quant::QuantParams> params = getParams(port, index);
  if (!params)
    return 0;
  // Callers hold uint8 for what the program has as int8.
  return params->zeroPoint + (unwrap(port)->isUnsigned ? 128 : 0);
}

int32_t mliPortGetAxis(MliPort port) {
  QuantizedType type = getQuantized(port);
  return type ? type.getAxis() : -1;
}
