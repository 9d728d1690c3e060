// SPDX-License-Identifier: Apache-2.0
//
// What may compute an operator of TFLite, and how exactly it has to.

#ifndef MLI_LIB_EXECUTION_LAYERRULES_H
#define MLI_LIB_EXECUTION_LAYERRULES_H

#include "mli/Execution/HostTensor.h"

#include "llvm/ADT/StringRef.h"

namespace mli {

/// A family of operators.
struct LayerRule {
  /// Its names in TFLite and those of its kernels, separated by spaces.
  const char *ops, *kernels;
  /// The greatest distance from the record.
  int distance = 0;
  /// The share of elements that may have a distance, or at least this number
  /// of elements.
  double share = 0;
  unsigned elements = 0;

  bool holds(const Difference &difference, size_t size) const;
  bool allowsKernel(llvm::StringRef kernel) const;
};

/// The rule for the operator `op`; null if it computes nothing or is not known.
const LayerRule *findLayerRule(llvm::StringRef op);

/// Whether `op` only moves or renames values.
bool isMovingOp(llvm::StringRef op);

} // namespace mli

#endif // MLI_LIB_EXECUTION_LAYERRULES_H
