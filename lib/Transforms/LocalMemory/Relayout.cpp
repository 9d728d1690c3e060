// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-assign-layouts: copies for kernels that do not take a layout.

#include "AssignLayouts.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <numeric>

using namespace mlir;
using namespace mli;
using layout::LayoutChoice;
using layout::OperandUsage;

/// The layout of `type` as a choice of the policy.
static LayoutChoice getChoice(MemRefType type) {
  auto attr = cast<LayoutAttr>(type.getLayout());
  LayoutChoice choice{attr.getKind(), attr.getMode(), {}, attr.getColumns()};
  for (LayoutDim dim : attr.getDims())
    choice.dims.push_back(static_cast<layout::Dim>(dim));
  return choice;
}

static std::string getKindName(const LayoutChoice &choice) {
  return std::string(layout::toString(choice.kind));
}

/// Whether elements are quantised along an axis, which no move takes.
static bool isPerAxis(MemRefType type) {
  auto element = dyn_cast<QuantizedType>(type.getElementType());
  return element && element.isPerAxis();
}

/// Creates a buffer of the shape of `type` in the layout of the policy for
/// `role`. Fails, with an error on `user`, if it has none.
static FailureOr<Value> createCopy(OpBuilder &builder, Operation *user,
                                   MemRefType type, OperandUsage role,
                                   const RelayoutRules &rules,
                                   CopyRemarks &remarks) {
  layout::LocalTensorDesc use =
      *getLocalTensorDesc(type.getShape(), type.getElementType(), role);
  layout::Result<MemRefType> copy =
      getLocalType(type, layout::chooseLayout(use, rules.target, rules.options),
                   rules.target);
  if (!copy) {
    remarks.reject(user,
                   {std::nullopt, layout::toString(copy.violation()), ""});
    return failure();
  }
  return AllocOp::create(builder, user->getLoc(), TypeRange(*copy),
                         ValueRange())
      .getResult();
}

// O14
void mli::relayoutUse(OpOperand &use, const RelayoutRules &rules,
                      CopyRemarks &remarks) {
  auto type = cast<MemRefType>(use.get().getType());
  if (!hasFixedLayouts(use))
    return;
  OperandUsage role = getOperandUsage(use);
  LayoutChoice given = getChoice(type);
  layout::LocalTensorDesc wanted =
      *getLocalTensorDesc(type.getShape(), type.getElementType(), role);
  if (layout::isAccepted(given, wanted, rules.target, rules.options))
    return;
  Operation *user = use.getOwner();
  std::string text =
      "expected operand " + std::to_string(use.getOperandNumber()) + " of '" +
      user->getName().getStringRef().str() + "' to be " +
      getKindName(layout::chooseLayout(wanted, rules.target, rules.options)) +
      ", as " + std::string(layout::toString(role)) + ", but got " +
      getKindName(given);
  if (isPerAxis(type))
    return remarks.reject(user, {std::nullopt,
                                 text + ", and no pass moves elements that are "
                                        "quantised along an axis",
                                 ""});
  OpBuilder builder(user);
  FailureOr<Value> copy = createCopy(builder, user, type, role, rules, remarks);
  if (failed(copy))
    return;
  CopyCause cause{CopyReason::kernel_layout, text,
                  "a buffer that only such kernels use"};
  remarks.addCopy(user->getLoc(), cause, type);
  CopyReasonAttr reason = getReasonAttr(user->getContext(), cause);
  Value original = use.get();
  copyInCopyOut(
      use, *copy,
      [&](OpBuilder &builder) {
        MovOp::create(builder, user->getLoc(), original, *copy, reason);
      },
      [&](OpBuilder &builder) {
        MovOp::create(builder, user->getLoc(), *copy, original, reason);
      });
}

//===----------------------------------------------------------------------===//
// Other shapes
//===----------------------------------------------------------------------===//

/// The type of a buffer of `shape` and `element` in the layout of `source`, but
/// with dimensions named `dims`; null if that is not legal. Its strides are
/// those of `source` if `keepsStrides`.
static MemRefType getTypeWithDims(MemRefType source, ArrayRef<int64_t> shape,
                                  Type element, ArrayRef<LayoutDim> dims,
                                  bool keepsStrides,
                                  const layout::Target &target) {
  auto attr = cast<LayoutAttr>(source.getLayout());
  layout::Result<layout::TensorLayout> request = requestLayout(
      shape, elementWidth(element) / 8, dims, target, attr.getColumns());
  if (!request)
    return {};
  layout::TensorLayout wanted = *request;
  wanted.kind = keepsStrides ? layout::Kind::Strided : attr.getKind();
  wanted.mode = attr.getMode();
  wanted.startNpu = attr.getStartNpu();
  wanted.strides = attr.getStrides();
  layout::Result<layout::TensorLayout> made = layout::makeLayout(wanted);
  if (!made)
    return {};
  return MemRefType::get(shape, element,
                         LayoutAttr::get(source.getContext(), *made, dims),
                         source.getMemorySpace());
}

// D18
MemRefType mli::findReshapedType(ReshapeOp op, MemRefType source,
                                 const RelayoutRules &rules) {
  auto type = cast<MemRefType>(op.getType());
  auto attr = cast<LayoutAttr>(source.getLayout());
  SmallVector<LayoutDim> dims = {LayoutDim::n, LayoutDim::h, LayoutDim::w,
                                 LayoutDim::c};
  if (rules.target.npus == 1)
    dims = {LayoutDim::n, LayoutDim::c, LayoutDim::h, LayoutDim::w};
  if (attr.getColumns() != 0)
    dims = {LayoutDim::n, LayoutDim::w};
  auto rank = static_cast<size_t>(type.getRank());
  if (rank > dims.size())
    return {};
  // Tries all names of the dimensions, those of feature maps first.
  SmallVector<LayoutDim> order = dims;
  std::rotate(order.begin(), order.end() - rank, order.end());
  SmallVector<unsigned> permutation(order.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  do {
    SmallVector<LayoutDim> named;
    for (unsigned i : ArrayRef(permutation).take_front(rank))
      named.push_back(order[i]);
    for (bool keepsStrides : {false, true}) {
      MemRefType reshaped =
          getTypeWithDims(source, type.getShape(), type.getElementType(), named,
                          keepsStrides, rules.target);
      if (reshaped && hasSameAddresses(source, reshaped))
        return reshaped;
    }
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return {};
}

// O15
void mli::copyReshape(ReshapeOp op, const RelayoutRules &rules,
                      CopyRemarks &remarks) {
  auto source = cast<MemRefType>(op.getSource().getType());
  auto result = cast<MemRefType>(op.getType());
  std::string text = "expected each element of a reshape to keep its address, "
                     "but got " +
                     getKindName(getChoice(source));
  if (isPerAxis(source))
    return remarks.reject(op, {std::nullopt,
                               text + ", and no pass moves elements that are "
                                      "quantised along an axis",
                               ""});
  CopyCause cause{CopyReason::kernel_layout, text,
                  "a reshape in system memory"};
  CopyReasonAttr reason = getReasonAttr(op.getContext(), cause);
  for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
    Operation *user = use.getOwner();
    if (!isa<MemoryEffectOpInterface>(user) || isa<ViewLikeOpInterface>(user))
      return remarks.reject(op,
                            {std::nullopt,
                             "expected users of a reshape that is copied to "
                             "read or write it, but got '" +
                                 user->getName().getStringRef().str() + "'",
                             ""});
    OpBuilder builder(user);
    FailureOr<Value> copy =
        createCopy(builder, user, result, getOperandUsage(use), rules, remarks);
    if (failed(copy))
      return;
    remarks.addCopy(op->getLoc(), cause, result);
    Location loc = op.getLoc();
    Value plain = memref::AllocOp::create(
        builder, loc,
        MemRefType::get(source.getShape(), source.getElementType()));
    Value reshaped = ReshapeOp::create(
        builder, loc,
        MemRefType::get(result.getShape(), result.getElementType()), plain);
    copyInCopyOut(
        use, *copy,
        [&](OpBuilder &builder) {
          MovOp::create(builder, loc, op.getSource(), plain, reason);
          MovOp::create(builder, loc, reshaped, *copy, reason);
        },
        [&](OpBuilder &builder) {
          MovOp::create(builder, loc, *copy, reshaped, reason);
          MovOp::create(builder, loc, plain, op.getSource(), reason);
        });
  }
  op.erase();
}
