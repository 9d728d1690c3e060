// SPDX-License-Identifier: Apache-2.0
//
// Random functions of slices, concatenations, padding, permutations,
// conversions and insertions.

#ifndef MLI_TEST_UNIT_TRANSFORMS_RANDOMPROGRAMS_H
#define MLI_TEST_UNIT_TRANSFORMS_RANDOMPROGRAMS_H

#include "mlir/IR/MLIRContext.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace mli::test {

/// The text of a module with one function `f`, and what it takes and returns.
struct Program {
  std::string text;
  /// Bytes of each tensor that it takes, random.
  std::vector<std::vector<uint8_t>> arguments;
  size_t resultCount = 0;
};

/// On tensors, in system placement.
Program randomTensorProgram(uint32_t seed);

/// The same with types that have parameters along an axis: beside it and along
/// it, from a tensor and to it.
Program randomAxisProgram(uint32_t seed);

/// On buffers in local memory: layouts of random kinds, modes and start NPUs,
/// matrices too, filled from plain memory, sliced, read and written, moved,
/// padded, permuted and converted there, and copied back.
Program randomLocalProgram(mlir::MLIRContext &context, uint32_t seed);

} // namespace mli::test

#endif // MLI_TEST_UNIT_TRANSFORMS_RANDOMPROGRAMS_H
