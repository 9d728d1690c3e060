// SPDX-License-Identifier: Apache-2.0

#include "OperationNames.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

/// The name in `text`, what is on the line of an operation before it: `%name =`
/// or `%name:2 =`; empty if it is none.
static StringRef findResultName(StringRef text) {
  text = text.rtrim();
  if (!text.consume_back("="))
    return {};
  text = text.rtrim();
  size_t percent = text.rfind('%');
  if (percent == StringRef::npos)
    return {};
  StringRef name = text.drop_front(percent).split(':').first;
  bool isNumber = llvm::all_of(name.drop_front(), llvm::isDigit);
  return isNumber ? name : name.drop_front();
}

void mli::nameOperations(ModuleOp module, llvm::MemoryBufferRef source) {
  SmallVector<StringRef> lines;
  source.getBuffer().split(lines, '\n');
  module.walk([&](Operation *op) {
    auto place = dyn_cast<FileLineColLoc>(op->getLoc());
    if (!place || op->getNumResults() == 0 ||
        place.getFilename() != source.getBufferIdentifier() ||
        place.getLine() == 0 || place.getLine() > lines.size() ||
        place.getColumn() == 0)
      return;
    StringRef line = lines[place.getLine() - 1];
    StringRef name = findResultName(line.take_front(place.getColumn() - 1));
    if (!name.empty())
      op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), name), place));
  });
}
