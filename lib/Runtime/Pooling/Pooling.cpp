// SPDX-License-Identifier: Apache-2.0
//
// Average and maximum of windows of HWC feature maps.

#include "Runtime/Pooling/Simd/Pooling.h"
#include "Runtime/Core/Checks.h"
#include "Runtime/Core/SpatialAxis.h"
#include "mli/Quant/Requantize.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <algorithm>
#include <cinttypes>
#include <limits>

namespace mli::rt {
namespace {

enum class PoolKind { AvePool, MaxPool };

SpatialAxis getRows(const mli_tensor &in, const mli_tensor &out,
                    const mli_pool_cfg &cfg) {
  return {{cfg.kernel_height, cfg.stride_height, /*dilation=*/1,
           cfg.padding_top, cfg.padding_bottom},
          in.shape[0],
          out.shape[0]};
}

SpatialAxis getColumns(const mli_tensor &in, const mli_tensor &out,
                       const mli_pool_cfg &cfg) {
  return {{cfg.kernel_width, cfg.stride_width, /*dilation=*/1, cfg.padding_left,
           cfg.padding_right},
          in.shape[1],
          out.shape[1]};
}

/// Inputs `begin` to `end` - 1, at most `kernel` of them.
struct Window {
  int64_t begin;
  int64_t end;
  int64_t size() const { return std::max<int64_t>(end - begin, 0); }
};

// K23
Window getWindow(const SpatialAxis &axis, int64_t output) {
  int64_t begin = output * axis.stride - axis.paddingBefore;
  return {std::max<int64_t>(begin, 0), std::min(begin + axis.kernel, axis.in)};
}

/// How many outputs from `first` on have a window as large as the kernel.
int64_t countWhole(const SpatialAxis &axis, int64_t first) {
  Window window = getWindow(axis, first);
  if (window.size() < axis.kernel)
    return 0;
  if (first + 1 == axis.out)
    return 1;
  int64_t more = (axis.in - window.end) / axis.stride;
  return std::min(more + 1, axis.out - first);
}

mli_status checkAxis(const SpatialAxis &axis, const char *dimension) {
  if (!axis.allowsPadding(axis.paddingBefore) ||
      !axis.allowsPadding(axis.paddingAfter))
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'cfg' to pad the %s by less than the kernel of "
                "%" PRId64 ", but got %" PRId64 " and %" PRId64,
                dimension, axis.kernel, axis.paddingBefore, axis.paddingAfter);
  if (axis.stride == 0)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'cfg' to have a positive stride of the %s, but got 0",
                dimension);
  if (!axis.covers(axis.in, axis.out))
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'in' to have a padded %s of at least %" PRId64
                ", but got %" PRId64,
                dimension, axis.needed(axis.out), axis.padded(axis.in));
  return MLI_STATUS_OK;
}

mli_status checkSpecialisation(const mli_pool_cfg &cfg, int size) {
  if (size == 0 || (cfg.kernel_height == size && cfg.kernel_width == size))
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_SHAPE_MISMATCH,
              "expected 'cfg' to have a kernel of %dx%d, but got %dx%d", size,
              size, cfg.kernel_height, cfg.kernel_width);
}

mli_status checkShapes(const Argument &in, const mli_pool_cfg &cfg,
                       const Argument &out) {
  MLI_CHECK(checkRank(in, in.contract->rank()));
  MLI_CHECK(checkRank(out, out.contract->rank()));
  MLI_CHECK(checkMemory(in));
  MLI_CHECK(checkMemory(out));
  MLI_CHECK(checkAxis(getRows(*in, *out, cfg), "height"));
  MLI_CHECK(checkAxis(getColumns(*in, *out, cfg), "width"));
  // The reference calls this a fault of the configuration.
  contract::Sizes sizes;
  matchShape(in, sizes);
  if (matchShape(out, sizes))
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'out' to have %" PRIu32 " channels, but got %" PRIu32,
                in->shape[2], out->shape[2]);
  return checkSharing(in, out);
}

// K24
mli_status checkPooling(const Argument &in, const mli_pool_cfg *cfg,
                        const Argument &out, int size, PoolKind kind,
                        mli_element_type type) {
  MLI_CHECK(checkConfig(cfg));
  MLI_CHECK(checkSpecialisation(*cfg, size));
  MLI_CHECK(checkTensor(in));
  MLI_CHECK(checkTensor(out));
  MLI_CHECK(checkSameType(out, in));
  MLI_CHECK(checkShapes(in, *cfg, out));
  MLI_CHECK(checkType(in, type));
  if (kind == PoolKind::AvePool) {
    MLI_CHECK(checkQuantization(in));
    MLI_CHECK(checkQuantization(out));
  }
  MLI_CHECK(checkPerTensor(in));
  return checkPerTensor(out);
}

/// The mean of a window, with the scale of its number of samples.
template <typename Type>
struct Average {
  using Code = typename Type::Code;
  using Accumulator = std::conditional_t<sizeof(Code) == 2, int64_t, int32_t>;

  Average(const mli_tensor &in, const mli_tensor &out)
      : in(getParams(in)), out(getParams(out)) {}

  void start(int64_t count) {
    if (count == samples)
      return;
    samples = count;
    scale = Type::isAsymmetric
                ? quant::averageAsymmetric(in, out, static_cast<int32_t>(count),
                                           Type::isFull, Type::rounding)
                : quant::averageFixedPoint(in.fracBits, out.fracBits,
                                           static_cast<int32_t>(count));
  }
  Accumulator initial() const {
    return quant::shiftLeft<Accumulator>(scale.offset, scale.shift);
  }
  Accumulator add(Accumulator sum, Code code) const {
    return quant::wrapAdd<Accumulator>(sum, scale.multiplier * code);
  }
  Code finish(Accumulator sum) const {
    return quant::saturate<Code>(
        quant::roundShiftRight(sum, scale.shift, Type::rounding));
  }
  /// All channels of the windows of pixels at once: of one pixel unless
  /// `takesRows`. False if that takes the scalar code.
  static constexpr bool takesRows = false;
  bool reduce(const simd::PoolKernels *kernels, const Code *from,
              const simd::PoolRow &row, Code *to) const {
    const simd::PoolWindow &window = row.window;
    bool suits = Type::rounding == quant::Rounding::Up && scale.shift >= 0 &&
                 scale.shift < 32;
    if (!kernels || !suits)
      return false;
    simd::PoolScale factor = {static_cast<int32_t>(initial()), scale.multiplier,
                              scale.shift};
    if constexpr (sizeof(Code) == 1) {
      kernels->average8(from, window, factor, to);
    } else {
      // The largest result before it is saturated.
      int64_t most = (samples * scale.multiplier << 15) >> scale.shift;
      if (most >= INT32_MAX)
        return false;
      kernels->average16(from, window, factor, to);
    }
    return true;
  }

  quant::QuantParams in;
  quant::QuantParams out;
  int64_t samples = 0;
  quant::AverageScale scale = {};
};

template <typename Type>
struct Maximum {
  using Code = typename Type::Code;
  using Accumulator = Code;

  Maximum(const mli_tensor & /*in*/, const mli_tensor & /*out*/) {}
  void start(int64_t /*count*/) {}
  Code initial() const { return std::numeric_limits<Code>::min(); }
  Code add(Code a, Code b) const { return std::max(a, b); }
  Code finish(Code code) const { return code; }
  static constexpr bool takesRows = true;
  bool reduce(const simd::PoolKernels *kernels, const Code *from,
              const simd::PoolRow &row, Code *to) const {
    if (!kernels)
      return false;
    if constexpr (sizeof(Code) == 1)
      kernels->max8(from, row, to);
    else
      kernels->max16(from, row, to);
    return true;
  }
};

template <typename Reduction>
void pool(const mli_tensor &in, const mli_pool_cfg &cfg, mli_tensor &out) {
  using Code = typename Reduction::Code;
  Reduction reduction(in, out);
  const simd::PoolKernels *kernels = simd::poolKernels();
  SpatialAxis rows = getRows(in, out, cfg);
  SpatialAxis columns = getColumns(in, out, cfg);
  for (int64_t y = 0; y < rows.out; ++y) {
    Window high = getWindow(rows, y);
    int64_t pixels = 1;
    for (int64_t x = 0; x < columns.out; x += pixels) {
      pixels = 1;
      Window wide = getWindow(columns, x);
      // Only calls that a check would reject have windows without samples.
      if (high.size() * wide.size() == 0)
        continue;
      reduction.start(high.size() * wide.size());
      Code *target = getElements<Code>(out) + y * out.mem_stride[0] +
                     x * out.mem_stride[1];
      const Code *first = getElements<Code>(in) +
                          high.begin * in.mem_stride[0] +
                          wide.begin * in.mem_stride[1];
      if (Reduction::takesRows && kernels)
        pixels = std::max<int64_t>(countWhole(columns, x), 1);
      if (reduction.reduce(kernels, first,
                           {{high.size(), wide.size(), in.mem_stride[0],
                             in.mem_stride[1], in.shape[2]},
                            pixels,
                            columns.stride,
                            out.mem_stride[1]},
                           target))
        continue;
      for (int64_t c = 0; c < in.shape[2]; ++c) {
        const Code *channel = getElements<Code>(in) + c;
        typename Reduction::Accumulator value = reduction.initial();
        for (int64_t row = high.begin; row < high.end; ++row)
          for (int64_t column = wide.begin; column < wide.end; ++column)
            value = reduction.add(
                value,
                channel[row * in.mem_stride[0] + column * in.mem_stride[1]]);
        target[c] = reduction.finish(value);
      }
    }
  }
}

template <PoolKind Kind, typename Type>
mli_status pooling(const Argument &in, const mli_pool_cfg *cfg, mli_tensor *out,
                   int size) {
  if (checksEnabled())
    MLI_CHECK(
        checkPooling(in, cfg, getOutput(in, out), size, Kind, Type::type));
  mli_pool_cfg config = *cfg;
  if (size != 0)
    config.kernel_height = config.kernel_width = static_cast<uint8_t>(size);
  if constexpr (Kind == PoolKind::AvePool) {
    pool<Average<Type>>(*in, config, *out);
  } else {
    pool<Maximum<Type>>(*in, config, *out);
    out->el_params = in->el_params;
  }
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_POOLING(name, op, type, size)                                      \
  mli_status name(MLI_POOLING_SIGNATURE(MLI_PARAMETER)) {                      \
    using namespace mli::rt;                                                   \
    return runEntry<types::type, MLI_ACCUMULATE_FULL_AVERAGES>(                \
        #name, [&](auto computed) {                                            \
          return pooling<PoolKind::op, decltype(computed)>(                    \
              getArgument(Family::op, OperandKind::Input, in), cfg, out,       \
              size);                                                           \
        });                                                                    \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
