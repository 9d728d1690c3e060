// SPDX-License-Identifier: Apache-2.0
//
// Which function imports which operator.

#include "Imports.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

LogicalResult tflite::importNothing(GraphImporter &importer) {
  return importer.refuse("no kernel computes it");
}

ImportFunction tflite::findImport(int32_t code) {
  static constexpr ImportFunction imports[] = {
#define MLI_TFLITE_OPERATOR(NAME, IMPORT) IMPORT,
#include "TFLiteOperators.def"
  };
  bool isKnown = code >= 0 && static_cast<size_t>(code) < std::size(imports);
  return isKnown ? imports[code] : importNothing;
}
