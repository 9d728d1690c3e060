// SPDX-License-Identifier: Apache-2.0
//
// Why an operation is in no stream.

#include "StreamGraph.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

/// The buffer that `init` is, or is a slice of, if it was made before or is
/// assembled from slices.
static Value findUpdated(Value init) {
  while (isa_and_present<SubtensorOp, tensor::ExtractSliceOp>(
      init.getDefiningOp()))
    init = init.getDefiningOp()->getOperand(0);
  return init;
}

/// That a value of type `part` is put into one of type `whole`, and where they
/// differ.
static std::string describePart(Type part, Type whole) {
  auto one = cast<RankedTensorType>(part), all = cast<RankedTensorType>(whole);
  std::string text = "its result is part of another tensor";
  for (auto [dim, size] : llvm::enumerate(all.getShape()))
    if (one.getRank() == all.getRank() && one.getDimSize(dim) != size)
      text += (", along dimension " + Twine(dim)).str();
  return text;
}

/// Why `op`, which has no rows that can be computed alone, is in no stream.
static std::string explainNoKernel(Operation *op) {
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
    return describePart(insertion.getSourceType(), insertion.getDestType());
  bool hasKernels =
      op->walk<WalkOrder::PreOrder>([&](KernelOpInterface kernel) {
          return WalkResult(failure(kernel != op));
        }).wasInterrupted();
  return hasKernels ? "kernels inside of it are in no stream"
                    : "it is not a kernel";
}

std::string mli::streams::findObstacle(Operation *op) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!isa<KernelOpInterface>(op) || !kernel || !isa<TilingInterface>(op))
    return explainNoKernel(op);
  if (kernel.getNumDpsInits() != 1)
    return "it has several results";
  Value init = kernel.getDpsInits()[0];
  if (!isa<RankedTensorType>(init.getType()))
    return "its result is not a tensor";
  return init.getDefiningOp<tensor::EmptyOp>()
             ? ""
             : describePart(init.getType(), findUpdated(init).getType());
}

std::string mli::streams::explainNoMap(RankedTensorType type) {
  constexpr int64_t mapRank = 3;
  int64_t batch = 1;
  for (int64_t size :
       type.getShape().drop_back(std::min<int64_t>(mapRank, type.getRank())))
    batch *= size;
  return batch > 1
             ? "its result is a batch of " + std::to_string(batch) + " maps"
             : "its result is not a map of rows";
}
