// SPDX-License-Identifier: Apache-2.0
//
// Tables of functions and their evaluation.

#ifndef MLI_LIB_RUNTIME_TABLES_LUT_H
#define MLI_LIB_RUNTIME_TABLES_LUT_H

#include "Runtime/Core/Argument.h"
#include "mli/Quant/Arithmetic.h"

#include <algorithm>

namespace mli::rt {

/// A table as kernels read it.
struct Table {
  /// Limits fraction bits: beyond the width of a register all shifts are the
  /// same, and sums of them must not overflow.
  explicit Table(const mli_lut &lut)
      : entries(lut.data.mem.pi16), length(lut.length),
        inFracBits(std::clamp<int>(lut.in_frac_bits, -1024, 1024)),
        outFracBits(std::clamp<int>(lut.out_frac_bits, -1024, 1024)),
        inputOffset(lut.input_offset) {}

  const int16_t *entries;
  int32_t length;
  int inFracBits;
  int outFracBits;
  int32_t inputOffset;
};

/// The value between two entries at `argument`, which has `extraBits` fraction
/// bits more than the table's arguments, 0 or more.
int16_t interpolateLut(const Table &table, int32_t argument, int extraBits,
                       quant::Rounding rounding);

/// The value at `argument`, which has `extraBits` fraction bits more than the
/// table's arguments: interpolated if that is positive, else the entry. Beyond
/// its ends a table is continued by its last entries.
int16_t evaluateLut(const Table &table, int32_t argument, int extraBits,
                    quant::Rounding rounding);

/// BAD_FUNC_CFG if a table is null, has no data or fewer than two entries;
/// TYPE_MISMATCH, NOT_ENGH_MEM or MISALIGNMENT_ERROR if its entries do not
/// match the structure.
mli_status checkLut(const mli_lut *lut, const char *name);

/// The entries of a table as a tensor, for the rules about memory.
mli_tensor getEntries(const mli_lut &lut);

/// `checkLut`, and INCOMPATEBLE if the table lies in `out`.
mli_status checkTable(const mli_lut *lut, const char *name,
                      const Argument &out);

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_TABLES_LUT_H
