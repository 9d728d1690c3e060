// SPDX-License-Identifier: Apache-2.0
//
// Raising convolutions, and fully connected layers, which are 1 x 1
// convolutions between reshapes.

#include "TosaPatterns.h"
#include "TosaWeighted.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

/// Takes over a pad in front of the convolution: kernels leave out what padding
/// covers, which is the same as the zero point.
static void absorbPad(WeightedGroup &group) {
  auto pad = group.input.getDefiningOp<tosa::PadOp>();
  if (!pad || !isMap(pad.getInput1().getType()) ||
      !isSplatOf(pad.getPadConst(), group.inputZero))
    return;
  DenseIntElementsAttr attribute;
  if (!matchPattern(pad.getPadding(), m_Constant(&attribute)) ||
      attribute.getNumElements() != 8)
    return;
  // Before and after, for each of N, H, W and C.
  auto list = llvm::to_vector(attribute.getValues<int64_t>());
  if (list[0] != 0 || list[1] != 0 || list[6] != 0 || list[7] != 0)
    return;
  SmallVector<int64_t, 4> padding = group.window.padding;
  for (int i = 0; i < 4; ++i) {
    padding[i] += list[i + 2];
    int64_t extent =
        (group.window.kernel[i / 2] - 1) * group.window.dilations[i / 2] + 1;
    if (list[i + 2] < 0 || padding[i] >= extent)
      return;
  }
  group.input = pad.getInput1();
  group.window.padding = padding;
}

/// Whether this 1 x 1 convolution is rows of features made 4-D for it.
static bool isFullyConnected(const WeightedGroup &group) {
  auto reshape = group.input.getDefiningOp<tosa::ReshapeOp>();
  if (!reshape || !isMap(reshape.getInput1().getType()) ||
      cast<ShapedType>(reshape.getInput1().getType()).getRank() == 4)
    return false;
  auto isOne = [](int64_t size) { return size == 1; };
  return llvm::all_of(shapeOf(group.input).slice(1, 2), isOne) &&
         llvm::all_of(group.window.kernel, isOne) &&
         llvm::all_of(group.window.padding, [](int64_t p) { return p == 0; });
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// OHWI becomes HWIO.
static ElementsAttr toHWIO(ElementsAttr weights) {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  return withOutputsLast(weights, {shape[1], shape[2], shape[3], shape[0]});
}

/// Weights of `op`, whose order is OHWI, in the order of the kernel.
static void chooseKernel(WeightedGroup &group, tosa::Conv2DOp,
                         ElementsAttr weights) {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  group.window.kernel = {shape[1], shape[2]};
  bool isConnected = isFullyConnected(group);
  group.kernel = isConnected ? WeightedGroup::Kernel::FullyConnected
                             : WeightedGroup::Kernel::Conv2D;
  group.weights = isConnected ? withOutputsLast(weights, {shape[3], shape[0]})
                              : toHWIO(weights);
}

static void chooseKernel(WeightedGroup &group, tosa::TransposeConv2DOp,
                         ElementsAttr weights) {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  group.window.kernel = {shape[1], shape[2]};
  group.kernel = WeightedGroup::Kernel::Transposed;
  group.weights = toHWIO(weights);
}

/// The same for HWCM, where channel c * M + m of the result is filter m of
/// input channel c.
static void chooseKernel(WeightedGroup &group, tosa::DepthwiseConv2DOp,
                         ElementsAttr weights) {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  group.window.kernel = {shape[0], shape[1]};
  group.kernel = shape[3] == 1   ? WeightedGroup::Kernel::Depthwise
                 : shape[2] == 1 ? WeightedGroup::Kernel::Conv2D
                                 : WeightedGroup::Kernel::Grouped;
  group.weights =
      withShape(weights, {shape[0], shape[1], 1, shape[2] * shape[3]});
}

/// The bias, one value a channel, as an attribute; null if it is none.
static ElementsAttr readBias(Value value, int64_t channels) {
  ElementsAttr bias = constantOf(value);
  if (!bias || !bias.getElementType().isSignlessInteger(32))
    return {};
  std::optional<SmallVector<int64_t>> numbers = integersOf(value);
  if (numbers && static_cast<int64_t>(numbers->size()) == channels)
    return bias;
  if (!numbers || numbers->size() != 1)
    return {};
  auto type = RankedTensorType::get(channels, bias.getElementType());
  return DenseElementsAttr::get(type, static_cast<int32_t>(numbers->front()));
}

/// Which dimensions of the weights count input and output channels.
template <typename ConvOp>
static std::pair<int64_t, int64_t> channelsOf(ArrayRef<int64_t> weights) {
  if constexpr (std::is_same_v<ConvOp, tosa::DepthwiseConv2DOp>)
    return {weights[2], weights[2] * weights[3]};
  else
    return {weights[3], weights[0]};
}

/// Weights, bias and zero points are constants that the kernels take.
template <typename ConvOp>
static LogicalResult readConstants(WeightedGroup &group, ConvOp op,
                                   Refusals &refusals) {
  FailureOr<int64_t> inputZero =
      readZeroPoint(op, op.getInputZp(), "input_zp", refusals);
  if (failed(inputZero))
    return failure();
  group.inputZero = *inputZero;
  ElementsAttr weights = readWeights(op, op.getWeight(), op.getWeightZp(),
                                     "weight", "weight_zp", refusals);
  if (!weights)
    return failure();
  auto [inputs, outputs] =
      channelsOf<ConvOp>(weights.getShapedType().getShape());
  int64_t inputChannels = shapeOf(op.getInput()).back();
  int64_t outputChannels = shapeOf(group.getResult()).back();
  if (inputs != inputChannels || outputs != outputChannels)
    return refusals.add(op, "expected weights for ", inputChannels, " to ",
                        outputChannels, " channels, but got ", inputs, " to ",
                        outputs);
  chooseKernel(group, op, weights);
  group.bias = readBias(op.getBias(), outputs);
  if (!group.bias)
    return refusals.add(op, "expected 'bias' to be a constant of ", outputs,
                        " i32, but got ", op.getBias().getType());
  return success();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

template <typename ConvOp>
static LogicalResult readWindow(WeightedGroup &group, ConvOp op, Refusals &) {
  group.window.dilations.assign(op.getDilation().begin(),
                                op.getDilation().end());
  group.window.padding.assign(op.getPad().begin(), op.getPad().end());
  return success();
}

/// Kernels cut off what TOSA adds to the result, less than nothing.
static LogicalResult readWindow(WeightedGroup &group,
                                tosa::TransposeConv2DOp op,
                                Refusals &refusals) {
  group.window.dilations = {1, 1};
  for (int64_t pad : op.getOutPad()) {
    if (pad > 0)
      return refusals.add(op, "expected 'out_pad' to be at most 0, but got ",
                          pad);
    group.window.padding.push_back(-pad);
  }
  return success();
}

/// What the kernel that enlarges maps takes besides.
static LogicalResult checkKernel(const WeightedGroup &group, Operation *op,
                                 Refusals &refusals) {
  if (group.kernel != WeightedGroup::Kernel::Transposed)
    return success();
  for (auto [stride, kernel] :
       llvm::zip_equal(group.window.strides, group.window.kernel))
    if (stride > kernel)
      return refusals.add(op, "expected 'stride' to be at most the window of ",
                          kernel, ", but got ", stride);
  return success();
}

template <typename ConvOp>
static GroupPtr match(ConvOp op, tosa::RescaleOp root,
                      const RescaledValue &sums, Refusals &refusals) {
  for (Value operand : {op.getInput(), op.getWeight()})
    if (!isStoredIn(operand.getType(), 8))
      return refusals.refuse(op, "expected i8 input and weights, but got ",
                             getElementTypeOrSelf(operand.getType()));
  if (failed(checkBatches(op, op.getInput(), root.getOutput(), refusals)))
    return nullptr;
  auto group = std::make_unique<WeightedGroup>(root, op);
  group->input = op.getInput();
  group->rescale = sums.params;
  group->window.strides.assign(op.getStride().begin(), op.getStride().end());
  if (failed(readWindow(*group, op, refusals)) ||
      failed(readConstants(*group, op, refusals)))
    return nullptr;
  if (group->kernel != WeightedGroup::Kernel::Transposed)
    absorbPad(*group);
  if (failed(checkWindow(op, group->window, refusals)) ||
      failed(checkKernel(*group, op, refusals)))
    return nullptr;
  group->clearDeadChannels();
  return group;
}

GroupPtr raising::matchConv(tosa::RescaleOp root, const RescaledValue &sums,
                            Refusals &refusals) {
  Operation *op = sums.value.getDefiningOp();
  if (auto conv = dyn_cast<tosa::Conv2DOp>(op))
    return match(conv, root, sums, refusals);
  if (auto conv = dyn_cast<tosa::TransposeConv2DOp>(op))
    return match(conv, root, sums, refusals);
  return match(cast<tosa::DepthwiseConv2DOp>(op), root, sums, refusals);
}
