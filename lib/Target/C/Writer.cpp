// SPDX-License-Identifier: Apache-2.0

#include "Text.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>

using namespace mlir;
using namespace mli;
using namespace mli::c;

void Writer::line(const Twine &text) {
  SmallString<128> storage;
  StringRef whole = text.toStringRef(storage);
  if (!whole.empty())
    this->text.append(depth, ' ');
  this->text += whole;
  this->text += '\n';
}

/// Where to break `text` so that at most `room` characters are before: in the
/// second half the last space behind a comma and outside of as many parentheses
/// as there is, else the last space, or the first one if all are behind. Spaces
/// in strings are none.
static size_t findBreak(StringRef text, size_t room) {
  size_t space = StringRef::npos, comma = StringRef::npos;
  int depth = 0, depthOfComma = INT_MAX;
  bool isInString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (isInString && text[i] == '\\') {
      ++i;
      continue;
    }
    if (text[i] == '"')
      isInString = !isInString;
    if (isInString)
      continue;
    if (text[i] == '(' || text[i] == '{')
      ++depth;
    if (text[i] == ')' || text[i] == '}')
      --depth;
    if (text[i] != ' ')
      continue;
    if (i > room && space != StringRef::npos)
      break;
    space = i;
    if (i > room)
      break;
    if (i > room / 2 && text[i - 1] == ',' && depth <= depthOfComma) {
      comma = i;
      depthOfComma = depth;
    }
  }
  return comma != StringRef::npos ? comma : space;
}

void Writer::statement(const Twine &text, StringRef continuation) {
  SmallString<128> storage;
  StringRef rest = text.toStringRef(storage);
  size_t start = depth;
  while (start + rest.size() > columns) {
    size_t at = findBreak(rest, columns - start - continuation.size());
    if (at == StringRef::npos)
      break;
    this->text.append(start, ' ');
    this->text += rest.take_front(at);
    this->text += continuation;
    this->text += '\n';
    rest = rest.drop_front(at + 1);
    start = depth + 4;
  }
  this->text.append(start, ' ');
  this->text += rest;
  this->text += '\n';
}

void Writer::conditional(const Twine &condition, const Twine &statement) {
  this->statement("if (" + condition + ") {");
  indent();
  this->statement(statement);
  outdent();
  line("}");
}

/// `text` with spaces in words that no line has room for.
static std::string breakWords(StringRef text) {
  std::string result;
  size_t length = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    length = text[i] == ' ' ? 0 : length + 1;
    result += text[i];
    bool mayBreak = text[i] == ';' || (length > 30 && text[i] == '/');
    if (!mayBreak && length < 60)
      continue;
    if (i + 1 < text.size() && text[i + 1] != ' ')
      result += ' ';
    length = 0;
  }
  return result;
}

void Writer::comment(const Twine &text) {
  std::string whole = "/* " + breakWords(toComment(text.str())) + " */";
  StringRef rest = whole;
  bool isFirst = true;
  while (!rest.empty()) {
    size_t start = depth + (isFirst ? 0 : 3);
    size_t at = rest.size();
    if (start + at > columns)
      at = findBreak(rest, columns - start);
    at = std::min(at, rest.size());
    this->text.append(depth, ' ');
    this->text += isFirst ? "" : " * ";
    this->text += rest.take_front(at);
    this->text += '\n';
    rest = rest.drop_front(std::min(at + 1, rest.size()));
    isFirst = false;
  }
}

template <typename Range>
void Writer::addValues(const Range &range) {
  size_t column = 0;
  std::array<char, 24> digits;
  for (int64_t value : range) {
    auto [end, error] =
        std::to_chars(digits.data(), digits.data() + digits.size(), value);
    StringRef number(digits.data(), end - digits.data());
    // No literal is the least value of 32 bits.
    if (value == INT32_MIN)
      number = "-2147483647 - 1";
    if (column > 0 && column + number.size() + 2 > columns) {
      text += '\n';
      column = 0;
    }
    if (column > 0)
      text += ' ';
    else
      text.append(depth + 2, ' ');
    column = column == 0 ? depth + 2 : column + 1;
    text += number;
    text += ',';
    column += number.size() + 1;
  }
  text += '\n';
}

void Writer::values(ArrayRef<int64_t> numbers) { addValues(numbers); }

template <typename T>
static ArrayRef<T> getElements(ArrayRef<char> bytes) {
  return {reinterpret_cast<const T *>(bytes.data()), bytes.size() / sizeof(T)};
}

/// The elements as numbers.
template <typename T>
static auto getNumbers(ArrayRef<char> bytes) {
  return llvm::map_range(getElements<T>(bytes),
                         [](T element) { return int64_t{element}; });
}

void Writer::values(ElementsAttr elements) {
  unsigned width = elements.getElementType().getIntOrFloatBitWidth();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    ArrayRef<char> bytes = resource.getData();
    if (width == 8)
      return addValues(getNumbers<int8_t>(bytes));
    if (width == 16)
      return addValues(getNumbers<int16_t>(bytes));
    return addValues(getNumbers<int32_t>(bytes));
  }
  auto dense = cast<DenseIntElementsAttr>(elements);
  addValues(llvm::map_range(dense.getValues<APInt>(), [](const APInt &value) {
    return value.getSExtValue();
  }));
}

std::string c::toLiteral(int64_t value) {
  return value == INT32_MIN ? "(-2147483647 - 1)" : std::to_string(value);
}

std::string c::timesFactor(int64_t factor) {
  return factor == 1 ? std::string() : " * " + std::to_string(factor);
}

std::string c::toComment(StringRef text) {
  std::string result;
  for (char c : text) {
    // A comment neither ends nor begins inside of another one.
    if (!result.empty() && ((result.back() == '*' && c == '/') ||
                            (result.back() == '/' && c == '*')))
      result += ' ';
    // A quote would begin a string for the breaks of lines.
    bool isPlain = llvm::isPrint(c) && c != '"' && c != '?' && c != '\\';
    result += isPlain ? c : c == '"' ? '\'' : '.';
  }
  return result;
}

std::string c::toString(StringRef text) {
  std::string result = "\"";
  size_t start = 0;
  for (char c : text) {
    // A line has room for a part.
    if (result.size() - start > 60) {
      result += "\" \"";
      start = result.size();
    }
    if (c == '"' || c == '\\')
      result += '\\';
    // No trigraphs.
    if (c == '?' && result.back() == '?')
      result += '\\';
    result += llvm::isPrint(c) ? c : '?';
  }
  return result + "\"";
}
