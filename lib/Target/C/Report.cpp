// SPDX-License-Identifier: Apache-2.0
//
// What builds a network, and what it takes.

#include "Sources.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/ComputingModes.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

//===----------------------------------------------------------------------===//
// CMake
//===----------------------------------------------------------------------===//

static constexpr StringLiteral cmake = R"(# Made by mli-compile.
#   cmake -S . -B build -DMLI_INCLUDE=... -DMLI_LIBRARY=...
# MLI_INCLUDE is the folder of mli_api.h, MLI_LIBRARY the library for the machine,
# with those that it needs after it, as in "libmli.a;m"; without it there
# is no test program.
cmake_minimum_required(VERSION 3.13)
project(@ C)
set(MLI_INCLUDE "" CACHE PATH "The folder of mli_api.h")
set(MLI_LIBRARY "" CACHE STRING "The library of MLI 2.0")
@LIBRARY
if(MLI_LIBRARY)
  add_executable(@_test @_test.c)
  target_link_libraries(@_test @ ${MLI_LIBRARY})
endif()
)";

static constexpr StringLiteral sourceLibrary =
    R"(add_library(@ STATIC @SOURCES)
target_include_directories(@ PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${MLI_INCLUDE})
set_target_properties(@ PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF))";

static constexpr StringLiteral binaryLibrary =
    R"(add_library(@ @KIND IMPORTED)
set_target_properties(@ PROPERTIES
  IMPORTED_LOCATION ${CMAKE_CURRENT_SOURCE_DIR}/@BINARY
  INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_CURRENT_SOURCE_DIR};${MLI_INCLUDE}"))";

/// Replaces `@NAME` in `text` by what `values` have for that, and `@` alone by
/// what they have for nothing.
static std::string fill(StringRef text,
                        ArrayRef<std::pair<StringRef, std::string>> values) {
  std::string result;
  while (!text.empty()) {
    auto [before, after] = text.split('@');
    result += before;
    if (before.size() == text.size())
      break;
    text = after;
    // The last one is for nothing.
    for (const auto &[name, value] : values)
      if (text.consume_front(name)) {
        result += value;
        break;
      }
  }
  return result;
}

std::string c::printCMake(const Network &network,
                          const std::vector<CFile> &files) {
  const std::string &name = network.options.name;
  std::string sources;
  StringRef binary;
  for (const CFile &file : files) {
    StringRef other = file.name;
    if (other.ends_with(".o") || other.ends_with(".so"))
      binary = other;
    if (other.ends_with(".c") && other != name + "_test.c")
      sources += (sources.empty() ? "" : " ") + file.name;
  }
  std::string library =
      fill(binary.empty() ? sourceLibrary : binaryLibrary,
           {{"SOURCES", sources},
            {"BINARY", binary.str()},
            {"KIND", binary.ends_with(".so") ? "SHARED" : "UNKNOWN"},
            {"", name}});
  return fill(cmake, {{"LIBRARY", library}, {"", name}});
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void printPort(const Function &function, const Port &port,
                      llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("name", port.name);
    json.attribute("bytes", port.bytes);
    if (port.offset)
      json.attribute("offset", *port.offset);
    if (port.kind != Port::Kind::Arena)
      json.attribute("elements", describePort(function, port));
  });
}

static void printFunction(const Network &network, const Function &function,
                          llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("function", function.name);
    std::pair<const char *, Port::Kind> lists[] = {
        {"inputs", Port::Kind::Input}, {"outputs", Port::Kind::Output}};
    for (auto [list, kind] : lists)
      json.attributeArray(list, [&, wanted = kind] {
        for (const Port &port : function.ports)
          if (port.kind == wanted)
            printPort(function, port, json);
      });
    int64_t stateBytes = 0;
    for (const Port &port : function.ports) {
      if (port.kind == Port::Kind::Arena)
        json.attribute("arena_bytes", port.bytes);
      if (port.isState())
        stateBytes += port.bytes;
    }
    json.attribute("local_bytes", function.localBytes);
    json.attribute("scratch_bytes", function.scratchBytes);
    json.attribute("state_bytes", stateBytes);
  });
}

/// Bytes of all buffers that `op` reads or writes.
static int64_t countBytes(Operation *op) {
  int64_t bytes = 0;
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(operand.getType()))
      bytes +=
          type.getNumElements() * getElementType(type.getElementType()).bytes;
  return bytes;
}

std::string c::printReport(const Network &network, const Machine *machine) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("made_by", "mli-compile " MLI_VERSION_TEXT);
    json.attribute("name", network.options.name);
    json.attribute("origin", llvm::json::fixUTF8(network.options.origin));
    ComputingModes modes = findComputingModes(network.module);
    json.attribute("library", getLibraryName(network));
    if (machine) {
      json.attribute("triple", machine->triple);
      json.attribute("cpu", machine->cpu);
      json.attribute("features", machine->features);
    }
    json.attribute("rounding", modes.isConvergent() ? "convergent" : "up");
    json.attribute("full_products", modes.hasFullProducts());
    json.attribute("full_averages", modes.hasFullAverages());
    json.attributeArray("functions", [&] {
      for (const Function &function : network.functions)
        if (function.isEntry)
          printFunction(network, function, json);
    });
    int64_t bytes = 0;
    for (const auto &[values, table] : network.tables)
      bytes += table.bytes;
    json.attribute("constant_bytes", bytes);
    json.attributeArray("constants", [&] {
      for (const auto &[values, table] : network.tables)
        json.object([&, &table = table] {
          json.attribute("name", table.name);
          json.attribute("bytes", table.bytes);
        });
    });
    json.attribute("tables_bytes", network.countMadeBytes());
    json.attribute("tensors", network.descriptions.tensors);
    json.attribute("parameter_bytes", network.descriptions.parameterBytes);
    json.attributeArray("layers", [&] {
      for (const Layer &layer : network.layers)
        json.object([&] {
          json.attribute("operation", layer.op->getName().stripDialect());
          json.attribute("place", llvm::json::fixUTF8(layer.place));
          json.attribute("products", layer.products);
          json.attribute("bytes", countBytes(layer.op));
        });
    });
  });
  return text + "\n";
}
