// SPDX-License-Identifier: Apache-2.0
//
// The code that all kernel operations share, and their generated classes.

#include "Contract/KernelContract.h"
#include "MixedPadding.h"

#include "mli/Contract/Kernels.h"
#include "mli/IR/FunctionTable.h"
#include "mli/IR/MLI.h"
#include "mli/IR/TensorSize.h"
#include "mli/Layout/Policy.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using layout::OperandUsage;

bool mli::detail::readsInit(OpOperand &init) {
  if (isa<AdvanceOp>(init.getOwner()))
    return true;
  auto kernel = dyn_cast<KernelOpInterface>(init.getOwner());
  return kernel && kernel.readsInit(init);
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
  // Nothing else has elements of these.
  Type element = llvm::TypeSwitch<Type, Type>(type)
                     .Case<RankedTensorType, MemRefType>([](auto container) {
                       return container.getElementType();
                     })
                     .Default(Type());
  // Q6
  if (element && (isa<Fx4Type>(element) || element.isF16()))
    return op->emitOpError("expected ")
           << what << " #" << i << " to have elements of a type that operations"
           << " take, but got " << element << ", which is for future use";
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

FeatureMapDims::FeatureMapDims(MapLayout layout)
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

//===----------------------------------------------------------------------===//
// Bodies of interfaces
//===----------------------------------------------------------------------===//

/// The role of `operand` among `roles`, those of the first operands; what
/// follows these are tables and padding.
static OperandUsage usageAt(OpOperand &operand,
                            std::initializer_list<OperandUsage> roles) {
  unsigned index = operand.getOperandNumber();
  return index < roles.size() ? roles.begin()[index] : OperandUsage::Map;
}

static OperandUsage getRnnDenseUsage(RnnDenseOp op, OpOperand &operand) {
  if (&operand == &op.getBiasMutable())
    return OperandUsage::Channels;
  unsigned firstWeights = op.getInputs().size();
  unsigned index = operand.getOperandNumber();
  bool isWeights =
      index >= firstWeights && index < firstWeights + op.getWeights().size();
  return isWeights ? OperandUsage::Product : OperandUsage::Row;
}

/// The weights that one output is multiplied with.
static int64_t countProducts(WeightedOpInterface op) {
  auto count = [](Value value) {
    return cast<ShapedType>(value.getType()).getNumElements();
  };
  return count(op.getWeights()) / std::max<int64_t>(1, count(op.getBias()));
}

/// The bytes of the tables that the lowering makes for `op`.
static int64_t getMissingTableBytes(TableOpInterface op) {
  int64_t bytes = 0;
  for (const TableUse &table : op.getTables())
    if (table.given.empty())
      bytes += getTable(table.function).bytes;
  return bytes;
}

/// One vector of the cell for each of its gates, and its tables.
template <typename CellOp>
static int64_t getCellScratchBytes(CellOp op) {
  std::optional<int64_t> vector = getDenseBytes(op.getPrevious().getType());
  return vector ? CellOp::numGates * *vector + getMissingTableBytes(op) : 0;
}

#include "mli/IR/MLIOpInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "mli/IR/MLIOps.cpp.inc"
