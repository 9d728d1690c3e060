// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/LocalNeed.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using layout::OperandUsage;

// O10
OperandUsage mli::getOperandUsage(OpOperand &operand) {
  auto kernel = dyn_cast<KernelOpInterface>(operand.getOwner());
  return kernel ? kernel.getOperandUsage(operand) : OperandUsage::Map;
}

OperandUsage mli::getOperandUsage(ArrayRef<Value> aliases) {
  // Aliases have no order, roles do.
  OperandUsage role = OperandUsage::Map;
  for (Value alias : aliases)
    for (OpOperand &use : alias.getUses())
      role = std::max(role, getOperandUsage(use));
  return role;
}

bool mli::hasFixedLayouts(OpOperand &operand) {
  auto kernel = dyn_cast<KernelOpInterface>(operand.getOwner());
  return kernel && kernel.hasFixedLayouts();
}

std::optional<layout::LocalTensorDesc>
mli::getLocalTensorDesc(ArrayRef<int64_t> shape, Type element,
                        OperandUsage role) {
  bool isKnown = llvm::all_of(shape, [](int64_t size) {
    return size >= 1 && size <= layout::maxExtent;
  });
  bool hasBytes = isa<QuantizedType>(element) || element.isIntOrFloat();
  if (!isKnown || shape.size() > 4 || !hasBytes ||
      elementWidth(element) % 8 != 0)
    return std::nullopt;
  return layout::LocalTensorDesc{role, shape.vec(), elementWidth(element) / 8};
}

std::optional<int64_t>
mli::getLocalBytes(ArrayRef<int64_t> shape, Type element, OperandUsage role,
                   const layout::Target &target,
                   const layout::PolicyOptions &options) {
  std::optional<layout::LocalTensorDesc> use =
      getLocalTensorDesc(shape, element, role);
  if (!use)
    return std::nullopt;
  layout::LocalBytes need = layout::localBytes(*use, target, options);
  if (need.bytes > INT64_MAX - need.alignment)
    return INT64_MAX;
  return llvm::alignTo(need.bytes, need.alignment);
}

layout::Result<MemRefType> mli::getLocalType(MemRefType type,
                                             const layout::LayoutChoice &choice,
                                             const layout::Target &target,
                                             int64_t startNpu) {
  // The role is part of the choice.
  layout::LocalTensorDesc use = *getLocalTensorDesc(
      type.getShape(), type.getElementType(), OperandUsage::Map);
  layout::Result<layout::TensorLayout> made =
      layout::makeLayout(layout::arrange(use, choice, target, startNpu));
  if (!made)
    return made.violation();
  SmallVector<LayoutDim> dims;
  for (layout::Dim dim : choice.dims)
    dims.push_back(static_cast<LayoutDim>(dim));
  return MemRefType::get(type.getShape(), type.getElementType(),
                         LayoutAttr::get(type.getContext(), *made, dims),
                         SpaceAttr::get(type.getContext(), Space::local));
}
