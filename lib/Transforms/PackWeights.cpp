// SPDX-License-Identifier: Apache-2.0
//
// mli-pack-weights packs constant weights in the order that kernels read them.

#include "mli/IR/AttributeNames.h"
#include "mli/IR/ComputingModes.h"
#include "mli/IR/ConstantData.h"
#include "mli/IR/KernelOps.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/PackedAttr.h"
#include "mli/IR/RuntimeTensor.h"
#include "mli/Runtime/C/mli_packed.h"
#include "mli/Runtime/C/mli_runtime.h"
#include "mli/Transforms/Passes.h"

#include "mlir/IR/AsmState.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-pack-weights"

namespace mli {
#define GEN_PASS_DEF_PACKWEIGHTS
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Calls of the runtime
//===----------------------------------------------------------------------===//

namespace {

/// The packed bytes of a kernel, or why there are none.
struct PackedLayer {
  ElementsAttr bytes;
  /// Empty if there are bytes.
  std::string obstacle;
  /// Whether a kernel before has the same ones.
  bool isShared = false;
};

/// Packed layers by what they depend on.
using PackedLayers = DenseMap<Attribute, PackedLayer>;

/// The tensors of a layer as the runtime takes them.
struct LayerTensors {
  const mli_tensor *in, *weights, *bias, *out;
};

} // namespace

/// The configuration of `op`, whose padding is static.
template <typename ConvOp>
static mli_conv2d_cfg getConfig(ConvOp op) {
  auto byte = [](int64_t value) { return static_cast<uint8_t>(value); };
  ArrayRef<int64_t> strides = op.getStrides(), dilations = op.getDilations();
  ArrayRef<int64_t> padding = op.getStaticPadding();
  mli_conv2d_cfg config = {};
  config.relu.type = static_cast<mli_relu_type>(op.getRelu());
  config.stride_height = byte(strides[0]);
  config.stride_width = byte(strides[1]);
  config.padding_top = byte(padding[0]);
  config.padding_bottom = byte(padding[1]);
  config.padding_left = byte(padding[2]);
  config.padding_right = byte(padding[3]);
  config.dilation_height = byte(dilations[0]);
  config.dilation_width = byte(dilations[1]);
  return config;
}

// There is one overload of `pack` for each kernel that has a packed form.

static mli_status pack(Conv2DOp op, const LayerTensors &tensors,
                       mli_pack_order order, mli_data_container *packed) {
  mli_conv2d_cfg config = getConfig(op);
  return mli_pack_conv2d(tensors.in, tensors.weights, tensors.bias, &config,
                         tensors.out, order, packed);
}

static mli_status pack(DepthwiseConv2DOp op, const LayerTensors &tensors,
                       mli_pack_order /*order*/, mli_data_container *packed) {
  mli_conv2d_cfg config = getConfig(op);
  return mli_pack_depthwise_conv2d(tensors.in, tensors.weights, tensors.bias,
                                   &config, tensors.out, packed);
}

static mli_status pack(FullyConnectedOp op, const LayerTensors &tensors,
                       mli_pack_order order, mli_data_container *packed) {
  mli_fully_connected_cfg config = {};
  config.relu.type = static_cast<mli_relu_type>(op.getRelu());
  return mli_pack_fully_connected(tensors.in, tensors.weights, tensors.bias,
                                  &config, tensors.out, order, packed);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {

/// A tensor of the runtime with the memory that it refers to.
class LayerTensor {
public:
  /// Creates a tensor of the elements of `constant`.
  explicit LayerTensor(ConstantOp constant) : type(constant.getType()) {
    std::optional<ArrayRef<char>> held = getHeldBytes(constant.getValue());
    size_t width = elementWidth(type.getElementType()) / 8;
    tensor.emplace(type, layOutElements(*held, type.getNumElements() * width,
                                        width, storage));
  }
  /// Creates a tensor like a buffer of `type`, whose elements are never read.
  explicit LayerTensor(MemRefType type)
      : type(type), space(new char[type.getNumElements() *
                                   (elementWidth(type.getElementType()) / 8)]) {
    tensor.emplace(type, space.get());
  }
  LayerTensor(const LayerTensor &) = delete;
  LayerTensor &operator=(const LayerTensor &) = delete;

  const mli_tensor *get() const { return tensor->get(); }

private:
  ShapedType type;
  std::vector<char> storage;
  std::unique_ptr<char[]> space;
  std::optional<RuntimeTensor> tensor;
};

} // namespace

static mli_pack_order getRuntimeOrder(PackOrder order) {
  switch (order) {
  case PackOrder::Pairs:
    return MLI_PACK_PAIRS;
  case PackOrder::Quads:
    return MLI_PACK_QUADS;
  case PackOrder::None:
  case PackOrder::Best:
    break;
  }
  return MLI_PACK_BEST;
}

static PackedLayer notPacked(const Twine &why) {
  PackedLayer layer;
  layer.obstacle = why.str();
  return layer;
}

static PackedLayer notPacked(mli_status status) {
  if (status == MLI_STATUS_NOT_SUPPORTED)
    return notPacked("no packed layer computes the same bit by bit");
  return notPacked(Twine("the runtime answers ") + mli_status_name(status));
}

/// Packs `op` by two calls: the first returns the size, the second fills memory
/// of that size.
template <typename KernelOp>
static PackedLayer packConstants(KernelOp op, ConstantOp weights,
                                 ConstantOp bias, PackOrder order) {
  LayerTensor in(cast<MemRefType>(op.getInput().getType()));
  LayerTensor out(cast<MemRefType>(op.getInit().getType()));
  LayerTensor matrix(weights), offsets(bias);
  LayerTensors tensors = {in.get(), matrix.get(), offsets.get(), out.get()};
  mli_data_container packed = {};
  ComputingScope scope(op);
  mli_status status = pack(op, tensors, getRuntimeOrder(order), &packed);
  if (status != MLI_STATUS_OK)
    return notPacked(status);
  // K62
  constexpr size_t alignment = 64;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      packed.capacity, alignment, /*dataIsMutable=*/true);
  packed.mem.pi8 = reinterpret_cast<int8_t *>(blob.getMutableData().data());
  status = pack(op, tensors, getRuntimeOrder(order), &packed);
  if (status != MLI_STATUS_OK)
    return notPacked(status);
  auto type = RankedTensorType::get(static_cast<int64_t>(packed.capacity),
                                    IntegerType::get(op.getContext(), 8));
  return {DenseResourceElementsAttr::get(type, "mli_packed", std::move(blob)),
          ""};
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Why no packed layer has the attributes of `op`; empty if one has.
template <typename ConvOp>
static StringRef findObstacle(ConvOp op) {
  if (op.getLayout() != MapLayout::hwc)
    return "its maps have the channels first";
  return op.getPadding().empty() ? "" : "its padding is not known";
}
template <>
StringRef findObstacle(FullyConnectedOp op) {
  return op.getExtendedBias() ? "its bias is extended" : "";
}

/// Removes what the packed layer of a convolution does not depend on: the rows
/// of its maps and the padding there. Layers for one pixel keep weights of 8
/// bits that others widen.
template <typename ConvOp>
static void removeRows(ConvOp op, SmallVectorImpl<int64_t> &in,
                       SmallVectorImpl<int64_t> &out,
                       NamedAttrList &attributes) {
  bool isPixel = out[0] == 1 && out[1] == 1;
  in[0] = ShapedType::kDynamic;
  out[0] = isPixel ? 1 : ShapedType::kDynamic;
  SmallVector<int64_t> padding(op.getStaticPadding());
  padding[0] = padding[1] = ShapedType::kDynamic;
  attributes.set(op.getStaticPaddingAttrName(),
                 DenseI64ArrayAttr::get(op.getContext(), padding));
}
static void removeRows(FullyConnectedOp, SmallVectorImpl<int64_t> &,
                       SmallVectorImpl<int64_t> &, NamedAttrList &) {}

/// Kernels with equal keys have one packed layer.
template <typename KernelOp>
static Attribute getLayerKey(KernelOp op, ConstantOp weights, ConstantOp bias) {
  auto in = cast<MemRefType>(op.getInput().getType());
  auto out = cast<MemRefType>(op.getInit().getType());
  SmallVector<int64_t> inShape(in.getShape()), outShape(out.getShape());
  NamedAttrList attributes(
      cast<DictionaryAttr>(op->getPropertiesAsAttribute()));
  removeRows(op, inShape, outShape, attributes);
  ComputingModes modes = findComputingModes(op);
  Builder builder(op.getContext());
  auto type = [](ArrayRef<int64_t> shape, MemRefType map) {
    return TypeAttr::get(RankedTensorType::get(shape, map.getElementType()));
  };
  return builder.getArrayAttr(
      {op->getName().getIdentifier(), attributes.getDictionary(op.getContext()),
       type(inShape, in), type(outShape, out), TypeAttr::get(weights.getType()),
       TypeAttr::get(bias.getType()), weights.getValue(), bias.getValue(),
       builder.getI32IntegerAttr(modes.getRuntimeRounding()),
       builder.getI32IntegerAttr(modes.getRuntimeAccumulation())});
}

template <typename KernelOp>
static PackedLayer packKernel(KernelOp op, PackOrder order,
                              PackedLayers &layers) {
  for (Value operand : op->getOperands())
    if (isLocal(operand.getType()))
      return notPacked("kernels in local memory read weights that were moved "
                       "there");
  auto weights = op.getWeights().template getDefiningOp<ConstantOp>();
  auto bias = op.getBias().template getDefiningOp<ConstantOp>();
  for (auto [name, constant] : {std::pair("weights", weights), {"bias", bias}})
    if (!constant)
      return notPacked(Twine("'") + name + "' is no constant");
  if (getPackedLayer(op))
    return notPacked("it is packed");
  if (!isa<MemRefType>(op.getInput().getType()))
    return notPacked("its operands are tensors");
  for (auto [name, value] :
       {std::pair("input", op.getInput()), {"init", op.getInit()}})
    if (!cast<ShapedType>(value.getType()).hasStaticShape())
      return notPacked(Twine("'") + name + "' has no static shape");
  if (StringRef why = findObstacle(op); !why.empty())
    return notPacked(why);
  auto [layer, isNew] = layers.try_emplace(getLayerKey(op, weights, bias));
  if (isNew)
    layer->second = packConstants(op, weights, bias, order);
  PackedLayer packed = layer->second;
  packed.isShared = !isNew;
  return packed;
}

/// Whether there is an overload of `pack` for the class.
template <typename KernelOp, typename = void>
static constexpr bool hasPackedForm = false;
template <typename KernelOp>
constexpr bool hasPackedForm<
    KernelOp, std::void_t<decltype(pack(KernelOp(), LayerTensors(),
                                        MLI_PACK_BEST, nullptr))>> = true;

/// Packs `op`, a kernel with weights, in `order`, which is not `None`, unless
/// `layers` has its layer.
static PackedLayer packLayer(Operation *op, PackOrder order,
                             PackedLayers &layers) {
  return visitKernel<PackedLayer>(
      cast<KernelOpInterface>(op), [&](auto kernel) {
        if constexpr (hasPackedForm<decltype(kernel)>)
          return packKernel(kernel, order, layers);
        else
          return notPacked(op->getName().getStringRef() +
                           " has no packed form");
      });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct PackWeightsPass : mli::impl::PackWeightsBase<PackWeightsPass> {
  using PackWeightsBase::PackWeightsBase;

  void runOnOperation() override {
    if (order == PackOrder::None)
      return;
    PackedLayers layers;
    getOperation().walk([&](Operation *op) {
      if (isa<WeightedOpInterface>(op))
        pack(op, layers);
    });
  }

private:
  void pack(Operation *kernel, PackedLayers &layers) {
    PackedLayer layer = packLayer(kernel, order, layers);
    if (!layer.obstacle.empty()) {
      LDBG() << kernel->getLoc() << ": " << kernel->getName()
             << " is not packed: " << layer.obstacle;
      if (explain)
        kernel->emitRemark("not packed: ") << layer.obstacle;
      return;
    }
    int64_t bytes = layer.bytes.getNumElements();
    StringRef how = layer.isShared ? "shares a layer of " : "packed in ";
    LDBG() << kernel->getLoc() << ": " << kernel->getName() << ": " << how
           << bytes << " bytes";
    if (explain)
      kernel->emitRemark(how) << bytes << " bytes";
    ++numPacked;
    if (layer.isShared)
      ++numShared;
    else
      numBytes += bytes;
    kernel->setAttr(packedAttrName, layer.bytes);
    if (threads > 1)
      kernel->setAttr(threadsAttrName,
                      Builder(kernel->getContext())
                          .getI32IntegerAttr(static_cast<int>(threads)));
  }
};

} // namespace
