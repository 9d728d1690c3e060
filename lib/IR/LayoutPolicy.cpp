// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/LayoutPolicy.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/MLI.h"

using namespace mlir;
using namespace mli;

layout::PolicyOptions mli::findLayoutPolicy(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto policy = op->getAttrOfType<DictionaryAttr>(layoutPolicyAttrName)) {
      layout::PolicyOptions options;
      if (auto mode = policy.getAs<StringAttr>("mode"))
        options.mode =
            layout::parseMode(mode.getValue()).value_or(layout::Mode::None);
      options.usesMatrices = policy.contains("matrices");
      return options;
    }
  return {};
}

FailureOr<layout::Mode> mli::parseMapMode(Operation *op, StringRef text) {
  std::optional<layout::Mode> mode = layout::parseMode(text);
  // S13
  if (mode && *mode != layout::Mode::TwoIC)
    return *mode;
  return op->emitError("expected 'mode' to be none, 4N or 2N, but got '")
         << text << "'";
}
