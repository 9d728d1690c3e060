// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/LayerFacts.h"

#include "mli/IR/LocationNames.h"
#include "mli/IR/MLI.h"

using namespace mlir;
using namespace mli;

std::string mli::describePlace(Operation *op) {
  std::string place = describePlace(op->getLoc());
  return place.empty() ? op->getName().stripDialect().str() : place;
}

std::optional<int64_t> mli::countProducts(Operation *op, Value *unknown) {
  auto kernel = dyn_cast<KernelOpInterface>(op);
  if (!kernel || !kernel.getFamily())
    return 0;
  Value init = cast<DestinationStyleOpInterface>(op).getDpsInits().front();
  SmallVector<Value, 3> counted = {init};
  if (auto weighted = dyn_cast<WeightedOpInterface>(op))
    counted.append({weighted.getWeights(), weighted.getBias()});
  for (Value value : counted)
    if (!cast<ShapedType>(value.getType()).hasStaticShape()) {
      if (unknown)
        *unknown = value;
      return std::nullopt;
    }
  return kernel.getProductsPerElement() *
         cast<ShapedType>(init.getType()).getNumElements();
}
