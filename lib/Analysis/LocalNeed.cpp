// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/LocalNeed.h"

#include "mli/IR/KernelOperands.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using layout::Role;

/// `role` of the operands of a kernel before `known.size()`, maps from there
/// on.
static Role roleAt(OpOperand &operand, std::initializer_list<Role> known) {
  unsigned index = operand.getOperandNumber();
  return index < known.size() ? known.begin()[index] : Role::Map;
}

// O10
Role mli::getRole(OpOperand &operand) {
  if (isTable(operand))
    return Role::Map;
  return llvm::TypeSwitch<Operation *, Role>(operand.getOwner())
      .Case<Conv2DOp, DepthwiseConv2DOp, GroupConv2DOp, TransposeConv2DOp>(
          [&](auto) {
            return roleAt(operand, {Role::Map, Role::Filters, Role::Channels});
          })
      .Case([&](FullyConnectedOp) {
        return roleAt(operand,
                      {Role::Row, Role::Product, Role::Channels, Role::Row});
      })
      .Case([&](RnnDenseOp op) {
        if (&operand == &op.getBiasMutable())
          return Role::Channels;
        unsigned firstWeights = op.getInputs().size();
        unsigned index = operand.getOperandNumber();
        bool isWeights = index >= firstWeights &&
                         index < firstWeights + op.getWeights().size();
        return isWeights ? Role::Product : Role::Row;
      })
      .Case<LstmCellOp, GruCellOp>([&](auto) {
        return roleAt(operand,
                      {Role::Row, Role::Row, Role::Product, Role::Product,
                       Role::Channels, Role::Row, Role::Row});
      })
      .Case<LeakyReluOp, PreluOp>(
          [&](auto) { return roleAt(operand, {Role::Map, Role::Channels}); })
      .Default([](Operation *) { return Role::Map; });
}

Role mli::getRole(ArrayRef<Value> aliases) {
  // Aliases have no order, roles do.
  Role role = Role::Map;
  for (Value alias : aliases)
    for (OpOperand &use : alias.getUses())
      role = std::max(role, getRole(use));
  return role;
}

bool mli::hasContract(OpOperand &operand) {
  return isa<Conv2DOp, DepthwiseConv2DOp, GroupConv2DOp, TransposeConv2DOp,
             AvePoolOp, MaxPoolOp, FullyConnectedOp, RnnDenseOp, LstmCellOp,
             GruCellOp>(operand.getOwner());
}

std::optional<layout::LocalUse> mli::getLocalUse(ArrayRef<int64_t> shape,
                                                 Type element, Role role) {
  bool isKnown = llvm::all_of(shape, [](int64_t size) {
    return size >= 1 && size <= layout::maxExtent;
  });
  bool hasBytes = isa<QuantizedType>(element) || element.isIntOrFloat();
  if (!isKnown || shape.size() > 4 || !hasBytes ||
      elementWidth(element) % 8 != 0)
    return std::nullopt;
  return layout::LocalUse{role, shape.vec(), elementWidth(element) / 8};
}

std::optional<int64_t>
mli::getLocalBytes(ArrayRef<int64_t> shape, Type element, Role role,
                   const layout::Target &target,
                   const layout::PolicyOptions &options) {
  std::optional<layout::LocalUse> use = getLocalUse(shape, element, role);
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
  layout::LocalUse use =
      *getLocalUse(type.getShape(), type.getElementType(), Role::Map);
  layout::Result<layout::TensorLayout> made =
      layout::makeLayout(layout::arrange(use, choice, target, startNpu));
  if (!made)
    return made.problem();
  SmallVector<LayoutDim> dims;
  for (layout::Dim dim : choice.dims)
    dims.push_back(static_cast<LayoutDim>(dim));
  return MemRefType::get(type.getShape(), type.getElementType(),
                         LayoutAttr::get(type.getContext(), *made, dims),
                         SpaceAttr::get(type.getContext(), Space::local));
}
