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
  AsmResourceBlob blob;
  /// Empty if there are bytes.
  std::string obstacle;
};

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
  PackedLayer layer;
  layer.blob = HeapAsmResourceBlob::allocate(packed.capacity, alignment,
                                             /*dataIsMutable=*/true);
  packed.mem.pi8 =
      reinterpret_cast<int8_t *>(layer.blob.getMutableData().data());
  status = pack(op, tensors, getRuntimeOrder(order), &packed);
  return status == MLI_STATUS_OK ? std::move(layer) : notPacked(status);
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

template <typename KernelOp>
static PackedLayer packKernel(KernelOp op, PackOrder order) {
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
  return packConstants(op, weights, bias, order);
}

/// Whether there is an overload of `pack` for the class.
template <typename KernelOp, typename = void>
static constexpr bool hasPackedForm = false;
template <typename KernelOp>
constexpr bool hasPackedForm<
    KernelOp, std::void_t<decltype(pack(KernelOp(), LayerTensors(),
                                        MLI_PACK_BEST, nullptr))>> = true;

/// Packs `op`, a kernel with weights, in `order`, which is not `None`.
static PackedLayer packLayer(Operation *op, PackOrder order) {
  return visitKernel<PackedLayer>(
      cast<KernelOpInterface>(op), [&](auto kernel) {
        if constexpr (hasPackedForm<decltype(kernel)>)
          return packKernel(kernel, order);
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
    getOperation().walk([&](Operation *op) {
      if (isa<WeightedOpInterface>(op))
        pack(op);
    });
  }

private:
  void pack(Operation *kernel) {
    PackedLayer layer = packLayer(kernel, order);
    if (!layer.obstacle.empty()) {
      LDBG() << kernel->getLoc() << ": " << kernel->getName()
             << " is not packed: " << layer.obstacle;
      if (explain)
        kernel->emitRemark("not packed: ") << layer.obstacle;
      return;
    }
    size_t bytes = layer.blob.getData().size();
    LDBG() << kernel->getLoc() << ": " << kernel->getName() << " is packed in "
           << bytes << " bytes";
    if (explain)
      kernel->emitRemark("packed in ") << bytes << " bytes";
    ++numPacked;
    numBytes += bytes;
    Builder builder(kernel->getContext());
    auto type =
        RankedTensorType::get(static_cast<int64_t>(bytes), builder.getI8Type());
    kernel->setAttr(packedAttrName,
                    DenseResourceElementsAttr::get(type, "mli_packed",
                                                   std::move(layer.blob)));
    if (threads > 1)
      kernel->setAttr(threadsAttrName,
                      builder.getI32IntegerAttr(static_cast<int>(threads)));
  }
};

} // namespace
