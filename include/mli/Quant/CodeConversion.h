// SPDX-License-Identifier: Apache-2.0
//
// Conversions of codes as the runtime computes them, and what can be proven of
// them by trying every code of a range.

#ifndef MLI_QUANT_CODECONVERSION_H
#define MLI_QUANT_CODECONVERSION_H

#include "mli/Quant/Requantize.h"

#include <vector>

namespace mli::quant {

/// How a number is stored: a code of 8, 16 or 32 bits, or an fp32.
struct NumberFormat {
  int width = 8;
  bool isFloat = false;
  QuantParams params = {};
};

/// A code, or an fp32, as a code or fp32 of another format: what
/// `mli_hlp_convert_tensor` makes of each element.
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

/// The codes from `low` to `high`, both of them.
struct CodeRange {
  int32_t low;
  int32_t high;

  int64_t count() const { return int64_t{high} - low + 1; }
};

/// All codes of `width` bits.
CodeRange allCodes(int width);

/// The most codes that a proof tries.
inline constexpr int64_t maxProofCodes = 65536;

/// Whether every code of `range` comes out of a conversion from `in` to
/// `middle` and then to `out` as out of one from `in` to `out`, whatever the
/// rounding. False, too, if there are too many codes to try.
bool isComposable(const NumberFormat &in, const NumberFormat &middle,
                  const NumberFormat &out, const CodeRange &range);

/// Whether every code of `range` comes out of a conversion as it went in: from
/// `format` to itself, or through `middle` and back.
bool isIdentity(const NumberFormat &format, const CodeRange &range);
bool isRoundTrip(const NumberFormat &format, const NumberFormat &middle,
                 const CodeRange &range);

/// The codes that the codes of `range` become, whatever the rounding; all of
/// `out` if there are too many to try.
CodeRange convertRange(const NumberFormat &in, const NumberFormat &out,
                       const CodeRange &range);

/// Parameters of 32-bit codes that hold all codes of `range` under each of
/// `params`, of codes of `width` bits, exactly: each conversion gives the
/// number itself. Nothing if there are none, or too many codes to prove it.
std::optional<QuantParams>
findLosslessParams(const std::vector<QuantParams> &params, int width,
                   const CodeRange &range);

} // namespace mli::quant

#endif // MLI_QUANT_CODECONVERSION_H
