// SPDX-License-Identifier: Apache-2.0
//
// What all kernel operations do alike; their generated classes.

#include "mli/IR/MLI.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mli;

bool mli::detail::readsInit(OpOperand &init) {
  if (auto mov = dyn_cast<MovOp>(init.getOwner()))
    return mov.isPartial();
  auto cell = dyn_cast<LstmCellOp>(init.getOwner());
  return cell && &init == &cell.getCellMutable();
}

void mli::detail::getKernelEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isInit = op.isDpsInit(&operand);
    if (!isInit || readsInit(operand))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isInit)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

Speculation::Speculatability
mli::detail::getKernelSpeculatability(DestinationStyleOpInterface op) {
  return op.hasPureTensorSemantics() ? Speculation::Speculatable
                                     : Speculation::NotSpeculatable;
}

static LogicalResult verifyNoFutureType(Operation *op, StringRef what, size_t i,
                                        Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  // Q6
  if (shaped && (isa<Fx4Type>(shaped.getElementType()) ||
                 shaped.getElementType().isF16()))
    return op->emitOpError("expected ")
           << what << " #" << i << " to have elements of a type that operations"
           << " take, but got " << shaped.getElementType()
           << ", which is for future use";
  return success();
}

LogicalResult mli::detail::verifyNoFutureTypes(Operation *op) {
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(verifyNoFutureType(op, "operand", i, type)))
      return failure();
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(verifyNoFutureType(op, "result", i, type)))
      return failure();
  return success();
}

SmallVector<Type, 1> mli::detail::tensorTypes(ValueRange inits) {
  SmallVector<Type, 1> types;
  llvm::copy_if(inits.getTypes(), std::back_inserter(types),
                llvm::IsaPred<RankedTensorType>);
  return types;
}

LogicalResult mli::detail::reifyInits(DestinationStyleOpInterface op,
                                      OpBuilder &builder,
                                      ReifiedRankedShapedTypeDims &shapes) {
  if (!op.hasPureTensorSemantics())
    return failure();
  for (Value init : op.getDpsInits())
    shapes.push_back(tensor::getMixedSizes(builder, op.getLoc(), init));
  return success();
}

MapDims::MapDims(MapLayout layout)
    : height(layout == MapLayout::hwc ? 0 : 1), width(height + 1),
      channels(layout == MapLayout::hwc ? 2 : 0) {}

/// `[8, 8]`: sizes that are never dynamic.
static ParseResult parseStaticSizes(OpAsmParser &parser,
                                    DenseI64ArrayAttr &sizes) {
  SmallVector<int64_t> values;
  auto parseOne = [&] { return parser.parseInteger(values.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  sizes = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

static void printStaticSizes(OpAsmPrinter &printer, Operation *,
                             DenseI64ArrayAttr sizes) {
  printer << "[" << sizes.asArrayRef() << "]";
}

#define GET_OP_CLASSES
#include "mli/IR/MLIOps.cpp.inc"
