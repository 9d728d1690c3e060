// SPDX-License-Identifier: Apache-2.0
//
// Copies, loads, stores and blocks: what a function does to buffers without a
// layer.

#include "FunctionPrinter.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/LocalMemory.h"
#include "mli/Runtime/C/mli_types.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

/// A pointer to the bytes of `buffer`, without gaps, or its local address.
FailureOr<std::string> FunctionPrinter::getPointer(Value buffer) {
  FailureOr<Place> place = findPlace(buffer);
  if (failed(place))
    return failure();
  auto getIndex = [&](Value index) { return indices.lookup(index); };
  if (isAddress(buffer))
    return Descriptions::getLocalAddress(*place, place->bytes, getIndex);
  if (std::optional<std::string> table = descriptions.getAddress(*place))
    return "READ_ONLY(int8_t, " + *table + ")";
  function.readsBases = true;
  return descriptions.getPointer(
      function, *place, descriptions.getDistance(*place),
      function.isEntry ? "base." : "base->", getIndex);
}

/// Whether `type` is in system memory and has no gaps.
static bool isPlain(MemRefType type) {
  return !isLocal(type) && isContiguous(type);
}

/// Whether a move has `type`.
static bool canMove(MemRefType type) {
  bool hasElements = type.getElementType().isF32() ||
                     isa<QuantizedType>(type.getElementType());
  return hasElements && type.getRank() > 0 && type.getRank() <= MLI_MAX_RANK;
}

LogicalResult FunctionPrinter::printCopy(Operation *op) {
  auto copy = cast<memref::CopyOp>(op);
  bool isMove = false;
  for (Value buffer : {copy.getSource(), copy.getTarget()}) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    bool isKnown = type && type.hasStaticShape();
    if (!isKnown || !(canMove(type) ||
                      (isPlain(type) && hasElementType(type.getElementType()))))
      return op->emitOpError("expected buffers of static sizes without gaps, "
                             "which C output needs, but got ")
             << buffer.getType();
    isMove |= !isPlain(type);
  }
  if (isMove)
    return printMove(op);
  FailureOr<std::string> from = getPointer(copy.getSource());
  FailureOr<std::string> to = getPointer(copy.getTarget());
  if (failed(from) || failed(to))
    return failure();
  auto type = cast<MemRefType>(copy.getSource().getType());
  int64_t bytes =
      type.getNumElements() * getElementType(type.getElementType()).bytes;
  network.helpers.copying = true;
  body->conditional("status == MLI_STATUS_OK", "(void)memcpy(" + *to + ", " +
                                                   *from + ", " + Twine(bytes) +
                                                   ");");
  return success();
}

/// A pointer to the element that `op`, which loads or stores, has.
FailureOr<std::string> FunctionPrinter::getElement(Operation *op, Value buffer,
                                                   ValueRange subscripts) {
  auto type = cast<MemRefType>(buffer.getType());
  FailureOr<SmallVector<int64_t>> strides = getKnownStrides(type);
  if (!hasElementType(type.getElementType()))
    return op->emitOpError("expected elements that C output has, but got ")
           << type.getElementType();
  if (failed(strides))
    return op->emitOpError("expected static strides, which C output needs, but "
                           "got ")
           << type;
  FailureOr<std::string> pointer = getPointer(buffer);
  if (failed(pointer))
    return failure();
  int64_t bytes = getElementType(type.getElementType()).bytes;
  for (auto [index, stride] : llvm::zip_equal(subscripts, *strides))
    *pointer += " + " + indices.lookup(index) + timesFactor(stride * bytes);
  return pointer;
}

LogicalResult FunctionPrinter::printAccess(Operation *op) {
  auto load = dyn_cast<memref::LoadOp>(op);
  auto store = dyn_cast<memref::StoreOp>(op);
  Value buffer = load ? load.getMemRef() : store.getMemRef();
  FailureOr<std::string> pointer =
      getElement(op, buffer, load ? load.getIndices() : store.getIndices());
  if (failed(pointer))
    return failure();
  const char *type =
      getElementType(cast<MemRefType>(buffer.getType()).getElementType()).type;
  // After an error nothing is where indices say.
  if (load)
    body->statement(Twine("const ") + type + " " + addVariable(load) +
                    " = status == MLI_STATUS_OK ? *(const " + type +
                    " *)(const void *)(" + *pointer + ") : 0;");
  else
    body->conditional("status == MLI_STATUS_OK",
                      Twine("*(") + type + " *)(void *)(" + *pointer + ") = " +
                          indices.lookup(store.getValueToStore()) + ";");
  return success();
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

bool IndexRanges::isWithin(Value index, int64_t most) {
  if (!solver) {
    solver = std::make_unique<DataFlowSolver>();
    dataflow::loadBaselineAnalyses(*solver);
    solver->load<dataflow::IntegerRangeAnalysis>();
    if (failed(solver->initializeAndRun(function)))
      return false;
  }
  const auto *range =
      solver->lookupState<dataflow::IntegerValueRangeLattice>(index);
  if (!range || range->getValue().isUninitialized())
    return false;
  const ConstantIntRanges &known = range->getValue().getValue();
  return known.smin().sge(0) && known.smax().sle(most);
}

/// Checks the offsets of a block that nobody knows to be in its buffer.
LogicalResult FunctionPrinter::printBounds(Operation *op) {
  auto block = cast<SubtensorOp>(op);
  auto source = cast<MemRefType>(block.getSource().getType());
  for (auto [dim, offset] : llvm::enumerate(block.getMixedOffsets())) {
    auto index = dyn_cast<Value>(offset);
    std::optional<int64_t> size =
        getConstantIntValue(block.getMixedSizes()[dim]);
    if (!index || !size || source.isDynamicDim(dim))
      continue;
    int64_t most = source.getDimSize(dim) - *size;
    if (ranges.isWithin(index, most))
      continue;
    std::string name = indices.lookup(index);
    body->conditional(Twine("status == MLI_STATUS_OK && (") + name +
                          " < 0 || " + name + " > " + Twine(most) + ")",
                      "status = MLI_STATUS_BAD_FUNC_CFG;");
  }
  return success();
}
