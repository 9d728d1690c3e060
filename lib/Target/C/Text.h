// SPDX-License-Identifier: Apache-2.0
//
// Identifiers and lines of C.

#ifndef MLI_LIB_TARGET_C_TEXT_H
#define MLI_LIB_TARGET_C_TEXT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace mli::c {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The identifiers of one scope. None is another one in capitals, as macros
/// are, or like those that are printed without being taken.
class Names {
public:
  /// What C99 compilers tell apart in names with external linkage.
  static constexpr size_t significant = 31;

  /// Takes an identifier like `wanted`, which no one has: with a number where
  /// characters or length do not allow it, or somebody has it.
  std::string take(llvm::StringRef wanted);
  /// Keeps `name` from being taken.
  void reserve(llvm::StringRef name) { taken.insert(name.lower()); }

private:
  llvm::StringSet<> taken; ///< in small letters
};

/// Whether `name` has the characters of an identifier and is no keyword of C or
/// C++.
bool isIdentifier(llvm::StringRef name);

/// The end of `name`, a path in a network, that an identifier has room for,
/// with something behind it: "model/block_1/conv/BiasAdd;model/..." is
/// "conv/BiasAdd".
std::string shorten(llvm::StringRef name);

/// `name` with underscores in place of what identifiers do not have.
std::string toIdentifier(llvm::StringRef name);

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// Text of C in lines of at most 80 columns.
class Writer {
public:
  static constexpr size_t columns = 80;

  /// Adds `text` as it is, and an end of line.
  void line(const llvm::Twine &text = "");
  /// Adds the text of another writer.
  void append(llvm::StringRef other) { text += other; }
  /// Adds a statement, a declaration or a directive: broken at spaces outside
  /// of strings, with `continuation` at the end of broken lines.
  void statement(const llvm::Twine &text, llvm::StringRef continuation = "");
  /// Adds `statement` where `condition` holds.
  void conditional(const llvm::Twine &condition, const llvm::Twine &statement);
  /// Adds a comment, broken at spaces.
  void comment(const llvm::Twine &text);
  /// Adds the values of a table, separated by commas.
  void values(mlir::ElementsAttr elements);
  void values(llvm::ArrayRef<int64_t> numbers);

  /// Statements that follow are in a block.
  void indent() { depth += 2; }
  void outdent() { depth -= 2; }

  std::string take() { return std::move(text); }

private:
  template <typename Range>
  void addValues(const Range &range);

  std::string text;
  size_t depth = 0;
};

/// `value` as C has it, also the least one of 32 bits.
std::string toLiteral(int64_t value);

/// " * factor" behind an index; nothing for 1.
std::string timesFactor(int64_t factor);

/// `text` as a part of a comment.
std::string toComment(llvm::StringRef text);

/// `text` as a string of C.
std::string toString(llvm::StringRef text);

} // namespace mli::c

#endif // MLI_LIB_TARGET_C_TEXT_H
