// SPDX-License-Identifier: Apache-2.0
//
// Explains choices of the policy in reports.

#include "mli/Layout/Policy.h"

namespace mli::layout {
namespace {

std::string getName(const LayoutChoice &choice) {
  std::string name(toString(choice.kind));
  if (choice.mode != Mode::None)
    name += " " + std::string(toString(choice.mode));
  if (choice.columns != 0)
    name += " of " + std::to_string(choice.columns) + " columns per channel";
  return name;
}

} // namespace

std::string_view toString(OperandUsage role) {
  switch (role) {
  case OperandUsage::Map:
    return "feature map";
  case OperandUsage::Channels:
    return "values of channels";
  case OperandUsage::Filters:
    return "filters";
  case OperandUsage::Product:
    return "weights of a product";
  case OperandUsage::Row:
    return "row of a product";
  }
  return "unknown";
}

std::string explainChoice(const LocalTensorDesc &use, const Target &target,
                          const PolicyOptions &options) {
  auto getBytes = [&](const LayoutChoice &choice) {
    return std::to_string(bytesPerNpu(arrange(use, choice, target)));
  };
  LayoutChoice choice = chooseLayout(use, target, options);
  std::string text =
      getName(choice) + ": " + getBytes(choice) + " bytes per NPU";
  for (const LayoutChoice &other : getCandidates(use, target, options))
    if (other != choice)
      text += ", " + getBytes(other) + " if " + getName(other);
  return text;
}

} // namespace mli::layout
