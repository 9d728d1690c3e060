// SPDX-License-Identifier: Apache-2.0
//
// Verifies every tensor, and the kernels on one tensor.

#include "KernelContract.h"
#include "VerifiedTypes.h"

#include "mli/Contract/Contract.h"
#include "mli/IR/FunctionTable.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/TensorSize.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

/// Dimensions that an mli_tensor can hold, as far as they are known.
static LogicalResult verifySizes(Operation *op, const Operand &operand,
                                 ArrayRef<int64_t> shape) {
  for (auto [i, size] : llvm::enumerate(shape)) {
    // T2
    if (ShapedType::isStatic(size) && !contract::extentRange.contains(size))
      return op->emitOpError("expected dimension ")
             << i << " of '" << operand.name
             << "' to be in [1, 2147483647], but got " << size;
  }
  uint64_t bytes = tensorBytes(shape, elementWidth(operand.element()));
  // T3
  if (!isTensorSize(bytes))
    return op->emitOpError("expected '")
           << operand.name << "' to have at most 2147483647 bytes, but got "
           << bytes;
  return success();
}

/// One set of parameters, or one for each index of the quantised axis.
static LogicalResult verifyAxis(Operation *op, const Operand &operand,
                                ArrayRef<int64_t> shape) {
  QuantizedType type = operand.quantized();
  if (!type || !type.isPerAxis())
    return success();
  // T4
  if (type.getAxis() >= static_cast<int64_t>(shape.size()))
    return op->emitOpError("expected quantised axis of '")
           << operand.name << "' to be less than its rank " << shape.size()
           << ", but got " << type.getAxis();
  int64_t size = shape[type.getAxis()];
  // T5
  if (ShapedType::isStatic(size) &&
      size != static_cast<int64_t>(type.getNumParams()))
    return op->emitOpError("expected '")
           << operand.name << "' to have " << size
           << " sets of parameters, one for each index of dimension "
           << type.getAxis() << ", but got " << type.getNumParams();
  return success();
}

static LogicalResult verifyTensorTypes(Operation *op,
                                       ArrayRef<Operand> operands) {
  for (const Operand &operand : operands) {
    ArrayRef<int64_t> shape = operand.type.getShape();
    // T1
    if (!contract::rankRange.contains(static_cast<int64_t>(shape.size())))
      return op->emitOpError("expected '")
             << operand.name << "' to have at most 4 dimensions, but got "
             << shape.size();
    if (failed(verifySizes(op, operand, shape)) ||
        failed(verifyAxis(op, operand, shape)) ||
        failed(contract::verifyPlacement(op, operand)) ||
        failed(contract::verifyStrides(op, operand)))
      return failure();
  }
  return success();
}

LogicalResult contract::verifyTensors(Operation *op,
                                      ArrayRef<Operand> operands) {
  return verifyOnce(op, operands, verifyTensorTypes);
}

LogicalResult contract::verifySameContainer(Operation *op, Operand source,
                                            Operand result) {
  // D6
  if (isa<TensorType>(source.type) != isa<TensorType>(result.type))
    return op->emitOpError("expected 'result' to be a ")
           << (isa<TensorType>(source.type) ? "tensor" : "memref")
           << " as 'source', but got " << result.type;
  return success();
}

LogicalResult contract::verifyMaps(Operation *op, Operand input, Operand init) {
  if (failed(verifyTensors(op, {input, init})) ||
      failed(verifyMemory(op, {input, init})))
    return failure();
  return verifySameShape(op, input, init);
}

/// A table in memory without gaps.
static LogicalResult verifyTableMemory(Operation *op, const Operand &table) {
  return success(succeeded(contract::verifyTensors(op, {table})) &&
                 succeeded(contract::verifyMemory(op, {table})));
}

static Operand getTableOperand(OpOperand &operand) {
  const contract::Tensor *contract = getContract(operand);
  return {contract->name, cast<ShapedType>(operand.get().getType()), contract};
}

LogicalResult contract::verifyTable(Operation *op, const TableUse &use,
                                    int64_t minLength) {
  // E12
  if (use.format && use.given.empty())
    return op->emitOpError("expected a table of ")
           << stringifyLutFunction(use.function) << ", which has the format "
           << use.format << ", but got none";
  if (use.given.empty())
    return success();
  if (!use.format)
    return verifyTable(op, use.given[0], use.function);
  Operand table = getTableOperand(use.given[0]);
  if (failed(verifyTableMemory(op, table)))
    return failure();
  // E12
  if (table.type.isDynamicDim(0) || table.type.getDimSize(0) < minLength)
    return op->emitOpError("expected '")
           << table.name << "' to be a table of at least " << minLength
           << " elements, but got " << table.type;
  return success();
}

LogicalResult contract::verifyTable(Operation *op, OpOperand &operand,
                                    LutFunction function) {
  Operand table = getTableOperand(operand);
  ShapedType type = table.type;
  if (failed(verifyTableMemory(op, table)))
    return failure();
  RankedTensorType expected = getTable(function).getType(op->getContext());
  // E11
  if (type.getShape() != expected.getShape() ||
      type.getElementType() != expected.getElementType())
    return op->emitOpError("expected '")
           << table.name << "' to be a table of "
           << stringifyLutFunction(function) << ", "
           << expected.getNumElements() << " elements of "
           << expected.getElementType() << ", but got " << type;
  return success();
}

LogicalResult contract::verifyAxisAttr(Operation *op, int64_t axis,
                                       int64_t rank) {
  Range axes = axisRange(rank);
  // E3
  if (!axes.contains(axis))
    return op->emitOpError("expected 'axis' to be in [")
           << axes.least << ", " << axes.most << "], but got " << axis;
  return success();
}
