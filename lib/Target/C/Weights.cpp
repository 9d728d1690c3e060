// SPDX-License-Identifier: Apache-2.0

#include "Sources.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

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

std::string c::printWeights(const Network &network) {
  Writer os;
  bool isOwn = network.options.weights == CWeights::Source;
  if (isOwn) {
    printHead(network, "constants of kernels", os);
    os.line("#include \"" + network.options.name + "_weights.h\"");
    os.line();
  }
  std::string macro = network.upper + "_WEIGHTS";
  os.line("#ifndef " + macro + " /* where weights go: an attribute, say */");
  os.line("#define " + macro);
  os.line("#endif");
  os.line();
  for (const auto &[values, table] : network.tables) {
    os.line(Twine(isOwn ? "" : "static ") + macro + " " + declareTable(table) +
            " = {");
    os.values(table.values);
    os.line("};");
  }
  return os.take();
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
