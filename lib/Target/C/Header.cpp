// SPDX-License-Identifier: Apache-2.0

#include "Sources.h"

#include "mli/Calls/LocalOperand.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/ComputingModes.h"
#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

void c::printHead(const Network &network, StringRef what, Writer &os) {
  const COptions &options = network.options;
  std::string origin =
      options.origin.empty() ? std::string() : " from " + options.origin;
  std::string accumulation = "narrow";
  ComputingModes modes = findComputingModes(network.module);
  if (modes.hasFullProducts() || modes.hasFullAverages())
    accumulation =
        std::string("full") + (!modes.hasFullAverages()   ? " for products"
                               : !modes.hasFullProducts() ? " for averages"
                                                          : "");
  os.comment(options.name + ": " + what + " made by mli-compile " +
             MLI_VERSION_TEXT + origin + ". Do not edit. For " +
             getLibraryName(network) + "; rounding " +
             (modes.isConvergent() ? "CONVERGENT" : "UP") + ", accumulation " +
             accumulation + ".");
}

StringRef c::getLibraryName(const Network &network) {
  return network.isScattered() ? "the runtime of mli-mlir" : "MLI 2.0";
}

std::string c::declareEntry(const Network &network, const Function &function) {
  std::string parameters;
  auto add = [&](const Twine &parameter) {
    parameters += (parameters.empty() ? "" : ", ") + parameter.str();
  };
  for (const Port *port : function.getArguments()) {
    if (port->kind == Port::Kind::Arena) {
      add("void *" + port->name);
      continue;
    }
    ElementType type = getElementType(port->getType().getElementType());
    std::string count = port->macro + "_BYTES";
    if (type.bytes > 1)
      count += " / " + std::to_string(type.bytes);
    add(Twine(port->kind == Port::Kind::Input ? "const " : "") + type.type +
        " " + port->name + "[" + count + "]");
  }
  if (function.takesLocal())
    add("void *local");
  if (function.scratchBytes > 0)
    add("void *scratch");
  if (function.readsTables)
    add("const void *tables");
  if (function.hasState())
    add(function.state + " *state");
  if (network.options.weights == CWeights::Blob)
    add("const void *weights");
  return "mli_status " + function.name + "(" + parameters + ")";
}

std::string c::declarePrepare(const Network &network) {
  return "mli_status " + network.options.name + "_prepare(void *tables)";
}

static void printPorts(const Network &network, const Function &function,
                       Writer &os) {
  for (const Port &port : function.ports) {
    if (port.isState())
      continue;
    const std::string &macro = port.macro;
    if (port.kind == Port::Kind::Arena) {
      os.comment("Memory of one call, of the caller. What it holds before or "
                 "after is of no use.");
      os.statement("#define " + macro + "_BYTES " + Twine(port.bytes), " \\");
      auto alignment =
          network.module->getAttrOfType<IntegerAttr>(arenaAlignmentAttrName);
      os.statement("#define " + macro + "_ALIGNMENT " +
                       Twine(alignment ? alignment.getInt() : 16),
                   " \\");
      continue;
    }
    os.comment(port.name + ": " + describePort(function, port));
    os.statement("#define " + macro + "_BYTES " + Twine(port.bytes), " \\");
    if (port.offset)
      os.statement("#define " + macro + "_OFFSET " + Twine(*port.offset) +
                       " /* where it may be in the arena */",
                   " \\");
  }
  if (function.scratchBytes > 0) {
    os.comment("Copies of what is in the local memory of NPUs, during one "
               "call: memory of the caller.");
    os.statement("#define " + function.macros + "SCRATCH_BYTES " +
                 Twine(function.scratchBytes));
    os.statement("#define " + function.macros + "SCRATCH_ALIGNMENT " +
                 Twine(calls::CopyMemory::alignment));
  }
  if (!function.takesLocal())
    return;
  os.comment("Local memory of one call, of the caller: a section in DCCM, VCCM "
             "or TCM. What it holds before or after is of no use.");
  const layout::Target &target = findTarget(function.op).getValue();
  os.statement("#define " + function.macros + "LOCAL_BYTES " +
               Twine(function.localBytes));
  os.statement("#define " + function.macros + "LOCAL_ALIGNMENT " +
               Twine(std::max(target.unit, target.dmaAlignment)));
}

/// The struct of what one call leaves to the next.
static void printState(const Network &network, const Function &function,
                       Writer &os) {
  os.comment("What a stream of calls keeps: one for each stream, which " +
             function.reset + " begins." +
             (function.takesTurns() ? " Halves take turns." : ""));
  os.line("typedef struct {");
  if (function.takesTurns())
    os.line("  int32_t turn;");
  for (const Port &port : function.ports) {
    if (!port.isStateMember())
      continue;
    ElementType type = getElementType(port.getType().getElementType());
    os.indent();
    os.comment(describePort(function, port));
    StringRef halves = port.kind == Port::Kind::OldState ? "[2]" : "";
    os.statement(Twine(type.type) + " " + port.name + halves + "[" +
                 Twine(port.bytes / type.bytes) + "];");
    os.outdent();
  }
  os.line("} " + function.state + ";");
  os.line();
}

static void printLayers(const Network &network, Writer &os) {
  os.comment("Layers: number, operation, place in the network, products.");
  if (network.layers.empty()) {
    os.line("#define " + network.upper + "_LAYERS(X)");
    return;
  }
  os.line("#define " + network.upper + "_LAYERS(X) \\");
  for (auto [i, layer] : llvm::enumerate(network.layers)) {
    bool isLast = i + 1 == network.layers.size();
    os.statement("  X(" + Twine(i) + ", " + layer.op->getName().stripDialect() +
                     ", " + toString(layer.place) + ", " +
                     Twine(layer.products) + ")" + (isLast ? "" : " \\"),
                 " \\");
  }
}

std::string c::printHeader(const Network &network) {
  Writer os;
  printHead(network, "a network", os);
  std::string guard = network.upper + "_H";
  os.line("#ifndef " + guard);
  os.line("#define " + guard);
  os.line();
  os.line("#include \"mli_types.h\"");
  os.line();
  for (const Function &function : network.functions)
    if (function.isEntry) {
      printPorts(network, function, os);
      os.line();
      if (function.hasState())
        printState(network, function, os);
    }
  if (network.options.weights == CWeights::Blob) {
    os.comment("The constants of kernels: the file " + network.options.name +
               ".bin, at a multiple of 16.");
    os.line("#define " + network.upper + "_WEIGHTS_BYTES " +
            Twine(network.getBlobBytes()));
    os.line();
  }
  if (int64_t bytes = network.countMadeBytes()) {
    os.comment("Tables of functions: memory of the caller, which " +
               network.options.name +
               "_prepare fills once, and all calls read.");
    os.line("#define " + network.upper + "_TABLES_BYTES " + Twine(bytes));
    os.line("#define " + network.upper + "_TABLES_ALIGNMENT " +
            Twine(tableAlignment));
    os.line();
  }
  if (size_t channels = network.countChannels()) {
    os.comment("Channels of DMA that moves take at the same time: "
               "mli_mov_set_num_dma_ch makes them available, once.");
    os.line("#define " + network.upper + "_DMA_CHANNELS " + Twine(channels));
    os.line();
  }
  printLayers(network, os);
  os.line();
  os.line("#ifdef __cplusplus");
  os.line("extern \"C\" {");
  os.line("#endif");
  os.line();
  os.comment(
      "Whether the library rounds and accumulates as the network was "
      "compiled for, and all memory is large enough: to be called once.");
  os.statement(declareCheck(network) + ";");
  if (!network.madeTables.empty())
    os.statement(declarePrepare(network) + ";");
  for (const Function &function : network.functions)
    if (function.isEntry) {
      if (function.hasState())
        os.statement("void " + function.reset + "(" + function.state +
                     " *state);");
      os.statement(declareEntry(network, function) + ";");
    }
  os.line();
  os.line("#ifdef __cplusplus");
  os.line("}");
  os.line("#endif");
  os.line();
  os.line("#endif");
  return os.take();
}
