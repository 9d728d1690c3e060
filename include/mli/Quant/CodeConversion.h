// SPDX-License-Identifier: Apache-2.0
//
// Conversions of quantised values as the runtime computes them, and proofs
// about them by trying every value of a range.

#ifndef MLI_QUANT_CODECONVERSION_H
#define MLI_QUANT_CODECONVERSION_H

#include "mli/Quant/Requantize.h"

#include <vector>

namespace mli::quant {

/// The storage of a number: a quantised value of 8, 16 or 32 bits, or an fp32.
struct NumberFormat {
  int width = 8;
  bool isFloat = false;
  QuantParams params = {};
};

/// Converts a quantised value, or an fp32, to one of another format, as
/// `mli_hlp_convert_tensor` does for each element.
class CodeConversion {
public:
  CodeConversion(const NumberFormat &in, const NumberFormat &out,
                 Rounding rounding = Rounding::Up);

  int32_t toCode(int32_t code) const;
  int32_t toCode(float value) const;
  float toFloat(int32_t code) const;

private:
  NumberFormat in, out;
  Rounding rounding;
  Ratio ratio;
};

/// The quantised values from `low` to `high`, both of them.
struct CodeRange {
  int32_t low;
  int32_t high;

  int64_t count() const { return int64_t{high} - low + 1; }
};

/// Returns all quantised values of `width` bits.
CodeRange allCodes(int width);

/// The most quantised values that a proof tries.
inline constexpr int64_t maxProofCodes = 65536;

/// Whether every quantised value of `range` comes out of a conversion from `in`
/// to `middle` and then to `out` as out of one from `in` to `out`, whatever the
/// rounding. False, too, if there are too many values to try.
bool isComposable(const NumberFormat &in, const NumberFormat &middle,
                  const NumberFormat &out, const CodeRange &range);

/// Whether every quantised value of `range` comes out of a conversion as it
/// went in: from `format` to itself, or through `middle` and back.
bool isIdentity(const NumberFormat &format, const CodeRange &range);
bool isRoundTrip(const NumberFormat &format, const NumberFormat &middle,
                 const CodeRange &range);

/// Returns the quantised values that those of `range` become, whatever the
/// rounding; all of `out` if there are too many to try.
CodeRange convertRange(const NumberFormat &in, const NumberFormat &out,
                       const CodeRange &range);

/// Parameters of 32-bit values that hold all values of `range` under each of
/// `params`, of `width` bits, exactly: each conversion gives the number itself.
/// Nothing if there are none, or too many values to prove it.
std::optional<QuantParams>
findLosslessParams(const std::vector<QuantParams> &params, int width,
                   const CodeRange &range);

} // namespace mli::quant

#endif // MLI_QUANT_CODECONVERSION_H
