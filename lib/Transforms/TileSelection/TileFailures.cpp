// SPDX-License-Identifier: Apache-2.0

#include "TileFailures.h"

#include "CellSteps.h"
#include "TileText.h"

#include "mli/Analysis/LocalNeed.h"
#include "mli/IR/LayerName.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

std::string mli::tiling::explainDynamic(Operation *op) {
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (!type)
      continue;
    layout::OperandUsage role = getOperandUsage(op->getOpOperand(i));
    // Z3
    if (getLocalTensorDesc(type.getShape(), type.getElementType(), role))
      continue;
    std::string found;
    llvm::raw_string_ostream(found) << type;
    return "expected operand " + std::to_string(i) +
           " to be a tensor that local memory can hold, of a static shape of "
           "at most 4 dimensions, but got '" +
           found + "'";
  }
  // Z3
  return "expected its padding to be static, as tiles in local memory are, but "
         "got indices";
}

LogicalResult mli::tiling::rejectDynamic(Operation *op) {
  return op->emitOpError(explainDynamic(op));
}

int64_t mli::tiling::getSmallestBytes(const StaticKernel &kernel,
                                      const layout::Target &target) {
  TileSizes smallest = getSmallestTiles(TileGroup({&kernel}, target));
  int64_t bytes = kernel.scratchBytes;
  for (unsigned i = 0; i < kernel.operands.size(); ++i)
    bytes +=
        kernel.getBytes(i, kernel.getWorstShape(i, smallest.sizes), target);
  return bytes;
}

int64_t mli::tiling::getLeastNpuBytes(const StaticKernel &kernel,
                                      const layout::Target &target,
                                      int64_t capacity) {
  return roundUpNpuBytes(
      getSmallestBytes(kernel, target) + target.npuBytes - capacity, target);
}

static void rejectLarge(const LargeKernel &large,
                        const layout::Target &target) {
  const auto &[kernel, capacity] = large;
  TileSizes smallest = getSmallestTiles(TileGroup({&kernel}, target));
  std::string parts;
  for (unsigned i = 0; i < kernel.operands.size(); ++i) {
    SmallVector<int64_t> shape = kernel.getWorstShape(i, smallest.sizes);
    parts += "operand " + std::to_string(i) + " " + listText(shape) + ": " +
             std::to_string(kernel.getBytes(i, shape, target)) + " bytes, ";
  }
  int64_t bytes = getSmallestBytes(kernel, target);
  InFlightDiagnostic error = kernel.op->emitOpError();
  // Z2
  error << "expected its smallest tile " << listText(smallest.sizes) << " of "
        << listText(kernel.sizes) << " to fit " << capacity
        << " bytes of each NPU, but got " << bytes << ", " << bytes - capacity
        << " too many";
  error.attachNote() << parts
                     << "tables and scratch memory: " << kernel.scratchBytes
                     << " bytes";
  error.attachNote() << "npu-bytes="
                     << getLeastNpuBytes(kernel, target, capacity)
                     << " would do";
  if (!kernel.op->hasTrait<RecurrentCell>())
    return;
  // Z21
  if (std::string reason = explainNoSteps(kernel.op); !reason.empty())
    error.attachNote() << "it is not computed step by step: " << reason;
}

LogicalResult mli::tiling::rejectLarge(ArrayRef<LargeKernel> kernels,
                                       const layout::Target &target) {
  auto getLeast = [&](const LargeKernel &large) {
    return getLeastNpuBytes(large.kernel, target, large.capacity);
  };
  const LargeKernel *binding = llvm::max_element(
      kernels, [&](const LargeKernel &one, const LargeKernel &other) {
        return getLeast(one) < getLeast(other);
      });
  Operation *op = binding->kernel.op;
  // Not on an operation, which would be printed whole. Z2
  emitError(op->getParentOfType<FunctionOpInterface>().getLoc())
      << llvm::formatv("fits from {0:N} bytes of each NPU on, but got {1:N}; "
                       "binding: {2}",
                       getLeast(*binding), target.npuBytes, describeKernel(op))
             .str();
  for (const LargeKernel &large : kernels)
    ::rejectLarge(large, target);
  return failure();
}

LogicalResult mli::tiling::rejectFused(Operation *op, ArrayRef<size_t> asked) {
  // Z8
  return op->emitOpError("expected 'fused' to be earlier kernels whose results "
                         "only kernels of this group use, but got ")
         << listText(asked);
}

std::string mli::tiling::explainNoTiles(const TileGroup &group,
                                        int64_t capacity) {
  TileSizes smallest = getSmallestTiles(group);
  if (group.findInconsistentlyTiledProducer(smallest))
    return "its users need different tiles of it";
  std::optional<int64_t> bytes = group.getBytes(smallest);
  if (!bytes)
    return "all of it would be computed for each tile";
  return "the smallest tile would take " + bytesText(*bytes) + ", " +
         bytesText(*bytes - capacity) + " too many";
}

FailureOr<TilePlan> mli::tiling::checkTiles(const TileGroup &group,
                                            const TileOverride &tile,
                                            int64_t capacity,
                                            const CostModel &cost) {
  const StaticKernel &kernel = group.root();
  size_t rank = kernel.sizes.size();
  // Z8
  if (tile.sizes.size() != rank)
    return kernel.op->emitOpError("expected 'sizes' to have ")
           << rank << " numbers, but got " << tile.sizes.size();
  SmallVector<unsigned> cut;
  for (size_t i = 0; i < rank; ++i) {
    // Z8
    if (tile.sizes[i] < 1 || tile.sizes[i] > kernel.sizes[i])
      return kernel.op->emitOpError("expected 'sizes' to be 1 to ")
             << listText(kernel.sizes) << ", but got " << listText(tile.sizes);
    if (tile.sizes[i] < kernel.sizes[i])
      cut.push_back(static_cast<unsigned>(i));
  }
  SmallVector<unsigned> order(tile.order.empty() ? ArrayRef(cut)
                                                 : ArrayRef(tile.order));
  SmallVector<unsigned> sorted(order);
  llvm::sort(sorted);
  // Z8
  if (sorted != cut)
    return kernel.op->emitOpError("expected 'order' to be the loops that are "
                                  "cut, ")
           << listText(cut) << " in any order, but got " << listText(order);
  TileSizes tiles{tile.sizes, order};
  CostModel waiting = cost;
  waiting.overlap = 0;
  std::optional<TilePlan> plan = planTiles(group, tiles, waiting);
  // Z15
  if (const StaticKernel *disputed =
          group.findInconsistentlyTiledProducer(tiles))
    return kernel.op->emitOpError("expected 'sizes' to be tiles for which all "
                                  "users of '")
           << disputed->op->getName()
           << "' ask for the same tile of it, but got " << listText(tile.sizes);
  // Z8
  if (!plan)
    return kernel.op->emitOpError(
               "expected 'sizes' to be tiles that the kernel "
               "computes, but got ")
           << listText(tile.sizes);
  // Z8
  if (plan->bytes > capacity)
    return kernel.op->emitOpError("expected 'sizes' to be tiles that fit ")
           << capacity << " bytes of each NPU, but got " << listText(tile.sizes)
           << " of " << plan->bytes << " bytes";
  if (!tile.isDoubled || order.empty())
    return std::move(*plan);
  std::optional<TilePlan> doubled =
      planTiles(group, tiles, cost, /*isDoubled=*/true);
  return doubled->bytes <= capacity ? std::move(*doubled) : std::move(*plan);
}
