// SPDX-License-Identifier: Apache-2.0
//
// The tables of functions, as the runtime makes them.

#ifndef MLI_IR_FUNCTIONTABLE_H
#define MLI_IR_FUNCTIONTABLE_H

#include "mli/IR/MLI.h"
#include "mli/Runtime/C/mli_types.h"

namespace mli {

/// The table of one function.
struct FunctionTable {
  /// The function of the C API that fills it.
  const char *create;
  /// The bytes of memory that `create` requires.
  int32_t bytes;
  /// The fields that it sets, all but the data.
  mli_lut fields;

  /// The type of its entries as a tensor.
  mlir::RankedTensorType getType(mlir::MLIRContext *context) const;
};

/// Returns the table of `function`.
const FunctionTable &getTable(LutFunction function);

/// Returns the table of `function`, but with the length and the fraction bits
/// of `type`, and `format`, where there is one.
FunctionTable getTable(LutFunction function, mlir::ShapedType type,
                       LutFormatAttr format);

} // namespace mli

#endif // MLI_IR_FUNCTIONTABLE_H
