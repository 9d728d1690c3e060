// SPDX-License-Identifier: Apache-2.0
//
// Raising convolutions, and fully connected layers, which are 1 x 1
// convolutions between reshapes.

#include "TosaEmitter.h"
#include "TosaPatterns.h"
#include "TosaWeights.h"

#include "mli/Quant/KernelScales.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

/// A convolution or matrix product and the rescale of its sums.
class ConvGroup : public Group {
public:
  enum class Kernel { Conv2D, Depthwise, Grouped, FullyConnected };

  using Group::Group;

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(input, inputZero),
            Constraint::zeroPoint(getResult(), rescale.outputZero)};
  }
  LogicalResult choose(const Scales &scales, Refusals &refusals) override;
  Value emit(Emitter &emitter) const override;

  Kernel kernel;
  Value input;
  int64_t inputZero;
  ElementsAttr weights; ///< in the kernel's order
  ElementsAttr bias;
  Window window;
  RescaleParams rescale;

private:
  template <typename Type>
  Type elementOf(MLIRContext *context, int32_t axis,
                 ArrayRef<mli::quant::QuantParams> params) const {
    return rescale.isPerChannel ? Type::get(context, axis, params)
                                : Type::get(context, params.front());
  }
  template <typename ConvOp>
  Value create(Emitter &emitter, Value weights, Value bias) const;

  SmallVector<mli::quant::QuantParams> weightsParams;
  SmallVector<mli::quant::QuantParams> biasParams;
};

} // namespace

LogicalResult ConvGroup::choose(const Scales &scales, Refusals &refusals) {
  mli::quant::QuantParams in = scales.getParams(input);
  mli::quant::QuantParams out = scales.getParams(getResult());
  weightsParams.clear();
  biasParams.clear();
  for (auto [i, factor] : llvm::enumerate(rescale.factors)) {
    std::optional<mli::quant::QuantParams> weights =
        mli::quant::weightsParams(in, out, factor);
    std::optional<mli::quant::QuantParams> bias;
    if (weights)
      bias = mli::quant::biasParams(in, *weights);
    if (!bias)
      return refusals.add(getSubject(), "expected factor ", i,
                          " of the rescale to be in range of a scale, but got ",
                          factor);
    weightsParams.push_back(*weights);
    biasParams.push_back(*bias);
  }
  return success();
}

template <typename ConvOp>
Value ConvGroup::create(Emitter &emitter, Value weights, Value bias) const {
  return ConvOp::create(emitter.getBuilder(), emitter.getLoc(),
                        emitter.read(input, withoutBatch(input)), weights, bias,
                        emitter.empty(getResult(), withoutBatch(getResult())),
                        window.padding, window.strides, window.dilations,
                        ReluKind::none)
      .getResult(0);
}

Value ConvGroup::emit(Emitter &emitter) const {
  MLIRContext *context = getRoot()->getContext();
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  auto axis = static_cast<int32_t>(shape.size()) - 1;
  Value weightsTensor = emitter.constant(
      weights, elementOf<Sa8Type>(context, axis, weightsParams));
  Value biasTensor =
      emitter.constant(bias, elementOf<Sa32Type>(context, 0, biasParams));
  switch (kernel) {
  case Kernel::Conv2D:
    return create<Conv2DOp>(emitter, weightsTensor, biasTensor);
  case Kernel::Depthwise:
    return create<DepthwiseConv2DOp>(emitter, weightsTensor, biasTensor);
  case Kernel::Grouped:
    return create<GroupConv2DOp>(emitter, weightsTensor, biasTensor);
  case Kernel::FullyConnected:
    return FullyConnectedOp::create(
               emitter.getBuilder(), emitter.getLoc(),
               emitter.read(input, shape.front()), weightsTensor, biasTensor,
               emitter.empty(getResult(), shape.back()), ReluKind::none)
        .getResult(0);
  }
  llvm_unreachable("unknown kernel");
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Takes over a pad in front of the convolution: kernels leave out what padding
/// covers, which is the same as the zero point.
static void absorbPad(ConvGroup &group) {
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

/// Whether this 1 x 1 convolution is a row of features made 4-D for it.
static bool isFullyConnected(const ConvGroup &group) {
  auto reshape = group.input.getDefiningOp<tosa::ReshapeOp>();
  if (!reshape || !isMap(reshape.getInput1().getType()) ||
      cast<ShapedType>(reshape.getInput1().getType()).getRank() == 4)
    return false;
  auto isOne = [](int64_t size) { return size == 1; };
  auto input = cast<ShapedType>(group.input.getType()).getShape();
  return llvm::all_of(input.drop_back(), isOne) &&
         llvm::all_of(group.window.kernel, isOne) &&
         llvm::all_of(group.window.padding, [](int64_t p) { return p == 0; });
}

/// Weights of `op`, whose order is OHWI, in the order of the kernel.
static void chooseKernel(ConvGroup &group, tosa::Conv2DOp op,
                         ElementsAttr weights) {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  group.window.kernel = {shape[1], shape[2]};
  bool isConnected = isFullyConnected(group);
  group.kernel = isConnected ? ConvGroup::Kernel::FullyConnected
                             : ConvGroup::Kernel::Conv2D;
  group.weights =
      isConnected
          ? withOutputsLast(weights, {shape[3], shape[0]})
          : withOutputsLast(weights, {shape[1], shape[2], shape[3], shape[0]});
}

/// The same for HWCM, where channel c * M + m of the result is filter m of
/// input channel c.
static void chooseKernel(ConvGroup &group, tosa::DepthwiseConv2DOp,
                         ElementsAttr weights) {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  group.window.kernel = {shape[0], shape[1]};
  group.kernel = shape[3] == 1   ? ConvGroup::Kernel::Depthwise
                 : shape[2] == 1 ? ConvGroup::Kernel::Conv2D
                                 : ConvGroup::Kernel::Grouped;
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
static std::pair<int64_t, int64_t> channelsOf(tosa::Conv2DOp,
                                              ArrayRef<int64_t> weights) {
  return {weights[3], weights[0]};
}
static std::pair<int64_t, int64_t> channelsOf(tosa::DepthwiseConv2DOp,
                                              ArrayRef<int64_t> weights) {
  return {weights[2], weights[2] * weights[3]};
}

/// Weights, bias and zero points are constants that the kernels take.
template <typename ConvOp>
static LogicalResult readConstants(ConvGroup &group, ConvOp op,
                                   Refusals &refusals) {
  FailureOr<int64_t> inputZero =
      readZeroPoint(op, op.getInputZp(), "input_zp", refusals);
  FailureOr<int64_t> weightZero =
      readZeroPoint(op, op.getWeightZp(), "weight_zp", refusals);
  if (failed(inputZero) || failed(weightZero))
    return failure();
  group.inputZero = *inputZero;
  if (*weightZero != 0)
    return refusals.add(op, "expected 'weight_zp' to be 0, but got ",
                        *weightZero);
  ElementsAttr weights = constantOf(op.getWeight());
  if (!weights || !rawElements(weights))
    return refusals.add(op, "expected 'weight' to be constant, but got ",
                        op.getWeight().getType());
  auto [inputs, outputs] = channelsOf(op, weights.getShapedType().getShape());
  int64_t inputChannels = withoutBatch(op.getInput()).back();
  int64_t outputChannels = withoutBatch(group.getResult()).back();
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

template <typename ConvOp>
static GroupPtr match(ConvOp op, tosa::RescaleOp rescale, Refusals &refusals) {
  Type weights = getElementTypeOrSelf(op.getWeight().getType());
  Type input = getElementTypeOrSelf(op.getInput().getType());
  for (Type element : {input, weights})
    if (!element.isSignlessInteger(8))
      return refusals.refuse(op, "expected i8 input and weights, but got ",
                             element);
  if (failed(checkBatchedMap(op, op.getInput(), "input", refusals)) ||
      failed(checkBatchedMap(rescale, rescale.getOutput(), "output", refusals)))
    return nullptr;
  FailureOr<RescaleParams> params = readRescale(rescale, refusals);
  if (failed(params))
    return nullptr;
  auto group = std::make_unique<ConvGroup>(rescale, op);
  group->input = op.getInput();
  group->rescale = *params;
  group->window.strides.assign(op.getStride().begin(), op.getStride().end());
  group->window.dilations.assign(op.getDilation().begin(),
                                 op.getDilation().end());
  group->window.padding.assign(op.getPad().begin(), op.getPad().end());
  if (failed(readConstants(*group, op, refusals)))
    return nullptr;
  absorbPad(*group);
  if (failed(checkWindow(op, group->window, refusals)))
    return nullptr;
  return group;
}

GroupPtr raising::matchConv(tosa::RescaleOp op, Refusals &refusals) {
  Operation *conv = op.getInput().getDefiningOp();
  if (auto conv2d = dyn_cast<tosa::Conv2DOp>(conv))
    return match(conv2d, op, refusals);
  return match(cast<tosa::DepthwiseConv2DOp>(conv), op, refusals);
}
