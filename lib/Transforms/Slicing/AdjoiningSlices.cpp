// SPDX-License-Identifier: Apache-2.0

#include "AdjoiningSlices.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mli;

bool mli::isBlock(OffsetSizeAndStrideOpInterface op, int64_t dim) {
  return !op.isDynamicOffset(dim) && !op.isDynamicSize(dim) &&
         !op.isDynamicStride(dim) && op.getStaticStride(dim) == 1;
}

static bool dropsDims(Operation *slice) {
  return cast<ShapedType>(slice->getResult(0).getType()).getRank() !=
         cast<ShapedType>(slice->getOperand(0).getType()).getRank();
}

bool mli::adjoin(OffsetSizeAndStrideOpInterface last,
                 OffsetSizeAndStrideOpInterface next, int64_t dim) {
  if (last->getOperand(0) != next->getOperand(0) || dropsDims(last) ||
      dropsDims(next) || !isBlock(last, dim) || !isBlock(next, dim) ||
      last.getStaticOffset(dim) + last.getStaticSize(dim) !=
          next.getStaticOffset(dim))
    return false;
  auto sameElsewhere = [&](ArrayRef<OpFoldResult> a, ArrayRef<OpFoldResult> b) {
    for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(a, b)))
      if (static_cast<int64_t>(i) != dim &&
          std::get<0>(pair) != std::get<1>(pair))
        return false;
    return true;
  };
  return sameElsewhere(last.getMixedOffsets(), next.getMixedOffsets()) &&
         sameElsewhere(last.getMixedSizes(), next.getMixedSizes()) &&
         sameElsewhere(last.getMixedStrides(), next.getMixedStrides());
}
