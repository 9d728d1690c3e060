// SPDX-License-Identifier: Apache-2.0

#include "Probes.h"

#include "mli/Calls/Call.h"
#include "mli/IR/ComputingModes.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/KernelOps.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// A product of 2 inputs and 4 outputs, and the average of 3 elements of 4
/// channels, whose results say how numbers are rounded and accumulated.
static constexpr int32_t productInput[] = {35, 40};
static constexpr int32_t productWeights[] = {-92, -21, 117, 119,
                                             -56, 31,  -52, 96};
static constexpr int32_t productBias[] = {-944, -284, -1304, -1963};
static constexpr int32_t averageInput[] = {-14, 41,  35,  49,  -86, 121,
                                           -95, 104, 116, -13, -84, 87};
static constexpr int32_t halvesInput[] = {5, 7, -5, 3};

/// Results by rounding, up or convergent, then by accumulation, narrow or full.
static constexpr int32_t products[2][2][4] = {
    {{-41, 1, 5, 38}, {-41, 1, 4, 38}}, {{-40, 1, 5, 38}, {-40, 1, 4, 38}}};
static constexpr int32_t averages[2][2][4] = {
    {{8, 75, -72, 120}, {8, 75, -73, 121}},
    {{8, 74, -72, 120}, {8, 75, -72, 121}}};

/// Halves by rounding.
static constexpr int32_t halves[2][4] = {{3, 4, -2, 2}, {2, 4, -2, 2}};

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// A product by `function`, of maps or of vectors.
static Probe makeProduct(StringRef function, bool isMap, ComputingModes modes) {
  SmallVector<int64_t> in = {1, 1, 2}, weights = {1, 1, 2, 4}, out = {1, 1, 4};
  if (!isMap) {
    in = {2};
    weights = {2, 4};
    out = {4};
  }
  return {"products",
          function.str(),
          isMap ? "mli_conv2d_cfg config = {.relu = {.type = MLI_RELU_NONE}, "
                  ".stride_width = 1, .stride_height = 1, .padding_left = 0, "
                  ".padding_right = 0, .padding_top = 0, .padding_bottom = 0, "
                  ".dilation_width = 1, .dilation_height = 1}"
                : "mli_fully_connected_cfg config = {.relu = {.type = "
                  "MLI_RELU_NONE}}",
          isMap ? "mli.conv2d" : "mli.fully_connected",
          isMap ? "pad [0, 0, 0, 0]" : "",
          {{"input", "in", in, MLI_EL_SA_8, 16384, 14, productInput},
           {"weights", "w", weights, MLI_EL_SA_8, 21880, 14, productWeights},
           {"bias", "b", {4}, MLI_EL_SA_32, 21880, 14, productBias},
           {"output", "out", out, MLI_EL_SA_8, 27029, 7}},
          products[modes.isConvergent()][modes.hasFullProducts()]};
}

static Probe makeAverage(ComputingModes modes) {
  return {"averages",
          "mli_krn_avepool_hwc_sa8",
          "mli_pool_cfg config = {.kernel_width = 1, .kernel_height = 3, "
          ".stride_width = 1, .stride_height = 1, .padding_left = 0, "
          ".padding_right = 0, .padding_top = 0, .padding_bottom = 0}",
          "mli.avepool",
          "kernel [3, 1] pad [0, 0, 0, 0]",
          {{"input", "in", {3, 1, 4}, MLI_EL_SA_8, 25313, 14, averageInput},
           {"output", "out", {1, 1, 4}, MLI_EL_SA_8, 16759, 14}},
          averages[modes.isConvergent()][modes.hasFullAverages()]};
}

static Probe makeHalves(ComputingModes modes) {
  return {"rounding",
          "mli_hlp_convert_tensor_safx",
          "",
          "mli.convert",
          "",
          {{"input", "in", {4}, MLI_EL_FX_16, 1, 1, halvesInput},
           {"output", "out", {4}, MLI_EL_FX_8, 1, 0}},
          halves[modes.isConvergent()]};
}

//===----------------------------------------------------------------------===//
// Network
//===----------------------------------------------------------------------===//

/// Whether `op` computes, and does not move only.
static bool isComputed(Operation *op) {
  auto kernel = dyn_cast<KernelOpInterface>(op);
  return kernel && kernel.getFamily();
}

static bool isSa8(Value value) {
  return isa<Sa8Type>(getElementTypeOrSelf(value.getType()));
}

/// Whether `op` has weights of sa8, which it accumulates products with.
static bool hasProducts(Operation *op) {
  return isa<KernelOpInterface>(op) &&
         llvm::any_of(op->getOpOperands(), [](OpOperand &operand) {
           const contract::Tensor *tensor = getContract(operand);
           return tensor && tensor->role == contract::OperandKind::Weights &&
                  isSa8(operand.get());
         });
}

/// Whether a product shows the modes in which `op` computes.
static bool showsProducts(Operation *op) {
  auto weighted = dyn_cast<WeightedOpInterface>(op);
  return weighted && !isa<DepthwiseConv2DOp>(op) && isSa8(op->getOperand(0)) &&
         isSa8(weighted.getWeights());
}

/// A product by a function of the network, if one shows it.
static Probe findProduct(const Network &network, ComputingModes modes) {
  for (const Layer &layer : network.layers)
    if (showsProducts(layer.op))
      return makeProduct(calls::getCallee(cast<KernelOpInterface>(layer.op)),
                         isa<WindowOpInterface>(layer.op), modes);
  return makeProduct("mli_krn_conv2d_hwcn_sa8_sa8_sa32", /*isMap=*/true, modes);
}

SmallVector<Probe, 2> c::findProbes(const Network &network) {
  ComputingModes modes = findComputingModes(network.module);
  SmallVector<Probe, 2> probes;
  auto hasLayer = [&](llvm::function_ref<bool(Operation *)> isWanted) {
    return llvm::any_of(network.layers,
                        [&](const Layer &layer) { return isWanted(layer.op); });
  };
  if (hasLayer(hasProducts))
    probes.push_back(findProduct(network, modes));
  if (hasLayer([](Operation *op) {
        return isa<AvePoolOp>(op) && isSa8(op->getOperand(0));
      }))
    probes.push_back(makeAverage(modes));
  // Where no kernel of the network has a probe of its own.
  if (probes.empty() && hasLayer(isComputed))
    probes.push_back(makeHalves(modes));
  return probes;
}

llvm::SmallMapVector<const char *, int32_t, 4>
c::findTables(const Network &network) {
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

std::string c::getSizeFunction(StringRef create) {
  create.consume_back("create_lut");
  return (create + "get_lut_size").str();
}
