// SPDX-License-Identifier: Apache-2.0

#include "LayerTaps.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/Analysis/MemoryProblem.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;

using Index = SmallVector<int64_t>;
/// The index of an element in what a view is of, for that in the view.
using Step = std::function<Index(ArrayRef<int64_t>)>;
using Describe = std::function<std::string(ArrayRef<int64_t>)>;

Value mli::findViewRoot(Value view) {
  while (auto op = view.getDefiningOp<ViewLikeOpInterface>()) {
    // A part of the arena is a buffer of its own.
    if (getArenaOffset(view))
      break;
    view = op.getViewSource();
  }
  return view;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The step between elements with the same number in two shapes.
static Step getReshapeStep(Index from, Index to) {
  return [from = std::move(from), to = std::move(to)](ArrayRef<int64_t> index) {
    return delinearize(linearize(index, computeStrides(from)),
                       computeStrides(to));
  };
}

/// The shape of a memref.
static Index getShape(Value view) {
  return Index(cast<ShapedType>(view.getType()).getShape());
}

/// The step from the result of `op` to its source; null if it is no view whose
/// offsets are known.
static Step getStep(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return getReshapeStep(getShape(reshape.getResult()),
                          getShape(reshape.getSource()));
  auto subtensor = dyn_cast<SubtensorOp>(op);
  if (!subtensor || ShapedType::isDynamicShape(subtensor.getStaticOffsets()))
    return nullptr;
  Index offsets(subtensor.getStaticOffsets());
  Index kept(subtensor.getKeptDims());
  return [offsets, kept](ArrayRef<int64_t> index) {
    Index result = offsets;
    for (auto [dim, i] : llvm::zip_equal(kept, index))
      result[dim] += i;
    return result;
  };
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static Describe describeLocal(AllocOp alloc) {
  auto type = cast<MemRefType>(alloc.getType());
  layout::Target target = findTarget(alloc).getValue();
  int64_t start = getStartNpu(type);
  auto address = static_cast<int64_t>(*alloc.getAddress());
  int64_t offset = address - layout::getAddress({start, 0}, target);
  return [=](ArrayRef<int64_t> index) {
    layout::Location place = locate(type, index, target);
    place.offset += offset;
    auto layout = cast<LayoutAttr>(type.getLayout());
    layout::Dims cell = layout.getLocalIndex(index);
    return llvm::formatv("address {0} of local memory: byte {1} of NPU {2}, "
                         "cell n={3} c={4} h={5} w={6} of layout {7}",
                         layout::getAddress(place, target), place.offset,
                         place.npu, cell.n, cell.c, cell.h, cell.w,
                         layout::toString(getTensorLayout(type, target).kind))
        .str();
  };
}

/// Describes elements of `buffer`, which has no gaps, in system memory.
static Describe describeSystem(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Index shape = getShape(buffer);
  std::string what = "a buffer on the heap";
  int64_t offset = 0;
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    unsigned number = argument.getArgNumber();
    auto result =
        function.getArgAttrOfType<IntegerAttr>(number, resultAttrName);
    what = result ? "result " + std::to_string(result.getInt())
                  : "input " + std::to_string(number);
  } else if (std::optional<int64_t> byte = getArenaOffset(buffer)) {
    what = "the arena";
    offset = *byte;
  }
  int64_t bytes = llvm::divideCeil(elementWidth(type.getElementType()), 8);
  return [=](ArrayRef<int64_t> index) {
    return llvm::formatv(
               "byte {0} of {1}",
               offset + linearize(index, computeStrides(shape)) * bytes, what)
        .str();
  };
}

Describe mli::describeElements(Value view, ArrayRef<int64_t> shape) {
  Value root = findViewRoot(view);
  SmallVector<Step> steps = {getReshapeStep(Index(shape), getShape(view))};
  for (; view != root;
       view = view.getDefiningOp<ViewLikeOpInterface>().getViewSource()) {
    Step step = getStep(view.getDefiningOp());
    if (!step)
      return [](ArrayRef<int64_t>) { return "an address that varies"; };
    steps.push_back(std::move(step));
  }
  auto type = cast<MemRefType>(root.getType());
  Describe describe;
  if (auto alloc = root.getDefiningOp<AllocOp>();
      alloc && isLocal(type) && alloc.getAddress() &&
      isa<LayoutAttr>(type.getLayout()))
    describe = describeLocal(alloc);
  else
    describe = describeSystem(root);
  return [=](ArrayRef<int64_t> index) {
    Index inner(index);
    for (const Step &step : steps)
      inner = step(inner);
    return describe(inner);
  };
}
