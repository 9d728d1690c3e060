// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/CodeConversion.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace mli::quant {

static int32_t saturateTo(int width, int32_t code) {
  CodeRange all = allCodes(width);
  return std::clamp(code, all.low, all.high);
}

CodeConversion::CodeConversion(const NumberFormat &in, const NumberFormat &out,
                               Rounding rounding)
    : in(in), out(out), rounding(rounding),
      ratio(requantize(in.params, out.params, rounding).ratio) {}

int32_t CodeConversion::toCode(int32_t code) const {
  bool isWide = in.width == 32 || out.width == 32;
  return saturateTo(
      out.width,
      isWide ? convertWideCode(code, in.params, out.params, ratio, rounding)
             : convertCode(code, in.params, out.params, ratio, rounding));
}

int32_t CodeConversion::toCode(float value) const {
  return saturateTo(out.width, quantizeFloat(value, out.params));
}

float CodeConversion::toFloat(int32_t code) const {
  return dequantizeCode(code, in.params);
}

CodeRange allCodes(int width) {
  auto high = static_cast<int32_t>((int64_t{1} << (width - 1)) - 1);
  return {-high - 1, high};
}

namespace {

/// The runtime rounds by the mode of the call.
constexpr Rounding roundings[] = {Rounding::Up, Rounding::Convergent};

/// Whether `check` holds for every quantised value of `range`; false if there
/// are too many to try.
template <typename Check>
bool holdsForAll(const CodeRange &range, Check check) {
  if (range.count() > maxProofCodes)
    return false;
  for (int64_t code = range.low; code <= range.high; ++code)
    if (!check(static_cast<int32_t>(code)))
      return false;
  return true;
}

/// Converts a quantised value through a middle format.
class TwoConversions {
public:
  TwoConversions(const NumberFormat &in, const NumberFormat &middle,
                 const NumberFormat &out, Rounding rounding)
      : first(in, middle, rounding), second(middle, out, rounding),
        isFloat(middle.isFloat) {}

  int32_t toCode(int32_t code) const {
    return isFloat ? second.toCode(first.toFloat(code))
                   : second.toCode(first.toCode(code));
  }
  float toFloat(int32_t code) const {
    return isFloat ? first.toFloat(code) : second.toFloat(first.toCode(code));
  }

private:
  CodeConversion first, second;
  bool isFloat;
};

} // namespace

bool isComposable(const NumberFormat &in, const NumberFormat &middle,
                  const NumberFormat &out, const CodeRange &range) {
  if (in.isFloat)
    return false;
  return std::all_of(
      std::begin(roundings), std::end(roundings), [&](Rounding rounding) {
        CodeConversion direct(in, out, rounding);
        TwoConversions through(in, middle, out, rounding);
        return holdsForAll(range, [&](int32_t code) {
          return out.isFloat ? through.toFloat(code) == direct.toFloat(code)
                             : through.toCode(code) == direct.toCode(code);
        });
      });
}

bool isIdentity(const NumberFormat &format, const CodeRange &range) {
  if (format.isFloat)
    return true;
  return std::all_of(std::begin(roundings), std::end(roundings),
                     [&](Rounding rounding) {
                       CodeConversion conversion(format, format, rounding);
                       return holdsForAll(range, [&](int32_t code) {
                         return conversion.toCode(code) == code;
                       });
                     });
}

bool isRoundTrip(const NumberFormat &format, const NumberFormat &middle,
                 const CodeRange &range) {
  return isComposable(format, middle, format, range) &&
         isIdentity(format, range);
}

CodeRange convertRange(const NumberFormat &in, const NumberFormat &out,
                       const CodeRange &range) {
  if (in.isFloat || out.isFloat)
    return allCodes(out.width);
  // No smaller value gives a larger one; near the ends of 32 bits, some do.
  if (in.width <= 16) {
    CodeRange ends = {INT32_MAX, INT32_MIN};
    for (Rounding rounding : roundings) {
      CodeConversion conversion(in, out, rounding);
      ends.low = std::min(ends.low, conversion.toCode(range.low));
      ends.high = std::max(ends.high, conversion.toCode(range.high));
    }
    return ends;
  }
  if (range.count() > maxProofCodes)
    return allCodes(out.width);
  CodeRange result = {INT32_MAX, INT32_MIN};
  for (Rounding rounding : roundings) {
    CodeConversion conversion(in, out, rounding);
    for (int64_t code = range.low; code <= range.high; ++code) {
      int32_t converted = conversion.toCode(static_cast<int32_t>(code));
      result.low = std::min(result.low, converted);
      result.high = std::max(result.high, converted);
    }
  }
  return result;
}

std::optional<QuantParams>
findLosslessParams(const std::vector<QuantParams> &params, int width,
                   const CodeRange &range) {
  // The finest unit that all scales are multiples of: `unit * 2^-fracBits`.
  int fracBits = INT8_MIN;
  for (const QuantParams &p : params)
    fracBits = std::max<int>(fracBits, p.fracBits);
  int64_t unit = 0;
  for (const QuantParams &p : params) {
    if (fracBits - p.fracBits > 46)
      return std::nullopt;
    unit = std::gcd(unit, int64_t{p.scale} << (fracBits - p.fracBits));
  }
  while (unit > INT16_MAX && unit % 2 == 0 && fracBits > INT8_MIN) {
    unit /= 2;
    --fracBits;
  }
  if (unit > INT16_MAX || unit < 1)
    return std::nullopt;
  QuantParams found = {static_cast<int16_t>(unit),
                       static_cast<int8_t>(fracBits), 0};
  std::set<std::tuple<int16_t, int8_t, int16_t>> tried;
  for (const QuantParams &p : params) {
    if (!tried.insert({p.scale, p.fracBits, p.zeroPoint}).second)
      continue;
    CodeConversion conversion({width, false, p}, {32, false, found});
    // The scale in units of the one that was found.
    int shift = fracBits - p.fracBits;
    int64_t factor = shift >= 0 ? (int64_t{p.scale} << shift) / unit : 0;
    bool isExact = factor > 0 && holdsForAll(range, [&](int32_t code) {
                     return conversion.toCode(code) ==
                            (int64_t{code} - p.zeroPoint) * factor;
                   });
    if (!isExact)
      return std::nullopt;
  }
  return found;
}

} // namespace mli::quant
