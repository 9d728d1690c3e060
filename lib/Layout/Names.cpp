// SPDX-License-Identifier: Apache-2.0
//
// The names of kinds, modes and contents.

#include "mli/Layout/ElementMap.h"

namespace mli::layout {
namespace {

template <typename Enum>
struct Name {
  Enum value;
  std::string_view text;
};

constexpr Name<Kind> kinds[] = {{Kind::Continuous, "continuous"},
                                {Kind::Aligned, "aligned"},
                                {Kind::Compact, "compact"},
                                {Kind::Matrix, "matrix"},
                                {Kind::Strided, "strided"}};

constexpr Name<Mode> modes[] = {{Mode::None, "none"},
                                {Mode::FourN, "4N"},
                                {Mode::TwoN, "2N"},
                                {Mode::TwoIC, "2IC"}};

constexpr Name<Content> contents[] = {{Content::Element, "element"},
                                      {Content::Dummy, "dummy"},
                                      {Content::Padding, "padding"},
                                      {Content::EmptyBlock, "empty block"},
                                      {Content::Nothing, "nothing"}};

template <typename Enum, size_t N>
std::string_view getText(const Name<Enum> (&names)[N], Enum value) {
  for (const Name<Enum> &name : names)
    if (name.value == value)
      return name.text;
  return "unknown";
}

template <typename Enum, size_t N>
std::optional<Enum> findValue(const Name<Enum> (&names)[N],
                              std::string_view text) {
  for (const Name<Enum> &name : names)
    if (name.text == text)
      return name.value;
  return std::nullopt;
}

} // namespace

std::string_view toString(Kind kind) { return getText(kinds, kind); }
std::string_view toString(Mode mode) { return getText(modes, mode); }
std::string_view toString(Content content) {
  return getText(contents, content);
}

std::optional<Kind> parseKind(std::string_view text) {
  return findValue(kinds, text);
}
std::optional<Mode> parseMode(std::string_view text) {
  return findValue(modes, text);
}

} // namespace mli::layout
