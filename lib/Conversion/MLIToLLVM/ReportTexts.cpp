// SPDX-License-Identifier: Apache-2.0

#include "ReportTexts.h"

#include "ModuleSymbols.h"

#include "mli/IR/LayerName.h"

using namespace mlir;
using namespace mli;

StringAttr ReportTexts::describe(Operation *op) {
  StringAttr &text = descriptions[{op->getName(), LocationAttr(op->getLoc())}];
  if (text)
    return text;
  std::string description = describeLayer(op);
  if (description.empty()) {
    // Printing a location takes far longer than finding it.
    std::string &location = locations[op->getLoc()];
    if (location.empty())
      llvm::raw_string_ostream(location) << op->getLoc();
    description =
        (op->getName().getStringRef() + " at " + Twine(location)).str();
  }
  return text = StringAttr::get(op->getContext(), description);
}

LLVM::GlobalOp ReportTexts::getGlobal(OpBuilder &builder) {
  if (global)
    return global;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&symbols.getOp()->getRegion(0).front());
  global = LLVM::GlobalOp::create(
      builder, symbols.getOp()->getLoc(),
      LLVM::LLVMArrayType::get(builder.getI8Type(), 0), /*isConstant=*/true,
      LLVM::Linkage::Internal, "mli_texts", /*value=*/Attribute());
  symbols.insert(global);
  return global;
}

int64_t ReportTexts::getOffset(StringAttr text) {
  auto [entry, isNew] = offsets.insert({text, contents.size()});
  if (isNew) {
    contents += text.getValue();
    contents.push_back('\0');
  }
  return entry->second;
}

Value ReportTexts::getAddress(OpBuilder &builder, Location loc,
                              EntryValues &values, StringAttr text) {
  LLVM::GlobalOp texts = getGlobal(builder);
  Value first = values.get(builder, texts.getAsOpaquePointer(), [&] {
    return LLVM::AddressOfOp::create(builder, loc, texts);
  });
  return values.get(builder, text.getAsOpaquePointer(), [&] {
    return LLVM::GEPOp::create(
        builder, loc, first.getType(), builder.getI8Type(), first,
        LLVM::GEPArg(static_cast<int32_t>(getOffset(text))));
  });
}

void ReportTexts::store() {
  if (!global)
    return;
  Builder builder(global.getContext());
  global.setGlobalType(
      LLVM::LLVMArrayType::get(builder.getI8Type(), contents.size()));
  global.setValueAttr(builder.getStringAttr(contents));
}
