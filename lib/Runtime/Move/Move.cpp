// SPDX-License-Identifier: Apache-2.0
//
// Copies with slicing, concatenation, subsampling, permutation and padding.

#include "Move.h"

#include "Runtime/Simd/StridedCopy.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <type_traits>

namespace mli::rt {

contract::MovedDim movedDim(const mli_tensor &src, const mli_mov_cfg_t &cfg,
                            uint32_t dim) {
  return {src.shape[dim],        cfg.offset[dim],
          cfg.size[dim],         cfg.padding_pre[dim],
          cfg.padding_post[dim], cfg.sub_sample_step[dim]};
}

// K33
MoveGeometry moveGeometry(const mli_tensor &src, const mli_mov_cfg_t &cfg) {
  MoveGeometry geometry = {};
  for (uint32_t i = 0; i < src.rank; ++i) {
    uint32_t from = cfg.perm_dim[i];
    contract::MovedDim dim = movedDim(src, cfg, from);
    geometry.dims[i] = {from, static_cast<uint32_t>(dim.count()),
                        src.shape[from], dim.offset - dim.padLow, dim.step};
    geometry.isPadded |= dim.padLow != 0 || dim.padHigh != 0;
  }
  return geometry;
}

namespace {

/// BAD_TENSOR if an extent of the destination does not fit its container.
mli_status checkDestinationExtents(const mli_tensor &src,
                                   const mli_mov_cfg_t &cfg,
                                   const MoveGeometry &geometry) {
  for (uint32_t i = 0; i < src.rank; ++i) {
    uint64_t extent = uint64_t{geometry.dims[i].count} + cfg.dst_offset[i];
    if (extent > INT32_MAX)
      return fail(MLI_STATUS_BAD_TENSOR,
                  "expected 'dst' to have shape[%" PRIu32
                  "] of at most 2147483647, but got %" PRIu64,
                  i, extent);
  }
  return MLI_STATUS_OK;
}

// K58
void describeDestination(const mli_tensor &src, const mli_mov_cfg_t &cfg,
                         const MoveGeometry &geometry, mli_tensor &dst) {
  dst.rank = src.rank;
  dst.el_type = src.el_type;
  for (uint32_t i = MLI_MAX_RANK; i-- > 0;) {
    if (i >= src.rank) {
      dst.shape[i] = 1;
      dst.mem_stride[i] = 0;
      continue;
    }
    dst.shape[i] = geometry.dims[i].count + cfg.dst_offset[i];
    if (cfg.dst_mem_stride[i] != 0)
      dst.mem_stride[i] = cfg.dst_mem_stride[i];
    else if (dst.mem_stride[i] == 0)
      dst.mem_stride[i] =
          i + 1 == src.rank
              ? 1
              : static_cast<int32_t>(int64_t{dst.mem_stride[i + 1]} *
                                     dst.shape[i + 1]);
  }
}

bool isContiguous(const mli_tensor &tensor, const Strides &strides) {
  int64_t dense = 1;
  for (uint32_t i = tensor.rank; i-- > 0;) {
    if (strides[i] != dense)
      return false;
    dense *= tensor.shape[i];
  }
  return true;
}

/// Equal shapes without permutation, steps, padding or gaps: the whole source
/// is copied, wherever the offsets point.
// K34
bool isFlatCopy(const mli_tensor &src, const mli_tensor &dst,
                const MoveGeometry &geometry) {
  Strides target = {};
  for (uint32_t i = 0; i < dst.rank; ++i) {
    target[i] = dst.mem_stride[i];
    const MoveDim &dim = geometry.dims[i];
    if (dst.shape[i] != src.shape[i] || dim.sourceDim != i || dim.step != 1)
      return false;
  }
  return !geometry.isPadded && isContiguous(src, getCompleteStrides(src)) &&
         isContiguous(dst, target);
}

/// A move prepared for copying: leading dimensions padded to four.
struct PreparedMove {
  Extents counts = {1, 1, 1, 1};
  Extents extents = {1, 1, 1, 1};
  Strides starts = {};
  Strides steps = {1, 1, 1, 1};
  Strides from = {};
  Strides to = {};
  int64_t firstTarget = 0;
  bool isPadded = false;
  /// Elements of the source that may be read. Without padding indices run on
  /// into the next row; what lies beyond the buffer reads as zero.
  // K35
  int64_t limit = INT64_MAX;

  PreparedMove(const mli_tensor &src, const mli_mov_cfg_t &cfg,
               const MoveGeometry &geometry, const mli_tensor &dst)
      : isPadded(geometry.isPadded) {
    if (checksEnabled())
      limit = src.data.capacity / elementSize(src.el_type);
    Strides source = getCompleteStrides(src);
    for (uint32_t i = 0; i < src.rank; ++i) {
      const MoveDim &dim = geometry.dims[i];
      unsigned at = paddedDim(src, static_cast<int32_t>(i));
      counts[at] = dim.count;
      extents[at] = dim.extent;
      starts[at] = dim.start;
      steps[at] = dim.step;
      from[at] = source[dim.sourceDim];
      to[at] = dst.mem_stride[i];
      firstTarget += int64_t{cfg.dst_offset[i]} * dst.mem_stride[i];
    }
  }

  /// Adds what index `t` along `dim` contributes to the offset of the source
  /// element; false if it is padding, or leaves the buffer: strides are at
  /// least 1, so an index beyond `limit` does.
  bool addSource(unsigned dim, int64_t t, int64_t &offset) const {
    int64_t index = starts[dim] + t * steps[dim];
    if (isPadded && (index < 0 || index >= extents[dim]))
      return false;
    offset += index < limit ? index * from[dim] : 0;
    return index < limit && offset < limit;
  }

  /// The indices along `dim` that are not padding: `begin` to `end` - 1.
  struct Range {
    int64_t begin;
    int64_t end;
  };
  Range inside(unsigned dim) const {
    int64_t count = counts[dim];
    if (!isPadded)
      return {0, count};
    int64_t before = std::max<int64_t>(-starts[dim], 0);
    int64_t rest = std::max<int64_t>(extents[dim] - starts[dim], 0);
    int64_t end = std::min((rest + steps[dim] - 1) / steps[dim], count);
    return {std::min((before + steps[dim] - 1) / steps[dim], end), end};
  }
};

/// Sets the elements of the destination to zero that are padding.
template <typename Word>
void clearPadding(const PreparedMove &move, Word *target) {
  target += move.firstTarget;
  PreparedMove::Range inner = move.inside(3);
  forEachRow<1>(move.counts, {move.to},
                [&](const Extents &at, const std::array<int64_t, 1> &row) {
                  bool isInside = true;
                  for (unsigned dim = 0; dim < 3; ++dim) {
                    PreparedMove::Range range = move.inside(dim);
                    isInside &= at[dim] >= range.begin && at[dim] < range.end;
                  }
                  for (int64_t t = 0; t < move.counts[3]; ++t) {
                    if (isInside && t == inner.begin)
                      t = inner.end;
                    if (t < move.counts[3])
                      target[row[0] + t * move.to[3]] = Word{0};
                  }
                });
}

/// Copies the box inside of the source, and clears the padding; false if some
/// of it lies beyond the buffer.
template <typename Word>
bool copyBox(const PreparedMove &move, const Word *source, Word *target) {
  Extents counts = {};
  Strides from = {};
  int64_t firstSource = 0;
  int64_t lastSource = 0;
  int64_t firstTarget = move.firstTarget;
  bool isEmpty = false;
  for (unsigned dim = 0; dim < MLI_MAX_RANK; ++dim) {
    PreparedMove::Range range = move.inside(dim);
    counts[dim] = static_cast<uint32_t>(range.end - range.begin);
    isEmpty |= counts[dim] == 0;
    if (isEmpty)
      continue;
    from[dim] = move.from[dim] * move.steps[dim];
    if (!move.addSource(dim, range.end - 1, lastSource) ||
        !move.addSource(dim, range.begin, firstSource))
      return false;
    firstTarget += range.begin * move.to[dim];
  }
  if (move.isPadded)
    clearPadding(move, target);
  if (!isEmpty)
    copyStrided(sizeof(Word), counts, from, move.to, source + firstSource,
                target + firstTarget);
  return true;
}

template <typename Word>
void copyElements(const PreparedMove &move, const Word *source, Word *target) {
  if (copyBox(move, source, target))
    return;
  target += move.firstTarget;
  forEachRow<1>(move.counts, {move.to},
                [&](const Extents &at, const std::array<int64_t, 1> &row) {
                  bool isInside = true;
                  int64_t offset = 0;
                  for (unsigned dim = 0; dim < 3 && isInside; ++dim)
                    isInside = move.addSource(dim, at[dim], offset);
                  for (int64_t t = 0; t < move.counts[3]; ++t) {
                    int64_t from = offset;
                    bool isRead = isInside && move.addSource(3, t, from);
                    target[row[0] + t * move.to[3]] =
                        isRead ? source[from] : Word{0};
                  }
                });
}

/// Rejects configurations that would divide by zero or be read outside.
mli_status checkConfiguration(const Argument &src, const mli_mov_cfg_t &cfg) {
  for (uint32_t i = 0; i < src->rank; ++i) {
    if (cfg.perm_dim[i] >= src->rank)
      return fail(MLI_STATUS_BAD_FUNC_CFG,
                  "expected 'cfg' to have perm_dim[%" PRIu32 "] below %" PRIu32
                  ", but got %d",
                  i, src->rank, cfg.perm_dim[i]);
    if (cfg.sub_sample_step[i] == 0)
      return fail(MLI_STATUS_BAD_FUNC_CFG,
                  "expected 'cfg' to have a positive sub_sample_step[%" PRIu32
                  "], but got 0",
                  i);
  }
  return MLI_STATUS_OK;
}

mli_status checkMove(const Argument &src, const mli_mov_cfg_t *cfg,
                     const Argument &dst) {
  MLI_CHECK(checkTensor(src));
  if (elementSize(src->el_type) == 0)
    return fail(MLI_STATUS_TYPE_MISMATCH,
                "expected 'src' to have a type with a size, but got el_type "
                "0x%x",
                static_cast<unsigned>(src->el_type));
  MLI_CHECK(checkHasMemory(src));
  MLI_CHECK(checkConfig(cfg));
  MLI_CHECK(checkNotNull(dst));
  MLI_CHECK(checkConfiguration(src, *cfg));
  if (isPerAxis(*src))
    MLI_CHECK(checkMoveParameters(src, *cfg, dst));
  return checkNoOverlap(src, dst);
}

/// Whether a move copies a tensor without gaps to another of its format and
/// shape, and passes all checks: most moves of rows do, and these take longer
/// than the copy.
bool isPlainCopy(const Argument &src, const mli_mov_cfg_t *cfg,
                 const Argument &dst) {
  static constexpr mli_mov_cfg_t copy = {{}, {},           {1, 1, 1, 1}, {},
                                         {}, {0, 1, 2, 3}, {},           {}};
  static_assert(std::has_unique_object_representations_v<mli_mov_cfg_t>);
  return src.tensor && cfg && dst.tensor && src->rank == dst->rank &&
         src->el_type == dst->el_type && !isPerAxis(*src) && !isPerAxis(*dst) &&
         std::memcmp(cfg, &copy, sizeof(copy)) == 0 && countPlain(*src) != 0 &&
         countPlain(*dst) != 0 &&
         std::equal(src->shape, src->shape + src->rank, dst->shape) &&
         !shareBytes(src->data, dst->data);
}

/// Copies all elements, and the format.
void copyPlain(const mli_tensor &src, mli_tensor &dst) {
  std::fill(dst.shape + dst.rank, std::end(dst.shape), 1);
  std::fill(dst.mem_stride + dst.rank, std::end(dst.mem_stride), 0);
  dst.el_params = src.el_params;
  std::memcpy(getElements<char>(dst), getElements<char>(src),
              size_t{countElements(src)} * elementSize(src.el_type));
}

} // namespace

mli_status move(const Argument &src, const mli_mov_cfg_t *cfg,
                mli_tensor *dst) {
  if (isPlainCopy(src, cfg, {dst, "dst"})) {
    copyPlain(*src, *dst);
    return MLI_STATUS_OK;
  }
  bool checked = checksEnabled();
  if (checked)
    MLI_CHECK(checkMove(src, cfg, {dst, "dst"}));
  MoveGeometry geometry = moveGeometry(*src, *cfg);
  if (checked)
    MLI_CHECK(checkDestinationExtents(*src, *cfg, geometry));
  mli_tensor described = *dst;
  describeDestination(*src, *cfg, geometry, described);
  if (checked) {
    MLI_CHECK(checkTensor({&described, "dst"}));
    MLI_CHECK(checkMovedArrays(src, *cfg, {&described, "dst"}));
  }
  *dst = described;
  bool isFlat = isFlatCopy(*src, *dst, geometry);
  moveParameters(*src, *cfg, *dst);
  uint32_t size = elementSize(src->el_type);
  if (isFlat) {
    std::memcpy(getElements<char>(*dst), getElements<char>(*src),
                size_t{countElements(*src)} * size);
    return MLI_STATUS_OK;
  }
  PreparedMove prepared(*src, *cfg, geometry, *dst);
  if (size == 1)
    copyElements(prepared, getElements<uint8_t>(*src),
                 getElements<uint8_t>(*dst));
  else if (size == 2)
    copyElements(prepared, getElements<uint16_t>(*src),
                 getElements<uint16_t>(*dst));
  else if (size == 4)
    copyElements(prepared, getElements<uint32_t>(*src),
                 getElements<uint32_t>(*dst));
  return MLI_STATUS_OK;
}

} // namespace mli::rt
