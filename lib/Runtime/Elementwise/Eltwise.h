// SPDX-License-Identifier: Apache-2.0
//
// Element-wise operations on elements and on rows, as the kernels and the
// recurrent cells compute them.

#ifndef MLI_LIB_RUNTIME_ELEMENTWISE_ELTWISE_H
#define MLI_LIB_RUNTIME_ELEMENTWISE_ELTWISE_H

#include "Runtime/Core/Types.h"
#include "Runtime/Elementwise/Simd/Eltwise.h"
#include "mli/Quant/Requantize.h"

#include <algorithm>
#include <utility>

namespace mli::rt {

/// The operation on operands and result of given quantisation.
template <EltwiseOp Op, typename Type, bool = Type::isAsymmetric>
class Eltwise;

/// fx: operands are aligned to the finer format, the result is rounded once.
// K25
template <EltwiseOp Op, typename Type>
class Eltwise<Op, Type, false> {
public:
  using Code = typename Type::Code;

  Eltwise(const quant::QuantParams &in1, const quant::QuantParams &in2,
          const quant::QuantParams &out) {
    constexpr int width = quant::getWidth<Code>;
    int maxShift = 2 * width - 1;
    int shift = std::max(in1.fracBits, in2.fracBits) - out.fracBits;
    if (Op == EltwiseOp::Mul)
      shift = in1.fracBits + in2.fracBits - out.fracBits;
    if (Op == EltwiseOp::Min || Op == EltwiseOp::Max) {
      shift = in1.fracBits - out.fracBits;
      maxShift = width - 1;
    }
    outShift = std::min(shift, maxShift);
    shift1 = std::min(in1.fracBits - in2.fracBits, 0);
    shift2 = std::min(in2.fracBits - in1.fracBits, 0);
  }

  Code operator()(Code a, Code b) const {
    if constexpr (Op == EltwiseOp::Min || Op == EltwiseOp::Max) {
      Code chosen = Op == EltwiseOp::Min ? std::min(a, b) : std::max(a, b);
      return quant::roundShiftRight(chosen, outShift, Type::rounding);
    } else if constexpr (Op == EltwiseOp::Mul) {
      return quant::saturate<Code>(
          quant::roundShiftRight<int64_t>(a * b, outShift, Type::rounding));
    } else {
      int64_t x = quant::shiftLeft<int32_t>(a, -shift1);
      int64_t y = quant::shiftLeft<int32_t>(b, -shift2);
      int64_t sum =
          quant::saturate<int32_t>(Op == EltwiseOp::Add ? x + y : x - y);
      return quant::saturate<Code>(
          quant::roundShiftRight(sum, outShift, Type::rounding));
    }
  }

  /// The same for the kernels of rows.
  simd::FixedEltwiseFormat format() const {
    bool isSum = Op == EltwiseOp::Add || Op == EltwiseOp::Sub;
    return {isSum ? -shift1 : 0, isSum ? -shift2 : 0, outShift};
  }

private:
  int shift1;
  int shift2;
  int outShift;
};

/// sa8: 16-bit multipliers. add and sub scale and round each operand; min and
/// max use the scale of the first for both; mul narrows the product to 16 bits.
// K26
template <EltwiseOp Op, typename Type>
class Eltwise<Op, Type, true> {
public:
  using Code = typename Type::Code;

  Eltwise(const quant::QuantParams &in1, const quant::QuantParams &in2,
          const quant::QuantParams &out)
      : zero1(in1.zeroPoint), zero2(in2.zeroPoint), zeroOut(out.zeroPoint) {
    if (Op == EltwiseOp::Mul) {
      ratio1 = quant::normalizedRatio(in1.scale * in2.scale, out.scale,
                                      Type::rounding);
      ratio1.shift += in1.fracBits + in2.fracBits - out.fracBits;
      ratio1 = quant::limitShift(ratio1, 31, Type::rounding);
      preShift = std::clamp(ratio1.shift - 21, 0, 3);
    } else {
      ratio1 = operandRatio(in1, out);
      ratio2 = operandRatio(in2, out);
    }
  }

  Code operator()(Code a, Code b) const {
    int32_t x = quant::saturate<int16_t>(a - zero1);
    int32_t y = quant::saturate<int16_t>(b - zero2);
    int32_t result = 0;
    if constexpr (Op == EltwiseOp::Mul) {
      int32_t product = quant::saturate<int16_t>(
          quant::roundShiftRight(x * y, preShift, Type::rounding));
      result = quant::roundShiftRight<int32_t>(
          product * ratio1.multiplier, ratio1.shift - preShift, Type::rounding);
    } else if constexpr (Op == EltwiseOp::Min || Op == EltwiseOp::Max) {
      x *= ratio1.multiplier;
      y *= ratio1.multiplier;
      result = quant::roundShiftRight(Op == EltwiseOp::Min ? std::min(x, y)
                                                           : std::max(x, y),
                                      ratio1.shift, Type::rounding);
    } else {
      int64_t left = quant::roundShiftRight(x * ratio1.multiplier, ratio1.shift,
                                            Type::rounding);
      int64_t right = quant::roundShiftRight(y * ratio2.multiplier,
                                             ratio2.shift, Type::rounding);
      result = quant::saturate<int32_t>(Op == EltwiseOp::Add ? left + right
                                                             : left - right);
    }
    return quant::saturate<Code>(
        quant::saturate<int16_t>(quant::saturate<int16_t>(result) + zeroOut));
  }

  /// The same for the kernels of rows.
  simd::EltwiseFormat format() const {
    return {zero1,
            zero2,
            zeroOut,
            ratio1.multiplier,
            ratio2.multiplier,
            ratio1.shift - preShift,
            ratio2.shift,
            preShift};
  }

private:
  static quant::Ratio operandRatio(const quant::QuantParams &in,
                                   const quant::QuantParams &out) {
    quant::Ratio ratio =
        quant::normalizedRatio(in.scale, out.scale, Type::rounding);
    ratio.shift += in.fracBits - out.fracBits;
    return quant::limitShift(ratio, 23, Type::rounding);
  }

  int16_t zero1;
  int16_t zero2;
  int16_t zeroOut;
  quant::Ratio ratio1 = {};
  quant::Ratio ratio2 = {};
  int preShift = 0;
};

/// The fast kernel of rows, or null.
template <EltwiseOp Op, typename Format, typename Code>
simd::EltwiseRow<Format, Code> eltwiseRow(const Format &format, Code code) {
  const auto *kernels = simd::eltwiseKernels(format, code);
  return kernels ? kernels->rows[static_cast<int>(Op)] : nullptr;
}

/// The operation on operands and result of given quantisation: by the fast
/// kernel, or element by element.
template <EltwiseOp Op, typename Type>
class EltwiseRows {
public:
  using Code = typename Type::Code;

  EltwiseRows(const quant::QuantParams &in1, const quant::QuantParams &in2,
              const quant::QuantParams &out)
      : op(in1, in2, out), format(op.format()),
        row(Type::rounding == quant::Rounding::Up
                ? eltwiseRow<Op>(format, Code{})
                : nullptr) {}

  /// Steps are 1, or 0 for an operand of one element; the result may be an
  /// operand.
  void operator()(const Code *in1, int64_t step1, const Code *in2,
                  int64_t step2, Code *out, int64_t count) const {
    if (row) {
      row(format, in1, step1, in2, step2, out, count);
      return;
    }
    for (int64_t i = 0; i < count; ++i)
      out[i] = op(in1[i * step1], in2[i * step2]);
  }

private:
  using Operation = Eltwise<Op, Type>;
  Operation op;
  decltype(std::declval<const Operation &>().format()) format;
  decltype(eltwiseRow<Op>(std::declval<const Operation &>().format(),
                          Code{})) row;
};

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_ELEMENTWISE_ELTWISE_H
