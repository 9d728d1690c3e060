// SPDX-License-Identifier: Apache-2.0
//
// What codes a right implementation gives for a number.

#ifndef MLI_TEST_FUZZ_INTERPRETER_BOUNDS_H
#define MLI_TEST_FUZZ_INTERPRETER_BOUNDS_H

namespace mli::fuzz {

/// Two codes, or two numbers of a tensor of floats.
struct Bounds {
  double low, high;

  bool contains(double code) const { return code >= low && code <= high; }
};

/// How near to the middle between two codes a number may be rounded to either,
/// as docs/guides/tflite.md says.
inline constexpr double middle = 3.0 / 64;

/// The codes for `number`, a code with digits behind the point, which may be
/// off by `error` before it is rounded, clipped to `limits`.
Bounds round(long double number, long double error, Bounds limits);
/// The codes that are at most `steps` from the one of `number`.
Bounds around(long double number, double steps, Bounds limits);
/// The codes that are at most a step and `error` from `number` itself, as those
/// of kernels that round each of two operands.
Bounds within(long double number, long double error, Bounds limits);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_INTERPRETER_BOUNDS_H
