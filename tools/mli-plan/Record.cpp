// SPDX-License-Identifier: Apache-2.0

#include "Record.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mli::plan_tool {

/// The length of the first field of `text`, which ends before a comma or a
/// line break outside of quotes.
static size_t lengthOfField(StringRef text) {
  size_t at = text.find_first_not_of(" \t");
  if (at != StringRef::npos && text[at] == '"')
    for (at = text.find('"', at + 1);
         at != StringRef::npos && text.substr(at).starts_with("\"\"");)
      at = text.find('"', at + 2);
  else
    at = 0;
  return std::min(text.find_first_of(",\n", at), text.size());
}

StringRef takeField(StringRef &record, bool &isLast) {
  size_t length = lengthOfField(record);
  StringRef field = record.take_front(length);
  isLast = length == record.size();
  record = record.drop_front(isLast ? length : length + 1);
  return field;
}

StringRef takeRecord(StringRef &text) {
  size_t end = lengthOfField(text);
  while (end < text.size() && text[end] == ',')
    end += 1 + lengthOfField(text.drop_front(end + 1));
  StringRef record = text.take_front(end);
  text = text.drop_front(std::min(end + 1, text.size()));
  return record.rtrim('\r');
}

std::optional<StringRef> getValue(StringRef field, StringSaver &saver) {
  field = field.trim();
  if (!field.consume_front("\""))
    return field;
  if (!field.consume_back("\""))
    return std::nullopt;
  if (!field.contains('"'))
    return field;
  std::string value;
  while (!field.empty()) {
    value += field.front();
    if (field.consume_front("\"") && !field.starts_with("\""))
      return std::nullopt;
    field = field.drop_front();
  }
  return saver.save(value);
}

std::string shown(StringRef field) {
  constexpr size_t most = 60;
  std::string result;
  raw_string_ostream os(result);
  StringRef front = field.take_front(most);
  // No character is cut in two.
  while (front.size() < field.size() && (field[front.size()] & 0xC0) == 0x80)
    front = front.drop_back();
  if (!json::isUTF8(front))
    printEscapedString(front, os);
  else
    for (char c : front)
      if (isPrint(c) || (c & 0x80))
        os << c;
      else
        os << '\\' << hexdigit(c >> 4) << hexdigit(c & 15);
  if (front.size() < field.size())
    os << "...";
  return result;
}

} // namespace mli::plan_tool
