// SPDX-License-Identifier: Apache-2.0
//
// What the programs that run a network have in common.

#include "TestProgram.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

/// Where `port` is in the arena.
static std::string passInArena(const Port &port) {
  ElementType type = getElementType(port.getType().getElementType());
  return (Twine("(") + type.type + " *)(void *)(arena_start + " + port.macro +
          "_OFFSET)")
      .str();
}

/// Copies ports of `kind`, if they are in the arena, to it or from it.
static void printCopies(const Function &function, Port::Kind kind,
                        llvm::function_ref<std::string(const Port &)> passPort,
                        Writer &os) {
  for (const Port &port : function.ports) {
    if (port.kind != kind || !port.offset)
      continue;
    std::string to = passInArena(port), from = passPort(port);
    if (kind == Port::Kind::Output)
      std::swap(to, from);
    os.statement(Twine("  (void)memcpy(") + to + ", " + from + ", " +
                 port.macro + "_BYTES);");
  }
}

static std::string
listArguments(const Network &network, const Function &function,
              llvm::function_ref<std::string(const Port &)> passPort) {
  std::string text;
  auto pass = [&](const Port &port) {
    return port.offset ? passInArena(port) : passPort(port);
  };
  for (const Port *port : function.getArguments())
    text += (text.empty() ? "" : ", ") + (port->kind == Port::Kind::Arena
                                              ? std::string("arena_start")
                                              : pass(*port));
  if (function.takesLocal())
    text += ", local_start";
  if (function.scratchBytes > 0)
    text += ", scratch_start";
  if (function.readsTables)
    text += ", tables";
  if (function.hasState())
    text += ", &state";
  if (network.options.weights == CWeights::Blob)
    text += ", weights_data.bytes";
  return text;
}

void c::printCalls(const Network &network, const Function &function,
                   StringRef parameters,
                   llvm::function_ref<std::string(const Port &)> passPort,
                   Writer &os) {
  SmallVector<std::pair<std::string, std::string>> memories;
  for (const Port &port : function.ports)
    if (port.kind == Port::Kind::Arena)
      memories.push_back({"arena", port.macro});
  if (function.takesLocal())
    memories.push_back({"local", function.macros + "LOCAL"});
  if (function.scratchBytes > 0)
    memories.push_back({"scratch", function.macros + "SCRATCH"});
  for (const auto &[name, macro] : memories) {
    os.statement(Twine("static unsigned char ") + name + "_memory[" + macro +
                 "_BYTES + " + macro + "_ALIGNMENT];");
    os.line();
  }
  if (function.hasState())
    os.line("static " + function.state + " state;");
  if (!network.madeTables.empty())
    os.line("static int32_t tables[(" + network.upper +
            "_TABLES_BYTES + 3) / 4];");
  os.line("static mli_status run(" + parameters + ") {");
  for (const auto &[name, macro] : memories)
    os.statement(Twine("  unsigned char *") + name + "_start = " + name +
                 "_memory + " + macro + "_ALIGNMENT - (uintptr_t)" + name +
                 "_memory % " + macro + "_ALIGNMENT;");
  os.line("  mli_status status;");
  printCopies(function, Port::Kind::Input, passPort, os);
  os.statement("  status = " + function.name + "(" +
               listArguments(network, function, passPort) + ");");
  printCopies(function, Port::Kind::Output, passPort, os);
  os.line("  return status;");
  os.line("}");
  os.line();
  os.line("static mli_status check(void) {");
  if (function.hasState())
    os.line("  " + function.reset + "(&state);");
  if (network.countChannels() > 0)
    os.line("  if (mli_mov_set_num_dma_ch(0, " + network.upper +
            "_DMA_CHANNELS) != MLI_STATUS_OK) {\n"
            "    return MLI_STATUS_NOT_ENGH_MEM;\n"
            "  }");
  if (!network.madeTables.empty())
    os.line("  if (" + network.options.name +
            "_prepare(tables) != MLI_STATUS_OK) {\n"
            "    return MLI_STATUS_NOT_ENGH_MEM;\n"
            "  }");
  os.line(
      "  return " + network.options.name + "_check(" +
      (network.options.weights == CWeights::Blob ? "weights_data.bytes" : "") +
      ");");
  os.line("}");
}

std::string c::printTestProgram(const Network &network) {
  const COptions &options = network.options;
  bool hasFiles = !options.vectors;
  Writer os;
  printHead(network,
            hasFiles ? "a program that runs it on files"
                     : "a program that runs it on its own vectors",
            os);
  os.line("#include \"" + options.name + ".h\"");
  if (network.countChannels() > 0)
    os.line("#include \"mli_api.h\"");
  const Function &function = *llvm::find_if(
      network.functions, [](const Function &f) { return f.isEntry; });
  os.append(hasFiles ? printFileProgram(network, function)
                     : printVectorProgram(network, function));
  return os.take();
}
