// SPDX-License-Identifier: Apache-2.0
//
// Layers in functions, and moves beside kernels.

#include "FunctionPrinter.h"

#include "mli/Calls/RowShift.h"
#include "mli/IR/LayerFacts.h"
#include "mli/IR/MLIParallel.h"
#include "mli/IR/OtherShape.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static FailureOr<calls::Call> getCall(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return calls::getCall(copy);
  if (auto table = dyn_cast<LutOp>(op))
    return calls::getCall(table);
  auto move = dyn_cast<MovOp>(op);
  if (!move)
    return calls::getCall(cast<KernelOpInterface>(op));
  calls::Call call = calls::getCall(move);
  bool isFlat = llvm::any_of(call.getTensors(), [](const auto *tensor) {
    return !tensor->reshaped.empty();
  });
  if (isReshapingMove(move) && !isFlat)
    return op->emitOpError("expected one side without gaps, which C output "
                           "needs for another shape, but got ")
           << move.getInput().getType() << " and " << move.getInit().getType();
  return call;
}

/// Whether the hook copies what `op` moves.
bool FunctionPrinter::isHooked(Operation *op) const {
  return network.options.moves == CMoves::Hook && movesRows(op);
}

/// Prints `op`, a move to or from scattered memory or in it, as the function
/// `name`.
FailureOr<std::string> FunctionPrinter::printScattered(Operation *op,
                                                       LayerPrinter &printer,
                                                       StringRef name) {
  if (auto advance = dyn_cast<AdvanceOp>(op)) {
    calls::RingBlocks rows(advance);
    Value ring = advance.getInit();
    return printer.printElements(ring, rows.getSource(), ring, rows.getTarget(),
                                 name, *layers);
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return printer.printLocalMove(calls::getLocalMove(copy),
                                  calls::getCall(copy), name, *layers);
  auto move = cast<MovOp>(op);
  if (isReshapingMove(move))
    return printer.printElements(move.getInput(), {}, move.getInit(), {}, name,
                                 *layers);
  calls::Call call = calls::getCall(move);
  if (std::optional<calls::LocalMove> copy = calls::findLocalMove(move))
    return printer.printLocalMove(*copy, call, name, *layers);
  network.helpers.moving = true;
  return printer.print(call, name, *layers);
}

/// Prints `op` as the function `name`, and returns the arguments that it takes.
FailureOr<std::string> FunctionPrinter::printFunction(Operation *op,
                                                      LayerPrinter &printer,
                                                      StringRef name) {
  if (isa<MovOp, AdvanceOp, memref::CopyOp>(op) &&
      llvm::any_of(op->getOperands(), isAddress))
    return printScattered(op, printer, name);
  network.helpers.hooked |= isHooked(op);
  if (auto advance = dyn_cast<AdvanceOp>(op)) {
    network.helpers.copying |= !isHooked(op);
    return printer.printAdvance(advance, name, *layers);
  }
  FailureOr<calls::Call> call = getCall(op);
  if (failed(call))
    return failure();
  if (isHooked(op))
    return printer.printRows(*call, name, *layers);
  network.helpers.moving |= call->function.starts_with("mli_mov_");
  return printer.print(*call, name, *layers);
}

/// Prints the function of `op`, and returns the call of it.
FailureOr<std::string> FunctionPrinter::addLayer(Operation *op, bool isBegun) {
  std::string name = "layer_" + std::to_string(network.layers.size());
  LayerPrinter printer(network, function, descriptions, indices, op);
  if (isBegun)
    printer.begin();
  FailureOr<std::string> arguments = printFunction(op, printer, name);
  if (failed(arguments))
    return failure();
  FailureOr<int64_t> products = countProducts(op);
  if (failed(products))
    return failure();
  network.layers.push_back({op, describePlace(op), *products});
  function.readsBases = true;
  StringRef base = function.isEntry ? "&base" : "base";
  return (name + "(" + base + *arguments + (isBegun ? ", &moves[count]" : "") +
          ")")
      .str();
}

LogicalResult FunctionPrinter::printLayer(Operation *op) {
  size_t number = network.layers.size();
  FailureOr<std::string> call = addLayer(op, /*isBegun=*/false);
  if (failed(call))
    return failure();
  body->statement("LAYER(" + Twine(number) + ", " + *call + ")");
  return success();
}

//===----------------------------------------------------------------------===//
// Moves beside kernels
//===----------------------------------------------------------------------===//

namespace {

/// What a move reads or writes.
struct Use {
  Value buffer;
  Place place;
  int64_t bytes;
};

} // namespace

static FailureOr<Use> getUse(const calls::TensorArgument &tensor) {
  FailureOr<Extent> extent = findExtent(tensor);
  if (failed(extent))
    return failure();
  return Use{getViewedBuffer(tensor.operand->get()), extent->place,
             extent->getBytes(tensor.element)};
}

/// Whether `a` and `b`, which `mli.parallel` both keeps in memory to its end,
/// may have bytes in common.
static bool mayOverlap(const Use &a, const Use &b) {
  auto isCarriedUse = [](const Use &use) {
    return use.place.base == Place::Base::Carried;
  };
  if (a.place.root != b.place.root)
    return isCarriedUse(a) || isCarriedUse(b);
  if (a.place.isKnown() && b.place.isKnown())
    return a.place.bytes < b.place.bytes + b.bytes &&
           b.place.bytes < a.place.bytes + a.bytes;
  return a.buffer == b.buffer;
}

namespace {

/// Tells moves that may run at any time from those that wait for others.
class MoveOrder {
public:
  /// Adds the next move. Whether it depends on one before.
  FailureOr<bool> add(Operation *op) {
    FailureOr<calls::Call> call = getCall(op);
    if (failed(call))
      return failure();
    SmallVector<const calls::TensorArgument *> tensors = call->getTensors();
    FailureOr<Use> from = getUse(*tensors.front());
    FailureOr<Use> to = getUse(*tensors.back());
    if (failed(from) || failed(to))
      return failure();
    auto overlaps = [](const Use &use) {
      return [&](const Use &other) { return mayOverlap(use, other); };
    };
    bool depends = llvm::any_of(writes, overlaps(*from)) ||
                   llvm::any_of(writes, overlaps(*to)) ||
                   llvm::any_of(reads, overlaps(*to));
    reads.push_back(*from);
    writes.push_back(*to);
    return depends;
  }

private:
  SmallVector<Use> reads, writes;
};

} // namespace

/// Begins `moves`, and waits for them behind the layers of `kernels`.
LogicalResult FunctionPrinter::printBegun(ArrayRef<Operation *> moves,
                                          ArrayRef<Operation *> kernels) {
  network.helpers.handles = std::max(network.helpers.handles, moves.size());
  body->line("{");
  body->indent();
  body->line("mli_mov_handle_t moves[" + Twine(moves.size()) + "];");
  body->line("int32_t count = 0;");
  for (Operation *op : moves) {
    size_t number = network.layers.size();
    FailureOr<std::string> call = addLayer(op, /*isBegun=*/true);
    if (failed(call))
      return failure();
    body->statement("MOVE(" + Twine(number) + ", " + *call + ")");
  }
  for (Operation *op : kernels)
    if (failed(printOp(op)))
      return failure();
  body->line("status = end_moves(moves, count, status);");
  body->outdent();
  body->line("}");
  return success();
}

/// The hook copies `moves` beside the layers of `kernels`.
LogicalResult FunctionPrinter::printCopied(ArrayRef<Operation *> moves,
                                           ArrayRef<Operation *> kernels) {
  for (Operation *op : moves)
    if (failed(printLayer(op)))
      return failure();
  for (Operation *op : kernels)
    if (failed(printOp(op)))
      return failure();
  if (llvm::any_of(moves, movesRows))
    body->line(network.upper + "_WAIT();");
  return success();
}

LogicalResult FunctionPrinter::printMove(Operation *op) {
  return isHooked(op) ? printCopied(op, {}) : printLayer(op);
}

LogicalResult FunctionPrinter::printParallel(Operation *op) {
  mlir::Block &block = cast<ParallelOp>(op).getBody().front();
  if (function.isScattered) {
    body->line("okk_parallel_start();");
    LogicalResult printed = printBlock(block);
    body->line("okk_parallel_end();");
    return printed;
  }
  // Which moves run is known only at run time where they are in conditions.
  if (network.options.moves == CMoves::Sync ||
      llvm::any_of(block,
                   [](Operation &inner) { return inner.getNumRegions() > 0; }))
    return printBlock(block);
  MoveOrder order;
  SmallVector<Operation *> begun, kernels, late;
  for (Operation &inner : block.without_terminator()) {
    if (!ParallelOp::isMove(&inner)) {
      kernels.push_back(&inner);
      continue;
    }
    FailureOr<bool> depends = order.add(&inner);
    if (failed(depends))
      return failure();
    (*depends ? late : begun).push_back(&inner);
  }
  if (failed(network.options.moves == CMoves::Hook
                 ? printCopied(begun, kernels)
                 : printBegun(begun, kernels)))
    return failure();
  for (Operation *move : late)
    if (failed(printMove(move)))
      return failure();
  return success();
}
