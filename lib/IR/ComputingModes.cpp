// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/ComputingModes.h"

#include "mli/IR/AttributeNames.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// The runtime
//===----------------------------------------------------------------------===//

mli_rounding_mode ComputingModes::getRuntimeRounding() const {
  return isConvergent() ? MLI_ROUND_CONVERGENT : MLI_ROUND_UP;
}

mli_accumulation_mode ComputingModes::getRuntimeAccumulation() const {
  switch (accumulation) {
  case AccumulationMode::FullProducts:
    return MLI_ACCUMULATE_FULL_PRODUCTS;
  case AccumulationMode::FullAverages:
    return MLI_ACCUMULATE_FULL_AVERAGES;
  case AccumulationMode::Full:
    return MLI_ACCUMULATE_FULL;
  case AccumulationMode::Unset:
  case AccumulationMode::Narrow:
    break;
  }
  return MLI_ACCUMULATE_NARROW;
}

/// The owner of the modes of the compiler's runtime.
static std::mutex &getMutex() {
  static std::mutex mutex;
  return mutex;
}

ComputingScope::ComputingScope(Operation *op)
    : lock(getMutex()), rounding(mli_get_rounding_mode()),
      accumulation(mli_get_accumulation_mode()) {
  ComputingModes modes = findComputingModes(op);
  mli_set_rounding_mode(modes.getRuntimeRounding());
  mli_set_accumulation_mode(modes.getRuntimeAccumulation());
}

ComputingScope::~ComputingScope() {
  mli_set_rounding_mode(rounding);
  mli_set_accumulation_mode(accumulation);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static RoundingMode parseRounding(StringRef text) {
  return llvm::StringSwitch<RoundingMode>(text)
      .Case("up", RoundingMode::Up)
      .Case("convergent", RoundingMode::Convergent)
      .Default(RoundingMode::Unset);
}

static AccumulationMode parseAccumulation(StringRef text) {
  return llvm::StringSwitch<AccumulationMode>(text)
      .Case("narrow", AccumulationMode::Narrow)
      .Case("full-products", AccumulationMode::FullProducts)
      .Case("full-averages", AccumulationMode::FullAverages)
      .Case("full", AccumulationMode::Full)
      .Default(AccumulationMode::Unset);
}

static StringRef getText(RoundingMode mode) {
  return mode == RoundingMode::Convergent ? "convergent" : "up";
}

static StringRef getText(AccumulationMode mode) {
  switch (mode) {
  case AccumulationMode::FullProducts:
    return "full-products";
  case AccumulationMode::FullAverages:
    return "full-averages";
  case AccumulationMode::Full:
    return "full";
  case AccumulationMode::Unset:
  case AccumulationMode::Narrow:
    break;
  }
  return "narrow";
}

/// The string `name` of the closest operation around `op` that has it.
static StringRef findText(Operation *op, StringRef name) {
  for (; op; op = op->getParentOp())
    if (auto text = op->getAttrOfType<StringAttr>(name))
      return text;
  return {};
}

ComputingModes mli::findComputingModes(Operation *op) {
  ComputingModes modes;
  modes.rounding = parseRounding(findText(op, roundingAttrName));
  if (modes.rounding == RoundingMode::Unset)
    modes.rounding = RoundingMode::Up;
  modes.accumulation = parseAccumulation(findText(op, accumulationAttrName));
  if (modes.accumulation == AccumulationMode::Unset)
    modes.accumulation = AccumulationMode::Narrow;
  return modes;
}

void mli::setComputingModes(Operation *module, const ComputingModes &modes) {
  Builder builder(module->getContext());
  if (modes.rounding != RoundingMode::Unset)
    module->setAttr(roundingAttrName,
                    builder.getStringAttr(getText(modes.rounding)));
  if (modes.accumulation != AccumulationMode::Unset)
    module->setAttr(accumulationAttrName,
                    builder.getStringAttr(getText(modes.accumulation)));
}

LogicalResult mli::verifyComputingMode(Operation *op,
                                       NamedAttribute attribute) {
  bool isRounding = attribute.getName() == roundingAttrName;
  if (!isRounding && attribute.getName() != accumulationAttrName)
    return success();
  // S15
  if (!isa<ModuleOp>(op))
    return op->emitError("expected '")
           << attribute.getName().getValue() << "' to be on a module, but got "
           << op->getName();
  auto text = dyn_cast<StringAttr>(attribute.getValue());
  bool isKnown =
      text && (isRounding ? parseRounding(text) != RoundingMode::Unset
                          : parseAccumulation(text) != AccumulationMode::Unset);
  // S15
  if (!isKnown)
    return op->emitError("expected '")
           << attribute.getName().getValue() << "' to be "
           << (isRounding ? "up or convergent"
                          : "narrow, full-products, full-averages or full")
           << ", but got " << attribute.getValue();
  return success();
}
