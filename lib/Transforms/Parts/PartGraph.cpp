// SPDX-License-Identifier: Apache-2.0

#include "PartGraph.h"

#include "Transforms/TileSelection/StaticKernel.h"

#include "mli/Analysis/LocalNeed.h"
#include "mli/Analysis/SliceView.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/LayoutPolicy.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using mli::streams::RowRead;
using mli::streams::StreamValue;
using mli::streams::StreamVertex;
using mli::tiling::StaticKernel;

// Z20
bool mli::parts::isDecided(Operation *op) {
  return op->hasAttr(tileAttrName) || op->hasAttr(fusedAttrName) ||
         op->hasAttr(streamAttrName) ||
         llvm::any_of(op->getOperandTypes(), isLocal);
}

/// The tensor that `value` is a view of.
static Value findViewed(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<ReshapeOp, tensor::CastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

namespace {

class PartGraphBuilder {
public:
  explicit PartGraphBuilder(PartGraph &graph) : all(graph) {}

  void run();

private:
  void addKernel(size_t number);
  void addUse(size_t value, const StaticKernel &kernel, unsigned operand);
  void addWeights(PartKernel &kernel, unsigned operand);

  PartGraph &all;
  llvm::DenseMap<Value, size_t> results;
};

} // namespace

/// Adds that `operand` of `kernel` is all of `value`, maybe in another shape.
void PartGraphBuilder::addUse(size_t number, const StaticKernel &kernel,
                              unsigned operand) {
  Value tensor = kernel.op->getOperand(operand);
  auto own = cast<ShapedType>(findViewed(tensor).getType());
  layout::OperandUsage role = kernel.operands[operand].role;
  PartValue &value = all.values[number];
  if (value.desc.shape.empty()) {
    std::optional<layout::LocalTensorDesc> desc =
        getLocalTensorDesc(own.getShape(), own.getElementType(), role);
    if (!desc) {
      value.isReadAlike = false;
      return;
    }
    value.desc = *desc;
    value.elementType = own.getElementType();
    value.localBytes = *getLocalBytes(own.getShape(), own.getElementType(),
                                      role, all.target, all.policy);
    value.movedBytes = own.getNumElements() * desc->elementBytes;
  }
  value.isReadAlike &=
      value.desc.role == role &&
      own.getShape() == cast<ShapedType>(tensor.getType()).getShape();
}

void PartGraphBuilder::addWeights(PartKernel &kernel, unsigned operand) {
  const StaticKernel &numbers = *kernel.numbers;
  Value tensor = numbers.op->getOperand(operand);
  auto type = cast<ShapedType>(tensor.getType());
  kernel.weights.push_back(
      {tensor, numbers.getBytes(operand, type.getShape(), all.target),
       type.getNumElements() * numbers.operands[operand].elementBytes});
}

void PartGraphBuilder::addKernel(size_t number) {
  const StreamVertex &vertex = all.graph.vertices[number];
  PartKernel &kernel = all.kernels[number];
  if (!tiling::isTileable(vertex.op) || isDecided(vertex.op))
    return;
  kernel.numbers = StaticKernel::get(vertex.op);
  if (!kernel.numbers)
    return;
  auto dps = cast<DestinationStyleOpInterface>(vertex.op);
  for (unsigned i = 0; i < kernel.numbers->operands.size(); ++i) {
    OpOperand &operand = vertex.op->getOpOperand(i);
    std::optional<size_t> &value = kernel.values.emplace_back();
    if (dps.isDpsInit(&operand)) {
      if (vertex.results.size() == 1)
        value = vertex.results[0];
    } else if (auto found = results.find(findViewed(operand.get()));
               found != results.end()) {
      value = found->second;
    } else {
      for (const RowRead &read : vertex.rowReads)
        if (read.operand == i)
          value = read.value;
    }
    if (value)
      addUse(*value, *kernel.numbers, i);
    else
      addWeights(kernel, i);
  }
  kernel.macsPerNpu = kernel.numbers->work;
  for (auto [i, size] : llvm::enumerate(kernel.numbers->sizes))
    kernel.macsPerNpu *= i + 1 == kernel.numbers->sizes.size()
                             ? llvm::divideCeil(size, all.target.npus)
                             : size;
  if (vertex.op->getNumResults() == 1)
    results[vertex.op->getResult(0)] = vertex.results[0];
}

void PartGraphBuilder::run() {
  all.kernels.resize(all.graph.vertices.size());
  all.values.resize(all.graph.values.size());
  for (size_t number = 0; number < all.kernels.size(); ++number)
    addKernel(number);
  for (auto [number, value] : llvm::enumerate(all.graph.values)) {
    PartValue &local = all.values[number];
    local.isSaved = value.isReturned || !value.producer;
    bool isKernel = value.producer && all.kernels[*value.producer].numbers;
    if (isKernel) {
      auto kernel = cast<DestinationStyleOpInterface>(
          all.graph.vertices[*value.producer].op);
      isKernel = kernel.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>();
    }
    for (size_t user : value.users)
      local.isSaved |= !all.kernels[user].numbers;
    if ((value.producer && !isKernel) || !all.isReadAlike(number))
      local.localBytes = 0;
  }
}

int64_t PartGraph::getBytes(size_t number, int64_t rows,
                            int64_t columns) const {
  auto [known, isNew] = knownBytes.try_emplace({number, rows, columns}, 0);
  if (!isNew)
    return known->second;
  layout::LocalTensorDesc desc = values[number].desc;
  size_t rank = desc.shape.size();
  if (rank < 3)
    return known->second = int64_t(1) << 50;
  desc.shape[rank - 3] = rows;
  desc.shape[rank - 2] = columns;
  layout::LocalBytes size = layout::localBytes(desc, target, policy);
  return known->second =
             static_cast<int64_t>(llvm::alignTo(size.bytes, size.alignment));
}

bool PartGraph::areViews(size_t number, ArrayRef<int64_t> shape,
                         ArrayRef<int64_t> offsets,
                         ArrayRef<int64_t> sizes) const {
  // On one NPU local memory is plain memory.
  if (target.npus == 1)
    return true;
  SmallVector<int64_t> key = {static_cast<int64_t>(number)};
  for (ArrayRef<int64_t> list : {shape, offsets, sizes})
    key.append(list.begin(), list.end());
  auto [known, isNew] = knownViews.try_emplace(key, false);
  if (!isNew)
    return known->second;
  layout::LocalTensorDesc desc = values[number].desc;
  desc.shape.assign(shape.begin(), shape.end());
  layout::Result<MemRefType> type = getLocalType(
      MemRefType::get(shape, values[number].elementType),
      layout::chooseLayout(desc, target, policy), target);
  if (!type)
    return false;
  MLIRContext *context = targetAttr.getContext();
  Slice slice;
  // Where one index moves the start as it must, all do.
  SmallVector<int64_t> starts(offsets);
  for (auto [dim, start] : llvm::enumerate(starts)) {
    if (ShapedType::isStatic(start))
      continue;
    if (needsKnownOffset(cast<LayoutAttr>(type->getLayout()),
                         static_cast<int64_t>(dim)))
      return false;
    start = sizes[dim] < shape[dim] ? 1 : 0;
  }
  slice.offsets = getAsIndexOpFoldResult(context, starts);
  slice.sizes = getAsIndexOpFoldResult(context, sizes);
  slice.steps = getAsIndexOpFoldResult(
      context, SmallVector<int64_t>(shape.size(), 1));
  slice.dropped.resize(shape.size());
  return known->second = getSliceView(*type, slice, targetAttr).isView();
}

PartGraph PartGraph::get(Block &block, TargetAttr target) {
  PartGraph all;
  streams::GraphOptions options;
  options.isLenient = true;
  all.graph = *streams::StreamGraph::get(block, options, [](Operation *) {});
  all.targetAttr = target;
  all.target = target.getValue();
  all.policy = findLayoutPolicy(block.getParentOp());
  PartGraphBuilder(all).run();
  return all;
}
