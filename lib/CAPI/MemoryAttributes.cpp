// SPDX-License-Identifier: Apache-2.0

#include "mli-c/MemoryAttributes.h"

#include "EnumAttribute.h"

using namespace mlir;
using namespace mli;
using namespace mli::capi;

MLI_DEFINE_ENUM_ATTRIBUTE(Space, MliSpace, Space, MliSpaceLocal)

//===----------------------------------------------------------------------===//
// target
//===----------------------------------------------------------------------===//

MlirAttribute mliTargetAttrParse(MlirContext context, MlirStringRef text) {
  MLIRContext *loaded = getLoaded(context);
  if (!loaded)
    return {};
  if (!isText(text)) {
    emitError(loaded) << "expected the text of a target, but got none";
    return {};
  }
  std::string error;
  TargetAttr target = TargetAttr::fromText(loaded, unwrap(text), error);
  if (!target)
    emitError(loaded) << error;
  return wrap(target);
}

MlirAttribute mliTargetAttrGet(MlirContext context, MliTargetNumbers numbers) {
  MLIRContext *loaded = getLoaded(context);
  if (!loaded)
    return {};
  layout::Target target;
  target.npus = numbers.npus;
  target.npuBytes = numbers.npuBytes;
  target.unit = numbers.unit;
  target.banks = numbers.banks;
  target.dmaAlignment = numbers.dmaAlignment;
  return wrap(TargetAttr::getChecked([&] { return emitError(loaded); }, loaded,
                                     /*preset=*/StringRef(), target));
}

bool mliAttributeIsATarget(MlirAttribute attr) {
  return isa_and_present<TargetAttr>(unwrap(attr));
}

MliTargetNumbers mliTargetAttrGetNumbers(MlirAttribute attr) {
  auto found = castOrReport<TargetAttr>(attr);
  if (!found)
    return {};
  const layout::Target &target = found.getValue();
  return {target.npus, target.npuBytes, target.unit, target.banks,
          target.dmaAlignment};
}

MlirStringRef mliTargetAttrGetPreset(MlirAttribute attr) {
  auto target = castOrReport<TargetAttr>(attr);
  return wrap(target ? target.getPreset() : StringRef());
}

MlirTypeID mliTargetAttrGetTypeID() { return wrap(TargetAttr::getTypeID()); }

MlirStringRef mliTargetAttrGetName() {
  return wrap(MLIDialect::getTargetAttrName());
}

//===----------------------------------------------------------------------===//
// layout
//===----------------------------------------------------------------------===//

static_assert(int(layout::Kind::Continuous) == MliLayoutKindContinuous &&
              int(layout::Kind::Aligned) == MliLayoutKindAligned &&
              int(layout::Kind::Compact) == MliLayoutKindCompact &&
              int(layout::Kind::Matrix) == MliLayoutKindMatrix &&
              int(layout::Kind::Strided) == MliLayoutKindStrided);
static_assert(int(layout::Mode::None) == MliLayoutModeNone &&
              int(layout::Mode::FourN) == MliLayoutMode4N &&
              int(layout::Mode::TwoN) == MliLayoutMode2N &&
              int(layout::Mode::TwoIC) == MliLayoutMode2IC);

/// The dimensions that `dims` name; nothing, and the reason is reported, if one
/// of them is none.
static std::optional<SmallVector<LayoutDim>>
getDims(MLIRContext *context, intptr_t count, const MliLayoutDim *dims) {
  if (count < 0 || (count > 0 && !dims)) {
    emitError(context) << "expected " << count << " dimensions, but got none";
    return std::nullopt;
  }
  SmallVector<LayoutDim> found;
  for (MliLayoutDim given : ArrayRef(dims, count)) {
    auto value = static_cast<uint32_t>(given);
    std::optional<LayoutDim> dim = symbolizeLayoutDim(value);
    if (!dim) {
      emitError(context) << "expected a dimension of local memory, but got "
                         << value;
      return std::nullopt;
    }
    found.push_back(*dim);
  }
  return found;
}

MlirAttribute mliLayoutAttrGet(MlirContext context, MliLayoutKind kind,
                               MliLayoutMode mode, intptr_t numDims,
                               const MliLayoutDim *dims,
                               MliLayoutNumbers numbers) {
  MLIRContext *loaded = getLoaded(context);
  if (!loaded)
    return {};
  auto kindValue = static_cast<uint32_t>(kind);
  auto modeValue = static_cast<uint32_t>(mode);
  if (kindValue > MliLayoutKindStrided || modeValue > MliLayoutMode2IC) {
    emitError(loaded)
        << "expected a kind and a mode of a layout, but got the numbers "
        << kindValue << " and " << modeValue;
    return {};
  }
  auto names = getDims(loaded, numDims, dims);
  if (!names)
    return {};
  layout::Dims strides;
  strides.n = numbers.strideN;
  strides.c = numbers.strideC;
  strides.h = numbers.strideH;
  strides.w = numbers.strideW;
  return wrap(LayoutAttr::getChecked([&] { return emitError(loaded); }, loaded,
                                     static_cast<layout::Kind>(kindValue),
                                     static_cast<layout::Mode>(modeValue),
                                     ArrayRef<LayoutDim>(*names), numbers.npus,
                                     numbers.npuElements, numbers.startNpu,
                                     numbers.columns, strides));
}

bool mliAttributeIsALayout(MlirAttribute attr) {
  return isa_and_present<LayoutAttr>(unwrap(attr));
}

MliLayoutKind mliLayoutAttrGetKind(MlirAttribute attr) {
  auto layout = castOrReport<LayoutAttr>(attr);
  return static_cast<MliLayoutKind>(layout ? int(layout.getKind()) : 0);
}

MliLayoutMode mliLayoutAttrGetMode(MlirAttribute attr) {
  auto layout = castOrReport<LayoutAttr>(attr);
  return static_cast<MliLayoutMode>(layout ? int(layout.getMode()) : 0);
}

intptr_t mliLayoutAttrGetNumDims(MlirAttribute attr) {
  auto layout = castOrReport<LayoutAttr>(attr);
  return layout ? static_cast<intptr_t>(layout.getDims().size()) : 0;
}

MliLayoutDim mliLayoutAttrGetDim(MlirAttribute attr, intptr_t index) {
  auto layout = castOrReport<LayoutAttr>(attr);
  if (!layout)
    return MliLayoutDimN;
  ArrayRef<LayoutDim> dims = layout.getDims();
  if (index >= 0 && index < static_cast<intptr_t>(dims.size()))
    return static_cast<MliLayoutDim>(dims[index]);
  emitError(layout.getContext()) << "expected an index of dimensions in [0, "
                                 << dims.size() << "), but got " << index;
  return MliLayoutDimN;
}

MliLayoutNumbers mliLayoutAttrGetNumbers(MlirAttribute attr) {
  auto layout = castOrReport<LayoutAttr>(attr);
  if (!layout)
    return {};
  layout::Dims strides = layout.getStrides();
  return {layout.getNpus(),
          layout.getNpuElements(),
          layout.getStartNpu(),
          layout.getColumns(),
          strides.n,
          strides.c,
          strides.h,
          strides.w};
}

MlirTypeID mliLayoutAttrGetTypeID() { return wrap(LayoutAttr::getTypeID()); }
