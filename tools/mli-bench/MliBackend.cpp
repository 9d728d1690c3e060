// SPDX-License-Identifier: Apache-2.0
//
// This library: plain calls, packed layers, scalar code and fixed point.

#include "Backend.h"
#include "mli/Runtime/C/mli_api.h"
#include "mli/Runtime/C/mli_packed.h"
#include "mli/Runtime/C/mli_runtime.h"
#include "mli/Runtime/C/mli_simd.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace mli::bench {

int mliThreads = 1;

namespace {

/// How a layer is computed.
enum class Variant {
  Plain,
  Packed,
  OneThread,
  ManyThreads,
  Fx16Fx8,
  Fx16,
  PackedFx16Fx8,
  PackedFx16
};

constexpr bool isWithThreads(Variant variant) {
  return variant == Variant::OneThread || variant == Variant::ManyThreads;
}
constexpr bool isPacked(Variant variant) {
  return isWithThreads(variant) || variant == Variant::Packed ||
         variant == Variant::PackedFx16Fx8 || variant == Variant::PackedFx16;
}
constexpr bool hasNarrowWeights(Variant variant) {
  return variant == Variant::Fx16Fx8 || variant == Variant::PackedFx16Fx8;
}
constexpr bool hasWideWeights(Variant variant) {
  return variant == Variant::Fx16 || variant == Variant::PackedFx16;
}

class MliKernel : public Kernel {
public:
  MliKernel(const Layer &layer, const Operands &operands, Variant variant,
            bool isScalar)
      : layer(layer), operands(operands), variant(variant), isScalar(isScalar),
        isFixed(hasNarrowWeights(variant) || hasWideWeights(variant)) {
    int codeBytes = isFixed ? 2 : 1;
    out.resize(layer.outputCount() * codeBytes);
    fillFixedPoint();
    bool isVector = layer.kind == "fc" || layer.kind == "softmax";
    setTensor(inTensor, inData(),
              isVector
                  ? std::vector<int>{layer.inputs}
                  : std::vector<int>{layer.height, layer.width, layer.inputs},
              codeBytes, operands.inScale, operands.inZero, 12);
    setTensor(in2Tensor, operands.in2.data(),
              {layer.height, layer.width, layer.inputs}, 1, operands.in2Scale,
              operands.in2Zero, 12);
    setTensor(outTensor, out.data(),
              isVector ? std::vector<int>{layer.outputs}
                       : std::vector<int>{layer.outHeight, layer.outWidth,
                                          layer.outputs},
              codeBytes, operands.outScale, operands.outZero, 10);
    setWeights();
    setConfigurations();
    call = chooseCall();
  }
  ~MliKernel() override { std::free(packed.mem.pi8); }

  /// Packs what is to be packed, and computes once. False if a kernel fails.
  bool prepare() {
    if (isPacked(variant) && (!pack() || !pack()))
      return false;
    status = MLI_STATUS_OK;
    run();
    if (status != MLI_STATUS_OK)
      std::fprintf(stderr, "%s: expected MLI_STATUS_OK, but got %s\n",
                   layer.name.c_str(), mli_status_name(status));
    return status == MLI_STATUS_OK;
  }

  void run() override {
    if (!isScalar) {
      status = call();
      return;
    }
    mli_simd_target target = mli_get_simd_target();
    mli_set_simd_target(MLI_SIMD_SCALAR);
    status = call();
    mli_set_simd_target(target);
  }

  std::vector<int8_t> output() const override { return out; }

private:
  const void *inData() const {
    return isFixed ? static_cast<const void *>(wideIn.data())
                   : operands.in.data();
  }

  /// fx operands of about the same real numbers.
  void fillFixedPoint() {
    if (!isFixed)
      return;
    for (int8_t code : operands.in)
      wideIn.push_back(static_cast<int16_t>(200 * code));
    for (int8_t code : operands.weights)
      wideWeights.push_back(static_cast<int16_t>(200 * code));
    narrowBias.assign(layer.outputs, 10);
    wideBias.assign(layer.outputs, 100);
  }

  static void setTensor(mli_tensor &tensor, const void *data,
                        const std::vector<int> &shape, int codeBytes,
                        const Scale &scale, int zero, int fracBits) {
    std::memset(&tensor, 0, sizeof(tensor));
    tensor.rank = static_cast<uint32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), tensor.shape);
    mli_hlp_set_tensor_mem_strides(&tensor);
    tensor.data.mem.pi8 =
        const_cast<int8_t *>(static_cast<const int8_t *>(data));
    tensor.el_type = codeBytes == 1 ? MLI_EL_SA_8 : MLI_EL_FX_16;
    tensor.data.capacity = mli_hlp_count_elem_num(&tensor, 0) * codeBytes;
    if (codeBytes == 2) {
      tensor.el_params.fx.frac_bits = static_cast<int8_t>(fracBits);
      return;
    }
    auto &sa = tensor.el_params.sa;
    sa.type = MLI_EL_PARAM_SC16_ZP16;
    sa.dim = -1;
    sa.scale.mem.i16 = scale.mantissa;
    sa.scale_frac_bits.mem.i8 = scale.fracBits;
    sa.zero_point.mem.i16 = static_cast<int16_t>(zero);
  }

  void setWeights() {
    if (!layer.hasWeights())
      return;
    std::vector<int> shape = {layer.kernelHeight, layer.kernelWidth,
                              layer.isDepthwise() ? 1 : layer.inputs,
                              layer.outputs};
    if (layer.kind == "fc")
      shape = {layer.inputs, layer.outputs};
    bool isWide = hasWideWeights(variant);
    setTensor(weightsTensor,
              isWide ? static_cast<const void *>(wideWeights.data())
                     : operands.weights.data(),
              shape, isWide ? 2 : 1, operands.inScale, 0, 15);
    setTensor(biasTensor, wideBias.data(), {layer.outputs}, 2, operands.inScale,
              0, 12);
    if (hasNarrowWeights(variant)) {
      weightsTensor.el_type = biasTensor.el_type = MLI_EL_FX_8;
      weightsTensor.el_params.fx.frac_bits = 7;
      biasTensor.el_params.fx.frac_bits = 5;
      biasTensor.data.mem.pi8 = narrowBias.data();
    } else if (!isFixed) {
      setChannelScales();
    }
  }

  void setChannelScales() {
    zeros.assign(layer.outputs, 0);
    for (const Scale &scale : operands.weightScales) {
      mantissas.push_back(scale.mantissa);
      fracBits.push_back(scale.fracBits);
      // One mantissa bit less keeps the product in 16 bits.
      biasMantissas.push_back(static_cast<int16_t>(
          (scale.mantissa * operands.inScale.mantissa + (1 << 15)) >> 16));
      biasFracBits.push_back(
          static_cast<int8_t>(scale.fracBits + operands.inScale.fracBits - 16));
    }
    biasTensor.el_type = MLI_EL_SA_32;
    biasTensor.data.mem.pi32 = const_cast<int32_t *>(operands.bias.data());
    biasTensor.data.capacity = 4 * layer.outputs;
    setAxis(biasTensor, 0, biasMantissas.data(), biasFracBits.data());
    setAxis(weightsTensor, static_cast<int>(weightsTensor.rank) - 1,
            mantissas.data(), fracBits.data());
  }

  void setAxis(mli_tensor &tensor, int dim, int16_t *scales, int8_t *bits) {
    auto &sa = tensor.el_params.sa;
    std::memset(&sa, 0, sizeof(sa));
    sa.type = MLI_EL_PARAM_SC16_ZP16;
    sa.dim = dim;
    sa.scale.capacity = sa.zero_point.capacity = 2 * layer.outputs;
    sa.scale_frac_bits.capacity = layer.outputs;
    sa.scale.mem.pi16 = scales;
    sa.zero_point.mem.pi16 = zeros.data();
    sa.scale_frac_bits.mem.pi8 = bits;
  }

  void setConfigurations() {
    auto byte = [](int value) { return static_cast<uint8_t>(value); };
    convolution.stride_width = pool.stride_width = byte(layer.strideWidth);
    convolution.stride_height = pool.stride_height = byte(layer.strideHeight);
    convolution.padding_left = pool.padding_left = byte(layer.padLeft);
    convolution.padding_right = pool.padding_right = byte(layer.padRight);
    convolution.padding_top = pool.padding_top = byte(layer.padTop);
    convolution.padding_bottom = pool.padding_bottom = byte(layer.padBottom);
    convolution.dilation_width = convolution.dilation_height = 1;
    pool.kernel_width = byte(layer.kernelWidth);
    pool.kernel_height = byte(layer.kernelHeight);
    softmax.axis = -1;
    std::memset(&lut, 0, sizeof(lut));
    if (layer.kind == "softmax") {
      table.resize(mli_krn_softmax_get_lut_size() / 2);
      lut.data.mem.pi16 = table.data();
      lut.data.capacity = mli_krn_softmax_get_lut_size();
      mli_krn_softmax_create_lut(&lut);
    }
  }

  /// The first call queries the size, the second packs.
  bool pack() {
    if (packed.capacity != 0)
      packed.mem.pi8 = static_cast<int8_t *>(
          std::aligned_alloc(64, (size_t{packed.capacity} + 63) / 64 * 64));
    if (layer.kind == "fc")
      status = mli_pack_fully_connected(&inTensor, &weightsTensor, &biasTensor,
                                        &product, &outTensor, MLI_PACK_BEST,
                                        &packed);
    else if (layer.isDepthwise())
      status = mli_pack_depthwise_conv2d(&inTensor, &weightsTensor, &biasTensor,
                                         &convolution, &outTensor, &packed);
    else
      status =
          mli_pack_conv2d(&inTensor, &weightsTensor, &biasTensor, &convolution,
                          &outTensor, MLI_PACK_BEST, &packed);
    return status == MLI_STATUS_OK;
  }

  /// Returns the call that computes the layer, with nothing left to decide.
  std::function<mli_status()> chooseCall() {
    if (isPacked(variant)) {
      int threads = variant == Variant::ManyThreads ? mliThreads : 1;
      return [this, threads] {
        return mli_krn_packed(&inTensor, &packed, threads, &outTensor);
      };
    }
    if (layer.kind == "add")
      return [this] {
        return mli_krn_eltwise_add_sa8(&inTensor, &in2Tensor, &outTensor);
      };
    if (layer.kind == "maxpool")
      return [this] {
        return mli_krn_maxpool_hwc_sa8(&inTensor, &pool, &outTensor);
      };
    if (layer.kind == "avgpool")
      return [this] {
        return mli_krn_avepool_hwc_sa8(&inTensor, &pool, &outTensor);
      };
    if (layer.kind == "softmax")
      return [this] {
        return mli_krn_softmax_sa8(&inTensor, &lut, &softmax, &outTensor);
      };
    return chooseWeighted();
  }

  std::function<mli_status()> chooseWeighted() {
    if (layer.kind == "fc") {
      auto kernel = variant == Variant::Fx16 ? mli_krn_fully_connected_fx16
                    : variant == Variant::Fx16Fx8
                        ? mli_krn_fully_connected_fx16_fx8_fx8
                        : mli_krn_fully_connected_sa8_sa8_sa32;
      return [this, kernel] {
        return kernel(&inTensor, &weightsTensor, &biasTensor, &product,
                      &outTensor);
      };
    }
    auto kernel = variant == Variant::Fx16 ? mli_krn_conv2d_hwcn_fx16
                  : variant == Variant::Fx16Fx8
                      ? mli_krn_conv2d_hwcn_fx16_fx8_fx8
                      : mli_krn_conv2d_hwcn_sa8_sa8_sa32;
    if (layer.isDepthwise())
      kernel = variant == Variant::Fx16 ? mli_krn_depthwise_conv2d_hwcn_fx16
               : variant == Variant::Fx16Fx8
                   ? mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8
                   : mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32;
    return [this, kernel] {
      return kernel(&inTensor, &weightsTensor, &biasTensor, &convolution,
                    &outTensor);
    };
  }

  const Layer &layer;
  const Operands &operands;
  Variant variant;
  bool isScalar, isFixed;
  mli_status status = MLI_STATUS_OK;
  std::function<mli_status()> call;
  std::vector<int8_t> out;
  std::vector<int16_t> wideIn, wideWeights, wideBias;
  std::vector<int8_t> narrowBias;
  std::vector<int16_t> mantissas, biasMantissas, zeros, table;
  std::vector<int8_t> fracBits, biasFracBits;
  mli_tensor inTensor, in2Tensor, outTensor, weightsTensor, biasTensor;
  mli_conv2d_cfg convolution = {};
  mli_pool_cfg pool = {};
  mli_fully_connected_cfg product = {};
  mli_softmax_cfg softmax = {};
  mli_lut lut;
  mli_data_container packed = {};
};

template <Variant Chosen, bool IsScalar = false>
std::unique_ptr<Kernel> create(const Layer &layer, const Operands &operands) {
  constexpr bool isSingle = Chosen == Variant::Plain;
  if (!layer.isCommon())
    return isSingle ? createOther(layer, operands, IsScalar) : nullptr;
  bool isProduct = layer.kind == "conv" || layer.kind == "fc";
  bool isOffered = isSingle || (isPacked(Chosen) && !isWithThreads(Chosen)
                                    ? isProduct
                                    : layer.hasWeights());
  if (!isOffered)
    return nullptr;
  auto kernel = std::make_unique<MliKernel>(layer, operands, Chosen, IsScalar);
  if (!kernel->prepare())
    return nullptr;
  return kernel;
}

} // namespace

const Backend mliPlain = {"plain", create<Variant::Plain>,
                          create<Variant::Plain, true>};
const Backend mliPacked = {"packed", create<Variant::Packed>,
                           create<Variant::Plain, true>};
const Backend mliOneThread = {"1 thread", create<Variant::OneThread>,
                              create<Variant::Plain, true>};
const Backend mliManyThreads = {"threads", create<Variant::ManyThreads>,
                                create<Variant::Plain, true>};
const Backend mliScalar = {"scalar", create<Variant::Plain, true>,
                           create<Variant::Plain, true>};
const Backend mliFx16Fx8 = {"fx16xfx8", create<Variant::Fx16Fx8>,
                            create<Variant::Fx16Fx8, true>};
const Backend mliFx16 = {"fx16", create<Variant::Fx16>,
                         create<Variant::Fx16, true>};
const Backend mliPackedFx16Fx8 = {"packed_fx16xfx8",
                                  create<Variant::PackedFx16Fx8>,
                                  create<Variant::Fx16Fx8, true>};
const Backend mliPackedFx16 = {"packed_fx16", create<Variant::PackedFx16>,
                               create<Variant::Fx16, true>};

} // namespace mli::bench
