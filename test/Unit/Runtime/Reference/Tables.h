// SPDX-License-Identifier: Apache-2.0
//
// Functions by tables: sigm, tanh, softmax and L2 normalisation.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_TABLES_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_TABLES_H

#include "Tensors.h"

namespace mli::ref {

/// Entry i of a table that ends with `last`.
inline Wide entryOf(const mli_lut &lut, Wide i, Wide last) {
  return lut.data.mem
      .pi16[static_cast<int64_t>(std::max(std::min(i, last), Wide{0}))];
}

/// The table between two entries at x, whose fraction bits exceed those of the
/// table by k, 0 or more.
inline Wide interpolate(const mli_lut &lut, Wide x, int k) {
  x = floorShift(x, std::clamp(k - 15, 0, 15));
  k = std::min(k, 15);
  Wide whole = floorShift(x, k);
  Wide fraction = x - whole * power(k);
  Wide i = std::max(std::min(whole + lut.input_offset, Wide{lut.length - 2}),
                    Wide{0});
  Wide left = entryOf(lut, i, lut.length - 1);
  Wide d = wrap(16, left - entryOf(lut, i + 1, lut.length - 1));
  return wrap(16, left - sat(16, rsh(32, d * fraction, k)));
}

/// The same, and the nearest entry where k is not positive.
inline Wide lookUp(const mli_lut &lut, Wide x, int k) {
  if (k > 0)
    return interpolate(lut, x, k);
  return entryOf(lut, sat(32, shl(32, x, -k) + lut.input_offset),
                 lut.length - 1);
}

enum class Function { sigm, tanh };

/// The fixed quantisation of a function's results.
inline Quant getResult(Function function, mli_element_type type) {
  if (type == MLI_EL_FX_16)
    return {1, 15, 0};
  if (type == MLI_EL_FX_8)
    return {1, 7, 0};
  return function == Function::sigm ? Quant{1, 8, -128} : Quant{1, 7, 0};
}

inline Wide activate(Function function, mli_element_type type,
                     const mli_lut &lut, const Quant &in, Wide code) {
  if (type == MLI_EL_SA_8) {
    Wide x =
        rsh(32, wrap(16, code - in.z) * in.s, in.f - (lut.in_frac_bits + 8));
    Quant out = getResult(function, type);
    return sat(8,
               rsh(32, lookUp(lut, x, 8), lut.out_frac_bits - out.f) + out.z);
  }
  Wide r = lookUp(lut, code, in.f - lut.in_frac_bits);
  return type == MLI_EL_FX_16 ? r : sat(8, rsh(16, r, 8));
}

inline Codes activation(Function function, const mli_tensor &in,
                        const mli_lut &lut) {
  Codes codes = getCodes(in);
  for (int64_t &code : codes)
    code = static_cast<int64_t>(
        activate(function, in.el_type, lut, quantOf(in), code));
  return codes;
}

/// The indices of the elements that share a slice, for each slice: those along
/// `axis`, or all.
inline std::vector<std::vector<size_t>> slicesOf(const mli_tensor &in,
                                                 int32_t axis) {
  auto count = static_cast<size_t>(countOf(getShape(in)));
  size_t extent = axis < 0 ? count : in.shape[axis];
  size_t step = 1;
  for (uint32_t i = axis < 0 ? in.rank : axis + 1; i < in.rank; ++i)
    step *= in.shape[i];
  std::vector<std::vector<size_t>> slices(count / extent);
  for (size_t i = 0; i < count; ++i)
    slices[i / (step * extent) * step + i % step].push_back(i);
  return slices;
}

inline Codes softmaxSlice(const mli_tensor &in, const mli_lut &lut,
                          const Codes &x) {
  mli_element_type type = in.el_type;
  bool isNarrow = type == MLI_EL_FX_8;
  Quant q = quantOf(in);
  int64_t largest = *std::max_element(x.begin(), x.end());
  std::vector<Wide> e;
  Wide sum = 0;
  for (int64_t code : x) {
    Wide value = 0;
    if (type == MLI_EL_SA_8)
      value = lookUp(
          lut,
          rsh(32, wrap(16, code - largest) * q.s, q.f - (lut.in_frac_bits + 8)),
          8);
    else
      value = lookUp(lut, code - largest, q.f - lut.in_frac_bits);
    if (isNarrow)
      value = sat(8, rsh(16, value, 8));
    e.push_back(value);
    sum += value;
  }
  sum = wrap(32, sum);
  int n = norm(32, sum);
  Wide mant = sat(isNarrow ? 8 : 16, rsh(32, sum, 16 - n));
  Wide rec = std::min(tdiv(power(29), mant), Wide{32767});
  int shift = 2 * lut.out_frac_bits + 15 - n;
  Codes y;
  for (Wide value : e) {
    if (type == MLI_EL_SA_8)
      value = sat(8, rsh(32, rec * value, std::min(shift - 8, 31)) - 128);
    else if (type == MLI_EL_FX_16)
      value = sat(16, rsh(32, rec * value, std::min(shift - 15, 31)));
    else
      value = sat(8, rsh(32, wrap(8, rec) * value, std::min(shift - 7, 15)));
    y.push_back(static_cast<int64_t>(value));
  }
  return y;
}

inline Codes l2Slice(const mli_tensor &in, const mli_lut &lut, const Codes &x) {
  bool isSa = in.el_type == MLI_EL_SA_8;
  Wide zero = quantOf(in).z;
  Wide sum = 0;
  for (int64_t code : x)
    sum += sat(16, code - zero) * sat(16, code - zero);
  int ns = 48 - norm(64, sum);
  if (ns % 2 != 0)
    ++ns;
  // With more bits than these the x86 build has no result.
  int k = 8 - lut.in_frac_bits;
  Wide mant = sat(16, rsh(64, sum, ns));
  Wide r = k >= 0 ? interpolate(lut, mant, k) : lookUp(lut, mant, k);
  int shift = lut.out_frac_bits + static_cast<int>(floorShift(ns + 8, 1)) -
              (isSa ? 7 : 15);
  Codes y;
  for (int64_t code : x)
    y.push_back(static_cast<int64_t>(
        sat(isSa ? 8 : 16, rsh(32, r * sat(16, code - zero), shift))));
  return y;
}

template <typename Slice>
Codes alongAxis(const mli_tensor &in, const mli_lut &lut, int32_t axis,
                Slice slice) {
  Codes codes = getCodes(in);
  for (const std::vector<size_t> &indices : slicesOf(in, axis)) {
    Codes x;
    for (size_t i : indices)
      x.push_back(codes[i]);
    Codes y = slice(in, lut, x);
    for (size_t k = 0; k < indices.size(); ++k)
      codes[indices[k]] = y[k];
  }
  return codes;
}

} // namespace mli::ref

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_TABLES_H
