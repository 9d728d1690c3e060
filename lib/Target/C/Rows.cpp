// SPDX-License-Identifier: Apache-2.0

#include "LayerPrinter.h"

#include "mli/Calls/RowShift.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

Rows c::findRows(ArrayRef<int64_t> shape, ArrayRef<int64_t> to,
                 ArrayRef<int64_t> from, int64_t bytes) {
  SmallVector<RowSteps> dims;
  for (auto [size, toStride, fromStride] : llvm::zip_equal(shape, to, from))
    if (size != 1)
      dims.push_back({size, toStride * bytes, fromStride * bytes});
  Rows rows = {bytes, {}, {}};
  while (!dims.empty() && dims.back().to == rows.bytes &&
         dims.back().from == rows.bytes)
    rows.bytes *= dims.pop_back_val().count;
  rows.rows = {1, rows.bytes, rows.bytes};
  if (!dims.empty())
    rows.rows = dims.pop_back_val();
  while (!dims.empty() && dims.back().to == rows.rows.to * rows.rows.count &&
         dims.back().from == rows.rows.from * rows.rows.count)
    rows.rows.count *= dims.pop_back_val().count;
  rows.outer.assign(dims.begin(), dims.end());
  return rows;
}

bool c::movesRows(Operation *op) {
  if (isa<AdvanceOp>(op))
    return true;
  auto move = dyn_cast<MovOp>(op);
  if (!move)
    return isa<memref::CopyOp>(op);
  auto isOne = [](int64_t step) { return step == 1; };
  return !calls::isPadded(move) && llvm::all_of(move.getSteps(), isOne) &&
         llvm::is_sorted(move.getPermutation());
}

/// Prints loops over `blocks` around what `print` prints of two pointers, which
/// are `to` and `from` there.
static void printLoops(
    ArrayRef<RowSteps> blocks, Writer &os,
    llvm::function_ref<void(const std::string &, const std::string &)> print) {
  // A loop for each dimension of a tensor.
  static constexpr std::array<const char *, 4> names = {"i", "j", "k", "l"};
  std::string to = "to", from = "from";
  for (size_t depth = 0; depth < blocks.size(); ++depth)
    os.line(Twine("int32_t ") + names[depth] + ";");
  for (auto [name, block] : llvm::zip(names, blocks)) {
    os.line(Twine("for (") + name + " = 0; " + name + " < " +
            Twine(block.count) + "; ++" + name + ") {");
    os.indent();
    to += " + " + (name + timesFactor(block.to));
    from += " + " + (name + timesFactor(block.from));
  }
  print(to, from);
  for (size_t depth = 0; depth < blocks.size(); ++depth) {
    os.outdent();
    os.line("}");
  }
}

/// Prints a call of the hook that copies `count` rows of `bytes` bytes, `steps`
/// apart.
static void printCopy(StringRef hook, const std::string &to,
                      const std::string &from, int64_t bytes, RowSteps steps,
                      Writer &os) {
  os.statement(hook + "(" + to + ", " + from + ", " + Twine(steps.count) +
               ", " + Twine(bytes) + ", " + Twine(steps.to) + ", " +
               Twine(steps.from) + ");");
}

FailureOr<std::string> LayerPrinter::printRows(const calls::Call &call,
                                               StringRef name, Writer &os) {
  SmallVector<const calls::TensorArgument *> tensors = call.getTensors();
  FailureOr<Extent> from = findExtent(*tensors.front());
  FailureOr<Extent> to = findExtent(*tensors.back());
  if (failed(from) || failed(to))
    return failure();
  auto getPointer = [&](const Place &place) {
    if (std::optional<std::string> table = descriptions.getAddress(place))
      return "READ_ONLY(int8_t, " + *table + ")";
    return getAddress(place, descriptions.getDistance(place));
  };
  std::string source = getPointer(from->place), target = getPointer(to->place);
  std::string passed = printHead(name, os);
  os.indent();
  os.statement("const int8_t *const from = " + source + ";");
  os.statement("int8_t *const to = " + target + ";");
  Rows rows = findRows(from->shape, to->strides, from->strides,
                       getElementType(tensors.front()->element).bytes);
  printLoops(
      rows.outer, os, [&](const std::string &to, const std::string &from) {
        printCopy(network.upper + "_COPY", to, from, rows.bytes, rows.rows, os);
      });
  printEnd(os);
  return passed;
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

namespace {

/// The rows of a ring that move up, in bytes.
struct MovingRows {
  SmallVector<RowSteps> outer;
  int64_t count, bytes, step, distance;
  bool isContiguous;

  MovingRows(AdvanceOp op, const Extent &ring, int64_t elementBytes) {
    calls::RowShift shift = calls::getRowShift(op, ring.strides);
    for (int64_t dim : shift.others) {
      int64_t stride = ring.strides[dim] * elementBytes;
      outer.push_back({ring.shape[dim], stride, stride});
    }
    count = shift.count;
    bytes = shift.elements * elementBytes;
    step = ring.strides[shift.dim] * elementBytes;
    distance = shift.distance * step;
    isContiguous = shift.isContiguous;
  }
};

} // namespace

/// Prints calls of the hook in the order of rows. What one of them copies does
/// not overlap with where to: it is a row, or as many as the rows move by.
static void printHookedShift(StringRef hook, const MovingRows &rows,
                             Writer &os) {
  printLoops(
      rows.outer, os, [&](const std::string &to, const std::string &from) {
        if (!rows.isContiguous)
          return printCopy(hook, to, from, rows.bytes,
                           {rows.count, rows.step, rows.step}, os);
        int64_t all = rows.count * rows.bytes;
        int64_t blocks = all / rows.distance;
        int64_t rest = all % rows.distance;
        if (blocks > 0)
          printCopy(hook, to, from, rows.distance,
                    {blocks, rows.distance, rows.distance}, os);
        std::string end = blocks > 0 ? " + " + std::to_string(all - rest) : "";
        if (rest > 0)
          printCopy(hook, to + end, from + end, rest, {1, rest, rest}, os);
      });
}

/// Prints `memmove` of all rows, or of each.
static void printShift(const MovingRows &rows, Writer &os) {
  SmallVector<RowSteps> loops = rows.outer;
  if (!rows.isContiguous)
    loops.push_back({rows.count, rows.step, rows.step});
  int64_t bytes = rows.bytes * (rows.isContiguous ? rows.count : 1);
  printLoops(loops, os, [&](const std::string &to, const std::string &from) {
    os.statement("(void)memmove(" + to + ", " + from + ", " + Twine(bytes) +
                 ");");
  });
}

FailureOr<std::string> LayerPrinter::printAdvance(AdvanceOp advance,
                                                  StringRef name, Writer &os) {
  Type element = advance.getInit().getType().getElementType();
  FailureOr<Extent> ring =
      findExtent({&advance.getInitMutable(), calls::Access::ReadWrite,
                  /*block=*/{}, element});
  if (failed(ring))
    return failure();
  MovingRows rows(advance, *ring, getElementType(element).bytes);
  std::string start =
      getAddress(ring->place, descriptions.getDistance(ring->place));
  std::string passed = printHead(name, os);
  os.indent();
  os.statement("int8_t *const to = " + start + ";");
  os.statement("const int8_t *const from = to + " + Twine(rows.distance) + ";");
  if (network.options.moves == CMoves::Hook)
    printHookedShift(network.upper + "_COPY", rows, os);
  else
    printShift(rows, os);
  printEnd(os);
  return passed;
}

/// Ends a function that can not fail.
void LayerPrinter::printEnd(Writer &os) {
  os.line("return MLI_STATUS_OK;");
  os.outdent();
  os.line("}");
  os.line();
}
