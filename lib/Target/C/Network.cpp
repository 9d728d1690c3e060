// SPDX-License-Identifier: Apache-2.0

#include "Network.h"
#include "Place.h"

#include "mli/IR/AttributeNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

c::ElementType c::getIntegerType(unsigned width) {
  switch (width) {
  case 8:
    return {"int8_t", "pi8", 1};
  case 16:
    return {"int16_t", "pi16", 2};
  default:
    return {"int32_t", "pi32", 4};
  }
}

c::ElementType c::getElementType(Type element) {
  if (element.isF32())
    return {"float", "pf32", 4};
  return getIntegerType(elementWidth(element));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static Port::Kind getKind(BlockArgument argument, func::FuncOp function) {
  unsigned i = argument.getArgNumber();
  if (function.getArgAttr(i, arenaAttrName))
    return Port::Kind::Arena;
  if (function.getArgAttr(i, inPlaceAttrName))
    return Port::Kind::State;
  bool isWritten = function.getArgAttr(i, resultAttrName) != nullptr;
  if (function.getArgAttr(i, stateAttrName))
    return isWritten ? Port::Kind::NewState : Port::Kind::OldState;
  return isWritten ? Port::Kind::Output : Port::Kind::Input;
}

static StringRef getDefaultName(Port::Kind kind) {
  switch (kind) {
  case Port::Kind::Input:
    return "input";
  case Port::Kind::Output:
    return "output";
  case Port::Kind::Arena:
    return "arena";
  case Port::Kind::OldState:
  case Port::Kind::State:
    return "state";
  case Port::Kind::NewState:
    return "new_state";
  }
  llvm_unreachable("all kinds are handled");
}

bool c::hasElementType(Type element) {
  return element.isF32() || element.isInteger(8) || element.isInteger(16) ||
         element.isInteger(32) || isa<QuantizedType>(element);
}

/// Dimensions that a header of .npy has room for.
static constexpr int64_t maxRank = 8;

static LogicalResult readPorts(Function &function) {
  Names names;
  func::FuncOp op = function.op;
  for (BlockArgument argument : op.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
        !hasElementType(type.getElementType()) || type.getRank() > maxRank)
      return op.emitError("expected arguments of '")
             << op.getSymName()
             << "' to be buffers of static sizes without gaps, of at most "
             << maxRank << " dimensions, but got " << argument.getType();
    Port::Kind kind = getKind(argument, op);
    auto name =
        op.getArgAttrOfType<StringAttr>(argument.getArgNumber(), nameAttrName);
    int64_t bytes =
        type.getNumElements() * getElementType(type.getElementType()).bytes;
    if (bytes > INT32_MAX)
      return op.emitError("expected arguments of '")
             << op.getSymName() << "' to have at most " << INT32_MAX
             << " bytes, but got " << bytes;
    Port port = {kind, argument,
                 names.take(name ? shorten(name.getValue())
                                 : getDefaultName(kind).str()),
                 bytes};
    auto quantized = dyn_cast<QuantizedType>(type.getElementType());
    if (port.isState() && quantized && quantized.isPerAxis())
      return op.emitError("expected states of '")
             << op.getSymName() << "' to be quantised per tensor, but got "
             << type;
    if (auto offset = op.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                       addressAttrName))
      port.offset = offset.getInt();
    function.ports.push_back(std::move(port));
  }
  if (op.getNumResults() > 0)
    return op.emitError("expected '")
           << op.getSymName() << "' to write its results through arguments, "
           << "but got " << op.getNumResults() << " results";
  return success();
}

namespace {

/// Adds functions behind those that they call.
class FunctionOrder {
public:
  explicit FunctionOrder(Network &network) : network(network) {}

  LogicalResult add(func::FuncOp op, bool isEntry);

private:
  LogicalResult addCallees(func::FuncOp op);

  Network &network;
  llvm::SmallPtrSet<Operation *, 4> entered, left;
};

} // namespace

LogicalResult FunctionOrder::addCallees(func::FuncOp op) {
  WalkResult walked = op.walk([&](func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (entered.contains(callee) && !left.contains(callee))
      return WalkResult(op.emitError("expected functions that do not call "
                                     "themselves, but got '")
                        << op.getSymName() << "'");
    return WalkResult(add(callee, /*isEntry=*/false));
  });
  return failure(walked.wasInterrupted());
}

LogicalResult FunctionOrder::add(func::FuncOp op, bool isEntry) {
  if (!entered.insert(op).second)
    return success();
  if (op.isExternal())
    return op.emitError("expected '")
           << op.getSymName() << "' to have a body, but got a declaration";
  Function function = {op, isEntry};
  FailureOr<LocalMemory> local = findLocalMemory(op, network.options.library);
  if (failed(local) || failed(addCallees(op)) || failed(readPorts(function)))
    return failure();
  function.localBytes = local->bytes;
  function.isScattered = local->isScattered;
  op.walk([&](func::CallOp call) {
    const Function &callee =
        network.getFunction(SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            call, call.getCalleeAttr()));
    function.localBytes = std::max(function.localBytes, callee.localBytes);
    function.isScattered |= callee.isScattered;
  });
  if (function.isScattered && network.options.moves != CMoves::Sync)
    return op.emitError("expected moves of one call each, as those of several "
                        "NPUs are, but got ")
           << (network.options.moves == CMoves::Async ? "async" : "hook");
  left.insert(op);
  network.functions.push_back(std::move(function));
  return success();
}

/// The functions to print for callers: those of the options, or all that are
/// public and not called.
static FailureOr<SmallVector<func::FuncOp>>
findEntries(ModuleOp module, const COptions &options) {
  llvm::StringSet<> called;
  module.walk([&](func::CallOp call) { called.insert(call.getCallee()); });
  SmallVector<func::FuncOp> entries;
  for (auto op : module.getOps<func::FuncOp>()) {
    StringRef name = op.getSymName();
    bool isWanted = options.entries.empty()
                        ? !called.contains(name)
                        : llvm::is_contained(options.entries, name);
    if (!op.isPublic() || op.isExternal() || !isWanted)
      continue;
    if (called.contains(name))
      return op.emitError("expected '")
             << name << "' to be called from outside alone, but got a call";
    entries.push_back(op);
  }
  if (entries.empty())
    return emitError(module.getLoc(),
                     "expected a public function, but got none");
  return entries;
}

/// What is declared inside of functions, where no name of all hides another,
/// but for those that `Names` never gives.
static void reserveLocals(Names &names) {
#define MLI_LOCAL(name) names.reserve(#name)
#define MLI_LOCAL_INPUT(name) MLI_LOCAL(name)
#define MLI_LOCAL_INPUTS(name) MLI_LOCAL(name)
#define MLI_LOCAL_UNREAD(name) MLI_LOCAL(name)
#define MLI_LOCAL_TABLE(name, function) MLI_LOCAL(name)
#define MLI_LOCAL_CONFIG(type) MLI_LOCAL(config)
#define MLI_LOCAL_OUTPUT(name) MLI_LOCAL(name)
#define MLI_KERNEL(name, signature) signature(MLI_LOCAL);
#include "mli/Runtime/C/api/mli_kernels.def"
  for (StringRef name :
       {"src", "dst", "placed", "tensor", "w", "b", "input", "output", "arena",
        "bias", "magic", "sum", "i", "bit", "words"})
    names.reserve(name);
}

/// Chooses what `function` is called in C, `isOnly` of those for callers or
/// not.
static void nameFunction(Network &network, Function &function, bool isOnly) {
  const std::string &own = network.options.name;
  std::string symbol = function.op.getSymName().str();
  std::string prefix = isOnly ? own : own + "_" + symbol;
  Names &names = network.names;
  if (!function.isEntry) {
    function.name = names.take("function_" + symbol);
    function.bases = names.take("bases_of_" + symbol);
    return;
  }
  function.name = names.take(isOnly ? prefix + "_invoke" : prefix);
  function.bases = names.take(isOnly ? "bases" : "bases_of_" + symbol);
  function.macros = StringRef(isOnly ? prefix : function.name).upper() + "_";
  if (!function.hasState())
    return;
  function.state = names.take(prefix + "_state");
  function.reset = names.take(prefix + "_reset");
}

/// Chooses what the macros of all ports begin with: not as others in `macros`,
/// of another function whose name is longer.
static void nameMacros(Function &function, llvm::StringSet<> &macros) {
  for (Port &port : function.ports) {
    port.macro = function.macros + StringRef(port.name).upper();
    std::string base = port.macro;
    for (unsigned number = 1; !macros.insert(port.macro).second; ++number)
      port.macro = base + "_" + std::to_string(number);
  }
}

FailureOr<Network> c::readNetwork(ModuleOp module, const COptions &options) {
  Network network = {options, module};
  network.upper = StringRef(options.name).upper();
  reserveLocals(network.names);
  network.names.reserve(options.name + "_check");
  network.names.reserve(options.name + "_prepare");
  FailureOr<SmallVector<func::FuncOp>> entries = findEntries(module, options);
  if (failed(entries))
    return failure();
  FunctionOrder order(network);
  for (func::FuncOp op : *entries)
    if (failed(order.add(op, /*isEntry=*/true)))
      return failure();
  for (Function &function : network.functions)
    for (const Port &port : function.ports)
      network.names.reserve(port.name);
  for (Function &function : network.functions)
    nameFunction(network, function, entries->size() == 1);
  llvm::StringSet<> macros;
  for (Function &function : network.functions)
    if (function.isEntry)
      nameMacros(function, macros);
  return network;
}

SmallVector<const Port *> Function::getArguments() const {
  SmallVector<const Port *> arguments;
  for (Port::Kind kind :
       {Port::Kind::Input, Port::Kind::Output, Port::Kind::Arena})
    for (const Port &port : ports)
      if (port.kind == kind)
        arguments.push_back(&port);
  return arguments;
}

const Port *Function::getStateMember(const Port &port) const {
  func::FuncOp function = op;
  auto getNumber = [&](const Port &half) {
    return function.getArgAttr(half.argument.getArgNumber(), stateAttrName);
  };
  for (const Port &old : ports)
    if (old.kind == Port::Kind::OldState && getNumber(old) == getNumber(port))
      return &old;
  return &port;
}

const Function &Network::getFunction(func::FuncOp op) const {
  return *llvm::find_if(
      functions, [&](const Function &function) { return function.op == op; });
}

/// What no file, target or prefix of symbols can be called: headers, and
/// targets of CMake.
static bool isReserved(StringRef name) {
  static const llvm::StringSet<> others = {
      "string",  "stdio",      "stdint",        "stddef",  "stdlib",
      "all",     "help",       "clean",         "install", "test",
      "package", "edit_cache", "rebuild_cache", "depend"};
  return name.starts_with_insensitive("mli_") || others.contains(name);
}

std::string mli::makeCName(StringRef wanted) {
  std::string name = c::toIdentifier(wanted).substr(0, maxCNameLength - 4);
  return isReserved(name) ? "net_" + name : name;
}

std::string mli::checkCName(StringRef name) {
  if (name.size() > maxCNameLength)
    return ("expected the name of the network to have at most " +
            Twine(maxCNameLength) + " characters, but got '" + name + "'")
        .str();
  if (c::isIdentifier(name) && !isReserved(name))
    return {};
  return ("expected the name of the network to be an identifier of C and no "
          "keyword or header, but got '" +
          name + "'")
      .str();
}
