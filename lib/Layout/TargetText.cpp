// SPDX-License-Identifier: Apache-2.0
//
// The text of targets. Separate from their rules, which take no C++ runtime.

#include "mli/Layout/Target.h"

#include <charconv>

namespace mli::layout {
namespace {

struct Preset {
  std::string_view name;
  Target target;
};

// L36
constexpr Preset presets[] = {
    {"bm1684", {64, 524288, 8, 128, 4}}, {"bm1684x", {64, 262144, 16, 64, 4}},
    {"bm1688", {32, 131072, 16, 16, 4}}, {"bm1690", {64, 262144, 16, 64, 4}},
    {"vpx", {1, 262144, 1, 16, 16}},
};

/// Zero where a custom target has to specify the field.
constexpr Target customTarget = {1, 0, 1, 128, 4};

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::optional<Target> findTarget(std::string_view name) {
  if (name == "custom")
    return customTarget;
  for (const Preset &preset : presets)
    if (preset.name == name)
      return preset.target;
  return std::nullopt;
}

/// Reads `name=number` into `target`; the reason if it cannot.
std::string parseOverride(std::string_view text, Target &target) {
  size_t equals = text.find('=');
  std::string_view name = text.substr(0, equals);
  for (const Target::Field &field : Target::fields) {
    if (field.name != name)
      continue;
    std::string_view number =
        equals == std::string_view::npos ? "" : text.substr(equals + 1);
    auto [last, code] =
        std::from_chars(number.begin(), number.end(), target.*field.member);
    if (code == std::errc() && last == number.end() && !number.empty())
      return "";
    return "expected " + quoted(name) + " to be a number, but got " +
           quoted(number);
  }
  std::string known;
  for (const Target::Field &field : Target::fields)
    known += (known.empty() ? "" : ", ") + std::string(field.name);
  return "expected 'target' to override one of " + known + ", but got " +
         quoted(name);
}

} // namespace

std::optional<Target> parseTarget(std::string_view text, std::string &error) {
  size_t comma = text.find(',');
  std::string_view name = text.substr(0, comma);
  std::optional<Target> target = findTarget(name);
  if (!target) {
    error = "expected 'target' to be one of ";
    for (std::string_view preset : presetNames())
      error += std::string(preset) + ", ";
    error += "custom, but got " + quoted(name);
    return std::nullopt;
  }
  while (comma != std::string_view::npos) {
    text.remove_prefix(comma + 1);
    comma = text.find(',');
    error = parseOverride(text.substr(0, comma), *target);
    if (!error.empty())
      return std::nullopt;
  }
  std::optional<Violation> violation = verify(*target);
  if (!violation)
    return target;
  error = toString(*violation);
  return std::nullopt;
}

std::string toString(const Target &target) {
  for (const Preset &preset : presets)
    if (preset.target == target)
      return std::string(preset.name);
  return toCustomText(target);
}

std::string toCustomText(const Target &target) {
  std::string text = "custom";
  for (const Target::Field &field : Target::fields)
    text += "," + std::string(field.name) + "=" +
            std::to_string(target.*field.member);
  return text;
}

std::vector<std::string_view> presetNames() {
  std::vector<std::string_view> names;
  for (const Preset &preset : presets)
    names.push_back(preset.name);
  return names;
}

} // namespace mli::layout
