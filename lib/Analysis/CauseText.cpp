// SPDX-License-Identifier: Apache-2.0

#include "CauseText.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

std::string mli::numberText(int64_t value) {
  return ShapedType::isDynamic(value) ? "?" : std::to_string(value);
}

std::string mli::listText(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(values, os,
                        [&](int64_t value) { os << numberText(value); });
  os << "]";
  return text;
}

std::string mli::join(std::initializer_list<llvm::Twine> parts) {
  std::string text;
  for (const llvm::Twine &part : parts)
    text += part.str();
  return text;
}

std::string mli::viewText(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
  return join({"a view of ", listText(sizes), " from ", listText(offsets)});
}
