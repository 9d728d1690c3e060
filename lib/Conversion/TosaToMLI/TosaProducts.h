// SPDX-License-Identifier: Apache-2.0
//
// Solves for scales of products: equations between the logarithms of unknown
// scales.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSAPRODUCTS_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSAPRODUCTS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace mli::raising {

/// The sum of logarithms of unknowns, each times its factor, and of `constant`.
struct LogTerms {
  llvm::SmallMapVector<unsigned, double, 4> factors;
  double constant = 0;

  /// Adds `weight` times `other`.
  void add(const LogTerms &other, double weight);
  void add(unsigned unknown, double weight);
};

/// Linear equations, of which each follows from those before, contradicts them,
/// or expresses one more unknown by others.
class LogEquations {
public:
  /// Adds the equation `terms` = 0. Returns nothing if it can be satisfied;
  /// else the value that the other equations give to `terms`.
  std::optional<double> require(const LogTerms &terms);
  /// The logarithm of an unknown; 0 where the equations do not determine it.
  double solve(unsigned unknown) const;

private:
  LogTerms reduce(const LogTerms &terms) const;

  llvm::DenseMap<unsigned, LogTerms> solved;
};

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSAPRODUCTS_H
