// SPDX-License-Identifier: Apache-2.0
//
// Depthwise convolutions packed once: their operands, which have passed the
// checks of the kernel, one after another, and what inner kernels make of the
// parameters of channels. How weights are prepared differs by the shape of the
// map.

#include "Packed.h"
#include "Runtime/Convolution/Convolution.h"
#include "Runtime/Convolution/Simd/Blocks.h"
#include "Runtime/Convolution/Simd/Convolution.h"
#include "Runtime/Convolution/Simd/Depthwise.h"
#include "Runtime/Convolution/Simd/DepthwisePartition.h"

#include <cinttypes>
#include <cstring>

namespace mli::rt::simd {
namespace {

constexpr uint32_t depthwiseMagic = 0x3244504d; // "MPD2"

/// The header before the operands.
struct DepthwiseHeader {
  uint32_t magic;
  StoredType type;
  uint64_t bytes;
  StoredType weightsType;
  StoredType biasType;
  uint32_t in[3];
  uint32_t out[3];
  /// Height and width of the kernel.
  uint32_t kernel[2];
  /// 1 if weights, and so the bias, are quantised along an axis; or 0.
  uint32_t isPerAxis;
  quant::QuantParams inParams;
  quant::QuantParams outParams;
  quant::QuantParams weightParams;
  quant::QuantParams biasParams;
  mli_conv2d_cfg cfg;
  /// 1 if there are blocks, or 0.
  uint32_t hasBlocks;
  /// Of blocks: their smallest second shift, and what belongs to them.
  int32_t minShift;
  OutputFormat format;
};
static_assert(sizeof(DepthwiseHeader) <= packedHeaderBytes);

const DepthwiseHeader &getHeader(const mli_data_container &packed) {
  return *reinterpret_cast<const DepthwiseHeader *>(packed.mem.pi8);
}

/// Where the operands lie, in bytes from the header; each at a multiple of 64.
struct Sections {
  explicit Sections(const DepthwiseHeader &header) {
    uint64_t channels = header.in[2];
    if (header.isPerAxis != 0) {
      scales = take(channels * sizeof(int16_t));
      zeroPoints = take(channels * sizeof(int16_t));
      fracBits = take(channels);
    }
    bias = take(channels * elementSize(header.biasType));
    weights = take(uint64_t{header.kernel[0]} * header.kernel[1] * channels *
                   elementSize(header.weightsType));
    if (header.hasBlocks != 0)
      blocks = take(getPanelCount(header.in[2]) * sizeof(ChannelBlock));
  }

  uint64_t scales = 0;
  uint64_t zeroPoints = 0;
  uint64_t fracBits = 0;
  uint64_t bias = 0;
  uint64_t weights = 0;
  uint64_t blocks = 0;
  uint64_t end = packedHeaderBytes;

private:
  uint64_t take(uint64_t bytes) {
    uint64_t start = end;
    end += (bytes + 63) / 64 * 64;
    return start;
  }
};

DepthwiseHeader getHeader(const ConvolutionCall &call) {
  const WeightedArguments &args = call.args;
  DepthwiseHeader header;
  std::memset(static_cast<void *>(&header), 0, sizeof(header));
  header.magic = depthwiseMagic;
  header.type = args.in->el_type;
  header.weightsType = args.weights->el_type;
  header.biasType = args.bias->el_type;
  std::copy(args.in->shape, args.in->shape + 3, header.in);
  std::copy(args.out->shape, args.out->shape + 3, header.out);
  std::copy(args.weights->shape, args.weights->shape + 2, header.kernel);
  header.isPerAxis = isPerAxis(*args.weights) ? 1 : 0;
  setParams(header.inParams, getParams(*args.in));
  setParams(header.outParams, getParams(*args.out));
  if (header.isPerAxis == 0) {
    setParams(header.weightParams, getParams(*args.weights));
    setParams(header.biasParams, getParams(*args.bias));
  }
  header.cfg = *call.cfg;
  header.bytes = Sections(header).end;
  return header;
}

/// Height and width of the maps that were packed.
SpatialAxis getRows(const DepthwiseHeader &header) {
  const mli_conv2d_cfg &cfg = header.cfg;
  return {{header.kernel[0], cfg.stride_height, cfg.dilation_height,
           cfg.padding_top, cfg.padding_bottom},
          header.in[0],
          header.out[0]};
}
SpatialAxis getColumns(const DepthwiseHeader &header) {
  const mli_conv2d_cfg &cfg = header.cfg;
  return {{header.kernel[1], cfg.stride_width, cfg.dilation_width,
           cfg.padding_left, cfg.padding_right},
          header.in[1],
          header.out[1]};
}

bool isValid(const SpatialAxis &axis) {
  return contract::extentRange.contains(axis.kernel) &&
         contract::windowStepRange.contains(axis.stride) &&
         contract::windowStepRange.contains(axis.dilation) &&
         axis.allowsPadding(axis.paddingBefore) &&
         axis.allowsPadding(axis.paddingAfter) &&
         axis.covers(axis.in, axis.out);
}

/// Whether `packDepthwise` may have written the header, so that nothing outside
/// of the tensors and of the layer is touched.
bool isHeader(const DepthwiseHeader &header) {
  bool isSa8 = header.type == MLI_EL_SA_8 &&
               header.weightsType == MLI_EL_SA_8 &&
               header.biasType == MLI_EL_SA_32;
  bool isFx =
      header.type == MLI_EL_FX_16 && header.biasType == header.weightsType &&
      (header.weightsType == MLI_EL_FX_8 || header.weightsType == MLI_EL_FX_16);
  if (!isSa8 && (!isFx || header.isPerAxis != 0))
    return false;
  for (int i = 0; i < 3; ++i)
    if (!contract::extentRange.contains(header.in[i]) ||
        !contract::extentRange.contains(header.out[i]))
      return false;
  // Each factor is below 2^31, and what they are worth below 2^32.
  uint64_t window = uint64_t{header.kernel[0]} * header.kernel[1];
  if (window > UINT32_MAX || window * header.in[2] > UINT32_MAX)
    return false;
  const mli_conv2d_cfg &cfg = header.cfg;
  // A number, too.
  uint32_t relu;
  static_assert(sizeof(relu) == sizeof(cfg.relu.type));
  std::memcpy(&relu, &cfg.relu.type, sizeof(relu));
  return relu <= MLI_RELU_6 && header.hasBlocks <= (isSa8 ? 1U : 0U) &&
         header.in[2] == header.out[2] && isValid(getRows(header)) &&
         isValid(getColumns(header)) && header.bytes == Sections(header).end;
}

/// The operands of a layer as the kernel takes them.
class Operands {
public:
  explicit Operands(const mli_data_container &packed) {
    const DepthwiseHeader &header = getHeader(packed);
    Sections sections(header);
    int8_t *base = packed.mem.pi8;
    uint32_t channels = header.in[2];
    setTensor(weights, header.weightsType, base + sections.weights,
              header.weightParams);
    weights.rank = 4;
    weights.shape[0] = header.kernel[0];
    weights.shape[1] = header.kernel[1];
    weights.shape[2] = 1;
    weights.shape[3] = channels;
    weights.mem_stride[3] = 1;
    weights.mem_stride[2] = weights.mem_stride[1] =
        static_cast<int32_t>(channels);
    weights.mem_stride[0] = static_cast<int32_t>(header.kernel[1] * channels);
    setTensor(bias, header.biasType, base + sections.bias, header.biasParams);
    bias.rank = 1;
    bias.shape[0] = channels;
    bias.mem_stride[0] = 1;
    if (header.hasBlocks != 0)
      blocks = reinterpret_cast<const ChannelBlock *>(base + sections.blocks);
    if (header.isPerAxis == 0)
      return;
    auto &sa = weights.el_params.sa;
    sa.dim = 3;
    sa.scale.mem.pi8 = base + sections.scales;
    sa.zero_point.mem.pi8 = base + sections.zeroPoints;
    sa.scale_frac_bits.mem.pi8 = base + sections.fracBits;
  }

  mli_tensor weights;
  mli_tensor bias;
  const ChannelBlock *blocks = nullptr;

private:
  static void setTensor(mli_tensor &tensor, mli_element_type type,
                        int8_t *memory, const quant::QuantParams &params) {
    std::memset(&tensor, 0, sizeof(tensor));
    tensor.el_type = type;
    tensor.data.mem.pi8 = memory;
    if (isAsymmetric(type))
      setPerTensorParams(tensor, params);
    else
      tensor.el_params.fx.frac_bits = params.fracBits;
  }
};

/// Copies what a layer keeps to where it lies.
void copyOperands(const ConvolutionCall &call, const Sections &sections,
                  char *memory) {
  const mli_tensor &weights = *call.args.weights;
  const mli_tensor &bias = *call.args.bias;
  uint32_t channels = call.args.in->shape[2];
  if (isPerAxis(weights)) {
    const auto &sa = weights.el_params.sa;
    std::memcpy(memory + sections.scales, sa.scale.mem.pi16,
                channels * sizeof(int16_t));
    std::memcpy(memory + sections.fracBits, sa.scale_frac_bits.mem.pi8,
                channels);
  }
  std::memcpy(memory + sections.bias, getElements<char>(bias),
              size_t{channels} * elementSize(bias.el_type));
  int64_t size = elementSize(weights.el_type);
  char *to = memory + sections.weights;
  for (int64_t y = 0; y < weights.shape[0]; ++y)
    for (int64_t x = 0; x < weights.shape[1]; ++x) {
      std::memcpy(to,
                  getElements<char>(weights) +
                      (y * weights.mem_stride[0] + x * weights.mem_stride[1]) *
                          size,
                  channels * size);
      to += channels * size;
    }
}

/// Computes the blocks of all channels, and writes them where `to` is not null,
/// with what belongs to them in `header`. False if inner kernels are not exact.
bool computeBlocks(const ConvolutionCall &call, DepthwiseHeader &header,
                   ChannelBlock *to) {
  const WeightedArguments &args = call.args;
  if (args.in->el_type != MLI_EL_SA_8)
    return false;
  WeightedOperands operands = {*args.in, *args.weights, *args.bias, *args.out};
  BlockBuilder builder(operands, call.cfg->relu, /*offset=*/0,
                       int64_t{header.kernel[0]} * header.kernel[1]);
  setFormat(header.format, builder.format());
  return builder.isExact() &&
         fillBlocks(builder, header.in[2], to, header.minShift);
}

/// Runs an sa8 layer with blocks by columns, if that is how this processor
/// does; else false.
bool runByColumns(const PackedCall &call) {
  const DepthwiseHeader &header = getHeader(*call.packed);
  if (header.hasBlocks == 0)
    return false;
  const DepthwiseKernels *kernels = sa8Depthwise();
  PhaseAxis rows = plainPhase(getRows(header));
  PhaseAxis columns = plainPhase(getColumns(header));
  int64_t channels = header.in[2];
  if (!kernels || !kernels->columns ||
      !goesByColumns(*kernels->columns, rows, columns, channels))
    return false;
  if (call.rows) {
    rows.in = call.in->shape[0];
    rows.count = call.out->shape[0];
    rows.padding = call.rows->padding_top;
  }
  Sections sections(header);
  const int8_t *base = call.packed->mem.pi8;
  ColumnLayer layer = {
      base + sections.weights,
      static_cast<ptrdiff_t>(header.kernel[1] * channels),
      static_cast<ptrdiff_t>(channels),
      reinterpret_cast<const ChannelBlock *>(base + sections.blocks),
      header.minShift,
      header.format,
      header.inParams.zeroPoint};
  return convolveByColumns(
      *kernels->columns, layer, *call.in,
      DepthwisePartition(rows, columns, channels, call.threads), *call.out);
}

} // namespace

bool isPackedDepthwise(const mli_data_container &packed) {
  return packed.mem.pi8 && packed.capacity >= packedHeaderBytes &&
         reinterpret_cast<uintptr_t>(packed.mem.pi8) % 64 == 0 &&
         getHeader(packed).magic == depthwiseMagic;
}

mli_status packDepthwise(const ConvolutionCall &call,
                         mli_data_container *packed) {
  DepthwiseHeader header = getHeader(call);
  MLI_CHECK(checkPackedModes(header.type));
  // Nothing is read of a layer that is too large.
  if (header.bytes <= UINT32_MAX && computeBlocks(call, header, nullptr)) {
    header.hasBlocks = 1;
    header.bytes = Sections(header).end;
  }
  if (header.bytes > UINT32_MAX)
    return fail(MLI_STATUS_NOT_SUPPORTED,
                "expected a layer of less than 2^32 bytes, but got %" PRIu64,
                header.bytes);
  char *memory;
  MLI_CHECK(findPackedMemory(header.bytes, packed, memory));
  if (!memory)
    return MLI_STATUS_OK;
  std::memset(memory, 0, header.bytes);
  Sections sections(header);
  copyOperands(call, sections, memory);
  if (header.hasBlocks != 0)
    computeBlocks(call, header,
                  reinterpret_cast<ChannelBlock *>(memory + sections.blocks));
  std::memcpy(memory, &header, sizeof(header));
  return MLI_STATUS_OK;
}

// K62
mli_status checkPackedDepthwise(const PackedCall &call) {
  const DepthwiseHeader &header = getHeader(*call.packed);
  if (header.bytes > call.packed->capacity || !isHeader(header))
    return rejectPackedHeader(header.bytes);
  MLI_CHECK(checkPackedModes(header.type));
  Argument in = {call.in, "in"}, out = {call.out, "out"};
  PackedMaps maps = getMaps(header, /*areVectors=*/false);
  if (!call.rows)
    return checkPackedMaps(in, out, maps);
  return checkPackedRows(in, out, maps,
                         {header.kernel[0], header.cfg.stride_height,
                          header.cfg.dilation_height, call.rows->padding_top,
                          call.rows->padding_bottom});
}

mli_status runPackedDepthwise(const PackedCall &call) {
  if (runByColumns(call))
    return MLI_STATUS_OK;
  Operands operands(*call.packed);
  mli_conv2d_cfg cfg = getHeader(*call.packed).cfg;
  if (call.rows) {
    cfg.padding_top = call.rows->padding_top;
    cfg.padding_bottom = call.rows->padding_bottom;
  }
  ConvolutionCall convolution = {{{call.in, "in"},
                                  {&operands.weights, "weights"},
                                  {&operands.bias, "bias"},
                                  {call.out, "out"}},
                                 &cfg,
                                 0};
  if (!convolveDepthwise(convolution, *call.out, call.threads, operands.blocks))
    computeDepthwise(convolution, *call.out);
  return MLI_STATUS_OK;
}

} // namespace mli::rt::simd
