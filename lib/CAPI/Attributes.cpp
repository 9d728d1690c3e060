// SPDX-License-Identifier: Apache-2.0

#include "mli-c/Attributes.h"

#include "EnumAttribute.h"

using namespace mlir;
using namespace mli;
using namespace mli::capi;

MLI_DEFINE_ENUM_ATTRIBUTE(Relu, MliReluKind, ReluKind, MliReluKindRelu6)
MLI_DEFINE_ENUM_ATTRIBUTE(MapLayout, MliMapLayout, MapLayout, MliMapLayoutChw)
MLI_DEFINE_ENUM_ATTRIBUTE(RnnAct, MliRnnAct, RnnAct, MliRnnActSigm)
MLI_DEFINE_ENUM_ATTRIBUTE(LutFunction, MliLutFunction, LutFunction,
                          MliLutFunctionL2Normalize)
MLI_DEFINE_ENUM_ATTRIBUTE(CopyReason, MliCopyReason, CopyReason,
                          MliCopyReasonStillNeeded)

//===----------------------------------------------------------------------===//
// lut_format
//===----------------------------------------------------------------------===//

MlirAttribute mliLutFormatAttrGet(MlirContext context, int32_t inFracBits,
                                  int32_t inputOffset) {
  MLIRContext *loaded = getLoaded(context);
  if (!loaded)
    return {};
  return wrap(LutFormatAttr::get(loaded, inFracBits, inputOffset));
}

bool mliAttributeIsALutFormat(MlirAttribute attr) {
  return isa_and_present<LutFormatAttr>(unwrap(attr));
}

int32_t mliLutFormatAttrGetInFracBits(MlirAttribute attr) {
  auto format = castOrReport<LutFormatAttr>(attr);
  return format ? format.getInFracBits() : 0;
}

int32_t mliLutFormatAttrGetInputOffset(MlirAttribute attr) {
  auto format = castOrReport<LutFormatAttr>(attr);
  return format ? format.getInputOffset() : 0;
}

MlirTypeID mliLutFormatAttrGetTypeID() {
  return wrap(LutFormatAttr::getTypeID());
}

//===----------------------------------------------------------------------===//
// data
//===----------------------------------------------------------------------===//

MlirAttribute mliDataAttrGet(MlirContext context, MlirAttribute elements) {
  MLIRContext *loaded = getLoaded(context);
  if (!loaded)
    return {};
  if (!elements.ptr) {
    emitError(loaded) << "expected an elements attribute, but got none";
    return {};
  }
  auto found = castOrReport<ElementsAttr>(elements, "an elements attribute");
  if (!found)
    return {};
  if (found.getContext() != loaded) {
    emitError(loaded) << "expected elements of this context, but got some of "
                         "another";
    return {};
  }
  return wrap(DataAttr::get(loaded, found));
}

bool mliAttributeIsAData(MlirAttribute attr) {
  return isa_and_present<DataAttr>(unwrap(attr));
}

MlirAttribute mliDataAttrGetElements(MlirAttribute attr) {
  auto data = castOrReport<DataAttr>(attr);
  return wrap(data ? Attribute(data.getValue()) : Attribute());
}

MlirTypeID mliDataAttrGetTypeID() { return wrap(DataAttr::getTypeID()); }
