// SPDX-License-Identifier: Apache-2.0
//
// Finds the layer that a buffer is an operand of, for memory maps and reports
// of plans.

#include "mli/Analysis/BufferNames.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/LayerName.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mli;

/// Whether `op` computes, and does not only move.
static bool isKernel(Operation *op) {
  return isa<MLIDialect>(op->getDialect()) &&
         isa<DestinationStyleOpInterface>(op) && !isa<MovOp, AdvanceOp>(op);
}

static func::FuncOp getFunction(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  return function ? function : op->getParentOfType<func::FuncOp>();
}

namespace {

/// The first uses of a buffer, each null if there is none.
struct BufferUses {
  OpOperand *table = nullptr;
  OpOperand *result = nullptr;
  OpOperand *input = nullptr;
  OpOperand *moved = nullptr;
};

/// Names one buffer of a function after the other.
class BufferNamer {
public:
  explicit BufferNamer(func::FuncOp function) {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      order.try_emplace(op, order.size());
      if (isKernel(op))
        addKernel(op);
    });
    numberKernels();
  }

  /// Sets operand and layer in `name`, that of `user`.
  void describe(const MemoryUser &user, BufferName &name) const {
    if (!user.range) {
      if (isKernel(user.op))
        set(name, "scratch", user.op);
      return;
    }
    BufferUses uses = findUses(*user.range);
    if (uses.table)
      return set(name, "table", uses.table->getOwner());
    if (uses.result)
      return set(name, getOperandName(*uses.result, "result"),
                 uses.result->getOwner());
    Operation *source =
        uses.moved ? findLayer(uses.moved->getOwner()) : nullptr;
    bool isCopy = uses.input && (isLocal(user.type) || !source ||
                                 source == findLayer(uses.input->getOwner()));
    if (isCopy)
      return set(name, getInputName(*uses.input, source != nullptr),
                 uses.input->getOwner());
    // Of a move that no network names there is nothing to say.
    if (source && (isKernel(source) || !getLayerName(source->getLoc()).empty()))
      set(name, "result", source);
  }

  std::string describeLayerOf(Operation *op) const {
    StringRef kind = op->getName().stripDialect();
    LayerName layer = getLayerName(op->getLoc());
    if (!layer.empty())
      return describeLayer(kind, layer);
    auto number = numbers.find(numbers.contains(op) ? op : findLayer(op));
    if (number == numbers.end())
      return kind.str();
    return (number->first->getName().stripDialect() + " " +
            Twine(number->second))
        .str();
  }

private:
  void addKernel(Operation *op) {
    Location loc = op->getLoc();
    bool isNew = isa<UnknownLoc>(loc) || kernelAt.try_emplace(loc, op).second;
    if (isNew && getLayerName(loc).empty())
      nameless[op->getName()].push_back(op);
  }

  /// Numbers the kernels of each kind that have no name. Passes move kernels,
  /// but not their positions in the file.
  void numberKernels() {
    for (auto &[kind, kernels] : nameless) {
      auto getPosition = [&](Operation *op) {
        auto loc = op->getLoc()->findInstanceOf<FileLineColLoc>();
        return std::make_tuple(loc ? loc.getLine() : 0,
                               loc ? loc.getColumn() : 0, order.lookup(op));
      };
      llvm::sort(kernels, [&](Operation *a, Operation *b) {
        return getPosition(a) < getPosition(b);
      });
      for (auto [number, op] : llvm::enumerate(kernels))
        numbers[op] = number;
    }
  }

  /// The first kernel of the layer that `op` is part of; `op` if it is alone.
  Operation *findLayer(Operation *op) const {
    Operation *kernel = kernelAt.lookup(op->getLoc());
    return kernel ? kernel : op;
  }

  void set(BufferName &name, std::string operand, Operation *op) const {
    name.operand = std::move(operand);
    name.layer = describeLayerOf(op);
  }

  /// The name in the contract of the kernel, if it is no plain result.
  static std::string getOperandName(OpOperand &operand, StringRef plain) {
    const contract::Tensor *contract = getContract(operand);
    return contract && contract->role != contract::OperandKind::Init
               ? getName(operand)
               : plain.str();
  }

  static std::string getInputName(OpOperand &operand, bool isMoved) {
    const contract::Tensor *contract = getContract(operand);
    std::string name = contract ? getName(operand) : "input";
    bool isConstant = StringRef(name).starts_with("weights") || name == "bias";
    return isMoved && !isConstant ? name + " copy" : name;
  }

  /// Takes `use` for `first` if it comes before.
  void keepFirst(OpOperand *&first, OpOperand &use) const {
    auto key = [&](OpOperand &use) {
      return std::make_pair(order.lookup(use.getOwner()),
                            use.getOperandNumber());
    };
    if (!first || key(use) < key(*first))
      first = &use;
  }

  BufferUses findUses(const LiveRange &range) const {
    BufferUses uses;
    for (Value alias : range.aliases)
      for (OpOperand &use : alias.getUses()) {
        auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
        if (!op)
          continue;
        if (isTable(use))
          keepFirst(uses.table, use);
        else if (!isKernel(op) && op.isDpsInit(&use))
          keepFirst(uses.moved, use);
        else if (isKernel(op))
          keepFirst(op.isDpsInit(&use) ? uses.result : uses.input, use);
      }
    return uses;
  }

  llvm::DenseMap<Operation *, size_t> order;
  /// The first kernel at each location.
  llvm::DenseMap<Location, Operation *> kernelAt;
  llvm::MapVector<OperationName, SmallVector<Operation *>> nameless;
  llvm::DenseMap<Operation *, size_t> numbers;
};

} // namespace

std::function<std::string(Operation *)>
mli::getLayerTexts(func::FuncOp function) {
  return [namer = std::make_shared<BufferNamer>(function)](Operation *op) {
    return namer->describeLayerOf(op);
  };
}

std::string BufferName::getText() const {
  if (operand.empty())
    return name;
  std::string text = operand + " of " + layer;
  return isOwn ? name + ", " + text : text;
}

/// Whether `user` has a name that is not that of a layer.
static bool hasOwnName(const MemoryUser &user) {
  if (!user.range || isa<BlockArgument>(user.range->buffer))
    return false;
  LayerName layer = getLayerName(user.op->getLoc());
  if (layer.name.empty() && user.range->firstUser)
    layer = getLayerName(user.range->firstUser->getLoc());
  return !layer.name.empty() && !layer.number;
}

std::vector<BufferName> mli::getBufferNames(const MemoryProblem &problem) {
  std::vector<BufferName> names;
  if (problem.users.empty())
    return names;
  BufferNamer namer(getFunction(problem.users.front().op));
  for (auto [i, user] : llvm::enumerate(problem.users)) {
    BufferName &name = names.emplace_back();
    name.name = problem.getName(i);
    if (user.range && isa<BlockArgument>(user.range->buffer))
      continue;
    namer.describe(user, name);
    name.isOwn = hasOwnName(user) &&
                 !StringRef(name.layer).contains('"' + name.name + '"');
  }
  return names;
}
