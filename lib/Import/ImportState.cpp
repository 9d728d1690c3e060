// SPDX-License-Identifier: Apache-2.0
//
// Importing what remembers: filters and cells with state, and variables.

#include "Imports.h"
#include "Options.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

LogicalResult tflite::importSvdf(GraphImporter &importer) {
  return importNothing(importer);
}
LogicalResult tflite::importSequenceLstm(GraphImporter &importer) {
  return importNothing(importer);
}
LogicalResult tflite::importVarHandle(GraphImporter &importer) {
  return importNothing(importer);
}
LogicalResult tflite::importReadVariable(GraphImporter &importer) {
  return importNothing(importer);
}
LogicalResult tflite::importAssignVariable(GraphImporter &importer) {
  return importNothing(importer);
}
LogicalResult tflite::importCallOnce(GraphImporter &importer) {
  return importNothing(importer);
}
