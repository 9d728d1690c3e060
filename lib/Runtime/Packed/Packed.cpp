// SPDX-License-Identifier: Apache-2.0
//
// Packs convolutions and matrix products: the C API of packed layers.

#include "PackedHeader.h"
#include "Runtime/Convolution/Convolution.h"
#include "Runtime/Convolution/Simd/MatrixView.h"
#include <cinttypes>
#include <cstring>

namespace mli::rt::simd {

mli_status findPackedMemory(uint64_t bytes, mli_data_container *packed,
                            char *&memory) {
  memory = reinterpret_cast<char *>(packed->mem.pi8);
  if (!memory) {
    packed->capacity = static_cast<uint32_t>(bytes);
    return MLI_STATUS_OK;
  }
  if (packed->capacity < bytes)
    return fail(MLI_STATUS_NOT_ENGH_MEM,
                "expected 'packed' to have a capacity of at least %" PRIu64
                " bytes, but got %" PRIu32,
                bytes, packed->capacity);
  return checkAlignment("packed", memory, 64);
}

namespace {

mli_status notSupported() {
  return fail(MLI_STATUS_NOT_SUPPORTED,
              "expected a layer with a fast kernel, but got one without");
}

mli_status checkOrder(mli_pack_order order) {
  if (order == MLI_PACK_BEST || order == MLI_PACK_PAIRS ||
      order == MLI_PACK_QUADS)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_BAD_FUNC_CFG,
              "expected 'order' to be %d, %d or %d, but got %d",
              static_cast<int>(MLI_PACK_BEST), static_cast<int>(MLI_PACK_PAIRS),
              static_cast<int>(MLI_PACK_QUADS), static_cast<int>(order));
}

/// Packs a call that has passed its checks.
mli_status pack(const ConvolutionCall &call, const mli_tensor &out,
                bool isMatrixProduct, mli_pack_order order,
                mli_data_container *packed) {
  if (checksEnabled())
    MLI_CHECK(checkOrder(order));
  const mli_tensor &in = *call.args.in;
  const mli_tensor &weights = *call.args.weights;
  MLI_CHECK(checkPackedModes(in.el_type));
  WeightedOperands operands = {in, weights, *call.args.bias, out};
  const MatrixKernels *kernels =
      kernelsFor(in.el_type, weights.el_type, isVector(out.shape), order);
  if (!kernels)
    return notSupported();
  PackedHeader header;
  // Bytes between the members are packed, too.
  std::memset(static_cast<void *>(&header), 0, sizeof(header));
  header.magic = packedMagic;
  header.type = in.el_type;
  header.weightsType = weights.el_type;
  if (isMatrixProduct &&
      packsContiguously(header.weightsType, in.shape, out.shape)) {
    const MatrixKernels *contiguous =
        kernelsFor(in.el_type, weights.el_type, true, contiguousInputs);
    // The caller may want quads; else those of a target with quads are slower
    // than contiguous weights if these multiply quads of inputs there, too.
    if (kernels->group == 2 || (order == MLI_PACK_BEST &&
                                contiguous->inputBytes == kernels->inputBytes))
      kernels = contiguous;
  }
  header.group = kernels->group;
  std::copy(in.shape, in.shape + 3, header.in);
  std::copy(out.shape, out.shape + 3, header.out);
  setParams(header.inParams, getParams(in));
  setParams(header.outParams, getParams(out));
  header.rows = plainPhase(getRows(call, out));
  header.columns = plainPhase(getColumns(call, out));
  header.isMatrixProduct = isMatrixProduct ? 1 : 0;
  MatrixConvolution convolution(in, header.in[2], *kernels, header.rows,
                                header.columns);
  int64_t channels = out.shape[2];
  header.bytes = packedHeaderBytes +
                 PackedChannels::getBytes(convolution.panelBytes(), channels);
  BlockBuilder builder(operands, call.cfg->relu,
                       kernels->offset(getParams(in).zeroPoint),
                       convolution.products());
  setFormat(header.format, builder.format());
  if (!builder.isExact() || header.bytes > UINT32_MAX)
    return notSupported();
  char *memory;
  MLI_CHECK(findPackedMemory(header.bytes, packed, memory));
  if (!memory)
    return MLI_STATUS_OK;
  std::memset(memory, 0, packedHeaderBytes);
  if (!convolution.pack(weights, builder, 0, channels,
                        {memory + packedHeaderBytes, channels}))
    return notSupported();
  std::memcpy(memory, &header, sizeof(header));
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt::simd

using namespace mli::rt;

// NOLINTBEGIN(readability-identifier-naming): the C names.

/// The combinations that kernels with weights have.
static TypeCombination getCombination(const mli_tensor *in,
                                      const mli_tensor *weights) {
  if (in && in->el_type == MLI_EL_SA_8)
    return weighted::sa8_sa8_sa32::combination;
  return weights && weights->el_type == MLI_EL_FX_8
             ? weighted::fx16_fx8_fx8::combination
             : weighted::fx16::combination;
}

mli_status mli_pack_conv2d(const mli_tensor *in, const mli_tensor *weights,
                           const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                           const mli_tensor *out, mli_pack_order order,
                           mli_data_container *packed) {
  Entry entry("mli_pack_conv2d");
  ConvolutionCall call = {
      getWeightedArguments(Family::Conv2d, in, weights, bias, out), cfg, 0};
  if (checksEnabled()) {
    MLI_CHECK(checkConvolution(call, ConvolutionKind::Conv2d,
                               getCombination(in, weights)));
    MLI_CHECK(simd::checkPackedContainer(packed));
  }
  return simd::pack(call, *out, false, order, packed);
}

mli_status
mli_pack_depthwise_conv2d(const mli_tensor *in, const mli_tensor *weights,
                          const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                          const mli_tensor *out, mli_data_container *packed) {
  Entry entry("mli_pack_depthwise_conv2d");
  ConvolutionCall call = {
      getWeightedArguments(Family::DepthwiseConv2d, in, weights, bias, out),
      cfg, 0};
  if (checksEnabled()) {
    MLI_CHECK(checkConvolution(call, ConvolutionKind::DepthwiseConv2d,
                               getCombination(in, weights)));
    MLI_CHECK(simd::checkPackedContainer(packed));
  }
  return simd::packDepthwise(call, packed);
}

mli_status mli_pack_fully_connected(const mli_tensor *in,
                                    const mli_tensor *weights,
                                    const mli_tensor *bias,
                                    const mli_fully_connected_cfg *cfg,
                                    const mli_tensor *out, mli_pack_order order,
                                    mli_data_container *packed) {
  Entry entry("mli_pack_fully_connected");
  auto args =
      getWeightedArguments(Family::FullyConnected, in, weights, bias, out);
  if (checksEnabled()) {
    MLI_CHECK(checkFullyConnected(args, cfg, getCombination(in, weights)));
    MLI_CHECK(simd::checkPackedContainer(packed));
  }
  simd::MatrixCall view(args, *cfg);
  return simd::pack(view.call(), view.out(), true, order, packed);
}

static bool isDepthwise(const simd::PackedCall &call) {
  return call.packed && simd::isPackedDepthwise(*call.packed);
}

static mli_status check(const simd::PackedCall &call) {
  return isDepthwise(call) ? simd::checkPackedDepthwise(call)
                           : simd::checkPackedMatrix(call);
}

static mli_status run(const simd::PackedCall &call) {
  return isDepthwise(call) ? simd::runPackedDepthwise(call)
                           : simd::runPackedMatrix(call);
}

/// What may differ from call to call of arguments that were checked once.
static bool isReady(const simd::PackedCall &call) {
  auto isAligned = [](const mli_tensor &map) {
    auto address = reinterpret_cast<uintptr_t>(map.data.mem.pi8);
    return address != 0 && address % elementSize(map.el_type) == 0;
  };
  return simd::arePackedModes(call.in->el_type) && isAligned(*call.in) &&
         isAligned(*call.out) && !shareBytes(call.in->data, call.out->data);
}

mli_status mli_krn_packed(const mli_tensor *in,
                          const mli_data_container *packed, int threads,
                          mli_tensor *out) {
  Entry entry("mli_krn_packed");
  simd::PackedCall call = {in, packed, /*rows=*/nullptr, threads, out};
  if (checksEnabled())
    MLI_CHECK(check(call));
  return run(call);
}

mli_status mli_krn_packed_rows(const mli_tensor *in,
                               const mli_data_container *packed,
                               const mli_packed_rows *rows, int threads,
                               mli_tensor *out) {
  Entry entry("mli_krn_packed_rows");
  simd::PackedCall call = {in, packed, rows, threads, out};
  if (checksEnabled()) {
    MLI_CHECK(checkConfig(rows, "rows"));
    MLI_CHECK(check(call));
  }
  return run(call);
}

mli_status mli_check_packed_rows(const mli_tensor *in,
                                 const mli_data_container *packed,
                                 const mli_packed_rows *rows,
                                 const mli_tensor *out) {
  Entry entry("mli_check_packed_rows");
  MLI_CHECK(checkConfig(rows, "rows"));
  return check(
      {in, packed, rows, /*threads=*/1, const_cast<mli_tensor *>(out)});
}

mli_status mli_krn_packed_rows_unchecked(const mli_tensor *in,
                                         const mli_data_container *packed,
                                         const mli_packed_rows *rows,
                                         int threads, mli_tensor *out) {
  Entry entry("mli_krn_packed_rows_unchecked");
  simd::PackedCall call = {in, packed, rows, threads, out};
  if (checksEnabled() && !isReady(call))
    MLI_CHECK(check(call));
  return run(call);
}

// NOLINTEND(readability-identifier-naming)
