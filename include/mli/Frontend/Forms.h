// SPDX-License-Identifier: Apache-2.0
//
// The forms in which front ends compute what a kernel has less exact than the
// network.

#ifndef MLI_FRONTEND_FORMS_H
#define MLI_FRONTEND_FORMS_H

namespace mli {

/// The form in which 8-bit sums and differences are computed. The kernel rounds
/// each operand, so that up to a quarter of the elements is off by 1; in fx16,
/// with four kernels for one, nearly all are exact.
enum class SumForm {
  /// By the kernel if at most 15 % of the sums of two quantized values are off,
  /// else in fx16.
  Near,
  /// All by the kernel.
  Kernel,
  /// All in fx16.
  Exact,
};

/// The form in which 8-bit averages are computed. The average pool has 8 bits
/// of the factor, and rounds halves up.
enum class AverageForm {
  /// By the average pool if at most 1 % of all sums of quantized values have
  /// another average than they should, else by products with ones.
  Near,
  /// By the average pool, as long as it is off by at most 1.
  Kernel,
  /// By products with ones wherever these have more averages right.
  Exact,
};

struct ArithmeticForms {
  SumForm sums = SumForm::Near;
  AverageForm averages = AverageForm::Near;
};

} // namespace mli

#endif // MLI_FRONTEND_FORMS_H
