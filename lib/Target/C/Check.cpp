// SPDX-License-Identifier: Apache-2.0
//
// The function that looks, once, whether the library is as the network was
// compiled for.

#include "Descriptions.h"
#include "Probes.h"
#include "Sources.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

//===----------------------------------------------------------------------===//
// Modes
//===----------------------------------------------------------------------===//

static void printNumbers(const ProbeTensor &tensor, Writer &os) {
  int64_t count = tensor.countElements();
  std::string numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers += (i == 0 ? "" : ", ") +
               std::to_string(tensor.numbers.empty() ? 0 : tensor.numbers[i]);
  os.statement(Twine(tensor.numbers.empty() ? "" : "static const ") +
               getIntegerType(tensor.getWidth()).type + " " + tensor.name +
               "[" + Twine(count) + "] = {" + numbers + "};");
}

static void printTensor(const ProbeTensor &tensor, Writer &os) {
  ElementType type = getIntegerType(tensor.getWidth());
  std::string data = tensor.name.str();
  if (!tensor.numbers.empty())
    data = ("READ_ONLY(" + Twine(type.type) + ", " + data + ")").str();
  std::string bits = std::to_string(tensor.bits);
  std::string params = tensor.isFixedPoint()
                           ? "FIXED_POINT(" + bits + ")"
                           : "PER_TENSOR(" + std::to_string(tensor.mantissa) +
                                 ", " + bits + ", 0)";
  os.statement("mli_tensor " + tensor.tensor + " = {.data = BYTES(" +
               Twine(tensor.countElements() * type.bytes) + ", " + type.member +
               ", " + data + ")" +
               listMembers(tensor.shape, computeStrides(tensor.shape),
                           tensor.type, params));
}

/// Prints a function that compares what `probe` gives with what it is to give.
static void printProbe(const Probe &probe, Writer &os) {
  os.line("static mli_status check_" + probe.name + "(void) {");
  os.indent();
  for (const ProbeTensor &tensor : probe.operands)
    printNumbers(tensor, os);
  std::string arguments;
  for (const ProbeTensor &tensor : probe.operands) {
    printTensor(tensor, os);
    bool isOutput = tensor.numbers.empty();
    if (isOutput && !probe.configuration.empty())
      arguments += "&config, ";
    arguments += ("&" + tensor.tensor + (isOutput ? "" : ", ")).str();
  }
  if (!probe.configuration.empty())
    os.statement("const " + Twine(probe.configuration) + ";");
  os.statement("const mli_status status = " + Twine(probe.function) + "(" +
               arguments + ");");
  std::string same;
  for (auto [i, expected] : llvm::enumerate(probe.expected))
    same += (i == 0 ? "" : " && ") +
            ("output[" + Twine(i) + "] == " + Twine(expected)).str();
  os.conditional("status != MLI_STATUS_OK", "return status;");
  os.statement("return " + Twine(same) +
               " ? MLI_STATUS_OK : MLI_STATUS_SPEC_PARAM_MISMATCH;");
  os.outdent();
  os.line("}");
  os.line();
}

//===----------------------------------------------------------------------===//
// Blob
//===----------------------------------------------------------------------===//

static constexpr StringLiteral blobCheck =
    R"(static mli_status check_weights(const unsigned char *bytes) {
  static const unsigned char magic[4] = {'M', 'L', 'I', 'W'};
  uint32_t sum = 0xFFFFFFFFu, i, bit;
  uint32_t words[2];
  for (i = 0u; i < 4u; ++i) {
    if (bytes[i] != magic[i]) {
      return MLI_STATUS_ARGUMENT_ERROR;
    }
  }
  for (i = 0u; i < 2u; ++i) {
    words[i] = (uint32_t)bytes[(4u * i) + 4u] |
               ((uint32_t)bytes[(4u * i) + 5u] << 8) |
               ((uint32_t)bytes[(4u * i) + 6u] << 16) |
               ((uint32_t)bytes[(4u * i) + 7u] << 24);
  }
  if (words[0] != @u) {
    return MLI_STATUS_ARGUMENT_ERROR;
  }
  for (i = 16u; i < words[0]; ++i) {
    sum ^= bytes[i];
    for (bit = 0u; bit < 8u; ++bit) {
      sum = (sum & 1u) != 0u ? (sum >> 1) ^ 0xEDB88320u : sum >> 1;
    }
  }
  return (sum ^ 0xFFFFFFFFu) == words[1] ? MLI_STATUS_OK
                                         : MLI_STATUS_ARGUMENT_ERROR;
}

)";

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

/// Prints a function that takes and gives back as many channels of DMA as moves
/// beside kernels take.
static void printChannels(const Network &network, Writer &os) {
  std::string count = network.upper + "_DMA_CHANNELS";
  os.line("static mli_status check_channels(void) {");
  os.indent();
  os.line("mli_mov_handle_t moves[" + count + "];");
  os.line("mli_status status = MLI_STATUS_OK;");
  os.line("int32_t count = 0;");
  os.line("while (status == MLI_STATUS_OK && count < " + count + ") {");
  os.line("  status = mli_mov_acquire_handle(1, &moves[count]);");
  os.line("  count += status == MLI_STATUS_OK ? 1 : 0;");
  os.line("}");
  os.line("while (count > 0) {");
  os.line("  --count;");
  os.line("  (void)mli_mov_release_handle(&moves[count]);");
  os.line("}");
  os.line("return status;");
  os.outdent();
  os.line("}");
  os.line();
}

//===----------------------------------------------------------------------===//
// Check
//===----------------------------------------------------------------------===//

std::string c::declareCheck(const Network &network) {
  bool hasBlob = network.options.weights == CWeights::Blob;
  return "mli_status " + network.options.name + "_check(" +
         (hasBlob ? "const void *weights" : "void") + ")";
}

std::string c::printCheck(const Network &network) {
  Writer os;
  const std::string isOk = "status == MLI_STATUS_OK";
  SmallVector<std::pair<std::string, std::string>> checks;
  for (const Probe &probe : findProbes(network)) {
    printProbe(probe, os);
    checks.push_back({isOk, ("status = check_" + probe.name + "();").str()});
  }
  if (network.helpers.handles > 0) {
    printChannels(network, os);
    checks.push_back({isOk, "status = check_channels();"});
  }
  for (auto [create, bytes] : findTables(network))
    checks.push_back({isOk + " && " + getSizeFunction(create) + "() > " +
                          std::to_string(bytes),
                      "status = MLI_STATUS_NOT_ENGH_MEM;"});
  if (network.options.weights == CWeights::Blob) {
    auto [before, after] = blobCheck.split('@');
    os.append(before);
    os.append(std::to_string(network.getBlobBytes()));
    os.append(after);
    checks.push_back(
        {isOk, "status = check_weights((const unsigned char *)weights);"});
  }
  os.statement(declareCheck(network) + " {");
  os.line("  mli_status status = MLI_STATUS_OK;");
  os.indent();
  for (const auto &[condition, statement] : checks)
    os.conditional(condition, statement);
  os.outdent();
  os.line("  return status;");
  os.line("}");
  os.line();
  return os.take();
}
