// SPDX-License-Identifier: Apache-2.0

#include "Network.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/LocationNames.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

c::ElementType c::getElementType(Type element) {
  if (element.isF32())
    return {"float", "pf32", 4};
  switch (elementWidth(element)) {
  case 8:
    return {"int8_t", "pi8", 1};
  case 16:
    return {"int16_t", "pi16", 2};
  default:
    return {"int32_t", "pi32", 4};
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static Port::Kind getKind(BlockArgument argument, func::FuncOp function) {
  unsigned i = argument.getArgNumber();
  if (function.getArgAttr(i, arenaAttrName))
    return Port::Kind::Arena;
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
    return "state";
  case Port::Kind::NewState:
    return "new_state";
  }
  llvm_unreachable("all kinds are handled");
}

/// Whether C has a type for elements of `type`.
static bool hasElementType(MemRefType type) {
  Type element = type.getElementType();
  return element.isF32() || element.isInteger(8) || element.isInteger(16) ||
         element.isInteger(32) || isa<QuantizedType>(element);
}

static LogicalResult readPorts(Function &function) {
  Names names;
  // The name of the parameter for the status, and of others.
  names.reserve("status");
  names.reserve("base");
  func::FuncOp op = function.op;
  for (BlockArgument argument : op.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
        !hasElementType(type))
      return op.emitError("expected arguments of '")
             << op.getSymName()
             << "' to be buffers of static sizes without gaps, but got "
             << argument.getType();
    Port::Kind kind = getKind(argument, op);
    auto name =
        op.getArgAttrOfType<StringAttr>(argument.getArgNumber(), nameAttrName);
    int64_t bytes =
        type.getNumElements() * getElementType(type.getElementType()).bytes;
    function.ports.push_back({kind, argument,
                              names.take(name ? shorten(name.getValue())
                                              : getDefaultName(kind).str()),
                              bytes});
  }
  if (op.getNumResults() > 0)
    return op.emitError("expected '")
           << op.getSymName() << "' to write its results through arguments, "
           << "but got " << op.getNumResults() << " results";
  return success();
}

/// Adds `op` behind the functions that it calls.
static LogicalResult addFunction(Network &network, func::FuncOp op,
                                 llvm::SetVector<Operation *> &added) {
  if (!added.insert(op))
    return success();
  if (op.isExternal())
    return op.emitError("expected '")
           << op.getSymName() << "' to have a body, but got a declaration";
  WalkResult walked = op.walk([&](func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    return WalkResult(addFunction(network, callee, added));
  });
  if (walked.wasInterrupted())
    return failure();
  Function function = {op, "", "", {}};
  if (failed(readPorts(function)))
    return failure();
  network.functions.push_back(std::move(function));
  return success();
}

/// What is declared inside of functions, where no name of all hides another.
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
       {"src",   "dst",   "status", "base",   "callee", "placed",  "tensor",
        "w",     "b",     "input",  "output", "arena",  "weights", "bias",
        "bytes", "magic", "sum",    "i",      "bit",    "words",   "state"})
    names.reserve(name);
}

FailureOr<Network> c::readNetwork(ModuleOp module, const COptions &options) {
  Network network = {options, module, {}, StringRef(options.name).upper(),
                     {},      {},     {}};
  reserveLocals(network.names);
  llvm::SetVector<Operation *> added;
  int64_t numEntries = 0;
  for (auto op : module.getOps<func::FuncOp>()) {
    bool isWanted = options.entries.empty() ||
                    llvm::is_contained(options.entries, op.getSymName());
    if (!op.isPublic() || op.isExternal() || !isWanted)
      continue;
    ++numEntries;
    if (failed(addFunction(network, op, added)))
      return failure();
  }
  if (numEntries == 0)
    return emitError(module.getLoc(),
                     "expected a public function, but got none");
  for (Function &function : network.functions)
    for (const Port &port : function.ports)
      network.names.reserve(port.name);
  for (Function &function : network.functions) {
    StringRef symbol = function.op.getSymName();
    if (function.isEntry())
      function.name = network.names.take(
          options.name + "_" +
          (numEntries == 1 ? std::string("invoke") : symbol.str()));
    else
      function.name = network.names.take(symbol);
    function.bases = network.names.take(function.isEntry() && numEntries == 1
                                            ? std::string("bases")
                                            : "bases_of_" + symbol.str());
  }
  return network;
}

const Function &Network::getFunction(func::FuncOp op) const {
  return *llvm::find_if(
      functions, [&](const Function &function) { return function.op == op; });
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// A name for `constant` from the kernel that reads it first.
static std::string nameTable(Value constant) {
  for (OpOperand &use : constant.getUses()) {
    if (!getContract(use))
      continue;
    StringAttr name = findName(use.getOwner()->getLoc());
    return (name ? shorten(name.getValue())
                 : use.getOwner()->getName().stripDialect().str()) +
           "_" + toIdentifier(getName(use));
  }
  return "constant";
}

const Table &Network::getTable(Value constant) {
  auto op = constant.getDefiningOp<ConstantOp>();
  ElementsAttr values = op.getValue();
  auto [entry, isNew] = tables.insert({values, Table()});
  if (isNew) {
    ElementType type = getElementType(values.getElementType());
    int64_t bytes = values.getNumElements() * type.bytes;
    int64_t offset = blobHeaderBytes;
    if (tables.size() > 1) {
      const Table &last = std::prev(tables.end(), 2)->second;
      offset = static_cast<int64_t>(
          llvm::alignTo(last.offset + last.bytes, blobHeaderBytes));
    }
    std::string name = nameTable(constant);
    if (options.weights == CWeights::Source)
      name = options.name + "_" + name;
    entry->second = {names.take(name), values, type, bytes, offset};
  }
  return entry->second;
}

int64_t Network::getBlobBytes() const {
  if (tables.empty())
    return blobHeaderBytes;
  const Table &last = tables.back().second;
  return last.offset + last.bytes;
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

std::string c::describePort(const Function &function, const Port &port) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ElementType type = getElementType(port.getType().getElementType());
  os << StringRef(type.type).split("_").first << " [";
  llvm::interleaveComma(port.getType().getShape(), os);
  os << "]";
  auto quantized = dyn_cast<QuantizedType>(port.getType().getElementType());
  if (!quantized || quantized.isPerAxis())
    return text;
  quant::QuantParams params = quantized.getParam(0);
  os << ", real = ";
  if (params.zeroPoint == 0)
    os << "code";
  else
    os << "(code " << (params.zeroPoint < 0 ? "+ " : "- ")
       << std::abs(params.zeroPoint) << ")";
  if (params.scale != 1)
    os << " * " << params.scale;
  os << (params.fracBits < 0 ? " * 2^" : " / 2^") << std::abs(params.fracBits);
  unsigned number = port.argument.getArgNumber();
  func::FuncOp op = function.op;
  if (auto unit = op.getArgAttrOfType<FloatAttr>(number, scaleAttrName))
    os << " * " << unit.getValueAsDouble();
  if (op.getArgAttr(number, unsignedAttrName))
    os << "; uint8 in the network, where code is byte - 128";
  return text;
}

std::string c::describePlace(Operation *op) {
  std::string place = mli::describePlace(op->getLoc());
  return place.empty() ? op->getName().stripDialect().str() : place;
}

int64_t c::countProducts(Operation *op) {
  auto kernel = dyn_cast<KernelOpInterface>(op);
  if (!kernel || !kernel.getFamily())
    return 0;
  auto init = cast<DestinationStyleOpInterface>(op).getDpsInits().front();
  return kernel.getProductsPerElement() *
         cast<ShapedType>(init.getType()).getNumElements();
}

std::string mli::makeCName(StringRef wanted) {
  return c::toIdentifier(wanted).substr(0, c::Names::significant / 2);
}

std::string mli::checkCName(StringRef name) {
  if (c::isIdentifier(name))
    return {};
  return ("expected the name of the network to be an identifier of C and no "
          "keyword, but got '" +
          name + "'")
      .str();
}
