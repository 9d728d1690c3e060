// SPDX-License-Identifier: Apache-2.0

#include "PackedLayer.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/PackedAttr.h"
#include "mli/Transforms/Passes.h"

namespace mli {
#define GEN_PASS_DEF_PACKWEIGHTS
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

namespace {

struct PackWeightsPass : mli::impl::PackWeightsBase<PackWeightsPass> {
  using PackWeightsBase::PackWeightsBase;

  void runOnOperation() override {
    if (threads == 0 || threads > INT32_MAX) {
      getOperation().emitError(
          "expected 'threads' to be in [1, 2147483647], but got ")
          << threads.getValue();
      return signalPassFailure();
    }
    if (order == PackOrder::None)
      return;
    getOperation().walk([&](Operation *op) {
      if (isa<WeightedOpInterface>(op))
        pack(op);
    });
  }

private:
  void pack(Operation *kernel) {
    PackedLayer layer = packLayer(kernel, order);
    if (!layer.obstacle.empty()) {
      if (explain)
        kernel->emitRemark("not packed: ") << layer.obstacle;
      return;
    }
    size_t bytes = layer.blob.getData().size();
    if (explain)
      kernel->emitRemark("packed in ") << bytes << " bytes";
    ++numPacked;
    numBytes += bytes;
    Builder builder(kernel->getContext());
    auto type =
        RankedTensorType::get(static_cast<int64_t>(bytes), builder.getI8Type());
    kernel->setAttr(packedAttrName,
                    DenseResourceElementsAttr::get(type, "mli_packed",
                                                   std::move(layer.blob)));
    if (threads > 1)
      kernel->setAttr(threadsAttrName,
                      builder.getI32IntegerAttr(static_cast<int>(threads)));
  }
};

} // namespace
