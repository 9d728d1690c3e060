// SPDX-License-Identifier: Apache-2.0
//
// Takes slices along axes.

#ifndef MLI_LIB_IMPORT_TAKES_H
#define MLI_LIB_IMPORT_TAKES_H

#include "GraphImporter.h"

namespace mli::tflite {

/// Takes, of each dimension of `source` in turn, the slices at its `indices`.
/// Fails if that takes too many moves.
llvm::FailureOr<mlir::Value>
takeSlices(GraphImporter &importer, mlir::Value source,
           llvm::ArrayRef<llvm::SmallVector<int64_t>> indices);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_TAKES_H
