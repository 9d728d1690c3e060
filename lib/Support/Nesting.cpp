// SPDX-License-Identifier: Apache-2.0

#include "mli/Support/Nesting.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

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
  /// nests what is before or after it.
  struct Level {
    char close;
    unsigned signs;
  };

  void step();
  void readPlain(StringRef plain);
  void skipString();
  void open(char close);
  void close(char bracket);
  void countSign();
  void endExpression();
  void readAlias();
  void endLine();
  void endAlias();
  void reach(unsigned reached);

  StringRef rest;
  SmallVector<Level> levels;
  /// Levels and their signs.
  unsigned depth = 0;
  /// The deepest `depth`, with what aliases held on top of it.
  unsigned deepest = 0;
  /// How deep each alias is, and the one that is being defined.
  StringMap<unsigned> aliases;
  StringRef defined;
  /// Whether its value may end here.
  bool hasValue = false;
};

} // namespace

static bool isLineEnd(char c) { return c == '\n' || c == '\r'; }

/// Whether a token begins with `c` that is no word, number or name of a value.
static bool isSign(char c) {
  switch (c) {
  case '"':
  case '#':
  case '!':
  case '/':
  case '-':
  case '<':
  case '>':
  case '=':
  case '(':
  case ')':
  case '[':
  case ']':
  case '{':
  case '}':
  case '+':
  case '*':
  case ',':
  case ':':
    return true;
  default:
    return isLineEnd(c);
  }
}

/// The number of characters that `text` begins with that are those of a name.
static size_t countIdentifier(StringRef text) {
  return text
      .take_while(
          [](char c) { return isAlnum(c) || StringRef("_$.-").contains(c); })
      .size();
}

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
  hasValue = true;
  // Most strings are the bytes of weights, which have no escapes.
  StringRef plain = rest.drop_front().split('"').first;
  if (!plain.contains('\\') && !plain.contains('\n')) {
    rest = rest.substr(plain.size() + 2);
    return;
  }
  size_t i = 1;
  while (i < rest.size() && rest[i] != '"' && rest[i] != '\n')
    i += rest[i] == '\\' ? 2 : 1;
  rest = rest.substr(i + 1);
}

/// Drops spaces, line breaks and comments from the front of `text`.
static StringRef skipGap(StringRef text) {
  while (true) {
    StringRef behind = text.ltrim(StringRef(" \t\r\n\0", 5));
    if (!behind.starts_with("//"))
      return behind;
    text = behind.drop_until(isLineEnd);
  }
}

/// An alias is as deep as its definition, at the place of its name.
void Scanner::readAlias() {
  StringRef name = rest.take_front(1 + countIdentifier(rest.drop_front()));
  rest = rest.drop_front(name.size());
  StringRef behind = skipGap(rest);
  if (levels.empty() && behind.starts_with("=") && !behind.starts_with("==")) {
    endAlias();
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

void Scanner::endAlias() {
  if (!defined.empty())
    aliases[defined] = deepest;
  defined = StringRef();
}

/// A value goes on in the next line with a bracket, an arrow or a type.
void Scanner::endLine() {
  if (defined.empty() || !hasValue || !levels.empty())
    return;
  rest = skipGap(rest);
  if (rest.empty() || !StringRef("([<-:").contains(rest.front()))
    endAlias();
}

/// Names of values and signs that are words are no names of anything else.
void Scanner::readPlain(StringRef plain) {
  hasValue = hasValue || !plain.trim().empty();
  while (!plain.empty()) {
    if (StringRef("%@^").contains(plain.front())) {
      plain = plain.drop_front(1 + countIdentifier(plain.drop_front()));
      continue;
    }
    if (!isAlpha(plain.front()) && plain.front() != '_') {
      plain = plain.drop_front();
      continue;
    }
    StringRef word = plain.take_front(countIdentifier(plain));
    plain = plain.drop_front(word.size());
    if (word == "mod" || word == "floordiv" || word == "ceildiv")
      countSign();
  }
}

/// Consumes the next token.
void Scanner::step() {
  StringRef plain = rest.take_until(isSign);
  if (!plain.empty()) {
    rest = rest.drop_front(plain.size());
    return readPlain(plain);
  }
  char c = rest.front();
  if (c == '"')
    return skipString();
  if (c == '#' || c == '!')
    return readAlias();
  if (rest.starts_with("//"))
    return void(rest = rest.drop_until(isLineEnd));
  for (StringRef word : {"->", "<=", ">=", "=="})
    if (rest.consume_front(word)) {
      hasValue = word != "->";
      return;
    }
  rest = rest.drop_front();
  if (isLineEnd(c))
    return endLine();
  hasValue = c != ':';
  constexpr StringLiteral opening = "([{<", closing = ")]}>";
  if (size_t kind = opening.find(c); kind != StringRef::npos)
    open(closing[kind]);
  else if (closing.contains(c))
    close(c);
  else if (StringRef("+-*").contains(c))
    countSign();
  else if (StringRef(",:=").contains(c))
    endExpression();
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
static Error reject(MemoryBufferRef text, const char *place) {
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
  SmallVector<StringRef> parts = {content};
  if (!separator.empty()) {
    parts.clear();
    content.split(parts, separator);
  }
  for (StringRef part : parts)
    if (const char *place = Scanner(part).findTooDeep())
      return reject(text, place);
  return Error::success();
}
