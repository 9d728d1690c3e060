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
using mli::streams::StreamValue;
using mli::streams::StreamVertex;
using mli::tiling::StaticKernel;

// Z20
bool mli::parts::isDecided(Operation *op) {
  return op->hasAttr(tileAttrName) || op->hasAttr(fusedAttrName) ||
         op->hasAttr(streamAttrName) ||
         llvm::any_of(op->getOperandTypes(), isLocal);
}

/// Whether `op` reads its operand as a whole, in another shape maybe.
static bool isReshape(Operation *op) {
  auto reshape = dyn_cast_if_present<ReshapeOp>(op);
  return reshape && cast<ShapedType>(reshape.getType()).hasStaticShape();
}

OpOperand &mli::parts::findViewed(OpOperand &use) {
  OpOperand *viewed = &use;
  while (Operation *op = viewed->get().getDefiningOp()) {
    if (!isReshape(op) || op->getBlock() != use.getOwner()->getBlock())
      break;
    viewed = &op->getOpOperand(0);
  }
  return *viewed;
}

namespace {

class PartGraphBuilder {
public:
  explicit PartGraphBuilder(PartGraph &graph) : all(graph) {}

  void run();

private:
  void addKernel(size_t number);
  void addResult(size_t number);
  void addUse(size_t number, const StaticKernel &kernel, unsigned operand);
  void addWeights(PartKernel &kernel, unsigned operand);
  bool isReadWhole(size_t value, Value tensor) const;

  PartGraph &all;
  /// The values that tensors are all of.
  llvm::DenseMap<Value, size_t> values;
  llvm::DenseMap<Operation *, size_t> kernels;
  /// The classes of numbers of kernels.
  std::map<SmallVector<int64_t, 0>, int64_t> classes;
};

} // namespace

/// Adds that `operand` of `kernel` is all of `value`, maybe in another shape.
void PartGraphBuilder::addUse(size_t number, const StaticKernel &kernel,
                              unsigned operand) {
  Value tensor = kernel.op->getOperand(operand);
  auto own = cast<ShapedType>(
      all.findMoved(number, kernel.op->getOpOperand(operand)).get().getType());
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
  ArrayRef<int64_t> shape = cast<ShapedType>(tensor.getType()).getShape();
  value.isReadAlike &= value.desc.role == role && own.getShape() == shape &&
                       ArrayRef<int64_t>(value.desc.shape) == shape;
}

void PartGraphBuilder::addWeights(PartKernel &kernel, unsigned operand) {
  const StaticKernel &numbers = *kernel.numbers;
  Value tensor = numbers.op->getOperand(operand);
  auto type = cast<ShapedType>(tensor.getType());
  kernel.weights.push_back(
      {operand, tensor, kernel.values[operand],
       numbers.getBytes(operand, type.getShape(), all.target),
       type.getNumElements() * numbers.operands[operand].elementBytes});
}

void PartGraphBuilder::addKernel(size_t number) {
  const StreamVertex &vertex = all.graph.vertices[number];
  PartKernel &kernel = all.kernels[number];
  if (!tiling::isTileable(vertex.op) || isDecided(vertex.op))
    return;
  kernel.numbers = all.staticKernels->get(vertex.op);
  if (!kernel.numbers)
    return;
  auto nextClass = static_cast<int64_t>(classes.size());
  kernel.numbersClass =
      classes.try_emplace(kernel.numbers->getNumbers(), nextClass)
          .first->second;
  kernels[vertex.op] = number;
  addResult(number);
  auto dps = cast<DestinationStyleOpInterface>(vertex.op);
  for (unsigned i = 0; i < kernel.numbers->operands.size(); ++i) {
    OpOperand &operand = vertex.op->getOpOperand(i);
    bool isInit = dps.isDpsInit(&operand);
    auto found = values.find(isInit ? dps.getTiedOpResult(&operand)
                                    : findViewed(operand).get());
    std::optional<size_t> &value = kernel.values.emplace_back();
    // Of what comes from outside only rows are values, all else is weights.
    if (found != values.end() &&
        (all.graph.values[found->second].producer || vertex.findRead(i))) {
      value = found->second;
      addUse(*value, *kernel.numbers, i);
    }
    if (!isInit && !vertex.findRead(i))
      addWeights(kernel, i);
  }
  kernel.macsPerNpu = kernel.numbers->work;
  for (auto [i, size] : llvm::enumerate(kernel.numbers->sizes))
    kernel.macsPerNpu *= i + 1 == kernel.numbers->sizes.size()
                             ? llvm::divideCeil(size, all.target.npus)
                             : size;
}

/// Adds the result of kernel `number`, if it is a value of its own.
void PartGraphBuilder::addResult(size_t number) {
  const StreamVertex &vertex = all.graph.vertices[number];
  auto dps = cast<DestinationStyleOpInterface>(vertex.op);
  if (vertex.op->getNumResults() != 1 ||
      !dps.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>())
    return;
  size_t value = vertex.results[0];
  bool isWritten =
      llvm::any_of(all.graph.values[value].users, [&](size_t user) {
        return llvm::is_contained(all.graph.vertices[user].results, value);
      });
  if (all.graph.values[value].producer == number && !isWritten)
    values[vertex.op->getResult(0)] = value;
}

/// Whether all that reads `tensor`, all of `value`, are kernels, as a whole.
bool PartGraphBuilder::isReadWhole(size_t value, Value tensor) const {
  return llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (op->getBlock() != tensor.getParentBlock())
      return false;
    if (isReshape(op))
      return isReadWhole(value, op->getResult(0));
    auto kernel = kernels.find(op);
    return kernel != kernels.end() &&
           all.kernels[kernel->second].values[use.getOperandNumber()] == value;
  });
}

void PartGraphBuilder::run() {
  all.kernels.resize(all.graph.vertices.size());
  all.values.resize(all.graph.values.size());
  for (auto [number, value] : llvm::enumerate(all.graph.values))
    if (!value.producer)
      values[value.tensor] = number;
  for (size_t number = 0; number < all.kernels.size(); ++number)
    addKernel(number);
  for (const auto &[tensor, number] : values) {
    const StreamValue &value = all.graph.values[number];
    all.values[number].isSaved =
        value.isReturned || !value.producer || !isReadWhole(number, tensor);
  }
  for (size_t number = 0; number < all.values.size(); ++number)
    if (!all.isReadAlike(number))
      all.values[number].localBytes = 0;
}

OpOperand &PartGraph::findMoved(size_t number, OpOperand &use) const {
  return graph.values[number].producer ? findViewed(use) : use;
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
  if (isPlain())
    return true;
  SmallVector<int64_t> key = {static_cast<int64_t>(number)};
  for (ArrayRef<int64_t> list : {shape, offsets, sizes})
    key.append(list.begin(), list.end());
  auto [known, isNew] = knownViews.try_emplace(key, false);
  if (!isNew)
    return known->second;
  layout::LocalTensorDesc desc = values[number].desc;
  desc.shape.assign(shape.begin(), shape.end());
  layout::Result<MemRefType> type =
      getLocalType(MemRefType::get(shape, values[number].elementType),
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
  slice.steps =
      getAsIndexOpFoldResult(context, SmallVector<int64_t>(shape.size(), 1));
  slice.dropped.resize(shape.size());
  return known->second = getSliceView(*type, slice, targetAttr).isView();
}

std::vector<SmallVector<size_t, 4>>
PartGraph::findLive(llvm::function_ref<bool(size_t)> isWanted) const {
  std::vector<SmallVector<size_t, 4>> live(graph.vertices.size() + 1);
  for (auto [number, value] : llvm::enumerate(graph.values)) {
    if (!isWanted(number))
      continue;
    for (size_t vertex = value.producer ? *value.producer + 1 : 0;
         vertex < live.size() && value.livesAt(vertex); ++vertex)
      live[vertex].push_back(number);
  }
  return live;
}

PartGraph PartGraph::get(Block &block, TargetAttr target,
                         std::shared_ptr<tiling::StaticKernels> staticKernels) {
  PartGraph all;
  all.staticKernels = std::move(staticKernels);
  streams::GraphOptions options;
  options.isLenient = true;
  options.kernels = all.staticKernels.get();
  all.graph = *streams::StreamGraph::get(block, options, [](Operation *) {});
  all.targetAttr = target;
  all.target = target.getValue();
  all.policy = findLayoutPolicy(block.getParentOp());
  all.operandBytes = std::make_shared<tiling::OperandBytes>(all.target);
  PartGraphBuilder(all).run();
  return all;
}
