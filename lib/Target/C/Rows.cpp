// SPDX-License-Identifier: Apache-2.0

#include "LayerPrinter.h"

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
  auto move = dyn_cast<MovOp>(op);
  if (!move)
    return isa<memref::CopyOp>(op);
  auto isOne = [](int64_t step) { return step == 1; };
  return !calls::isPadded(move) && llvm::all_of(move.getSteps(), isOne) &&
         llvm::is_sorted(move.getPermutation());
}

/// Statements that call the hook for all blocks of `rows`.
static void printCopies(StringRef hook, const Rows &rows, Writer &os) {
  static constexpr std::array<const char *, 3> names = {"i", "j", "k"};
  std::string to = "to", from = "from";
  for (size_t depth = 0; depth < rows.outer.size(); ++depth)
    os.line(Twine("int32_t ") + names[depth] + ";");
  for (auto [name, block] : llvm::zip(names, rows.outer)) {
    os.line(Twine("for (") + name + " = 0; " + name + " < " +
            Twine(block.count) + "; ++" + name + ") {");
    os.indent();
    to += " + " + (name + timesFactor(block.to));
    from += " + " + (name + timesFactor(block.from));
  }
  os.statement(hook + "(" + to + ", " + from + ", " + Twine(rows.rows.count) +
               ", " + Twine(rows.bytes) + ", " + Twine(rows.rows.to) + ", " +
               Twine(rows.rows.from) + ");");
  for (size_t depth = 0; depth < rows.outer.size(); ++depth) {
    os.outdent();
    os.line("}");
  }
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
  printCopies(network.upper + "_COPY",
              findRows(from->shape, to->strides, from->strides,
                       getElementType(tensors.front()->element).bytes),
              os);
  os.line("return MLI_STATUS_OK;");
  os.outdent();
  os.line("}");
  os.line();
  return passed;
}
