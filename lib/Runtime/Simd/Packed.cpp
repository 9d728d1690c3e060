// SPDX-License-Identifier: Apache-2.0
//
// Layers packed once: their header, packing and running.

#include "Runtime/FullyConnected.h"
#include "Runtime/Simd/Convolution.h"
#include "Runtime/Simd/MatrixView.h"
#include "Runtime/Simd/Threads.h"
#include "mli/Runtime/C/mli_packed.h"

#include <cinttypes>
#include <cstring>

namespace mli::rt::simd {
namespace {

constexpr uint32_t packedMagic = 0x314b504d; // "MPK1"
constexpr size_t headerBytes = 256;

/// What lies before the blocks and panels.
struct PackedHeader {
  uint32_t magic;
  int32_t group;
  uint64_t bytes;
  mli_element_type type;
  mli_element_type weightsType;
  /// Heights, widths and channels; of matrix products 1, 1 and all.
  uint32_t in[3];
  uint32_t out[3];
  quant::QuantParams inParams;
  quant::QuantParams outParams;
  OutputFormat format;
  PhaseAxis rows;
  PhaseAxis columns;
  bool isMatrixProduct;
};
static_assert(sizeof(PackedHeader) <= headerBytes);

MatrixConvolution convolutionOf(const PackedHeader &header,
                                const MatrixKernels &kernels,
                                const mli_tensor &in) {
  return {in, header.in[2], kernels, header.rows, header.columns};
}

mli_status checkContainer(const mli_data_container *packed) {
  if (!packed)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'packed' to be a container, but got null");
  return MLI_STATUS_OK;
}

mli_status notSupported() {
  return fail(MLI_STATUS_NOT_SUPPORTED,
              "expected a layer with a fast kernel, but got one without");
}

/// Packs a call that has passed its checks.
mli_status pack(const ConvolutionCall &call, const mli_tensor &out,
                bool isMatrixProduct, mli_pack_order order,
                mli_data_container *packed) {
  const mli_tensor &in = *call.args.in;
  const mli_tensor &weights = *call.args.weights;
  WeightedOperands operands = {in, weights, *call.args.bias, out};
  const MatrixKernels *kernels = kernelsFor(in.el_type, weights.el_type, order);
  if (!kernels)
    return notSupported();
  PackedHeader header;
  // What lies between the members is packed, too.
  std::memset(static_cast<void *>(&header), 0, sizeof(header));
  header.magic = packedMagic;
  header.group = kernels->group;
  header.type = in.el_type;
  header.weightsType = weights.el_type;
  std::copy(in.shape, in.shape + 3, header.in);
  std::copy(out.shape, out.shape + 3, header.out);
  header.inParams = paramsOf(in);
  header.outParams = paramsOf(out);
  header.rows = plainPhase(axisOf(call, out, true));
  header.columns = plainPhase(axisOf(call, out, false));
  header.isMatrixProduct = isMatrixProduct;
  MatrixConvolution convolution = convolutionOf(header, *kernels, in);
  int64_t channels = out.shape[2];
  header.bytes = headerBytes + packedBytes(convolution, channels);
  BlockBuilder builder(operands, call.cfg->relu, kernels->keepsZeroPoint,
                       convolution.products());
  header.format = builder.format();
  if (!builder.isExact() || header.bytes > UINT32_MAX)
    return notSupported();
  if (!packed->mem.pi8) {
    packed->capacity = static_cast<uint32_t>(header.bytes);
    return MLI_STATUS_OK;
  }
  if (packed->capacity < header.bytes)
    return fail(MLI_STATUS_NOT_ENGH_MEM,
                "expected 'packed' to have a capacity of at least %" PRIu64
                " bytes, but got %" PRIu32,
                header.bytes, packed->capacity);
  MLI_CHECK(checkAlignment("packed", packed->mem.pi8, 64));
  char *memory = reinterpret_cast<char *>(packed->mem.pi8);
  std::memset(memory, 0, headerBytes);
  if (!packChannels(convolution, builder, weights, 0, channels,
                    packedAt(memory + headerBytes, channels)))
    return notSupported();
  std::memcpy(memory, &header, sizeof(header));
  return MLI_STATUS_OK;
}

mli_status checkSame(Argument tensor, const uint32_t *shape,
                     const quant::QuantParams &params, mli_element_type type) {
  for (uint32_t i = 0; i < 3; ++i)
    if (tensor->shape[i] != shape[i])
      return fail(MLI_STATUS_SHAPE_MISMATCH,
                  "expected '%s' to have extent %" PRIu32
                  " as packed, but got %" PRIu32,
                  tensor.name, shape[i], tensor->shape[i]);
  if (tensor->el_type == type && !isPerAxis(*tensor) &&
      paramsOf(*tensor) == params)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected '%s' to have the format that was packed (el_type "
              "0x%x), but got el_type 0x%x or other parameters",
              tensor.name, static_cast<unsigned>(type),
              static_cast<unsigned>(tensor->el_type));
}

/// The work of one thread: its share of the rows, or of the panels if there are
/// more of them.
class PackedRun {
public:
  PackedRun(const PackedHeader &header, const MatrixKernels &kernels,
            const mli_tensor &in, mli_tensor &out)
      : header(header), convolution(convolutionOf(header, kernels, in)),
        packed(packedAt(
            reinterpret_cast<char *>(const_cast<PackedHeader *>(&header)) +
                headerBytes,
            header.out[2])),
        out(out) {}

  bool operator()(int64_t index, int64_t count) const {
    int64_t channels = header.out[2];
    int64_t panels = panelsOf(channels);
    bool byRows = header.rows.count >= panels;
    int64_t whole = byRows ? header.rows.count : panels;
    int64_t begin = whole * index / count;
    int64_t end = whole * (index + 1) / count;
    if (begin == end)
      return true;
    if (byRows)
      return convolution.run({packed.panels, packed.blocks, header.format, 0, 0,
                              channels, begin, end - begin},
                             out);
    int64_t first = begin * panelChannels;
    return convolution.run({packed.panels + begin * convolution.panelBytes(),
                            packed.blocks + begin, header.format, 0, first,
                            std::min(end * panelChannels, channels) - first, 0,
                            header.rows.count},
                           out);
  }

private:
  const PackedHeader &header;
  MatrixConvolution convolution;
  PackedChannels packed;
  mli_tensor &out;
};

mli_status run(const mli_tensor *in, const mli_data_container *container,
               int threads, mli_tensor *out) {
  MLI_CHECK(checkContainer(container));
  PackedHeader header;
  if (!container->mem.pi8 || container->capacity < headerBytes)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'packed' to be a packed layer, but got %" PRIu32
                " bytes at %p",
                container->capacity, static_cast<void *>(container->mem.pi8));
  MLI_CHECK(checkAlignment("packed", container->mem.pi8, 64));
  const auto &stored =
      *reinterpret_cast<const PackedHeader *>(container->mem.pi8);
  std::memcpy(&header, &stored, sizeof(header));
  if (header.magic != packedMagic || header.bytes > container->capacity)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'packed' to be a packed layer of %" PRIu32
                " bytes, but got mark 0x%" PRIx32 " and %" PRIu64 " bytes",
                container->capacity, header.magic, header.bytes);
  Argument input = {in, "in"};
  Argument output = {out, "out"};
  if (checksEnabled()) {
    for (Argument tensor : {input, output}) {
      MLI_CHECK(checkTensor(tensor));
      MLI_CHECK(checkInnerStride(tensor));
    }
    MLI_CHECK(checkNoOverlap(input, output));
    for (Argument tensor : {input, output})
      MLI_CHECK(header.isMatrixProduct ? checkContiguous(tensor)
                                       : checkRank(tensor, 3));
  }
  mli_tensor vector = header.isMatrixProduct ? vectorView(*in) : *in;
  mli_tensor result = header.isMatrixProduct ? vectorView(*out) : *out;
  MLI_CHECK(
      checkSame({&vector, "in"}, header.in, header.inParams, header.type));
  MLI_CHECK(
      checkSame({&result, "out"}, header.out, header.outParams, header.type));
  const MatrixKernels *kernels =
      kernelsFor(header.type, header.weightsType, header.group);
  if (!kernels)
    return notSupported();
  PackedRun work(stored, *kernels, vector, result);
  return runThreads(work, threads) ? MLI_STATUS_OK : MLI_STATUS_NOT_ENGH_MEM;
}

} // namespace
} // namespace mli::rt::simd

using namespace mli::rt;

// NOLINTBEGIN(readability-identifier-naming): the C names.

/// The combinations that kernels with weights have.
static TypeCombination combinationOf(const mli_tensor *in,
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
      {{in, "in"}, {weights, "weights"}, {bias, "bias"}, {out, "out"}}, cfg, 0};
  if (checksEnabled()) {
    MLI_CHECK(checkConvolution(call, ConvolutionKind::Conv2d,
                               combinationOf(in, weights)));
    MLI_CHECK(simd::checkContainer(packed));
  }
  return simd::pack(call, *out, false, order, packed);
}

mli_status mli_pack_fully_connected(const mli_tensor *in,
                                    const mli_tensor *weights,
                                    const mli_tensor *bias,
                                    const mli_fully_connected_cfg *cfg,
                                    const mli_tensor *out, mli_pack_order order,
                                    mli_data_container *packed) {
  Entry entry("mli_pack_fully_connected");
  WeightedArguments args = {
      {in, "in"}, {weights, "weights"}, {bias, "bias"}, {out, "out"}};
  if (checksEnabled()) {
    MLI_CHECK(checkFullyConnected(args, cfg, combinationOf(in, weights)));
    MLI_CHECK(simd::checkContainer(packed));
  }
  simd::MatrixCall view(args, *cfg);
  return simd::pack(view.call(), view.out(), true, order, packed);
}

mli_status mli_krn_packed(const mli_tensor *in,
                          const mli_data_container *packed, int threads,
                          mli_tensor *out) {
  Entry entry("mli_krn_packed");
  return simd::run(in, packed, threads, out);
}

// NOLINTEND(readability-identifier-naming)
