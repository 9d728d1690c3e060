// SPDX-License-Identifier: Apache-2.0

#include "Text.h"

#include "mli/Target/C.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace mli;

static bool isKeyword(llvm::StringRef name) {
  static const llvm::StringSet<> keywords = {
      // C99 and what its compilers add.
      "auto", "break", "case", "char", "const", "continue", "default", "do",
      "double", "else", "enum", "extern", "float", "for", "goto", "if",
      "inline", "int", "long", "register", "restrict", "return", "short",
      "signed", "sizeof", "static", "struct", "switch", "typedef", "union",
      "unsigned", "void", "volatile", "while", "asm", "typeof",
      // C11, C23 and C++20.
      "alignas", "alignof", "and", "and_eq", "bitand", "bitor", "bool", "catch",
      "char8_t", "char16_t", "char32_t", "class", "compl", "concept",
      "consteval", "constexpr", "constinit", "const_cast", "co_await",
      "co_return", "co_yield", "decltype", "delete", "dynamic_cast", "explicit",
      "export", "false", "friend", "mutable", "namespace", "new", "noexcept",
      "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private",
      "protected", "public", "reinterpret_cast", "requires", "static_assert",
      "static_cast", "template", "this", "thread_local", "throw", "true", "try",
      "typeid", "typename", "using", "virtual", "wchar_t", "xor", "xor_eq",
      // Macros of the headers of C, and of compilers.
      "errno", "assert", "offsetof", "unix", "linux", "main", "NULL"};
  return keywords.contains(name);
}

bool c::isIdentifier(llvm::StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) && name.front() != '_' &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         !isKeyword(name);
}

std::string c::toIdentifier(llvm::StringRef name) {
  std::string result;
  for (char c : name) {
    bool isPlain = llvm::isAlnum(c);
    if (isPlain || (!result.empty() && result.back() != '_'))
      result.push_back(isPlain ? c : '_');
  }
  while (!result.empty() && result.back() == '_')
    result.pop_back();
  if (result.empty() || llvm::isDigit(result.front()) || isKeyword(result))
    result = "x" + result;
  return result;
}

std::string c::shorten(llvm::StringRef name) {
  constexpr size_t most = 22;
  name = name.split(';').first;
  while (name.size() > most && name.contains('/'))
    name = name.split('/').second;
  return name.str();
}

static llvm::StringSet<> splitWords(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words);
  llvm::StringSet<> set;
  set.insert_range(words);
  return set;
}

/// Whether `name` is one of the headers, or like one of the printer's own: that
/// of a layer, an index or an array of parameters.
static bool isPrinted(llvm::StringRef name) {
  static const llvm::StringSet<> others = splitWords(
      "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t "
      "size_t memcpy memmove at address layer read_only bytes fixed_point "
      "per_tensor "
      "per_axis to_byte base status weights state turn callee local scratch "
      "tensors tables start none moves count move handle begin_move end_moves "
      "copy_rows to "
      "from i "
      "j k l check_products check_averages check_weights check_channels "
      "check_rounding");
  std::string small = name.lower();
  if (others.contains(small) || llvm::StringRef(small).starts_with("mli_"))
    return true;
  llvm::StringRef rest = small;
  bool isNumbered = rest.consume_front("layer_") ||
                    rest.consume_front("next") || rest.consume_front("i") ||
                    rest.consume_front("u") || rest.consume_front("p");
  return isNumbered && !rest.empty() && llvm::all_of(rest, llvm::isDigit);
}

std::string c::Names::take(llvm::StringRef wanted) {
  std::string base = toIdentifier(wanted);
  if (isPrinted(base))
    base = "x" + base;
  base.resize(std::min(base.size(), significant));
  std::string name = base;
  auto isTaken = [&] {
    return !taken.insert(llvm::StringRef(name).lower()).second;
  };
  for (unsigned number = 1; isTaken(); ++number) {
    std::string suffix = "_" + std::to_string(number);
    name = base.substr(0, significant - suffix.size()) + suffix;
  }
  return name;
}

std::string mli::describeCOrigin(llvm::StringRef path,
                                 llvm::StringRef contents) {
  std::string origin;
  llvm::raw_string_ostream(origin)
      << llvm::sys::path::filename(path) << " (xxh3 "
      << llvm::format_hex_no_prefix(llvm::xxh3_64bits(contents), 16) << ")";
  return origin;
}
