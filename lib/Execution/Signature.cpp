// SPDX-License-Identifier: Apache-2.0
//
// Functions of a network as their callers see them.

#include "mli/Execution/Program.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;

std::optional<HostElement> mli::getHostElement(Type element) {
  if (auto quantized = dyn_cast<QuantizedType>(element))
    element = quantized.getStorageType();
  if (element.isF32())
    return HostElement::F32;
  if (element.isUnsignedInteger(8))
    return HostElement::U8;
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || integer.isUnsigned())
    return std::nullopt;
  switch (integer.getWidth()) {
  case 8:
    return HostElement::I8;
  case 16:
    return HostElement::I16;
  case 32:
    return HostElement::I32;
  default:
    return std::nullopt;
  }
}

bool mli::isComputingKernel(Operation *op) {
  return isa<KernelOpInterface>(op) && !isa<MovOp>(op);
}

llvm::Error mli::checkTensor(StringRef what, RankedTensorType type,
                             const HostTensor &tensor) {
  auto expected = [&](StringRef property, const Twine &wanted,
                      const Twine &found) {
    return llvm::createStringError("expected " + what + " to have " + property +
                                   " " + wanted + ", but got " + found);
  };
  if (type.getShape() != ArrayRef(tensor.shape))
    return expected("shape", formatShape(type.getShape().vec()),
                    formatShape(tensor.shape));
  std::optional<HostElement> element = getHostElement(type.getElementType());
  if (element && *element != tensor.element)
    return expected("elements of type", getElementName(*element),
                    getElementName(tensor.element));
  size_t bytes = type.getNumElements() * getElementBytes(tensor.element);
  if (tensor.data.size() != bytes)
    return expected(Twine(bytes).str(), "bytes of data",
                    Twine(tensor.data.size()));
  return llvm::Error::success();
}

FailureOr<func::FuncOp> mli::selectEntry(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> candidates;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      candidates.push_back(function);
  StringRef wanted = name.empty() ? "main" : name;
  for (func::FuncOp function : candidates)
    if (function.getSymName() == wanted)
      return function;
  if (name.empty() && candidates.size() == 1)
    return candidates.front();
  InFlightDiagnostic error = emitError(module.getLoc())
                             << "expected a public function '" << wanted
                             << "', but got ";
  if (candidates.empty())
    error << "no public function";
  llvm::interleaveComma(candidates, error, [&](func::FuncOp function) {
    error << "'" << function.getSymName() << "'";
  });
  return failure();
}

FailureOr<std::vector<std::string>>
mli::selectEntries(ModuleOp module, ArrayRef<std::string> names) {
  const std::string unnamed;
  std::vector<std::string> entries;
  for (StringRef name : names.empty() ? ArrayRef(unnamed) : names) {
    FailureOr<func::FuncOp> entry = selectEntry(module, name);
    if (failed(entry))
      return failure();
    entries.push_back(entry->getSymName().str());
  }
  return entries;
}

/// Why memory cannot hold a tensor of `type`: `to <condition>, but got
/// <value>`; empty if it can.
static std::string findSizeError(RankedTensorType type) {
  constexpr uint64_t limit = std::numeric_limits<int32_t>::max();
  uint64_t bytes = getElementBytes(*getHostElement(type.getElementType()));
  for (int64_t extent : type.getShape()) {
    // T2
    if (extent < 1 || static_cast<uint64_t>(extent) > limit)
      return ("to have dimensions in [1, " + Twine(limit) + "], but got " +
              Twine(extent))
          .str();
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
  }
  // T3
  if (bytes <= limit)
    return {};
  bool isKnown = bytes < std::numeric_limits<uint64_t>::max();
  return ("to take at most " + Twine(limit) + " bytes, but got " +
          (isKnown ? Twine(bytes) : Twine("2^64 or more")))
      .str();
}

/// Adds `types` to `tensors`, if a caller from outside can hold all of them.
static LogicalResult
addTensors(func::FuncOp function, TypeRange types, StringRef what,
           llvm::SmallVectorImpl<RankedTensorType> &tensors) {
  for (auto [i, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() ||
        !getHostElement(tensor.getElementType()))
      return emitError(function.getLoc(), "expected ")
             << what << " " << i << " of '" << function.getSymName()
             << "' to be a tensor of static shape with quantised, i8, i16, i32 "
                "or f32 elements, but got "
             << type;
    std::string sizeError = findSizeError(tensor);
    if (!sizeError.empty())
      return emitError(function.getLoc(), "expected ")
             << what << " " << i << " of '" << function.getSymName() << "' "
             << sizeError;
    tensors.push_back(tensor);
  }
  return success();
}

static PortAttributes readPort(DictionaryAttr attributes) {
  PortAttributes port;
  if (!attributes)
    return port;
  port.isUnsigned = attributes.contains(unsignedAttrName);
  if (auto scale = attributes.getAs<FloatAttr>(scaleAttrName))
    port.scale = scale.getValueAsDouble();
  return port;
}

/// Reads the attributes of arguments and results.
static LogicalResult addAttributes(func::FuncOp function,
                                   CompiledFunction &compiled) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, stateAttrName))
      ++compiled.numStates;
    else if (compiled.numStates > 0)
      return emitError(function.getLoc(), "expected the last arguments of '")
             << function.getSymName() << "' to be its state, but got argument "
             << i << " after it";
    else
      compiled.inputAttributes.push_back(readPort(function.getArgAttrDict(i)));
  unsigned numResults = function.getNumResults();
  if (compiled.numStates > numResults)
    return emitError(function.getLoc(), "expected at least ")
           << compiled.numStates << " results of '" << function.getSymName()
           << "', one for each of its states, but got " << numResults;
  unsigned first = numResults - compiled.numStates;
  for (unsigned i = 0; i < first; ++i)
    compiled.resultAttributes.push_back(
        readPort(function.getResultAttrDict(i)));
  auto states = ArrayRef(compiled.inputs).take_back(compiled.numStates);
  for (auto [i, type] : llvm::enumerate(states))
    if (compiled.results[first + i] != type)
      return emitError(function.getLoc(), "expected result ")
             << first + i << " of '" << function.getSymName() << "' to be "
             << type << ", as the state is, but got "
             << compiled.results[first + i];
  return success();
}

FailureOr<CompiledFunction> mli::describeFunction(func::FuncOp function) {
  CompiledFunction compiled;
  compiled.name = function.getSymName().str();
  if (failed(addTensors(function, function.getArgumentTypes(), "argument",
                        compiled.inputs)) ||
      failed(addTensors(function, function.getResultTypes(), "result",
                        compiled.results)))
    return failure();
  if (failed(addAttributes(function, compiled)))
    return failure();
  function.walk([&](Operation *op) {
    compiled.kernels += isComputingKernel(op);
    compiled.moves += isa<MovOp, AdvanceOp>(op);
  });
  return compiled;
}
