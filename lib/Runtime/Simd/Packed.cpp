// SPDX-License-Identifier: Apache-2.0
//
// Layers packed once: their header, packing and running.

#include "Runtime/Simd/Packed.h"
#include "Runtime/FullyConnected.h"
#include "Runtime/Simd/Convolution.h"
#include "Runtime/Simd/MatrixView.h"
#include "Runtime/Simd/Scratch.h"
#include "Runtime/Simd/Threads.h"
#include "mli/Runtime/C/mli_packed.h"

#include <cinttypes>
#include <cstring>

namespace mli::rt::simd {
namespace {

constexpr uint32_t packedMagic = 0x324b504d; // "MPK2"
constexpr size_t headerBytes = packedHeaderBytes;

/// What lies before the blocks and panels.
struct PackedHeader {
  uint32_t magic;
  int32_t group;
  uint64_t bytes;
  StoredType type;
  StoredType weightsType;
  /// Heights, widths and channels; of matrix products 1, 1 and all.
  uint32_t in[3];
  uint32_t out[3];
  quant::QuantParams inParams;
  quant::QuantParams outParams;
  OutputFormat format;
  PhaseAxis rows;
  PhaseAxis columns;
  /// Or 0: a number, as any bytes are one.
  uint32_t isMatrixProduct;
};
static_assert(sizeof(PackedHeader) <= headerBytes);

const PackedHeader &headerOf(const mli_data_container &container) {
  return *reinterpret_cast<const PackedHeader *>(container.mem.pi8);
}

/// A map of a layer: that of a matrix product is one pixel.
mli_tensor mapOf(const PackedHeader &header, const mli_tensor &tensor) {
  return header.isMatrixProduct != 0 ? vectorView(tensor) : tensor;
}

/// Whether outputs of this shape are one pixel.
bool isVector(const uint32_t *shape) { return shape[0] == 1 && shape[1] == 1; }

MatrixConvolution convolutionOf(const PackedHeader &header,
                                const MatrixKernels &kernels,
                                const mli_tensor &in) {
  return {in, header.in[2], kernels, header.rows, header.columns};
}

/// Whether a matrix product that is to be packed by pairs has its weights in
/// runs instead.
bool hasRuns(StoredType weights, const uint32_t *in, const uint32_t *out) {
  return (weights == MLI_EL_SA_8 || weights == MLI_EL_FX_8) &&
         in[2] >= leastRunInputs && out[2] <= mostRunChannels;
}

/// Whether `axis` is one that `pack` writes for maps of `in` and `out` indices.
bool isAxis(const PhaseAxis &axis, uint32_t in, uint32_t out) {
  return axis.in == in && axis.count == out && axis.outFirst == 0 &&
         axis.outStep == 1 && axis.tapFirst == 0 && axis.tapStep == 1 &&
         contract::windowStepRange.contains(axis.stride) &&
         contract::windowStepRange.contains(axis.dilation) &&
         contract::extentRange.contains(axis.taps) &&
         contract::paddingRange.contains(axis.padding) &&
         axis.extent(axis.count) <= axis.in + 2 * axis.extent(1);
}

/// Whether a header says what `pack` writes, so that nothing outside of the
/// tensors and of the layer is touched.
bool isHeader(const PackedHeader &header) {
  bool isSa8 = header.type == MLI_EL_SA_8 && header.weightsType == MLI_EL_SA_8;
  bool isFx =
      header.type == MLI_EL_FX_16 &&
      (header.weightsType == MLI_EL_FX_8 || header.weightsType == MLI_EL_FX_16);
  bool isQuads = isSa8 && header.group == 4;
  bool isPairs = (isSa8 || isFx) && header.group == 2;
  bool isRuns = (isSa8 || isFx) && header.group == inputRun &&
                header.isMatrixProduct != 0 && isVector(header.out) &&
                hasRuns(header.weightsType, header.in, header.out);
  if (!isQuads && !isPairs && !isRuns)
    return false;
  for (int i = 0; i < 3; ++i)
    if (!contract::extentRange.contains(header.in[i]) ||
        !contract::extentRange.contains(header.out[i]))
      return false;
  if (!isAxis(header.rows, header.in[0], header.out[0]) ||
      !isAxis(header.columns, header.in[1], header.out[1]))
    return false;
  // Each factor is below 2^31, and what they are worth below 2^32.
  int64_t weights = header.rows.taps;
  for (int64_t factor :
       {header.columns.taps, int64_t{header.in[2]}, int64_t{header.out[2]}}) {
    weights *= factor;
    if (weights > UINT32_MAX)
      return false;
  }
  int mostShift = header.weightsType == MLI_EL_FX_8 ? 31 : 46;
  if (header.format.shift < 0 || header.format.shift > mostShift)
    return false;
  mli_tensor in;
  std::memset(&in, 0, sizeof(in));
  in.shape[2] = header.in[2];
  MatrixConvolution convolution =
      convolutionOf(header,
                    *kernelsFor(header.type, header.weightsType,
                                isVector(header.out), header.group),
                    in);
  return header.bytes == headerBytes + packedBytes(convolution, header.out[2]);
}

} // namespace

mli_status checkPackedModes(mli_element_type type) {
  bool isFull =
      type == MLI_EL_SA_8 && accumulatesFully(MLI_ACCUMULATE_FULL_PRODUCTS);
  if (currentRounding() == quant::Rounding::Up && !isFull)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_NOT_SUPPORTED,
              "expected rounding up and narrow accumulation, which packed "
              "layers have, but got other modes");
}

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

// Member by member: what lies between them stays zero, wherever one packs.
void setFormat(OutputFormat &to, const OutputFormat &format) {
  to.zeroPoint = format.zeroPoint;
  to.low = format.low;
  to.high = format.high;
  to.shift = format.shift;
  to.hasLateBias = format.hasLateBias;
}

/// Packs a call that has passed its checks.
mli_status pack(const ConvolutionCall &call, const mli_tensor &out,
                bool isMatrixProduct, mli_pack_order order,
                mli_data_container *packed) {
  const mli_tensor &in = *call.args.in;
  const mli_tensor &weights = *call.args.weights;
  MLI_CHECK(checkPackedModes(in.el_type));
  WeightedOperands operands = {in, weights, *call.args.bias, out};
  const MatrixKernels *kernels =
      kernelsFor(in.el_type, weights.el_type, isVector(out.shape), order);
  if (!kernels)
    return notSupported();
  PackedHeader header;
  // What lies between the members is packed, too.
  std::memset(static_cast<void *>(&header), 0, sizeof(header));
  header.magic = packedMagic;
  header.type = in.el_type;
  header.weightsType = weights.el_type;
  if (isMatrixProduct && kernels->group == 2 &&
      hasRuns(header.weightsType, in.shape, out.shape))
    kernels = kernelsFor(in.el_type, weights.el_type, true, inputRun);
  header.group = kernels->group;
  std::copy(in.shape, in.shape + 3, header.in);
  std::copy(out.shape, out.shape + 3, header.out);
  setParams(header.inParams, paramsOf(in));
  setParams(header.outParams, paramsOf(out));
  header.rows = plainPhase(axisOf(call, out, true));
  header.columns = plainPhase(axisOf(call, out, false));
  header.isMatrixProduct = isMatrixProduct ? 1 : 0;
  MatrixConvolution convolution = convolutionOf(header, *kernels, in);
  int64_t channels = out.shape[2];
  header.bytes = headerBytes + packedBytes(convolution, channels);
  BlockBuilder builder(operands, call.cfg->relu,
                       kernels->offset(paramsOf(in).zeroPoint),
                       convolution.products());
  setFormat(header.format, builder.format());
  if (!builder.isExact() || header.bytes > UINT32_MAX)
    return notSupported();
  char *memory;
  MLI_CHECK(findPackedMemory(header.bytes, packed, memory));
  if (!memory)
    return MLI_STATUS_OK;
  std::memset(memory, 0, headerBytes);
  if (!packChannels(convolution, builder, weights, 0, channels,
                    packedAt(memory + headerBytes, channels)))
    return notSupported();
  std::memcpy(memory, &header, sizeof(header));
  return MLI_STATUS_OK;
}

} // namespace

mli_status checkPackedMap(Argument tensor, const uint32_t *shape,
                          const quant::QuantParams &params,
                          mli_element_type type) {
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

namespace {

/// The blocks and panels behind a header.
PackedChannels packedOf(const PackedHeader &header) {
  return packedAt(
      reinterpret_cast<char *>(const_cast<PackedHeader *>(&header)) +
          headerBytes,
      header.out[2]);
}

/// Panels that are one unit of work: a cache line of sa8 codes, as many as the
/// inner kernel runs at once.
constexpr int64_t unitPanels = 4;
int64_t unitsOf(int64_t channels) {
  return (panelsOf(channels) + unitPanels - 1) / unitPanels;
}

/// Channels of a layer: those of a share of its units.
struct ChannelRange {
  ChannelRange(int64_t channels, int64_t index, int64_t count) {
    Range units(unitsOf(channels), index, count);
    firstPanel = units.begin * unitPanels;
    first = firstPanel * panelChannels;
    this->count =
        std::min(units.end * unitPanels * panelChannels, channels) - first;
  }
  int64_t firstPanel;
  int64_t first;
  int64_t count;
};

/// A matrix product in shares of its channels.
class ProductRun {
public:
  ProductRun(const PackedHeader &header, const MatrixKernels &kernels,
             const mli_tensor &in, mli_tensor &out, int threads)
      : split(splitOf(static_cast<double>(header.in[2]) * header.out[2],
                      threads, unitsOf(header.out[2]))),
        header(header), kernels(kernels), in(in), out(out) {}

  bool operator()(Shares &shares) const {
    int64_t inputs = header.in[2];
    int64_t inputBytes = inputs * kernels.inputBytes;
    Scratch memory(inputBytes + slackBytes);
    if (!memory.get())
      return false;
    if (kernels.prepare)
      kernels.prepare(elementsOf<char>(in), inputs, header.inParams.zeroPoint,
                      memory.get());
    else
      std::memcpy(memory.get(), elementsOf<char>(in), inputBytes);
    std::memset(memory.get() + inputBytes, 0, slackBytes);
    for (int64_t index; shares.take(index);)
      run(memory.get(), {header.out[2], index, split.shares});
    return true;
  }

  const Split &getSplit() const { return split; }

private:
  /// What the last group of inputs may read behind them.
  static constexpr int64_t slackBytes = inputRun * sizeof(int16_t);

  void run(const char *input, const ChannelRange &channels) const {
    PackedChannels packed = packedOf(header);
    constexpr ptrdiff_t segment = 0;
    Grid grid = {};
    grid.input = input;
    grid.segments = &segment;
    grid.segmentCount = 1;
    grid.groups = (int64_t{header.in[2]} + kernels.group - 1) / kernels.group;
    grid.panelBytes = kernels.panelSegmentBytes(header.in[2]);
    grid.panels = packed.panels + channels.firstPanel * grid.panelBytes;
    grid.blocks = packed.blocks + channels.firstPanel;
    grid.format = header.format;
    grid.out =
        elementsOf<char>(out) + channels.first * elementSize(header.type);
    grid.rows = grid.columns = 1;
    grid.channels = channels.count;
    kernels.run(grid);
  }

  Split split;
  const PackedHeader &header;
  const MatrixKernels &kernels;
  const mli_tensor &in;
  mli_tensor &out;
};

/// A convolution in shares of its channels, or of its rows.
class PackedRun {
public:
  PackedRun(const PackedHeader &header, const MatrixKernels &kernels,
            const mli_tensor &in, mli_tensor &out, int threads)
      : header(header), convolution(convolutionOf(header, kernels, in)),
        packed(packedOf(header)), out(out) {
    int64_t rows = header.rows.count;
    int64_t units = unitsOf(header.out[2]);
    split = splitOf(static_cast<double>(convolution.products()) *
                        static_cast<double>(rows * header.columns.count) *
                        header.out[2],
                    threads, std::max(units, rows));
    // By channels each thread reads its own weights only; but not if that
    // prepares inputs for each share.
    bool byChannels =
        units >= int64_t{2} * split.threads && convolution.preparesOnce();
    if (byChannels)
      split.shares = std::min(split.shares, units);
    byRows = !byChannels && rows >= std::min(split.shares, units);
  }

  bool operator()(Shares &shares) const {
    int64_t rows = header.rows.count;
    int64_t mostRows = byRows ? (rows + split.shares - 1) / split.shares : rows;
    InputStrip strip(convolution.stripBytes(mostRows));
    bool isDone = true;
    for (int64_t index; isDone && shares.take(index);)
      isDone = run(index, strip);
    return isDone;
  }

  const Split &getSplit() const { return split; }

private:
  bool run(int64_t index, InputStrip &strip) const {
    int64_t count = split.shares;
    Range rows(header.rows.count, byRows ? index : 0, byRows ? count : 1);
    ChannelRange channels(header.out[2], byRows ? 0 : index,
                          byRows ? 1 : count);
    return convolution.run(
        {packed.panels + channels.firstPanel * convolution.panelBytes(),
         packed.blocks + channels.firstPanel, header.format, 0, channels.first,
         channels.count, rows.begin, rows.size()},
        strip, out);
  }

  const PackedHeader &header;
  MatrixConvolution convolution;
  PackedChannels packed;
  mli_tensor &out;
  Split split;
  bool byRows;
};

template <typename Work>
mli_status runWork(const Work &work) {
  return runThreads(work, work.getSplit()) ? MLI_STATUS_OK
                                           : MLI_STATUS_NOT_ENGH_MEM;
}

/// The container of a layer, up to its header.
// K62
mli_status checkMark(const mli_data_container *container) {
  MLI_CHECK(checkContainer(container));
  if (!container->mem.pi8 || container->capacity < headerBytes)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'packed' to be a packed layer, but got %" PRIu32
                " bytes at %p",
                container->capacity, static_cast<void *>(container->mem.pi8));
  MLI_CHECK(checkAlignment("packed", container->mem.pi8, 64));
  const PackedHeader &header = headerOf(*container);
  if (header.magic != packedMagic || header.bytes > container->capacity)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'packed' to be a packed layer of %" PRIu32
                " bytes, but got mark 0x%" PRIx32 " and %" PRIu64 " bytes",
                container->capacity, header.magic, header.bytes);
  if (!isHeader(header))
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'packed' to have the header of a packed layer of "
                "%" PRIu64 " bytes, but got another",
                header.bytes);
  return checkPackedModes(header.type);
}

/// What goes into a layer and comes out of it.
mli_status checkMaps(const PackedHeader &header, Argument in, Argument out) {
  for (Argument tensor : {in, out}) {
    MLI_CHECK(checkTensor(tensor));
    MLI_CHECK(checkInnerStride(tensor));
  }
  MLI_CHECK(checkNoOverlap(in, out));
  for (Argument tensor : {in, out})
    MLI_CHECK(header.isMatrixProduct != 0 ? checkContiguous(tensor)
                                          : checkRank(tensor, 3));
  mli_tensor input = mapOf(header, *in);
  mli_tensor output = mapOf(header, *out);
  MLI_CHECK(checkPackedMap({&input, in.name}, header.in, header.inParams,
                           header.type));
  return checkPackedMap({&output, out.name}, header.out, header.outParams,
                        header.type);
}

mli_status run(const mli_tensor *in, const mli_data_container *container,
               int threads, mli_tensor *out) {
  if (checksEnabled()) {
    MLI_CHECK(checkMark(container));
    MLI_CHECK(checkMaps(headerOf(*container), {in, "in"}, {out, "out"}));
  }
  const PackedHeader &header = headerOf(*container);
  const MatrixKernels &kernels = *kernelsFor(
      header.type, header.weightsType, isVector(header.out), header.group);
  if (header.isMatrixProduct != 0)
    return runWork(ProductRun(header, kernels, *in, *out, threads));
  return runWork(PackedRun(header, kernels, *in, *out, threads));
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
      WeightedArguments::of(Family::Conv2d, in, weights, bias, out), cfg, 0};
  if (checksEnabled()) {
    MLI_CHECK(checkConvolution(call, ConvolutionKind::Conv2d,
                               combinationOf(in, weights)));
    MLI_CHECK(simd::checkContainer(packed));
  }
  return simd::pack(call, *out, false, order, packed);
}

mli_status
mli_pack_depthwise_conv2d(const mli_tensor *in, const mli_tensor *weights,
                          const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                          const mli_tensor *out, mli_data_container *packed) {
  Entry entry("mli_pack_depthwise_conv2d");
  ConvolutionCall call = {
      WeightedArguments::of(Family::DepthwiseConv2d, in, weights, bias, out),
      cfg, 0};
  if (checksEnabled()) {
    MLI_CHECK(checkConvolution(call, ConvolutionKind::DepthwiseConv2d,
                               combinationOf(in, weights)));
    MLI_CHECK(simd::checkContainer(packed));
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
      WeightedArguments::of(Family::FullyConnected, in, weights, bias, out);
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
  if (packed && simd::isPackedDepthwise(*packed))
    return simd::runPackedDepthwise(in, *packed, threads, out);
  return simd::run(in, packed, threads, out);
}

// NOLINTEND(readability-identifier-naming)
