// SPDX-License-Identifier: Apache-2.0

#include "PartReaders.h"

#include "Transforms/Slicing/PartBounds.h"

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

bool mli::isRead(OpOperand &use) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  return kernel && isa_and_nonnull<MLIDialect>(kernel->getDialect()) &&
         kernel.isDpsInput(&use);
}

bool mli::areServed(const PartReaders &readers, Operation *put,
                    Operation *last) {
  return llvm::all_of(readers, [&](OpOperand *reader) {
    Operation *user =
        last->getBlock()->findAncestorOpInBlock(*reader->getOwner());
    return user && (last->isBeforeInBlock(user) ||
                    (isRead(*reader) && put->isBeforeInBlock(user)));
  });
}

bool mli::areDisjoint(ArrayRef<tensor::InsertSliceOp> insertions) {
  SmallVector<PartBounds> parts;
  for (tensor::InsertSliceOp insert : insertions) {
    std::optional<PartBounds> bounds = boundsOf(insert);
    if (!bounds)
      return false;
    parts.push_back(std::move(*bounds));
  }
  return areDisjoint(parts);
}
