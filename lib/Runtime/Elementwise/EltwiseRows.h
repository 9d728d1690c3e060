// SPDX-License-Identifier: Apache-2.0
//
// Rows of element-wise operations, as the kernels and the recurrent cells
// compute them.

#ifndef MLI_LIB_RUNTIME_ELEMENTWISE_ELTWISEROWS_H
#define MLI_LIB_RUNTIME_ELEMENTWISE_ELTWISEROWS_H

#include "Eltwise.h"

#include <utility>

namespace mli::rt {

/// The fast kernel of rows, or null.
template <EltwiseOp Op>
simd::EltwiseRow eltwiseRow(const simd::EltwiseFormat &format,
                            int8_t /*code*/) {
  const simd::EltwiseKernels *kernels = simd::eltwiseKernels(format);
  if (!kernels)
    return nullptr;
  switch (Op) {
  case EltwiseOp::Add:
    return kernels->add;
  case EltwiseOp::Sub:
    return kernels->sub;
  case EltwiseOp::Mul:
    return kernels->mul;
  case EltwiseOp::Min:
    return kernels->min;
  case EltwiseOp::Max:
    return kernels->max;
  }
  return nullptr;
}
template <EltwiseOp Op, typename Code>
simd::FixedEltwiseRow<Code> eltwiseRow(const simd::FixedEltwiseFormat &format,
                                       Code code) {
  const auto *kernels = simd::fixedEltwiseKernels(format, code);
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

  /// Steps are 1, or 0 of an operand that is one code; the result may be an
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

#endif // MLI_LIB_RUNTIME_ELEMENTWISE_ELTWISEROWS_H
