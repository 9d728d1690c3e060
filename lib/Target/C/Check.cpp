// SPDX-License-Identifier: Apache-2.0
//
// The function that looks, once, whether the library is as the network was
// compiled for.

#include "Descriptions.h"
#include "Sources.h"

#include "mli/Calls/Call.h"
#include "mli/IR/ComputingModes.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/KernelOps.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

//===----------------------------------------------------------------------===//
// Modes
//===----------------------------------------------------------------------===//

/// A product of 2 inputs and 4 outputs, and the average of 3 elements of 4
/// channels, whose results say how numbers are rounded and accumulated.
static constexpr StringLiteral productNumbers =
    R"(  static const int8_t input[2] = {35, 40};
  static const int8_t weights[8] = {-92, -21, 117, 119, -56, 31, -52, 96};
  static const int32_t bias[4] = {-944, -284, -1304, -1963};
)";
static constexpr StringLiteral averageNumbers =
    R"(  static const int8_t input[12] = {-14, 41, 35, 49, -86, 121,
      -95, 104, 116, -13, -84, 87};
)";

/// Results by rounding, up or convergent, then by accumulation, narrow or full.
static constexpr int8_t products[2][2][4] = {
    {{-41, 1, 5, 38}, {-41, 1, 4, 38}}, {{-40, 1, 5, 38}, {-40, 1, 4, 38}}};
static constexpr int8_t averages[2][2][4] = {
    {{8, 75, -72, 120}, {8, 75, -73, 121}},
    {{8, 74, -72, 120}, {8, 75, -72, 121}}};

/// Halves by rounding.
static constexpr int8_t halves[2][4] = {{3, 4, -2, 2}, {2, 4, -2, 2}};

static void printTensor(StringRef name, StringRef data, ArrayRef<int64_t> shape,
                        mli_element_type type, StringRef params, Writer &os) {
  os.statement("mli_tensor " + name + " = {.data = " + data +
               listMembers(shape, computeStrides(shape), type,
                           ("PER_TENSOR(" + params + ")").str()));
}

/// Compares the results with those of the mode.
static void printComparison(StringRef call, const int8_t (&expected)[4],
                            Writer &os) {
  os.statement("const mli_status status = " + call + ";");
  std::string same;
  for (int i = 0; i < 4; ++i)
    same += (i == 0 ? "" : " && ") +
            ("output[" + Twine(i) + "] == " + Twine(int(expected[i]))).str();
  os.conditional("status != MLI_STATUS_OK", "return status;");
  os.statement("return " + same +
               " ? MLI_STATUS_OK : MLI_STATUS_SPEC_PARAM_MISMATCH;");
  os.outdent();
  os.line("}");
  os.line();
}

/// Prints a product by `function`, of maps or of vectors.
static void printProduct(const Network &network, StringRef function, bool isMap,
                         Writer &os) {
  os.line("static mli_status check_products(void) {");
  os.append(productNumbers);
  os.line("  int8_t output[4] = {0, 0, 0, 0};");
  os.indent();
  SmallVector<int64_t> in = {1, 1, 2}, weights = {1, 1, 2, 4}, out = {1, 1, 4};
  if (!isMap) {
    in = {2};
    weights = {2, 4};
    out = {4};
  }
  printTensor("in", "BYTES(2, pi8, READ_ONLY(int8_t, input))", in, MLI_EL_SA_8,
              "16384, 14, 0", os);
  printTensor("w", "BYTES(8, pi8, READ_ONLY(int8_t, weights))", weights,
              MLI_EL_SA_8, "21880, 14, 0", os);
  printTensor("b", "BYTES(16, pi32, READ_ONLY(int32_t, bias))", {4},
              MLI_EL_SA_32, "21880, 14, 0", os);
  printTensor("out", "BYTES(4, pi8, output)", out, MLI_EL_SA_8, "27029, 7, 0",
              os);
  os.statement(
      isMap ? "const mli_conv2d_cfg config = {.relu = {.type = MLI_RELU_NONE}, "
              ".stride_width = 1, .stride_height = 1, .padding_left = 0, "
              ".padding_right = 0, .padding_top = 0, .padding_bottom = 0, "
              ".dilation_width = 1, .dilation_height = 1};"
            : "const mli_fully_connected_cfg config = {.relu = {.type = "
              "MLI_RELU_NONE}};");
  ComputingModes modes = findComputingModes(network.module);
  printComparison((function + "(&in, &w, &b, &config, &out)").str(),
                  products[modes.isConvergent()][modes.hasFullProducts()], os);
}

static void printAverage(const Network &network, Writer &os) {
  os.line("static mli_status check_averages(void) {");
  os.append(averageNumbers);
  os.line("  int8_t output[4] = {0, 0, 0, 0};");
  os.indent();
  printTensor("in", "BYTES(12, pi8, READ_ONLY(int8_t, input))", {3, 1, 4},
              MLI_EL_SA_8, "25313, 14, 0", os);
  printTensor("out", "BYTES(4, pi8, output)", {1, 1, 4}, MLI_EL_SA_8,
              "16759, 14, 0", os);
  os.statement("const mli_pool_cfg config = {.kernel_width = 1, "
               ".kernel_height = 3, .stride_width = 1, .stride_height = 1, "
               ".padding_left = 0, .padding_right = 0, .padding_top = 0, "
               ".padding_bottom = 0};");
  ComputingModes modes = findComputingModes(network.module);
  printComparison("mli_krn_avepool_hwc_sa8(&in, &config, &out)",
                  averages[modes.isConvergent()][modes.hasFullAverages()], os);
}

/// Prints a conversion of halves: where no kernel of the network has a check of
/// its own.
static void printRounding(const Network &network, Writer &os) {
  os.line("static mli_status check_rounding(void) {");
  os.indent();
  os.line("static const int16_t input[4] = {5, 7, -5, 3};");
  os.line("int8_t output[4] = {0, 0, 0, 0};");
  os.statement("mli_tensor in = {.data = BYTES(8, pi16, READ_ONLY(int16_t, "
               "input))" +
               listMembers({4}, {1}, MLI_EL_FX_16, "FIXED_POINT(1)"));
  os.statement("mli_tensor out = {.data = BYTES(4, pi8, output)" +
               listMembers({4}, {1}, MLI_EL_FX_8, "FIXED_POINT(0)"));
  ComputingModes modes = findComputingModes(network.module);
  printComparison("mli_hlp_convert_tensor_safx(&in, &out)",
                  halves[modes.isConvergent()], os);
}

/// Whether `op` computes, and does not move only.
static bool isComputed(Operation *op) {
  auto kernel = dyn_cast<KernelOpInterface>(op);
  return kernel && kernel.getFamily();
}

/// Whether `op` has weights of sa8, which it accumulates products with.
static bool hasProducts(Operation *op) {
  return isa<KernelOpInterface>(op) &&
         llvm::any_of(op->getOpOperands(), [](OpOperand &operand) {
           const contract::Tensor *tensor = getContract(operand);
           return tensor && tensor->role == contract::OperandKind::Weights &&
                  isa<Sa8Type>(getElementTypeOrSelf(operand.get().getType()));
         });
}

/// Whether a product shows the modes in which `op` computes.
static bool showsProducts(Operation *op) {
  auto weighted = dyn_cast<WeightedOpInterface>(op);
  if (!weighted || isa<DepthwiseConv2DOp>(op))
    return false;
  auto isSa8 = [](Value value) {
    return isa<Sa8Type>(getElementTypeOrSelf(value.getType()));
  };
  return isSa8(op->getOperand(0)) && isSa8(weighted.getWeights());
}

/// Prints a product by a function of the network, if one shows it.
static void printProducts(const Network &network, Writer &os) {
  for (const Layer &layer : network.layers)
    if (showsProducts(layer.op))
      return printProduct(network,
                          calls::getCallee(cast<KernelOpInterface>(layer.op)),
                          isa<WindowOpInterface>(layer.op), os);
  printProduct(network, "mli_krn_conv2d_hwcn_sa8_sa8_sa32", /*isMap=*/true, os);
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

/// The tables that the library makes for a call, and the bytes there are.
static llvm::SmallMapVector<const char *, int32_t, 4>
findTables(const Network &network) {
  llvm::SmallMapVector<const char *, int32_t, 4> tables;
  auto add = [&](LutFunction function) {
    const FunctionTable &table = getTable(function);
    tables[table.create] = table.bytes;
  };
  for (const Layer &layer : network.layers) {
    if (auto lookup = dyn_cast<TableOpInterface>(layer.op))
      for (const TableUse &use : lookup.getTables())
        add(use.function);
    if (auto lut = dyn_cast<LutOp>(layer.op))
      add(lut.getFunction());
  }
  return tables;
}

std::string c::declareCheck(const Network &network) {
  bool hasBlob = network.options.weights == CWeights::Blob;
  return "mli_status " + network.options.name + "_check(" +
         (hasBlob ? "const void *weights" : "void") + ")";
}

std::string c::printCheck(const Network &network) {
  Writer os;
  const std::string isOk = "status == MLI_STATUS_OK";
  SmallVector<std::pair<std::string, std::string>> checks;
  if (llvm::any_of(network.layers,
                   [](const Layer &layer) { return hasProducts(layer.op); })) {
    printProducts(network, os);
    checks.push_back({isOk, "status = check_products();"});
  }
  for (const Layer &layer : network.layers)
    if (isa<AvePoolOp>(layer.op) &&
        isa<Sa8Type>(getElementTypeOrSelf(layer.op->getOperand(0).getType()))) {
      printAverage(network, os);
      checks.push_back({isOk, "status = check_averages();"});
      break;
    }
  if (checks.empty() && llvm::any_of(network.layers, [](const Layer &layer) {
        return isComputed(layer.op);
      })) {
    printRounding(network, os);
    checks.push_back({isOk, "status = check_rounding();"});
  }
  if (network.helpers.handles > 0) {
    printChannels(network, os);
    checks.push_back({isOk, "status = check_channels();"});
  }
  for (auto [create, bytes] : findTables(network)) {
    StringRef name = create;
    name.consume_back("create_lut");
    checks.push_back(
        {(isOk + " && " + name + "get_lut_size() > " + Twine(bytes)).str(),
         "status = MLI_STATUS_NOT_ENGH_MEM;"});
  }
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
