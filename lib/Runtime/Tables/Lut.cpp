// SPDX-License-Identifier: Apache-2.0

#include "Lut.h"

#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstring>

namespace mli::rt {

// K27, R15
int16_t interpolateLut(const Table &table, int32_t argument, int extraBits,
                       quant::Rounding rounding) {
  int dropped = std::clamp(extraBits - 15, 0, 15);
  argument >>= dropped;
  int bits = std::min(extraBits, 15);
  int64_t index = std::clamp<int64_t>(
      (int64_t{argument} >> bits) + table.inputOffset, 0, table.length - 2);
  int32_t fraction = argument & ((1 << bits) - 1);
  const int16_t *entry = table.entries + index;
  int32_t step = quant::wrap<int16_t>(entry[0] - entry[1]);
  return quant::wrap<int16_t>(
      entry[0] - quant::saturate<int16_t>(quant::roundShiftRight<int32_t>(
                     step * fraction, bits, rounding)));
}

// K28
int16_t evaluateLut(const Table &table, int32_t argument, int extraBits,
                    quant::Rounding rounding) {
  if (extraBits > 0)
    return interpolateLut(table, argument, extraBits, rounding);
  int64_t index =
      int64_t{quant::shiftLeft(argument, -extraBits)} + table.inputOffset;
  return table.entries[std::clamp<int64_t>(index, 0, table.length - 1)];
}

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

static double hyperbolicTangent(double x) { return std::tanh(x); }

static double decayingExponential(double x) { return x > 0 ? 1 : std::exp(x); }

static double inverseRoot(double x) { return 1 / std::sqrt(x); }

static LutCache sigmCache, tanhCache, softmaxCache, l2NormalizeCache;

// K37
const LutFormula sigmFormula = {sigmoid, 320, 4, 15, 160, sigmCache};
const LutFormula tanhFormula = {hyperbolicTangent, 344, 5, 15, 172, tanhCache};
const LutFormula softmaxFormula = {decayingExponential, 358, 5, 15, 356,
                                   softmaxCache};
const LutFormula l2NormalizeFormula = {inverseRoot, 97,  0,
                                       17,          -32, l2NormalizeCache};

int32_t lutBytes(const LutFormula &formula) {
  return formula.length * static_cast<int32_t>(sizeof(int16_t));
}

// K59
mli_status checkLut(const mli_lut *lut, const char *name) {
  if (!lut || !lut->data.mem.pi16)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected '%s' to be a table with data, but got null", name);
  if (lut->length < 2)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected '%s' to have at least 2 entries, but got %" PRId32,
                name, lut->length);
  if (lut->type != MLI_EL_FX_16)
    return fail(MLI_STATUS_TYPE_MISMATCH,
                "expected '%s' to have type 0x%x, but got 0x%x", name,
                static_cast<unsigned>(MLI_EL_FX_16),
                static_cast<unsigned>(lut->type));
  uint64_t needed = uint64_t{2} * static_cast<uint32_t>(lut->length);
  if (lut->data.capacity < needed)
    return fail(MLI_STATUS_NOT_ENGH_MEM,
                "expected '%s' to have a capacity of at least %" PRIu64
                " bytes, but got %" PRIu32,
                name, needed, lut->data.capacity);
  return checkAlignment(name, lut->data.mem.pi16, 2);
}

mli_tensor entriesOf(const mli_lut &lut) {
  mli_tensor entries;
  std::memset(&entries, 0, sizeof(entries));
  entries.data = lut.data;
  entries.rank = 1;
  entries.shape[0] = static_cast<uint32_t>(lut.length);
  entries.mem_stride[0] = 1;
  entries.el_type = MLI_EL_FX_16;
  return entries;
}

mli_status checkTable(const mli_lut *lut, const char *name,
                      const Argument &out) {
  MLI_CHECK(checkLut(lut, name));
  mli_tensor entries = entriesOf(*lut);
  return checkApart({&entries, name}, out);
}

static void computeEntries(const LutFormula &formula, int16_t *entries) {
  for (int32_t i = 0; i < formula.length; ++i) {
    double x = std::ldexp(i - formula.inputOffset, -formula.inFracBits);
    double y = std::ldexp(formula.function(x), formula.outFracBits);
    entries[i] = quant::saturate<int16_t>(std::lround(y));
  }
}

/// Computes the entries, or takes those that a call before has left. No call
/// waits for another.
static void fillEntries(const LutFormula &formula, int16_t *entries) {
  LutCache &cache = formula.cache;
  auto bytes = static_cast<size_t>(lutBytes(formula));
  if (cache.state.load(std::memory_order_acquire) == LutCache::Ready) {
    std::memcpy(entries, cache.entries, bytes);
    return;
  }
  computeEntries(formula, entries);
  auto expected = LutCache::Empty;
  if (!cache.state.compare_exchange_strong(expected, LutCache::Filling))
    return;
  std::memcpy(cache.entries, entries, bytes);
  cache.state.store(LutCache::Ready, std::memory_order_release);
}

static mli_status createLut(mli_lut *lut, const LutFormula &formula) {
  if (checksEnabled() && !lut)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'lut' to be a table, but got null");
  if (checksEnabled() &&
      lut->data.capacity < static_cast<uint32_t>(lutBytes(formula)))
    return fail(MLI_STATUS_NOT_ENGH_MEM,
                "expected 'lut' to have a capacity of at least %d bytes, but "
                "got %u",
                static_cast<int>(lutBytes(formula)),
                static_cast<unsigned>(lut->data.capacity));
  if (checksEnabled() && !lut->data.mem.pi16)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'lut' to have data, but got null");
  if (checksEnabled())
    MLI_CHECK(checkAlignment("lut", lut->data.mem.pi16, 2));
  fillEntries(formula, lut->data.mem.pi16);
  lut->type = MLI_EL_FX_16;
  lut->length = formula.length;
  lut->in_frac_bits = formula.inFracBits;
  lut->out_frac_bits = formula.outFracBits;
  lut->input_offset = formula.inputOffset;
  lut->output_offset = 0;
  return MLI_STATUS_OK;
}

} // namespace mli::rt

#define MLI_LUT(name, function)                                                \
  int32_t name##_get_lut_size(void) {                                          \
    return mli::rt::lutBytes(mli::rt::function##Formula);                      \
  }                                                                            \
  mli_status name##_create_lut(mli_lut *lut) {                                 \
    mli::rt::Entry entry(#name "_create_lut");                                 \
    return mli::rt::createLut(lut, mli::rt::function##Formula);                \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
