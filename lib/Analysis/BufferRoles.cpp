// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/BufferRoles.h"

#include "mli/Analysis/BufferNames.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/LayerName.h"
#include "mli/IR/PackedAttr.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

StringRef mli::stringifyRole(BufferRole role) {
  switch (role) {
  case BufferRole::Weights:
    return "weights";
  case BufferRole::Input:
    return "input";
  case BufferRole::Result:
    return "result";
  case BufferRole::Moved:
    return "moved";
  case BufferRole::Tables:
    return "tables";
  case BufferRole::Scratch:
    return "scratch";
  case BufferRole::Callee:
    return "callee";
  }
  llvm_unreachable("no other role");
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

namespace {

/// The operations that use one buffer, the first of each kind.
struct Users {
  Operation *reader = nullptr, *kernel = nullptr, *mover = nullptr;
  /// Whether a kernel looks values up in the buffer.
  bool isTable = false;
};

} // namespace

static Users findUsers(ArrayRef<Value> aliases,
                       const BufferLifetimes &lifetimes) {
  Users users;
  auto keepFirst = [&](Operation *&first, Operation *op) {
    if (!first ||
        lifetimes.positions.lookup(op) < lifetimes.positions.lookup(first))
      first = op;
  };
  for (Value alias : aliases)
    for (OpOperand &use : alias.getUses()) {
      users.isTable |= isTable(use);
      auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      if (!op || !isa<KernelOpInterface>(use.getOwner()))
        continue;
      bool isMove = isa<MovOp>(use.getOwner());
      if (op.isDpsInit(&use))
        keepFirst(isMove ? users.mover : users.kernel, op);
      else
        keepFirst(users.reader, op);
    }
  return users;
}

/// The buffer that `value` is a view of.
static Value stripViews(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>()) {
    if (getArenaOffset(value))
      break;
    value = view.getViewSource();
  }
  return value;
}

/// The role of a buffer that moves write, of which `mover` is the first.
static BufferRole getMovedRole(Operation *mover) {
  auto mov = cast<DestinationStyleOpInterface>(mover);
  Value source = stripViews(mov.getDpsInputs().front());
  if (isa_and_nonnull<ConstantOp, memref::GetGlobalOp>(source.getDefiningOp()))
    return BufferRole::Weights;
  bool isFromLocal = isLocal(source.getType());
  if (isFromLocal == isLocal(mov.getDpsInits().front().getType()))
    return BufferRole::Moved;
  return isFromLocal ? BufferRole::Result : BufferRole::Input;
}

/// The role of an argument, and the first operation that uses it as that.
static std::pair<BufferRole, Operation *>
getArgumentRole(const LiveRange &range, const BufferLifetimes &lifetimes) {
  auto argument = cast<BlockArgument>(range.buffer);
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  Users users = findUsers(range.aliases, lifetimes);
  Operation *writer = users.kernel ? users.kernel : users.mover;
  if (writer || function.getArgAttr(argument.getArgNumber(), resultAttrName))
    return {BufferRole::Result, writer};
  return {BufferRole::Input, users.reader};
}

BufferRole mli::getBufferRole(const MemoryUser &user,
                              const BufferLifetimes &lifetimes) {
  if (isa<func::CallOp>(user.op))
    return BufferRole::Callee;
  if (!user.range)
    return BufferRole::Scratch;
  if (isa<BlockArgument>(user.range->buffer))
    return getArgumentRole(*user.range, lifetimes).first;
  Users users = findUsers(user.range->aliases, lifetimes);
  if (users.isTable)
    return BufferRole::Tables;
  return users.kernel || !users.mover ? BufferRole::Result
                                      : getMovedRole(users.mover);
}

//===----------------------------------------------------------------------===//
// Fixed buffers
//===----------------------------------------------------------------------===//

/// All views of the constant `value`.
static SmallVector<Value> findViews(Value value) {
  SmallVector<Value> views = {value};
  for (size_t i = 0; i < views.size(); ++i)
    for (Operation *user : views[i].getUsers())
      if (auto view = dyn_cast<ViewLikeOpInterface>(user))
        views.push_back(view.getViewDest());
  return views;
}

namespace {

class FixedBufferFinder {
public:
  FixedBufferFinder(func::FuncOp function, const BufferLifetimes &lifetimes)
      : lifetimes(lifetimes), describe(getLayerTexts(function)) {}

  void addArgument(const LiveRange &range) {
    auto argument = cast<BlockArgument>(range.buffer);
    auto [role, user] = getArgumentRole(range, lifetimes);
    buffers.push_back({"argument " + std::to_string(argument.getArgNumber()),
                       {role, user ? describe(user) : std::string()},
                       range.bytes,
                       range.live});
  }

  /// Adds what `op` is or has of constants.
  void addConstants(Operation *op) {
    StringRef name = getLayerName(op->getLoc()).name;
    if (ElementsAttr layer = getPackedLayer(op))
      add(layer, name.empty() ? "packed weights" : name, op,
          layer.getShapedType().getNumElements(),
          lifetimes.positions.lookup(op));
    Attribute data = findConstantData(op);
    if (!data)
      return;
    SmallVector<Value> views = findViews(op->getResult(0));
    std::optional<Interval> live = findLive(views);
    if (!live)
      return;
    Operation *reader = findUsers(views, lifetimes).reader;
    std::optional<int64_t> bytes =
        getDenseBytes(cast<ShapedType>(op->getResult(0).getType()));
    add(data, name.empty() ? "constant" : name, reader ? reader : op,
        bytes.value_or(0), *live);
  }

  std::vector<FixedBuffer> take() {
    llvm::sort(buffers, [](const FixedBuffer &a, const FixedBuffer &b) {
      return std::tie(a.live, a.bytes, a.name) <
             std::tie(b.live, b.bytes, b.name);
    });
    return std::move(buffers);
  }

private:
  /// From the first to the last operation that uses one of `views`.
  std::optional<Interval> findLive(ArrayRef<Value> views) const {
    std::optional<Interval> live;
    for (Value view : views)
      for (Operation *user : view.getUsers()) {
        if (isa<ViewLikeOpInterface>(user))
          continue;
        Interval use = lifetimes.positions.lookup(user);
        if (live)
          use.extend(*live);
        live = use;
      }
    return live;
  }

  /// Adds `data`, or what else reads it.
  void add(Attribute data, StringRef name, Operation *reader, int64_t bytes,
           Interval live) {
    auto [known, isNew] = indexOf.try_emplace(data, buffers.size());
    if (isNew)
      buffers.push_back(
          {name.str(), {BufferRole::Weights, describe(reader)}, bytes, live});
    else
      buffers[known->second].live.extend(live);
  }

  const BufferLifetimes &lifetimes;
  std::function<std::string(Operation *)> describe;
  std::vector<FixedBuffer> buffers;
  llvm::DenseMap<Attribute, size_t> indexOf;
};

} // namespace

std::vector<FixedBuffer> mli::findFixedBuffers(func::FuncOp function,
                                               const BufferLifetimes &lifetimes,
                                               bool areArgumentsPlanned) {
  FixedBufferFinder finder(function, lifetimes);
  if (!areArgumentsPlanned)
    for (const LiveRange &range : lifetimes.arguments)
      finder.addArgument(range);
  function.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { finder.addConstants(op); });
  return finder.take();
}
