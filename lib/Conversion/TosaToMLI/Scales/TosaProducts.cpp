// SPDX-License-Identifier: Apache-2.0

#include "TosaScales.h"

#include <cmath>

using namespace mlir;
using namespace mli::raising;

void LogTerms::add(unsigned unknown, double weight) {
  double &factor = factors[unknown];
  factor += weight;
  // Factors are small sums of 1 and -1, and ratios of such sums.
  if (std::abs(factor) < 1e-9)
    factors.erase(unknown);
}

void LogTerms::add(const LogTerms &other, double weight) {
  constant += weight * other.constant;
  for (auto [unknown, factor] : other.factors)
    add(unknown, weight * factor);
}

/// Substitutes unknowns of `terms` that the equations express by others.
LogTerms LogEquations::reduce(const LogTerms &terms) const {
  LogTerms result = terms;
  for (bool isReduced = false; !isReduced;) {
    isReduced = true;
    for (auto [unknown, factor] : result.factors) {
      auto it = solved.find(unknown);
      if (it == solved.end())
        continue;
      double weight = factor;
      result.factors.erase(unknown);
      result.add(it->second, weight);
      isReduced = false;
      break;
    }
  }
  return result;
}

std::optional<double> LogEquations::require(const LogTerms &terms) {
  LogTerms rest = reduce(terms);
  if (rest.factors.empty()) {
    if (std::abs(rest.constant) <= std::log2(1 + std::ldexp(1, -14)))
      return std::nullopt;
    return rest.constant;
  }
  auto [unknown, factor] = rest.factors.back();
  rest.factors.pop_back();
  LogTerms &value = solved[unknown];
  value = LogTerms();
  value.add(rest, -1 / factor);
  return std::nullopt;
}

double LogEquations::solve(unsigned unknown) const {
  LogTerms terms;
  terms.add(unknown, 1);
  return reduce(terms).constant;
}
