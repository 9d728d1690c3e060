// SPDX-License-Identifier: Apache-2.0

#include "LayerPrinter.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/LayerFacts.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;
using namespace mli::calls;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

std::string LayerPrinter::getIndex(Value index) {
  std::string name = indices.lookup(index);
  bool isVariable = !name.empty() && llvm::isAlpha(name.front());
  if (isVariable)
    variables.insert(index);
  return name;
}

/// The byte `distance` behind the start of what `place` is in, with all steps
/// of indices.
std::string LayerPrinter::getAddress(const Place &place, int64_t distance) {
  readsBases = true;
  return descriptions.getPointer(function, place, distance, "base->",
                                 [&](Value index) { return getIndex(index); });
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Declares a tensor for `extent` behind its base.
std::string LayerPrinter::declareAt(const Extent &extent, Type element,
                                    bool isRead, StringRef name) {
  network.helpers.addressing = true;
  body.statement(Twine(isRead ? "const " : "") + "mli_tensor *" + name +
                 " = at(&base->tensors[" + Twine(numTensors++) + "], &" +
                 descriptions.get(function, extent, element).name + ", " +
                 getAddress(extent.place, 0) + ");");
  function.numTensors = std::max(function.numTensors, numTensors);
  return name.str();
}

/// The address of the elements of `tensor`, in a constant of type `type`.
FailureOr<std::string> LayerPrinter::getMemory(const TensorArgument &tensor,
                                               StringRef name, StringRef type) {
  if (isScattered(tensor.getType())) {
    FailureOr<std::string> copy = declareCopy(tensor, (name + "_copy").str());
    return failed(copy) ? copy : *copy + "->data.mem.pi8";
  }
  FailureOr<Extent> extent = findExtent(tensor);
  if (failed(extent))
    return failure();
  const Place &place = extent->place;
  if (std::optional<std::string> address = descriptions.getAddress(place))
    return ("READ_ONLY(" + type + ", " + *address + ")").str();
  return getAddress(place, descriptions.getDistance(place));
}

/// A scalar that is read where it lies.
FailureOr<std::string> LayerPrinter::declareScalar(const TensorArgument &tensor,
                                                   StringRef name) {
  FailureOr<std::string> memory = getMemory(tensor, name, "int8_t");
  if (failed(memory))
    return failure();
  ElementType type = getElementType(tensor.element);
  const Description &description = descriptions.get(tensor.element, {});
  StringRef member = StringRef(type.member).drop_front();
  body.statement("mli_tensor " + name + " = " + description.name + ";");
  before.push_back({(name + ".data.mem." + member + " = *(const " + type.type +
                     " *)(const void *)(" + *memory + ");")
                        .str()});
  return ("&" + name).str();
}

/// Declares what is to be passed for `tensor`, and returns the pointer.
FailureOr<std::string> LayerPrinter::declare(const TensorArgument &tensor,
                                             StringRef name) {
  if (tensor.isScalar)
    return tensor.known
               ? "&" + descriptions.get(tensor.element, tensor.known).name
               : declareScalar(tensor, name);
  if (isScattered(tensor.getType()))
    return declareCopy(tensor, name);
  FailureOr<Extent> extent = findExtent(tensor);
  if (failed(extent))
    return failure();
  const Description &description =
      descriptions.get(function, *extent, tensor.element);
  bool isRead = tensor.access == Access::Read;
  if (description.isPlaced && isRead)
    return "&" + description.name;
  return declareAt(*extent, tensor.element, isRead, name);
}

FailureOr<std::string> LayerPrinter::pass(const TensorArgument &tensor,
                                          StringRef name) {
  FailureOr<std::string> pointer = declare(tensor, name);
  if (succeeded(pointer) && firstTensor.empty())
    firstTensor = *pointer;
  return pointer;
}

FailureOr<std::string> LayerPrinter::pass(const TensorsArgument &list,
                                          StringRef name) {
  body.statement("const mli_tensor *" + name + "[" +
                 Twine(list.tensors.size()) + "];");
  for (auto [i, tensor] : llvm::enumerate(list.tensors)) {
    FailureOr<std::string> pointer =
        pass(tensor, (name + "_" + Twine(i)).str());
    if (failed(pointer))
      return failure();
    before.push_back({(name + "[" + Twine(i) + "] = " + *pointer + ";").str()});
  }
  return name.str();
}

FailureOr<std::string> LayerPrinter::pass(const UnreadArgument &, StringRef) {
  return firstTensor;
}

//===----------------------------------------------------------------------===//
// Structs
//===----------------------------------------------------------------------===//

/// The address of the next `bytes` bytes of scratch memory: in the arena, in
/// local memory where the results are there, or in an array of the function.
std::string LayerPrinter::getScratch(int64_t bytes, StringRef name) {
  auto address = op->getAttrOfType<IntegerAttr>(scratchAttrName);
  if (!address) {
    body.line("int32_t " + name + "_memory[" +
              Twine(llvm::divideCeil(bytes, 4)) + "];");
    return (name + "_memory").str();
  }
  int64_t offset = address.getInt() + scratchUsed;
  scratchUsed += bytes;
  // The same bytes are taken on each NPU; the kernel has those of the first.
  if (hasLocalScratch(op) && function.isScattered)
    return "okk_local_mem_addr(0u, " + std::to_string(offset) + "u)";
  readsBases = true;
  std::string start = "base->local";
  if (!hasLocalScratch(op))
    start = "base->" + function.findArena()->name;
  return start + (offset == 0 ? "" : " + " + std::to_string(offset));
}

std::string LayerPrinter::getMember(const Record &record, size_t i) {
  const Member &member = record.getType().members[i];
  ArrayRef<Number> numbers = record.getNumbers(i);
  if (member.kind == Member::Kind::Container) {
    int64_t bytes = *record.getScratch()->getBytes();
    return ("BYTES(" + Twine(bytes) + ", pi8, (int8_t *)(void *)(" +
            getScratch(bytes, "cell") + "))")
        .str();
  }
  for (const Enumerator &known : member.enumerators)
    if (known.value == numbers.front().known)
      return known.name;
  auto toText = [&](const Number &number) {
    if (!number.value)
      return toLiteral(number.known);
    std::string index = getIndex(number.value);
    // A value beyond a byte stays beyond every window.
    network.helpers.narrowing = true;
    return "TO_BYTE(" + index + ")";
  };
  if (member.count == 0)
    return toText(numbers.front());
  std::string text = "{";
  for (auto [k, number] : llvm::enumerate(numbers))
    text += (k == 0 ? "" : ", ") + toText(number);
  return text + "}";
}

/// The members of a struct by their names, and whether all are known. Those of
/// a struct inside follow each other.
std::string LayerPrinter::listMembers(const Record &record, bool &isKnown) {
  std::string text;
  isKnown = !record.getScratch();
  for (auto [i, member] : llvm::enumerate(record.getType().members)) {
    for (const Number &number : record.getNumbers(i))
      isKnown &= !number.value;
    auto [outer, inner] = StringRef(member.path).split('.');
    std::string value = getMember(record, i);
    if (!inner.empty())
      value = ("{." + inner + " = " + value + "}").str();
    text += (text.empty() ? "" : ", ") + ("." + outer + " = ").str() + value;
  }
  return text;
}

FailureOr<std::string> LayerPrinter::pass(const ConfigArgument &config,
                                          StringRef) {
  const std::optional<Scratch> &memory = config.record.getScratch();
  if (memory && !memory->getBytes())
    return op->emitOpError(
               "expected static sizes, which C output needs, but got ")
           << memory->vector->get().getType();
  bool isKnown;
  std::string members = listMembers(config.record, isKnown);
  // There are few ways to move, and many moves.
  if (isKnown && &config.record.getType() == &getStruct<mli_mov_cfg_t>())
    return "&" + descriptions.getRecord(config.type, members, "config_0");
  body.statement(Twine(isKnown ? "static " : "") + "const " + config.type +
                 " config = {" + members + "};");
  return std::string("&config");
}

/// The address of the entries of `argument`.
FailureOr<std::string> LayerPrinter::getEntries(const TableArgument &argument,
                                                StringRef name) {
  if (!argument.given && network.options.tables == CTables::Call)
    return getScratch(argument.table.bytes, name);
  if (!argument.given) {
    readsBases = function.readsTables = true;
    int64_t offset = network.getMadeTable(argument.table);
    return "base->tables" +
           (offset == 0 ? std::string() : " + " + std::to_string(offset));
  }
  return getMemory(*argument.given, name, "int16_t");
}

FailureOr<std::string> LayerPrinter::pass(const TableArgument &argument,
                                          StringRef name) {
  FailureOr<std::string> entries = getEntries(argument, name);
  if (failed(entries))
    return failure();
  if (!StringRef(*entries).starts_with("READ_ONLY"))
    entries = "(int16_t *)(void *)(" + *entries + ")";
  bool isMade = !argument.given && network.options.tables == CTables::Call;
  bool isWritten = isMade || isa<LutOp>(op);
  body.statement(Twine(isWritten ? "" : "const ") + "mli_lut " + name + " = " +
                 describeTable(argument.table, *entries) + ";");
  if (isMade)
    before.push_back(
        {(Twine("status = ") + argument.table.create + "(&" + name + ");")
             .str(),
         /*isCall=*/true});
  return ("&" + name).str();
}

//===----------------------------------------------------------------------===//
// Layer
//===----------------------------------------------------------------------===//

/// Declares all arguments of `call` and lists them.
FailureOr<std::string> LayerPrinter::passAll(const Call &call) {
  if (op->hasAttr(scratchAttrName) && !hasLocalScratch(op) &&
      !function.findArena())
    return op->emitOpError("expected a function with an arena, where its "
                           "scratch memory is, but got none");
  std::string arguments;
  for (const Argument &argument : call.arguments) {
    FailureOr<std::string> passed = std::visit(
        [&](const auto &value) { return pass(value, argument.name); },
        argument.value);
    if (failed(passed))
      return failure();
    arguments += (arguments.empty() ? "" : ", ") + *passed;
  }
  return arguments;
}

FailureOr<std::string> LayerPrinter::print(const Call &call, StringRef name,
                                           Writer &os) {
  body.indent();
  FailureOr<std::string> arguments = passAll(call);
  if (failed(arguments))
    return failure();
  std::string made = (call.function + "(" + *arguments + ");").str();
  if (isBegun)
    made = "begin_move(handle, " + *arguments + ");";
  return printCall(made, name, os);
}

/// Prints the function `name` around `call`, whose declarations there are.
std::string LayerPrinter::printCall(StringRef call, StringRef name,
                                    Writer &os) {
  std::string passed = printHead(name, os);
  auto isCall = [](const Statement &statement) { return statement.isCall; };
  bool makesCalls = llvm::any_of(before, isCall) || !after.empty();
  if (makesCalls)
    os.line("  mli_status status = MLI_STATUS_OK;");
  os.append(body.take());
  os.indent();
  if (!readsBases)
    os.line("(void)base;");
  if (makesCalls)
    before.push_back({("status = " + call).str(), /*isCall=*/true});
  llvm::append_range(before, after);
  for (const auto &[text, isCall] : before)
    if (isCall)
      os.conditional("status == MLI_STATUS_OK", text);
    else
      os.statement(text);
  os.statement("return " + (makesCalls ? "status;" : call));
  os.outdent();
  os.line("}");
  os.line();
  return passed;
}

std::string LayerPrinter::printHead(StringRef name, Writer &os) {
  std::string parameters = function.bases + " *base", passed;
  for (Value variable : variables) {
    parameters += ", " + declareVariable(variable, indices.lookup(variable));
    passed += ", " + indices.lookup(variable);
  }
  if (isBegun)
    parameters += ", mli_mov_handle_t *handle";
  os.comment(op->getName().stripDialect() + ", " + describePlace(op));
  os.statement("static mli_status " + name + "(" + parameters + ") {");
  return passed;
}
