// SPDX-License-Identifier: Apache-2.0

#include "Sources.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

/// Bytes of constants in one source; a table with more is alone. A compiler
/// takes about 60 bytes for each of them.
static constexpr int64_t mostSourceBytes = 4 << 20;

/// The declaration of `table` up to its end.
static std::string declareTable(const Table &table) {
  return (Twine("const ") + table.type.type + " " + table.name + "[" +
          Twine(table.bytes / table.type.bytes) + "]")
      .str();
}

std::string c::declareWeights(const Network &network) {
  Writer os;
  printHead(network, "constants of kernels", os);
  std::string guard = network.upper + "_WEIGHTS_H";
  os.line("#ifndef " + guard);
  os.line("#define " + guard);
  os.line();
  os.line("#include <stdint.h>");
  os.line();
  for (const auto &[values, table] : network.tables)
    os.statement("extern " + declareTable(table) + ";");
  os.line();
  os.line("#endif");
  return os.take();
}

static void printHook(const Network &network, Writer &os) {
  std::string macro = network.upper + "_WEIGHTS";
  os.line("#ifndef " + macro + " /* where weights go: an attribute, say */");
  os.line("#define " + macro);
  os.line("#endif");
  os.line();
}

static void printTable(const Network &network, const Table &table,
                       StringRef storage, Writer &os) {
  os.line(storage + network.upper + "_WEIGHTS " + declareTable(table) + " = {");
  os.values(table.values);
  os.line("};");
}

std::string c::printWeights(const Network &network) {
  Writer os;
  printHook(network, os);
  for (const auto &[values, table] : network.tables)
    printTable(network, table, "static ", os);
  return os.take();
}

std::vector<CFile> c::printWeightSources(const Network &network) {
  std::vector<CFile> files;
  Writer os;
  int64_t bytes = 0;
  auto begin = [&] {
    os = Writer();
    bytes = 0;
    printHead(network, "constants of kernels", os);
    os.line("#include \"" + network.options.name + "_weights.h\"");
    os.line();
    printHook(network, os);
  };
  auto end = [&] {
    std::string number =
        files.empty() ? std::string() : "_" + std::to_string(files.size());
    files.push_back(
        {network.options.name + "_weights" + number + ".c", os.take()});
  };
  begin();
  for (const auto &[values, table] : network.tables) {
    if (bytes > 0 && bytes + table.bytes > mostSourceBytes) {
      end();
      begin();
    }
    bytes += table.bytes;
    printTable(network, table, "", os);
  }
  end();
  return files;
}

/// Adds the elements of `values` to `blob`, the low byte first.
static void addElements(std::string &blob, ElementsAttr values, int64_t bytes) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(values)) {
    ArrayRef<char> data = resource.getData();
    blob.append(data.data(), data.size());
    return;
  }
  for (const APInt &value : values.getValues<APInt>())
    for (int64_t i = 0; i < bytes; ++i)
      blob.push_back(static_cast<char>(value.getSExtValue() >> (8 * i)));
}

std::string c::printBlob(const Network &network) {
  std::string blob(blobHeaderBytes, '\0');
  for (const auto &[attribute, table] : network.tables) {
    blob.resize(table.offset, '\0');
    addElements(blob, table.values, table.type.bytes);
  }
  auto setWord = [&](size_t at, uint32_t word) {
    llvm::support::endian::write32le(blob.data() + at, word);
  };
  llvm::ArrayRef<uint8_t> contents(
      reinterpret_cast<const uint8_t *>(blob.data()) + blobHeaderBytes,
      blob.size() - blobHeaderBytes);
  memcpy(blob.data(), "MLIW", 4);
  setWord(4, static_cast<uint32_t>(blob.size()));
  setWord(8, llvm::crc32(contents));
  return blob;
}
