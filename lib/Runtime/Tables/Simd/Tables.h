// SPDX-License-Identifier: Apache-2.0
//
// Functions by tables, and softmax, on rows of quantised values.

#ifndef MLI_LIB_RUNTIME_TABLES_SIMD_TABLES_H
#define MLI_LIB_RUNTIME_TABLES_SIMD_TABLES_H

#include "Runtime/Core/Types.h"
#include "Runtime/Simd/Ratios.h"
#include "Runtime/Tables/Lut.h"
#include "mli/Quant/Requantize.h"

namespace mli::rt {

/// 1/sum as `multiplier * 2^-shift`, where fx8 gets no more than the 8 bits
/// that make its multiplier -1.
template <typename Type>
quant::Ratio reciprocalOfSum(int32_t sum, int lutFracBits) {
  constexpr bool narrow = Type::type == MLI_EL_FX_8;
  int sumNorm = quant::norm(sum);
  int32_t mantissa = quant::roundShiftRight(sum, 16 - sumNorm, Type::rounding);
  mantissa = narrow ? quant::saturate<int8_t>(mantissa)
                    : quant::saturate<int16_t>(mantissa);
  int32_t inverse =
      std::min<int32_t>(quant::divide(1 << 29, mantissa), INT16_MAX);
  int outBits = Type::type == MLI_EL_FX_16 ? 15 : narrow ? 7 : 8;
  int shift =
      std::min(2 * lutFracBits + 15 - sumNorm - outBits, narrow ? 15 : 31);
  return {static_cast<int16_t>(narrow ? quant::wrap<int8_t>(inverse) : inverse),
          shift};
}

} // namespace mli::rt

namespace mli::rt::simd {

/// A table as lanes of 32 bits read it: at the argument
/// `((code - zero) * scale + half) >> shift`, none of whose steps leaves 32
/// bits.
struct TableFunction {
  const int16_t *entries;
  int32_t length;
  int32_t inputOffset;
  int32_t zero;
  int32_t scale;
  int32_t half;
  int shift;
  /// Fraction bits of arguments, up to 15; with 0 nothing is interpolated.
  int bits;
};

/// The quantisation of values of a table: `((value * multiplier + half) >>
/// shift) + offset`, saturated to the element type.
struct TableResult {
  int32_t multiplier;
  int32_t half;
  int shift;
  int32_t offset;
};

template <typename Code>
struct TableKernels {
  /// Maps quantised values, which may be where the results go.
  void (*map)(const TableFunction &function, const TableResult &result,
              const Code *in, int64_t count, Code *out);
  /// One softmax, likewise; false if that takes the scalar code. Does all by
  /// itself: short rows take less time than passing a function on.
  bool (*softmax)(const mli_lut &lut, const quant::QuantParams &params,
                  const Code *in, int64_t count, Code *out);
};

/// The kernels of the target of this moment, or null. With `isAsymmetric`, of
/// sa8; fx8 makes 8 bits of values first.
template <typename Code>
const TableKernels<Code> *tableKernels(bool isAsymmetric);
template <>
MLI_FAST_KERNEL(const TableKernels<int8_t> *tableKernels<int8_t>(bool))
template <>
MLI_FAST_KERNEL(const TableKernels<int16_t> *tableKernels<int16_t>(bool))

/// Reads the parameters that functions of all element types have; false if
/// indices could leave 32 bits.
inline bool readTable(const Table &table, TableFunction &function) {
  constexpr int32_t maxOffset = 1 << 29;
  function.entries = table.entries;
  function.length = table.length;
  function.inputOffset = table.inputOffset;
  return table.length >= 2 && table.inputOffset >= -maxOffset &&
         table.inputOffset <= maxOffset;
}

/// The function of fx values with the arguments that the scalar code gives the
/// table, rounding up. False if it would not be exact.
inline bool fixedPointFunction(const Table &table, const quant::QuantParams &in,
                               TableFunction &function) {
  // Quantised values less the largest one have 17 bits.
  constexpr int maxLeft = 12;
  int extraBits = in.fracBits - table.inFracBits;
  if (!readTable(table, function) || extraBits < -maxLeft)
    return false;
  function.zero = 0;
  function.scale = 1 << std::max(-extraBits, 0);
  function.half = 0;
  function.shift = std::clamp(extraBits - 15, 0, 15);
  function.bits = std::clamp(extraBits, 0, 15);
  return true;
}

/// The same of sa8 values less `zero`, one of them.
inline bool asymmetricFunction(const Table &table, const quant::QuantParams &in,
                               int32_t zero, TableFunction &function) {
  int shift = in.fracBits - (table.inFracBits + 8);
  if (!readTable(table, function) || shift < 0 || shift > 31 ||
      zero < INT8_MIN || zero > INT8_MAX)
    return false;
  function.zero = zero;
  function.scale = in.scale;
  function.half = getRoundingHalf(shift);
  function.shift = shift;
  function.bits = 8;
  return true;
}

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_TABLES_SIMD_TABLES_H
