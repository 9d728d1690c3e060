// SPDX-License-Identifier: Apache-2.0

#include "PartReaders.h"

#include "mli/IR/MLI.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;

void mli::collectReaders(Value value, Operation *inserter,
                         PartReaders &readers) {
  while (value) {
    for (OpOperand &use : value.getUses())
      if (use.getOwner() != inserter)
        readers.push_back(&use);
    auto reshape = value.getDefiningOp<ReshapeOp>();
    inserter = reshape;
    value = reshape ? reshape.getSource() : Value();
  }
}

/// Whether `use` reads its operand, and hands no part of it on.
static bool isRead(OpOperand &use) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  return kernel && isa_and_nonnull<MLIDialect>(kernel->getDialect()) &&
         kernel.isDpsInput(&use);
}

bool mli::areServed(const PartReaders &readers, tensor::InsertSliceOp insert,
                    Operation *last) {
  return llvm::all_of(readers, [&](OpOperand *reader) {
    Operation *user =
        last->getBlock()->findAncestorOpInBlock(*reader->getOwner());
    return user && (last->isBeforeInBlock(user) ||
                    (isRead(*reader) && insert->isBeforeInBlock(user)));
  });
}

/// Whether both are apart in dimension `dim`.
static bool areApart(tensor::InsertSliceOp a, tensor::InsertSliceOp b,
                     int64_t dim) {
  return a.getStaticOffset(dim) + a.getStaticSize(dim) <=
             b.getStaticOffset(dim) ||
         b.getStaticOffset(dim) + b.getStaticSize(dim) <=
             a.getStaticOffset(dim);
}

bool mli::areDisjoint(ArrayRef<tensor::InsertSliceOp> insertions) {
  auto isKnown = [](tensor::InsertSliceOp op) {
    return !ShapedType::isDynamicShape(op.getStaticOffsets()) &&
           !ShapedType::isDynamicShape(op.getStaticSizes()) &&
           llvm::all_of(op.getStaticStrides(),
                        [](int64_t step) { return step == 1; });
  };
  if (!llvm::all_of(insertions, isKnown))
    return false;
  if (insertions.empty())
    return true;
  tensor::InsertSliceOp first = insertions.front();
  auto dims = llvm::seq<int64_t>(0, first.getDestType().getRank());
  // Behind each other in one dimension, as concatenations are.
  for (int64_t dim : dims) {
    SmallVector<tensor::InsertSliceOp> sorted(insertions);
    llvm::sort(sorted, [&](tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
      return a.getStaticOffset(dim) < b.getStaticOffset(dim);
    });
    auto touches = [&](auto pair) {
      return !areApart(std::get<0>(pair), std::get<1>(pair), dim);
    };
    if (llvm::none_of(llvm::zip(sorted, llvm::drop_begin(sorted)), touches))
      return true;
  }
  // As a source and what is around it.
  constexpr size_t few = 16;
  if (insertions.size() > few)
    return false;
  for (ArrayRef<tensor::InsertSliceOp> rest = insertions; !rest.empty();
       rest = rest.drop_front())
    for (tensor::InsertSliceOp other : rest.drop_front())
      if (llvm::none_of(dims, [&](int64_t dim) {
            return areApart(rest.front(), other, dim);
          }))
        return false;
  return true;
}
