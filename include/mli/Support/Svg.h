// SPDX-License-Identifier: Apache-2.0
//
// Writes pictures as SVG. Knows neither LLVM nor MLIR: every library that draws
// uses it.

#ifndef MLI_SUPPORT_SVG_H
#define MLI_SUPPORT_SVG_H

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace mli {

/// Appends elements to a text. Values of attributes and texts are escaped;
/// characters that no XML may have become `?`.
class SvgWriter {
public:
  struct Attribute {
    Attribute(std::string_view name, int64_t value)
        : name(name), value(std::to_string(value)) {}
    Attribute(std::string_view name, std::string_view value)
        : name(name), value(value) {}

    std::string_view name;
    std::string value;
  };
  using Attributes = std::initializer_list<Attribute>;

  /// `<tag name="value">`
  void open(std::string_view tag, Attributes attributes) {
    begin(tag, attributes);
    svg += '>';
  }
  /// `</tag>`
  void close(std::string_view tag) { svg.append("</").append(tag).append(">"); }
  /// `<tag name="value"/>`
  void add(std::string_view tag, Attributes attributes) {
    begin(tag, attributes);
    svg += "/>";
  }
  /// `<tag name="value">text</tag>`
  void add(std::string_view tag, Attributes attributes, std::string_view text) {
    open(tag, attributes);
    escape(text);
    close(tag);
  }
  /// `other`, SVG or white space, as it is.
  void append(std::string_view other) { svg += other; }

  const std::string &str() const { return svg; }

private:
  void begin(std::string_view tag, Attributes attributes) {
    svg.append("<").append(tag);
    for (const Attribute &attribute : attributes) {
      svg.append(" ").append(attribute.name).append("=\"");
      escape(attribute.value);
      svg += '"';
    }
  }

  void escape(std::string_view text) {
    for (; !text.empty(); text.remove_prefix(1)) {
      char c = text.front();
      std::string_view three = text.substr(0, 3);
      if (three == "\xef\xbf\xbe" || three == "\xef\xbf\xbf") {
        svg += '?';
        text.remove_prefix(2);
      } else if (c == '<')
        svg += "&lt;";
      else if (c == '&')
        svg += "&amp;";
      else if (c == '"')
        svg += "&quot;";
      else if (c >= 0 && c < ' ' && c != '\n' && c != '\t')
        svg += '?';
      else
        svg += c;
    }
  }

  std::string svg;
};

} // namespace mli

#endif // MLI_SUPPORT_SVG_H
