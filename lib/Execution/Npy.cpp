// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Npy.h"

#include <algorithm>
#include <cctype>
#include <limits>

using namespace mli;

static constexpr std::string_view magic = "\x93NUMPY";

/// The types there are, as `descr` spells them after the byte order.
static constexpr std::pair<std::string_view, HostElement> elementCodes[] = {
    {"i1", HostElement::I8},  {"u1", HostElement::U8},
    {"i2", HostElement::I16}, {"i4", HostElement::I32},
    {"f4", HostElement::F32},
};

//===----------------------------------------------------------------------===//
// The header: a Python dictionary of three known keys
//===----------------------------------------------------------------------===//

namespace {
class HeaderParser {
public:
  HeaderParser(std::string_view text, std::string &error)
      : text(text), error(error) {}

  /// Sets both arguments, or reports what is wrong with the header.
  bool parse(HostTensor &tensor, bool &isBigEndian);

private:
  bool parseEntry(HostTensor &tensor, bool &isBigEndian);
  bool parseDescr(HostTensor &tensor, bool &isBigEndian);
  bool parseFortranOrder();
  bool parseShape(std::vector<int64_t> &shape);
  bool parseExtent(std::vector<int64_t> &shape);
  bool parseString(std::string_view &value);

  void skipSpaces() {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text[0])))
      text.remove_prefix(1);
  }
  bool consume(std::string_view token) {
    skipSpaces();
    if (text.substr(0, token.size()) != token)
      return false;
    text.remove_prefix(token.size());
    return true;
  }
  bool fail(const std::string &what) {
    if (error.empty())
      error = "expected " + what;
    return false;
  }
  /// Fails with the text that stands where `what` should be.
  bool failHere(const std::string &what) {
    skipSpaces();
    if (text.empty())
      return fail(what + ", but got the end of the header");
    std::string found(text.substr(0, 12));
    for (char &c : found)
      if (!std::isprint(static_cast<unsigned char>(c)))
        c = '?';
    return fail(what + ", but got '" + found + "'");
  }

  std::string_view text;
  std::string &error;
  bool hasDescr = false, hasOrder = false, hasShape = false;
};
} // namespace

bool HeaderParser::parse(HostTensor &tensor, bool &isBigEndian) {
  if (!consume("{"))
    return failHere("the header to start with '{'");
  while (!consume("}")) {
    if (!parseEntry(tensor, isBigEndian))
      return false;
    if (consume(","))
      continue;
    if (!consume("}"))
      return failHere("',' or '}' in the header");
    break;
  }
  skipSpaces();
  if (!text.empty())
    return failHere("nothing after the header's '}'");
  if (!hasDescr || !hasOrder || !hasShape)
    return fail(std::string("the header to have '") +
                (!hasDescr   ? "descr"
                 : !hasOrder ? "fortran_order"
                             : "shape") +
                "', but got none");
  return true;
}

bool HeaderParser::parseEntry(HostTensor &tensor, bool &isBigEndian) {
  std::string_view key;
  if (!parseString(key))
    return false;
  if (!consume(":"))
    return failHere("':' after a key of the header");
  struct Entry {
    std::string_view key;
    bool *isSeen;
  };
  for (Entry entry :
       {Entry{"descr", &hasDescr}, Entry{"fortran_order", &hasOrder},
        Entry{"shape", &hasShape}}) {
    if (key != entry.key)
      continue;
    if (*entry.isSeen)
      return fail("the header to have '" + std::string(key) +
                  "' once, but got it twice");
    *entry.isSeen = true;
  }
  if (key == "descr")
    return parseDescr(tensor, isBigEndian);
  if (key == "fortran_order")
    return parseFortranOrder();
  if (key == "shape")
    return parseShape(tensor.shape);
  return fail("the keys of the header to be 'descr', 'fortran_order' and "
              "'shape', but got another one");
}

bool HeaderParser::parseString(std::string_view &value) {
  skipSpaces();
  if (text.empty() || (text[0] != '\'' && text[0] != '"'))
    return failHere("a string in the header");
  size_t end = text.find(text[0], 1);
  if (end == std::string_view::npos)
    return failHere("a string that ends");
  value = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  return true;
}

bool HeaderParser::parseDescr(HostTensor &tensor, bool &isBigEndian) {
  const std::string what = "'descr' to be i1, u1, i2, i4 or f4";
  skipSpaces();
  if (!text.empty() && text[0] == '[')
    return fail(what + ", but got a structure");
  std::string_view descr;
  if (!parseString(descr))
    return false;
  for (auto [code, element] : elementCodes) {
    if (descr.empty() || descr.substr(1) != code)
      continue;
    tensor.element = element;
    isBigEndian = descr[0] == '>';
    bool hasOrder = descr[0] == '<' || descr[0] == '>' || descr[0] == '=';
    if (hasOrder || (descr[0] == '|' && getElementBytes(element) == 1))
      return true;
  }
  bool isPrintable = std::all_of(descr.begin(), descr.end(), [](char c) {
    return std::isprint(static_cast<unsigned char>(c));
  });
  return fail(what + ", but got " +
              (isPrintable && descr.size() <= 32
                   ? "'" + std::string(descr) + "'"
                   : std::to_string(descr.size()) + " other characters"));
}

bool HeaderParser::parseFortranOrder() {
  if (consume("False"))
    return true;
  if (consume("True"))
    return fail("elements in C order, but got Fortran order");
  return failHere("'fortran_order' to be False");
}

bool HeaderParser::parseShape(std::vector<int64_t> &shape) {
  if (!consume("("))
    return failHere("'shape' to start with '('");
  while (!consume(")")) {
    if (!parseExtent(shape))
      return false;
    if (consume(","))
      continue;
    if (!consume(")"))
      return failHere("',' or ')' in 'shape'");
    if (shape.size() == 1)
      return fail("',' in a 'shape' of one extent, but got none");
    break;
  }
  return true;
}

bool HeaderParser::parseExtent(std::vector<int64_t> &shape) {
  skipSpaces();
  size_t digits = 0;
  while (digits < text.size() &&
         std::isdigit(static_cast<unsigned char>(text[digits])))
    ++digits;
  if (digits == 0)
    return failHere("an extent in 'shape'");
  if (digits > 18) // 10^18 is the largest power of ten in an int64.
    return fail("an extent in 'shape' to have at most 18 digits, but got " +
                std::to_string(digits));
  shape.push_back(std::stoll(std::string(text.substr(0, digits))));
  text.remove_prefix(digits);
  return true;
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// Cuts the header off the front of `bytes`: magic, version, length, text.
static bool takeHeader(std::string_view &bytes, std::string_view &header,
                       std::string &error) {
  if (bytes.substr(0, magic.size()) != magic) {
    error = "expected a .npy file, but got other content";
    return false;
  }
  bytes.remove_prefix(magic.size());
  auto byte = [&](size_t i) {
    return static_cast<size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const size_t size = bytes.size();
  const size_t major = size < 2 ? 0 : byte(0), minor = size < 2 ? 0 : byte(1);
  if (size >= 2 && (major < 1 || major > 3 || minor != 0)) {
    error = "expected .npy version 1.0, 2.0 or 3.0, but got " +
            std::to_string(major) + "." + std::to_string(minor);
    return false;
  }
  // Version and length: the length has 2 bytes in 1.0 and 4 later.
  const size_t start = major == 1 ? 4 : 6;
  if (size < start) {
    error = "expected a whole .npy header, but the file ends in it";
    return false;
  }
  size_t length = 0;
  for (size_t i = start; i-- > 2;)
    length = length << 8 | byte(i);
  if (size - start < length) {
    error = "expected a .npy header of " + std::to_string(length) +
            " bytes, but got " + std::to_string(size - start);
    return false;
  }
  header = bytes.substr(start, length);
  bytes.remove_prefix(start + length);
  return true;
}

/// Bytes of all elements; nothing where that is beyond any file.
static std::optional<size_t> dataBytes(const HostTensor &tensor) {
  size_t bytes = getElementBytes(tensor.element);
  bool isEmpty = false, isHuge = false;
  for (int64_t extent : tensor.shape) {
    isEmpty |= extent == 0;
    isHuge |= extent != 0 && bytes > std::numeric_limits<int64_t>::max() /
                                         static_cast<size_t>(extent);
    if (!isHuge && extent != 0)
      bytes *= static_cast<size_t>(extent);
  }
  if (isEmpty)
    return 0;
  return isHuge ? std::nullopt : std::optional(bytes);
}

std::optional<HostTensor> mli::parseNpy(std::string_view bytes,
                                        std::string &error) {
  error.clear();
  std::string_view header;
  if (!takeHeader(bytes, header, error))
    return std::nullopt;
  HostTensor tensor;
  bool isBigEndian = false;
  if (!HeaderParser(header, error).parse(tensor, isBigEndian))
    return std::nullopt;
  std::optional<size_t> size = dataBytes(tensor);
  if (!size || *size != bytes.size()) {
    error = "expected " + (size ? std::to_string(*size) : "more than 2^63") +
            " bytes of data for shape " + formatShape(tensor.shape) + " of " +
            getElementName(tensor.element) + ", but got " +
            std::to_string(bytes.size());
    return std::nullopt;
  }
  tensor.data.assign(bytes.begin(), bytes.end());
  size_t width = getElementBytes(tensor.element);
  if (isBigEndian)
    for (auto it = tensor.data.begin(); it != tensor.data.end(); it += width)
      std::reverse(it, it + width);
  return tensor;
}

std::string mli::formatNpy(const HostTensor &tensor) {
  std::string_view code;
  for (auto [spelling, element] : elementCodes)
    if (element == tensor.element)
      code = spelling;
  std::string header = "{'descr': '";
  header += getElementBytes(tensor.element) == 1 ? '|' : '<';
  header += std::string(code) + "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    header += (i ? " " : "") + std::to_string(tensor.shape[i]) +
              (i == 0 || i + 1 < tensor.shape.size() ? "," : "");
  header += "), }";
  // Data starts at a multiple of 64; the length's two bytes limit the rank.
  const size_t prefix = magic.size() + 4;
  header.resize((prefix + header.size() + 1 + 63) / 64 * 64 - prefix - 1, ' ');
  header += '\n';
  std::string file(magic);
  file += {1, 0, static_cast<char>(header.size() & 0xff),
           static_cast<char>(header.size() >> 8)};
  return file + header + std::string(tensor.data.begin(), tensor.data.end());
}
