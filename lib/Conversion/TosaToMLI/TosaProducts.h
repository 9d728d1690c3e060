// SPDX-License-Identifier: Apache-2.0
//
// Scales of products: equations between the logarithms of unknown scales.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSAPRODUCTS_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSAPRODUCTS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace mli::raising {

/// The sum of `factors` times the logarithms of unknowns, and `constant`.
struct LogTerms {
  llvm::SmallMapVector<unsigned, double, 4> factors;
  double constant = 0;

  /// Adds `weight` times `other`.
  void add(const LogTerms &other, double weight);
  void add(unsigned unknown, double weight);
};

/// Equations of which each either follows from those before, contradicts them,
/// or gives one more unknown in terms of others.
class LogEquations {
public:
  /// Demands that `terms` are 0. Nothing if they can be, or have to be by what
  /// is known; else what they are.
  std::optional<double> require(const LogTerms &terms);
  /// The logarithm of an unknown; 0 where the equations leave it open.
  double solve(unsigned unknown) const;

private:
  LogTerms reduce(const LogTerms &terms) const;

  llvm::DenseMap<unsigned, LogTerms> solved;
};

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSAPRODUCTS_H
