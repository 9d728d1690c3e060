// SPDX-License-Identifier: Apache-2.0

#include "StaticKernel.h"

#include "mli/Analysis/LocalNeed.h"
#include "mli/Analysis/MemoryProblem.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/LayoutPolicy.h"

#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

Interval DimRange::ofWindow(Interval tile) const {
  if (use.kind == DimAccess::Kind::Window)
    return {std::max<int64_t>(0, tile.lower * stride - before),
            std::min(size, (tile.upper - 1) * stride - before + extent)};
  return {
      std::max<int64_t>(
          0, llvm::divideCeilSigned(tile.lower + before - extent + 1, stride)),
      std::min(size,
               llvm::divideFloorSigned(tile.upper - 1 + before, stride) + 1)};
}

Interval DimRange::of(Interval tile) const {
  bool isWhole = tile.lower == 0 && tile.upper == iterations && !use.isPart;
  if (use.kind == DimAccess::Kind::Full || isWhole)
    return {0, size};
  switch (use.kind) {
  case DimAccess::Kind::Full:
  case DimAccess::Kind::Loop:
    return tile;
  case DimAccess::Kind::Window:
  case DimAccess::Kind::Spread:
    return ofWindow(tile);
  case DimAccess::Kind::Groups:
    break;
  }
  int64_t first = tile.lower / groups.filters;
  int64_t last = (tile.upper - 1) / groups.filters;
  return {first * groups.channels, (last + 1) * groups.channels};
}

/// The later a tile starts, the less is cut off at its start, and the more at
/// its end: the most is where the first stops. Tiles of a transposed window
/// repeat with its stride.
int64_t DimRange::most(int64_t count) const {
  if (use.kind == DimAccess::Kind::Full || count == iterations)
    return size;
  if (use.kind == DimAccess::Kind::Loop)
    return count;
  if (use.kind == DimAccess::Kind::Groups)
    return of({0, count}).size();
  bool isWindow = use.kind == DimAccess::Kind::Window;
  int64_t period = isWindow ? 1 : stride;
  int64_t inside = isWindow ? llvm::divideCeil(before, stride)
                            : std::max<int64_t>(0, extent - 1 - before);
  int64_t last = iterations - count;
  int64_t to = std::min(inside + period - 1, last);
  int64_t from = std::max<int64_t>(0, std::min(inside, to + 1) - period);
  int64_t most = 0;
  for (int64_t begin = from; begin <= to; ++begin)
    most = std::max(most, of({begin, begin + count}).size());
  return most;
}

//===----------------------------------------------------------------------===//
// Numbers of a kernel
//===----------------------------------------------------------------------===//

/// Far more than any local memory, and still to be added up.
static constexpr int64_t hugeBytes = int64_t(1) << 50;

/// Adds the sizes of the window that `range` needs, if they are known.
static LogicalResult addWindow(DimRange &range, Operation *op) {
  if (range.use.kind != DimAccess::Kind::Window &&
      range.use.kind != DimAccess::Kind::Spread)
    return success();
  OpBuilder builder(op);
  WindowDim window = getWindowDim(builder, op, range.use.windowDim);
  std::optional<int64_t> taps = getConstantIntValue(window.taps);
  std::optional<int64_t> before = getConstantIntValue(window.before);
  if (!taps || !before || !getConstantIntValue(window.after))
    return failure();
  range.stride = window.stride;
  range.extent = (*taps - 1) * window.dilation + 1;
  range.before = *before;
  return success();
}

/// The quantised axis of `type`; -1 if it has none.
static int32_t getAxis(ShapedType type) {
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  return quantized ? quantized.getAxis() : -1;
}

/// Adds how tiles may cut the loops, as `rejectTile` and `rejectInsertion` do.
static void addCuts(StaticKernel &kernel, const KernelModel &model) {
  kernel.grains.assign(model.loops.size(), 1);
  kernel.isUnrolled.assign(model.loops.size(), false);
  for (auto [i, kind] : llvm::enumerate(model.loops))
    if (kind != utils::IteratorType::parallel ||
        model.dps().getNumDpsInits() != 1)
      kernel.grains[i] = 0;
  if (auto mov = dyn_cast<MovOp>(model.op)) {
    // Tiles of a padded dimension differ in how much of them is padding.
    kernel.grains.assign(model.loops.size(), 0);
    for (DimAccess use : model.operands.front())
      if (use.kind != DimAccess::Kind::Full && !mov.isPartial())
        kernel.grains[use.loop] = 1;
  }
  for (auto [i, uses] : llvm::enumerate(model.operands)) {
    OpOperand &operand = model.op->getOpOperand(i);
    int32_t axis = getAxis(cast<ShapedType>(operand.get().getType()));
    for (auto [dim, use] : llvm::enumerate(uses)) {
      if (use.kind == DimAccess::Kind::Full)
        continue;
      bool isAxis = axis == static_cast<int32_t>(dim);
      if (use.kind == DimAccess::Kind::Groups)
        kernel.grains[use.loop] = model.groups.filters;
      if (isAxis && model.dps().isDpsInit(&operand))
        kernel.grains[use.loop] = 0;
      if (isAxis || use.kind == DimAccess::Kind::Spread)
        kernel.isUnrolled[use.loop] = true;
    }
  }
}

std::optional<StaticKernel> StaticKernel::get(Operation *op) {
  KernelModel model = getKernelModel(op);
  StaticKernel kernel;
  kernel.op = op;
  for (auto [i, uses] : llvm::enumerate(model.operands)) {
    auto type = cast<ShapedType>(op->getOperand(i).getType());
    layout::OperandUsage role = getOperandUsage(op->getOpOperand(i));
    std::optional<layout::LocalTensorDesc> local =
        getLocalTensorDesc(type.getShape(), type.getElementType(), role);
    if (!local)
      return std::nullopt;
    LocalOperand operand{{}, role, local->elementBytes};
    for (auto [size, use] : llvm::zip_equal(type.getShape(), uses)) {
      DimRange range;
      range.use = use;
      range.size = size;
      operand.dims.push_back(range);
    }
    kernel.operands.push_back(std::move(operand));
  }
  OpBuilder builder(op);
  for (OpFoldResult size : getLoopSizes(builder, model))
    kernel.sizes.push_back(*getConstantIntValue(size));
  for (LocalOperand &operand : kernel.operands)
    for (DimRange &range : operand.dims) {
      range.groups = model.groups;
      if (range.use.kind != DimAccess::Kind::Full)
        range.iterations = kernel.sizes[range.use.loop];
      if (failed(addWindow(range, op)))
        return std::nullopt;
    }
  addCuts(kernel, model);
  // Between windows that leave gaps there are tiles without inputs.
  for (const LocalOperand &operand : kernel.operands)
    for (const DimRange &range : operand.dims)
      if (range.use.kind == DimAccess::Kind::Spread &&
          range.stride > range.extent)
        kernel.grains[range.use.loop] = 0;
  kernel.scratchBytes = getScratchBytes(op);
  kernel.work = cast<KernelOpInterface>(op).getProductsPerElement();
  kernel.policy = findLayoutPolicy(op);
  return kernel;
}

// Z1
int64_t StaticKernel::getBytes(unsigned number, ArrayRef<int64_t> shape,
                               const layout::Target &target) const {
  const LocalOperand &operand = operands[number];
  layout::LocalTensorDesc use;
  use.role = operand.role;
  use.shape.assign(shape.begin(), shape.end());
  use.elementBytes = operand.elementBytes;
  layout::LocalBytes local = layout::localBytes(use, target, policy);
  return static_cast<int64_t>(
      llvm::alignTo(std::min(local.bytes, hugeBytes), local.alignment));
}

SmallVector<int64_t>
StaticKernel::getWorstShape(unsigned number, ArrayRef<int64_t> sizes) const {
  SmallVector<int64_t> shape;
  for (const DimRange &dim : operands[number].dims)
    shape.push_back(dim.use.kind == DimAccess::Kind::Full
                        ? dim.size
                        : dim.most(sizes[dim.use.loop]));
  return shape;
}

SmallVector<int64_t, 0> StaticKernel::getNumbers() const {
  SmallVector<int64_t, 0> numbers = {static_cast<int64_t>(sizes.size()),
                                     static_cast<int64_t>(operands.size()),
                                     scratchBytes, work};
  llvm::append_range(numbers, sizes);
  llvm::append_range(numbers, grains);
  llvm::append_range(numbers, isUnrolled);
  for (const LocalOperand &operand : operands) {
    numbers.append({static_cast<int64_t>(operand.role), operand.elementBytes,
                    static_cast<int64_t>(operand.dims.size())});
    for (const DimRange &dim : operand.dims)
      numbers.append({static_cast<int64_t>(dim.use.kind), dim.use.loop,
                      dim.use.isPart, dim.size, dim.iterations, dim.stride,
                      dim.extent, dim.before, dim.groups.filters,
                      dim.groups.channels});
  }
  return numbers;
}

const StaticKernel *StaticKernels::get(Operation *op) {
  auto [kernel, isNew] = known.try_emplace(op);
  if (isNew)
    if (std::optional<StaticKernel> numbers = StaticKernel::get(op))
      kernel->second = std::make_unique<StaticKernel>(std::move(*numbers));
  return kernel->second.get();
}

bool mli::tiling::isTileable(Operation *op) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  return kernel && isa<TilingInterface>(op) && !isa<MovOp>(op) &&
         isa_and_present<MLIDialect>(op->getDialect()) &&
         kernel.hasPureTensorSemantics();
}

bool mli::tiling::isLegalSize(const StaticKernel &kernel, unsigned loop,
                              int64_t count) {
  int64_t grain = kernel.grains[loop];
  if (count == kernel.sizes[loop])
    return true;
  return grain != 0 && (count % grain == 0 || grain % count == 0);
}
