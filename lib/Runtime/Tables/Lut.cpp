// SPDX-License-Identifier: Apache-2.0

#include "Lut.h"

#include "FunctionTables.h"
#include "Runtime/Core/Checks.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <algorithm>
#include <cinttypes>
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

mli_tensor getEntries(const mli_lut &lut) {
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
  mli_tensor entries = getEntries(*lut);
  return checkNoAlias({&entries, name}, out);
}

namespace {

mli_status checkLutToFill(const mli_lut *lut, const FunctionTable &table) {
  if (!lut)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'lut' to be a table, but got null");
  if (lut->data.capacity < static_cast<uint32_t>(table.bytes()))
    return fail(MLI_STATUS_NOT_ENGH_MEM,
                "expected 'lut' to have a capacity of at least %d bytes, but "
                "got %u",
                static_cast<int>(table.bytes()),
                static_cast<unsigned>(lut->data.capacity));
  if (!lut->data.mem.pi16)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'lut' to have data, but got null");
  return checkAlignment("lut", lut->data.mem.pi16, 2);
}

/// The C function `name`, which fills a table.
mli_status createLut(const FunctionTable &table, const char *name,
                     mli_lut *lut) {
  Entry entry(name);
  if (checksEnabled())
    MLI_CHECK(checkLutToFill(lut, table));
  std::memcpy(lut->data.mem.pi16, table.entries,
              static_cast<size_t>(table.bytes()));
  lut->type = MLI_EL_FX_16;
  lut->length = table.length;
  lut->in_frac_bits = table.inFracBits;
  lut->out_frac_bits = table.outFracBits;
  lut->input_offset = table.inputOffset;
  lut->output_offset = 0;
  return MLI_STATUS_OK;
}

/// The functions that mli_kernels.def has tables of.
namespace listed {
enum {
#define MLI_LUT(name, function) function,
#include "mli/Runtime/C/api/mli_kernels.def"
};
} // namespace listed

#define MLI_ACTIVATION(name, function, type)                                   \
  static_assert(listed::function >= 0, "the function has a row MLI_LUT");
#include "mli/Runtime/C/api/mli_kernels.def"

} // namespace
} // namespace mli::rt

#define MLI_LUT(name, function)                                                \
  int32_t name##_get_lut_size(void) {                                          \
    return mli::rt::functions::function.bytes();                               \
  }                                                                            \
  mli_status name##_create_lut(mli_lut *lut) {                                 \
    return mli::rt::createLut(mli::rt::functions::function,                    \
                              #name "_create_lut", lut);                       \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
