// SPDX-License-Identifier: Apache-2.0
//
// Compares the slices that operations on tensors read and write.

#include "Bufferize.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

using namespace mlir;

/// Whether both lists are the same numbers; nothing if that is not obvious.
static std::optional<bool> areEqual(ArrayRef<OpFoldResult> some,
                                    ArrayRef<OpFoldResult> others) {
  if (some.size() != others.size())
    return std::nullopt;
  bool isKnown = true;
  for (auto [one, other] : llvm::zip_equal(some, others)) {
    if (one == other)
      continue;
    if (!isa<Attribute>(one) || !isa<Attribute>(other))
      isKnown = false;
    else if (getConstantIntValue(one) != getConstantIntValue(other))
      return false;
  }
  return isKnown ? std::optional(true) : std::nullopt;
}

/// The same of all that makes up a slice.
static std::optional<bool> areEqual(const HyperrectangularSlice &slice,
                                    const HyperrectangularSlice &other) {
  std::optional<bool> all = true;
  for (std::optional<bool> known :
       {areEqual(slice.getMixedOffsets(), other.getMixedOffsets()),
        areEqual(slice.getMixedSizes(), other.getMixedSizes()),
        areEqual(slice.getMixedStrides(), other.getMixedStrides())}) {
    if (known == false)
      return false;
    if (!known)
      all = std::nullopt;
  }
  return all;
}

namespace {

struct InsertSliceModel
    : SubsetOpInterface::ExternalModel<InsertSliceModel,
                                       tensor::InsertSliceOp> {
  FailureOr<HyperrectangularSlice>
  getAccessedHyperrectangularSlice(Operation *op) const {
    return HyperrectangularSlice(cast<OffsetSizeAndStrideOpInterface>(op));
  }

  bool
  operatesOnEquivalentSubset(Operation *op, SubsetOpInterface candidate,
                             function_ref<bool(Value, Value)> areSame) const {
    auto insert = cast<tensor::InsertSliceOp>(op);
    if (!areSame(insert.getDest(), candidate.getTensorContainer()))
      return false;
    FailureOr<HyperrectangularSlice> other =
        candidate.getAccessedHyperrectangularSlice();
    if (failed(other))
      return false;
    std::optional<bool> known =
        areEqual(*getAccessedHyperrectangularSlice(op), *other);
    return known ? *known
                 : detail::defaultOperatesOnEquivalentSubset(op, candidate,
                                                             areSame);
  }
};

} // namespace

void mli::registerEqualSlices(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::InsertSliceOp::attachInterface<InsertSliceModel>(*context);
  });
}
