// SPDX-License-Identifier: Apache-2.0
//
// The functions that import operators, one for each kind.

#ifndef MLI_LIB_IMPORT_IMPORTS_H
#define MLI_LIB_IMPORT_IMPORTS_H

#include "GraphImporter.h"

namespace mli::tflite {

// One that imports several operators is declared as often.
// NOLINTBEGIN(readability-redundant-declaration)
#define MLI_TFLITE_OPERATOR(NAME, IMPORT)                                      \
  llvm::LogicalResult IMPORT(GraphImporter &importer);
#include "TFLiteOperators.def"
// NOLINTEND(readability-redundant-declaration)

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_IMPORTS_H
