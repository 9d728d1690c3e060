// SPDX-License-Identifier: Apache-2.0
//
// A program that has inputs and expected outputs inside, for boards without
// files.

#include "TestProgram.h"

#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

static constexpr StringLiteral prelude = R"(
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *name;
  const void *data, *expected; /* of one step, and of all steps */
  size_t bytes;
} port;

)";

static constexpr StringLiteral program = R"(
/* Whether `output` is what it has to be in `step`. */
static int is_same(const port *output, size_t step) {
  const unsigned char *data = (const unsigned char *)output->data;
  const unsigned char *expected =
      (const unsigned char *)output->expected + step * output->bytes;
  size_t i = 0;
  while (i < output->bytes && data[i] == expected[i])
    ++i;
  if (i < output->bytes)
    printf("'%s' differs from byte %lu of step %lu on\n", output->name,
           (unsigned long)i, (unsigned long)step);
  return i == output->bytes;
}

int main(void) {
  const port *output;
  size_t step;
  int result = 0;
  mli_status status = check();
  if (status != MLI_STATUS_OK) {
    printf("error: the library is another one, with status %d\n", (int)status);
    return 2;
  }
  for (step = 0; step < NUM_STEPS; ++step) {
    status = run(step);
    if (status != MLI_STATUS_OK) {
      printf("error: the network ended with status %d\n", (int)status);
      return 2;
    }
    for (output = outputs; output->name != NULL; ++output)
      if (!is_same(output, step))
        result = 1;
  }
  for (output = outputs; result == 0 && output->name != NULL; ++output)
    printf("'%s' is the same\n", output->name);
  return result;
}
)";

/// The elements in `bytes`, the low byte of each first.
static SmallVector<int64_t> readElements(StringRef bytes, int64_t width) {
  SmallVector<int64_t> elements;
  const char *end = bytes.end();
  for (const char *at = bytes.begin(); at != end; at += width)
    switch (width) {
    case 1:
      elements.push_back(static_cast<int8_t>(*at));
      break;
    case 2:
      elements.push_back(
          llvm::support::endian::read<int16_t>(at, llvm::endianness::little));
      break;
    default:
      elements.push_back(
          llvm::support::endian::read<int32_t>(at, llvm::endianness::little));
    }
  return elements;
}

/// The type of constants for `port`: real numbers are there by their bits.
static StringRef getVectorType(const Port &port) {
  Type element = port.getType().getElementType();
  return element.isF32() ? "int32_t" : getElementType(element).type;
}

/// Prints all steps of `port`.
static void printVector(const Port &port, StringRef suffix, StringRef bytes,
                        Writer &os) {
  int64_t width = getElementType(port.getType().getElementType()).bytes;
  SmallVector<int64_t> elements = readElements(bytes, width);
  os.line("static const " + getVectorType(port) + " " + port.name + suffix +
          "[" + Twine(elements.size()) + "] = {");
  os.values(elements);
  os.line("};");
}

/// The argument for `port`: where its step is, or what it is written to.
static std::string passPort(const Port &port) {
  ElementType type = getElementType(port.getType().getElementType());
  if (port.kind == Port::Kind::Output)
    return port.name + "_data";
  std::string step =
      port.name + "_given + step * " + std::to_string(port.bytes / type.bytes);
  if (getVectorType(port) == type.type)
    return step;
  return (Twine("(const ") + type.type + " *)(const void *)(" + step + ")")
      .str();
}

/// Prints the constants of kernels, where a caller gives them.
static void printBlobArray(const Network &network, Writer &os) {
  std::string blob = printBlob(network);
  os.comment("The file " + network.options.name +
             ".bin, which a board has at an address.");
  os.line("static const union {");
  os.line("  int8_t bytes[" + Twine(blob.size()) + "];");
  os.line("  int32_t word;");
  os.line("} weights_data = {{");
  os.values(readElements(blob, /*width=*/1));
  os.line("}};");
}

std::string c::printVectorProgram(const Network &network,
                                  const Function &function) {
  const CVectors &vectors = *network.options.vectors;
  Writer os;
  os.append(prelude);
  if (network.options.weights == CWeights::Blob)
    printBlobArray(network, os);
  size_t numInputs = 0, numOutputs = 0, steps = 1;
  SmallVector<std::string> rows;
  for (const Port &port : function.ports) {
    if (port.kind == Port::Kind::Input) {
      const std::string &bytes = vectors.inputs[numInputs++];
      steps = bytes.size() / port.bytes;
      printVector(port, "_given", bytes, os);
    }
    if (port.kind != Port::Kind::Output)
      continue;
    ElementType type = getElementType(port.getType().getElementType());
    printVector(port, "_expected", vectors.outputs[numOutputs++], os);
    os.line(Twine("static ") + type.type + " " + port.name + "_data[" +
            Twine(port.bytes / type.bytes) + "];");
    rows.push_back("  {" + toString(port.name) + ", " + port.name + "_data, " +
                   port.name + "_expected, " + std::to_string(port.bytes) +
                   "},");
  }
  os.line("static const port outputs[] = {");
  for (const std::string &row : rows)
    os.statement(row);
  os.line("  {NULL, NULL, NULL, 0}};");
  os.line();
  os.line("enum { NUM_STEPS = " + Twine(steps) + " };");
  os.line();
  printCalls(network, function, "size_t step", passPort, os);
  os.append(program);
  return os.take();
}
