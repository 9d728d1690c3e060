// SPDX-License-Identifier: Apache-2.0

#include "mli/Support/Nesting.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace mli;

namespace {

/// Goes through a text and counts what is open.
class Scanner {
public:
  explicit Scanner(StringRef text) : rest(text) {}

  /// Where it is too deep; null if it is nowhere.
  const char *findTooDeep();

private:
  /// An open bracket, and the signs of the expression in it so far: each one
  /// nests what is before or behind it.
  struct Level {
    char close;
    unsigned signs;
  };

  void step();
  void skipString();
  void open(char close);
  void close(char bracket);
  void countSign();
  void endExpression();
  void readAlias();
  void endLine();
  void reach(unsigned reached);

  StringRef rest;
  SmallVector<Level> levels;
  /// Levels and their signs.
  unsigned depth = 0;
  /// Of what `depth` was, and of what aliases held on top of it.
  unsigned deepest = 0;
  /// How deep each alias is, and the one that is being defined.
  StringMap<unsigned> aliases;
  StringRef defined;
  bool hasValue = false;
};

} // namespace

void Scanner::reach(unsigned reached) { deepest = std::max(deepest, reached); }

void Scanner::open(char close) {
  levels.push_back({close, 0});
  reach(++depth);
}

/// Those of comparisons have no partner.
void Scanner::close(char bracket) {
  size_t count = levels.size();
  if (bracket != '>')
    while (count > 0 && levels[count - 1].close == '>')
      --count;
  if (count == 0 || levels[count - 1].close != bracket)
    return;
  for (; levels.size() >= count; levels.pop_back())
    depth -= 1 + levels.back().signs;
}

/// Blocks of operations, in braces, hold no expressions.
void Scanner::countSign() {
  if (levels.empty() || levels.back().close == '}')
    return;
  ++levels.back().signs;
  reach(++depth);
}

void Scanner::endExpression() {
  if (levels.empty())
    return;
  depth -= levels.back().signs;
  levels.back().signs = 0;
}

void Scanner::skipString() {
  size_t i = 1;
  while (i < rest.size() && rest[i] != '"' && rest[i] != '\n')
    i += rest[i] == '\\' ? 2 : 1;
  rest = rest.substr(i + 1);
}

/// What is used is as deep as it is, at the place of its name.
void Scanner::readAlias() {
  size_t size = 1;
  while (size < rest.size() &&
         (isAlnum(rest[size]) || StringRef("_$.").contains(rest[size])))
    ++size;
  StringRef name = rest.take_front(size);
  rest = rest.drop_front(size);
  StringRef behind = rest.ltrim(" \t");
  if (levels.empty() && behind.starts_with("=") && !behind.starts_with("==")) {
    defined = name;
    hasValue = false;
    deepest = 0;
    rest = behind.drop_front();
    return;
  }
  hasValue = true;
  auto alias = aliases.find(name);
  if (alias != aliases.end())
    reach(depth + alias->second);
}

void Scanner::endLine() {
  if (!levels.empty() || defined.empty() || !hasValue)
    return;
  aliases[defined] = deepest;
  defined = StringRef();
}

/// Goes behind what means nothing, or one thing that does.
void Scanner::step() {
  StringRef plain = rest.take_until(
      [](char c) { return StringRef("\"#!/-<>=()[]{}+*,:\n").contains(c); });
  if (!plain.empty()) {
    hasValue |= !plain.trim().empty();
    rest = rest.drop_front(plain.size());
    return;
  }
  char c = rest.front();
  if (c == '"')
    return skipString();
  if (c == '#' || c == '!')
    return readAlias();
  if (rest.starts_with("//"))
    return void(rest = rest.drop_until([](char c) { return c == '\n'; }));
  hasValue |= c != '\n';
  for (StringRef word : {"->", "<=", ">=", "=="})
    if (rest.consume_front(word))
      return;
  rest = rest.drop_front();
  constexpr StringLiteral opening = "([{<", closing = ")]}>";
  if (size_t kind = opening.find(c); kind != StringRef::npos)
    open(closing[kind]);
  else if (closing.contains(c))
    close(c);
  else if (StringRef("+-*").contains(c))
    countSign();
  else if (StringRef(",:=").contains(c))
    endExpression();
  else if (c == '\n')
    endLine();
}

const char *Scanner::findTooDeep() {
  while (!rest.empty()) {
    step();
    if (deepest > maxNesting)
      return rest.data();
  }
  return nullptr;
}

/// Reports that `place` in `text` is too deep.
static Error refuse(MemoryBufferRef text, const char *place) {
  StringRef before(text.getBufferStart(), place - text.getBufferStart());
  size_t line = before.count('\n') + 1;
  size_t column = before.size() - (before.rfind('\n') + 1);
  return createStringError(text.getBufferIdentifier() + ":" + Twine(line) +
                           ":" + Twine(column) + ": expected at most " +
                           Twine(maxNesting) +
                           " levels of nesting, but got more");
}

Error mli::checkNesting(MemoryBufferRef text, StringRef separator) {
  StringRef content = text.getBuffer();
  if (content.contains('\0'))
    return Error::success();
  SmallVector<StringRef> parts = {content};
  if (!separator.empty()) {
    parts.clear();
    content.split(parts, separator);
  }
  for (StringRef part : parts)
    if (const char *place = Scanner(part).findTooDeep())
      return refuse(text, place);
  return Error::success();
}

Error mli::checkNestingOfFiles(ArrayRef<const char *> arguments) {
  for (StringRef argument : arguments) {
    if (argument.starts_with("-") || !sys::fs::is_regular_file(argument))
      continue;
    // What cannot be read is for the program to report.
    auto buffer = MemoryBuffer::getFile(argument);
    if (!buffer)
      continue;
    if (Error error = checkNesting(**buffer))
      return error;
  }
  return Error::success();
}
