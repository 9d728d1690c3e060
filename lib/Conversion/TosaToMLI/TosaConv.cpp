// SPDX-License-Identifier: Apache-2.0
//
// Legalizes convolutions, and fully connected layers, which are 1 x 1
// convolutions between reshapes.

#include "TosaPatterns.h"
#include "TosaWeighted.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

/// Whether `value` is a feature map of i8 or i16.
static bool isMap(Value value) {
  return isFeatureMap(value.getType()) || isFeatureMap(value.getType(), 16);
}

/// Folds a pad before the convolution into its padding: kernels skip padded
/// elements, which is the same as reading the zero point.
static void absorbPad(WeightedCluster &cluster) {
  auto pad = cluster.input.getDefiningOp<tosa::PadOp>();
  if (!pad || !isMap(pad.getInput1()) ||
      !isConstantSplat(pad.getPadConst(), cluster.inputZero))
    return;
  DenseIntElementsAttr attribute;
  if (!matchPattern(pad.getPadding(), m_Constant(&attribute)) ||
      attribute.getNumElements() != 8)
    return;
  // The amounts are those before and after, for each of N, H, W and C.
  auto list = llvm::to_vector(attribute.getValues<int64_t>());
  if (list[0] != 0 || list[1] != 0 || list[6] != 0 || list[7] != 0)
    return;
  SmallVector<int64_t, 4> padding = cluster.window.padding;
  for (int i = 0; i < 4; ++i) {
    padding[i] += list[i + 2];
    int64_t extent =
        (cluster.window.kernel[i / 2] - 1) * cluster.window.dilations[i / 2] +
        1;
    if (list[i + 2] < 0 || padding[i] >= extent)
      return;
  }
  cluster.input = pad.getInput1();
  cluster.window.padding = padding;
}

/// Whether this 1 x 1 convolution computes rows of features that were reshaped
/// to 4-D for it.
static bool isFullyConnected(const WeightedCluster &cluster) {
  auto reshape = cluster.input.getDefiningOp<tosa::ReshapeOp>();
  if (!reshape || !isMap(reshape.getInput1()) ||
      cast<ShapedType>(reshape.getInput1().getType()).getRank() == 4)
    return false;
  auto isOne = [](int64_t size) { return size == 1; };
  return llvm::all_of(getShape(cluster.input).slice(1, 2), isOne) &&
         llvm::all_of(cluster.window.kernel, isOne) &&
         llvm::all_of(cluster.window.padding, [](int64_t p) { return p == 0; });
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Transposes weights from OHWI to HWIO.
static ElementsAttr toHWIO(ElementsAttr weights) {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  return withOutputsLast(weights, {shape[1], shape[2], shape[3], shape[0]});
}

/// Chooses the kernel of `op`, whose weights are OHWI, and brings them into its
/// order.
static void chooseKernel(WeightedCluster &cluster, tosa::Conv2DOp,
                         ElementsAttr weights) {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  cluster.window.kernel = {shape[1], shape[2]};
  bool isConnected = isFullyConnected(cluster);
  cluster.kernel = isConnected ? WeightedCluster::Kernel::FullyConnected
                               : WeightedCluster::Kernel::Conv2D;
  cluster.weights = isConnected ? withOutputsLast(weights, {shape[3], shape[0]})
                                : toHWIO(weights);
}

static void chooseKernel(WeightedCluster &cluster, tosa::TransposeConv2DOp,
                         ElementsAttr weights) {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  cluster.window.kernel = {shape[1], shape[2]};
  cluster.kernel = WeightedCluster::Kernel::Transposed;
  cluster.weights = toHWIO(weights);
}

/// Does the same for weights HWCM, where channel c * M + m of the result is
/// filter m of input channel c.
static void chooseKernel(WeightedCluster &cluster, tosa::DepthwiseConv2DOp,
                         ElementsAttr weights) {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  cluster.window.kernel = {shape[0], shape[1]};
  cluster.kernel = shape[3] == 1   ? WeightedCluster::Kernel::Depthwise
                   : shape[2] == 1 ? WeightedCluster::Kernel::Conv2D
                                   : WeightedCluster::Kernel::Grouped;
  cluster.weights =
      withShape(weights, {shape[0], shape[1], 1, shape[2] * shape[3]});
}

/// The bias, one value per channel, as an attribute; null if it is no constant.
static ElementsAttr readBias(Value value, int64_t channels, unsigned bits) {
  ElementsAttr bias = getConstant(value);
  if (!bias || !bias.getElementType().isSignlessInteger(bits))
    return {};
  std::optional<SmallVector<int64_t>> numbers = getIntegers(value);
  if (numbers && static_cast<int64_t>(numbers->size()) == channels)
    return bias;
  if (!numbers || numbers->size() != 1)
    return {};
  auto type = RankedTensorType::get(channels, bias.getElementType());
  return DenseElementsAttr::get(
      type, APInt(bits, numbers->front(), /*isSigned=*/true));
}

/// Returns the input and output channels of weights of this shape.
template <typename ConvOp>
static std::pair<int64_t, int64_t> getChannels(ArrayRef<int64_t> weights) {
  if constexpr (std::is_same_v<ConvOp, tosa::DepthwiseConv2DOp>)
    return {weights[2], weights[2] * weights[3]};
  else
    return {weights[3], weights[0]};
}

/// Reads weights, bias and zero points. Fails if the kernels do not take them.
template <typename ConvOp>
static LogicalResult readConstants(WeightedCluster &cluster, ConvOp op,
                                   MatchFailures &failures) {
  FailureOr<int64_t> inputZero =
      readZeroPoint(op, op.getInputZp(), "input_zp", failures);
  if (failed(inputZero))
    return failure();
  cluster.inputZero = *inputZero;
  ElementsAttr weights = readWeights(op, op.getWeight(), op.getWeightZp(),
                                     "weight", "weight_zp", failures);
  if (!weights)
    return failure();
  auto [inputs, outputs] =
      getChannels<ConvOp>(weights.getShapedType().getShape());
  int64_t inputChannels = getShape(op.getInput()).back();
  int64_t outputChannels = getShape(cluster.getResult()).back();
  if (inputs != inputChannels || outputs != outputChannels)
    return failures.add(op, "expected weights for ", inputChannels, " to ",
                        outputChannels, " channels, but got ", inputs, " to ",
                        outputs);
  chooseKernel(cluster, op, weights);
  unsigned bits = isStoredIn(op.getInput().getType(), 16) ? 48 : 32;
  cluster.bias = readBias(op.getBias(), outputs, bits);
  if (!cluster.bias)
    return failures.add(op, "expected 'bias' to be a constant of ", outputs,
                        " i", bits, ", but got ", op.getBias().getType());
  return success();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

template <typename ConvOp>
static LogicalResult readWindow(WeightedCluster &cluster, ConvOp op,
                                MatchFailures &) {
  cluster.window.dilations.assign(op.getDilation().begin(),
                                  op.getDilation().end());
  cluster.window.padding.assign(op.getPad().begin(), op.getPad().end());
  return success();
}

/// Reads the padding of a transposed convolution, which kernels cut off the
/// result: TOSA adds it, so it has to be negative there.
static LogicalResult readWindow(WeightedCluster &cluster,
                                tosa::TransposeConv2DOp op,
                                MatchFailures &failures) {
  cluster.window.dilations = {1, 1};
  for (int64_t pad : op.getOutPad()) {
    if (pad > 0)
      return failures.add(op, "expected 'out_pad' to be at most 0, but got ",
                          pad);
    cluster.window.padding.push_back(-pad);
  }
  return success();
}

/// Checks what the kernel of transposed convolutions requires besides.
static LogicalResult checkKernel(const WeightedCluster &cluster, Operation *op,
                                 MatchFailures &failures) {
  if (cluster.kernel != WeightedCluster::Kernel::Transposed)
    return success();
  for (auto [stride, kernel] :
       llvm::zip_equal(cluster.window.strides, cluster.window.kernel))
    if (stride > kernel)
      return failures.add(op, "expected 'stride' to be at most the window of ",
                          kernel, ", but got ", stride);
  return success();
}

template <typename ConvOp>
static ClusterPtr match(ConvOp op, tosa::RescaleOp root,
                        const RescaledValue &sums, MatchFailures &failures) {
  if (failed(checkProduct(op, failures)) ||
      failed(checkCodes(op, op.getInput(), "input", 16, failures)) ||
      failed(checkResult(root, op.getInput(), failures)) ||
      failed(checkSameBatch(op, op.getInput(), root.getOutput(), failures)))
    return nullptr;
  auto cluster = std::make_unique<WeightedCluster>(root, op);
  cluster->input = op.getInput();
  cluster->rescale = sums.params;
  cluster->window.strides.assign(op.getStride().begin(), op.getStride().end());
  if (failed(readWindow(*cluster, op, failures)) ||
      failed(readConstants(*cluster, op, failures)))
    return nullptr;
  if (cluster->kernel != WeightedCluster::Kernel::Transposed)
    absorbPad(*cluster);
  if (failed(checkWindow(op, cluster->window, failures)) ||
      failed(checkKernel(*cluster, op, failures)))
    return nullptr;
  cluster->clearDeadChannels();
  return cluster;
}

ClusterPtr raising::matchConv(tosa::RescaleOp root, const RescaledValue &sums,
                              MatchFailures &failures) {
  Operation *op = sums.value.getDefiningOp();
  if (auto conv = dyn_cast<tosa::Conv2DOp>(op)) {
    bool isVariable = !getConstant(conv.getWeight()) &&
                      isFeatureMap(conv.getInput().getType()) &&
                      isFeatureMap(conv.getWeight().getType()) &&
                      isFeatureMap(root.getType());
    if (isVariable)
      return matchVariableConv(root, conv, sums, failures);
    return match(conv, root, sums, failures);
  }
  if (auto conv = dyn_cast<tosa::TransposeConv2DOp>(op))
    return match(conv, root, sums, failures);
  return match(cast<tosa::DepthwiseConv2DOp>(op), root, sums, failures);
}
