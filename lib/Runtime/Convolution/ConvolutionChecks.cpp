// SPDX-License-Identifier: Apache-2.0

#include "Convolution.h"

#include "mli/Runtime/C/api/mli_helpers_api.h"

#include <cinttypes>

namespace mli::rt {

static mli_status checkSpecialisation(const Argument &weights, int size) {
  if (size == 0)
    return MLI_STATUS_OK;
  MLI_CHECK(checkNotNull(weights));
  // The full rank is checked later: what is there of it counts first.
  if (weights->rank <= KRNL_W_DIM_HWCN)
    return checkRank(weights, 4);
  MLI_CHECK(checkExtent(weights, KRNL_H_DIM_HWCN, size));
  return checkExtent(weights, KRNL_W_DIM_HWCN, size);
}

static mli_status checkGroups(const WeightedArguments &args) {
  contract::Groups groups = {args.in->shape[FMAP_C_DIM_HWC],
                             args.weights->shape[KRNL_D_DIM_HWCN]};
  int64_t filters = args.weights->shape[KRNL_C_DIM_HWCN];
  if (!groups.areWhole())
    return fail(MLI_STATUS_SHAPE_MISMATCH,
                "expected '%s' to have channels in groups of %" PRId64
                ", but got %" PRId64,
                args.in.name, groups.depth, groups.channels);
  if (!groups.share(filters))
    return fail(MLI_STATUS_SHAPE_MISMATCH,
                "expected '%s' to have filters for %" PRId64
                " groups, but got %" PRId64,
                args.weights.name, groups.count(), filters);
  return MLI_STATUS_OK;
}

/// Ranks and channels.
static mli_status checkChannels(const WeightedArguments &args,
                                ConvolutionKind kind) {
  contract::Sizes sizes;
  MLI_CHECK(checkShapes({args.in, args.weights, args.bias, args.out}, sizes));
  return kind == ConvolutionKind::GroupConv2d ? checkGroups(args)
                                              : MLI_STATUS_OK;
}

/// The fields of the configuration that belong to one spatial dimension.
struct AxisConfig {
  const char *stride;
  const char *dilation;
  const char *paddingBefore;
  const char *paddingAfter;
};

static mli_status bad(const char *name, const char *condition, int64_t bound,
                      int64_t value) {
  return fail(MLI_STATUS_BAD_FUNC_CFG,
              "expected '%s' to be %s %" PRId64 ", but got %" PRId64, name,
              condition, bound, value);
}

static mli_status checkPaddings(const SpatialAxis &axis,
                                const AxisConfig &config) {
  const char *condition = "less than the effective kernel of";
  if (!axis.allowsPadding(axis.paddingBefore))
    return bad(config.paddingBefore, condition, axis.extent(),
               axis.paddingBefore);
  if (!axis.allowsPadding(axis.paddingAfter))
    return bad(config.paddingAfter, condition, axis.extent(),
               axis.paddingAfter);
  return MLI_STATUS_OK;
}

// R19
static mli_status checkAxis(const SpatialAxis &axis, const AxisConfig &config) {
  if (axis.stride == 0)
    return bad(config.stride, "over", 0, axis.stride);
  if (axis.dilation == 0)
    return bad(config.dilation, "over", 0, axis.dilation);
  MLI_CHECK(checkPaddings(axis, config));
  if (!axis.covers(axis.in, axis.out))
    return bad("in", "padded to the needed extent of", axis.needed(axis.out),
               axis.padded(axis.in));
  return MLI_STATUS_OK;
}

static mli_status checkTransposedAxis(const SpatialAxis &axis,
                                      const AxisConfig &config) {
  if (axis.dilation != 1)
    return bad(config.dilation, "exactly", 1, axis.dilation);
  MLI_CHECK(checkPaddings(axis, config));
  if (axis.stride == 0)
    return bad(config.stride, "over", 0, axis.stride);
  if (!axis.leavesNoGaps())
    return bad(config.stride, "at most the kernel of", axis.kernel,
               axis.stride);
  if (axis.out != axis.reached(axis.in))
    return bad("out", "of the extent", axis.reached(axis.in), axis.out);
  return MLI_STATUS_OK;
}

constexpr AxisConfig rowConfig = {"stride_height", "dilation_height",
                                  "padding_top", "padding_bottom"};
constexpr AxisConfig columnConfig = {"stride_width", "dilation_width",
                                     "padding_left", "padding_right"};

mli_status checkRows(const SpatialAxis &rows) {
  return checkAxis(rows, rowConfig);
}

static mli_status checkGeometry(const WeightedArguments &args,
                                const mli_conv2d_cfg &cfg,
                                ConvolutionKind kind) {
  auto check = kind == ConvolutionKind::TransposeConv2d ? checkTransposedAxis
                                                        : checkAxis;
  // Whatever the size of a specialisation: what it does not read is checked,
  // too.
  ConvolutionCall whole = {args, &cfg, /*size=*/0};
  MLI_CHECK(check(getRows(whole, *args.out), rowConfig));
  return check(getColumns(whole, *args.out), columnConfig);
}

/// Transposed specialisations have stride 2, and are judged last.
static mli_status checkTransposedSpecialisation(const ConvolutionCall &call) {
  if (call.size == 0)
    return MLI_STATUS_OK;
  if (call.cfg->stride_height != 2)
    return bad("stride_height", "exactly", 2, call.cfg->stride_height);
  if (call.cfg->stride_width != 2)
    return bad("stride_width", "exactly", 2, call.cfg->stride_width);
  if (checkSpecialisation(call.args.weights, call.size) != MLI_STATUS_OK)
    return MLI_STATUS_INCOMPATEBLE_TENSORS;
  return MLI_STATUS_OK;
}

// K21
mli_status checkConvolution(const ConvolutionCall &call, ConvolutionKind kind,
                            const TypeCombination &types) {
  const WeightedArguments &args = call.args;
  bool isTransposed = kind == ConvolutionKind::TransposeConv2d;
  if (!types.isAsymmetric())
    MLI_CHECK(checkFixedPointFormats(args, types));
  if (!isTransposed)
    MLI_CHECK(checkSpecialisation(args.weights, call.size));
  for (Argument tensor : {args.in, args.weights, args.bias, args.out})
    MLI_CHECK(checkTensor(tensor));
  MLI_CHECK(checkSameType(args.out, args.in));
  MLI_CHECK(checkChannels(args, kind));
  for (Argument tensor : {args.in, args.weights, args.bias, args.out})
    MLI_CHECK(checkMemory(tensor));
  MLI_CHECK(checkConfig(call.cfg));
  MLI_CHECK(checkGeometry(args, *call.cfg, kind));
  MLI_CHECK(checkSharing(args.in, args.out));
  if (types.isAsymmetric())
    MLI_CHECK(checkAsymmetricFormats(args, types));
  if (isTransposed)
    MLI_CHECK(checkTransposedSpecialisation(call));
  MLI_CHECK(checkSharing(args.weights, args.out));
  return checkSharing(args.bias, args.out);
}

} // namespace mli::rt
