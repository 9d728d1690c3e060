// SPDX-License-Identifier: Apache-2.0
//
// The tables of exp that an integer softmax reads.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSAEXPONENTIALS_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSAEXPONENTIALS_H

#include "mlir/IR/Value.h"

#include <optional>

namespace mli::raising {

/// exp(-scale * k) in Q31 for every difference k of two codes.
struct Exponentials {
  mlir::Value index; ///< what the tables are read at
  double entries[256] = {};
};

/// Reads the sum of tables that `value` is: one for each byte of the number.
bool readTables(mlir::Value value, Exponentials &sum);

/// The scale for which the entries are exp(-scale * k); nothing if there is
/// none.
std::optional<double> findScale(const Exponentials &exponentials);

/// The operand of a rounded shift to the right by `shift`; null if `value` is
/// none.
mlir::Value shiftedRight(mlir::Value value, int64_t shift);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSAEXPONENTIALS_H
