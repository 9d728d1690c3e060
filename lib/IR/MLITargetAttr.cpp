// SPDX-License-Identifier: Apache-2.0
//
// Memory spaces and the target, and their queries.

#include "mli/IR/AttributeNames.h"
#include "mli/IR/ComputingModes.h"
#include "mli/IR/LayoutPolicy.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/PackedAttr.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// TargetAttr
//===----------------------------------------------------------------------===//

TargetAttr TargetAttr::fromText(MLIRContext *context, StringRef text,
                                std::string &error) {
  std::optional<layout::Target> target = layout::parseTarget(text, error);
  if (!target)
    return {};
  StringRef name = text.split(',').first;
  std::optional<layout::Target> preset = layout::parseTarget(name, error);
  bool isPreset = preset && *preset == *target;
  return get(context, isPreset ? name : StringRef(), *target);
}

/// The text of the Layout library, which spells fields as options do, as IR
/// spells it: `npu-bytes` is `npu_bytes`.
static std::string inAttribute(std::string text) {
  for (size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i] == '-' && llvm::isAlpha(text[i + 1]))
      text[i] = '_';
  return text;
}

Attribute TargetAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseLess() || parser.parseKeyword(&name))
    return {};
  std::string text = name.str();
  while (succeeded(parser.parseOptionalComma())) {
    int64_t value;
    if (parser.parseKeyword(&name) || parser.parseEqual() ||
        parser.parseInteger(value))
      return {};
    std::string field = name.str();
    llvm::replace(field, '_', '-');
    text += "," + field + "=" + std::to_string(value);
  }
  std::string error;
  TargetAttr target = fromText(parser.getContext(), text, error);
  if (!target) {
    parser.emitError(loc, inAttribute(error));
    return {};
  }
  return parser.parseGreater() ? Attribute() : target;
}

void TargetAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer << (getPreset().empty() ? "custom" : getPreset());
  if (getPreset().empty())
    for (const layout::Target::Field &field : layout::Target::fields)
      printer << ", " << inAttribute(field.name) << " = "
              << getValue().*field.member;
  printer << ">";
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef preset, layout::Target value) {
  // S2
  if (std::optional<layout::Violation> problem = layout::verify(value))
    return emitError() << inAttribute(layout::toString(*problem));
  if (preset.empty())
    return success();
  std::string error;
  std::optional<layout::Target> numbers = layout::parseTarget(preset, error);
  // S1
  if (!numbers)
    return emitError() << error;
  if (*numbers != value)
    return emitError() << "expected 'preset' to have the numbers of "
                       << layout::toString(value) << ", but got " << preset;
  return success();
}

//===----------------------------------------------------------------------===//
// mli.target
//===----------------------------------------------------------------------===//

static LogicalResult verifyLayoutPolicy(Operation *op, Attribute attribute) {
  // S13
  if (!isa<ModuleOp>(op))
    return op->emitError("expected 'mli.layout_policy' to be on a module, but "
                         "got ")
           << op->getName();
  auto policy = dyn_cast<DictionaryAttr>(attribute);
  bool isKnown = policy && llvm::all_of(policy, [](NamedAttribute entry) {
                   return (entry.getName() == "mode" &&
                           isa<StringAttr>(entry.getValue())) ||
                          (entry.getName() == "matrices" &&
                           isa<UnitAttr>(entry.getValue()));
                 });
  // S13
  if (!isKnown)
    return op->emitError("expected 'mli.layout_policy' to have a string 'mode' "
                         "and a unit 'matrices', but got ")
           << attribute;
  auto mode = policy.getAs<StringAttr>("mode");
  return mode ? LogicalResult(parseMapMode(op, mode.getValue())) : success();
}

LogicalResult MLIDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  if (attribute.getName() == layoutPolicyAttrName)
    return verifyLayoutPolicy(op, attribute.getValue());
  if (attribute.getName() != getTargetAttrName())
    return success(succeeded(verifyComputingMode(op, attribute)) &&
                   succeeded(verifyPackedAttribute(op, attribute)));
  // S3
  if (!isa<TargetAttr>(attribute.getValue()))
    return op->emitError("expected 'mli.target' to be a target, but got ")
           << attribute.getValue();
  // S4
  if (!isa<ModuleOp>(op))
    return op->emitError("expected 'mli.target' to be on a module, but got ")
           << op->getName();
  return success();
}

TargetAttr mli::findTarget(Operation *op) {
  // S4: no other operation has one.
  for (; op; op = op->getParentOp())
    if (auto module = dyn_cast<ModuleOp>(op))
      if (auto target = dyn_cast_or_null<TargetAttr>(
              op->getDiscardableAttr(MLIDialect::getTargetAttrName())))
        return target;
  return {};
}

FailureOr<TargetAttr> mli::getTarget(Operation *op) {
  if (TargetAttr target = findTarget(op))
    return target;
  // S5
  return op->emitOpError(
      "expected 'mli.target' to be on a module around, but got none");
}

bool mli::isLocal(Type type) {
  Attribute space;
  if (auto memref = dyn_cast<BaseMemRefType>(type))
    space = memref.getMemorySpace();
  else if (auto tensor = dyn_cast<RankedTensorType>(type))
    space = tensor.getEncoding();
  auto attr = dyn_cast_or_null<SpaceAttr>(space);
  return attr && attr.getValue() == Space::local;
}
