// SPDX-License-Identifier: Apache-2.0
//
// Rules of the shapes of operands.

#include "KernelContract.h"

#include "mli/Contract/Shapes.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

std::string contract::shapeText(ShapedType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(type.getShape(), os, [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      os << "?";
    else
      os << size;
  });
  os << "]";
  return text;
}

contract::Shape<int64_t> contract::getShape(ShapedType type) {
  return {static_cast<uint32_t>(type.getRank()), type.getShape().data()};
}

//===----------------------------------------------------------------------===//
// Whole shapes
//===----------------------------------------------------------------------===//

LogicalResult contract::verifySameShape(Operation *op, Operand left,
                                        Operand right) {
  // T12
  if (findDifference(getShape(right.type), getShape(left.type)))
    return op->emitOpError("expected '")
           << right.name << "' to have the shape of '" << left.name << "' "
           << shapeText(left.type) << ", but got " << shapeText(right.type);
  return success();
}

LogicalResult contract::verifyBroadcast(Operation *op, Operand lhs, Operand rhs,
                                        Operand init) {
  for (Operand operand : {lhs, rhs})
    if (!isRepeated(*operand.contract, getShape(operand.type)) &&
        (failed(verifyMemory(op, {operand})) ||
         failed(verifySameShape(op, operand, init))))
      return failure();
  if (failed(verifyMemory(op, {init})))
    return failure();
  OperandKind model = shapeModel(*lhs.contract, getShape(lhs.type));
  return verifySameShape(op, model == OperandKind::Other ? rhs : lhs, init);
}

LogicalResult contract::verifySlopeShape(Operation *op, Operand input,
                                         Operand slope, int32_t axis) {
  Shape<int64_t> own = getShape(slope.type), model = getShape(input.type);
  if (!isAlongAxis(*slope.contract, axis)) {
    // E6
    if (own.isKnown() && !own.isOne())
      return op->emitOpError("expected 'slope' to have 1 element, but got ")
             << own.count();
    return success();
  }
  // E7
  if (findSlopeDifference(own, model, axis)) {
    SmallVector<int64_t> expected;
    for (uint32_t dim = 0; dim < model.rank; ++dim)
      expected.push_back(slopeSize(model, axis, dim));
    return op->emitOpError("expected 'slope' to have shape ")
           << shapeText(slope.type.clone(expected))
           << ", a slope for each index of axis " << axis << ", but got "
           << shapeText(slope.type);
  }
  return verifyMemory(op, {slope});
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

LogicalResult contract::verifySameDim(Operation *op, Operand left, int64_t i,
                                      Operand right, int64_t j) {
  int64_t expected = left.type.getDimSize(i);
  int64_t actual = right.type.getDimSize(j);
  // T13
  if (ShapedType::isStatic(expected) && ShapedType::isStatic(actual) &&
      expected != actual)
    return op->emitOpError("expected dimension ")
           << j << " of '" << right.name << "' to be dimension " << i << " of '"
           << left.name << "', " << expected << ", but got " << actual;
  return success();
}

LogicalResult contract::verifyShapes(Operation *op, ArrayRef<Operand> operands,
                                     Sizes &sizes, Meaning meaning) {
  for (const Operand &operand : operands) {
    std::optional<Mismatch> mismatch =
        sizes.match(*operand.contract, [&](uint32_t dim) {
          return operand.type.getDimSize(operand.dimension(dim));
        });
    if (!mismatch)
      continue;
    int64_t dim = operand.dimension(mismatch->dim);
    const Operand *model = llvm::find_if(operands, [&](const Operand &other) {
      return other.contract == mismatch->model;
    });
    if (model != operands.end())
      return verifySameDim(op, *model, model->dimension(mismatch->modelDim),
                           operand, dim);
    // C7, C10, T20
    return op->emitOpError("expected dimension ")
           << dim << " of '" << operand.name << "' to be "
           << meaning(operand.contract->shape[mismatch->dim],
                      mismatch->expected)
           << ", but got " << operand.type.getDimSize(dim);
  }
  return success();
}

LogicalResult contract::verifyElements(Operation *op, Operand input,
                                       ArrayRef<Operand> operands, Sizes &sizes,
                                       Meaning meaning) {
  sizes.bind('i', input.type.hasStaticShape() ? input.type.getNumElements()
                                              : ShapedType::kDynamic);
  return verifyShapes(op, operands, sizes, meaning);
}

LogicalResult contract::verifyPermutation(Operation *op, Operand input,
                                          Operand init,
                                          ArrayRef<int64_t> permutation) {
  // D13
  if (input.type.getRank() != init.type.getRank())
    return op->emitOpError("expected 'init' to have rank ")
           << input.type.getRank() << ", but got " << init.type.getRank();
  NamedDims named(input.type.getRank());
  // D14
  if (!llvm::all_of(permutation, [&](int64_t dim) { return named.add(dim); }))
    return op->emitOpError("expected 'permutation' to name each dimension "
                           "once, but got [")
           << permutation << "]";
  return success();
}
