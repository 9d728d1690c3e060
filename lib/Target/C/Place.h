// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_LIB_TARGET_C_PLACE_H
#define MLI_LIB_TARGET_C_PLACE_H

#include "mli/Calls/Call.h"

namespace mli::c {

/// Where the first element of a buffer is: `bytes`, and `second` bytes for each
/// of the indices `first` of `steps`, behind the start of `root`: an argument
/// of the function, a constant, or what a loop or condition carries; of local
/// memory where that is null.
struct Place {
  mlir::Value root = {};
  int64_t bytes = 0;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> steps = {};

  bool isKnown() const { return steps.empty(); }
  bool isLocal() const { return !root; }
};

/// The strides of `type` in elements. Fails, without an error, if its elements
/// have none that are static.
llvm::FailureOr<llvm::SmallVector<int64_t>>
getKnownStrides(mlir::MemRefType type);

/// Whether `buffer` is what a loop, a condition or a selection gives.
bool isCarried(mlir::Value buffer);

/// Finds the place of `buffer`. Fails, with an error at its definition, if it
/// has none: memory of the heap, say.
llvm::FailureOr<Place> findPlace(mlir::Value buffer);

/// Whether the scratch memory of `op`, a kernel, is where its results are: in
/// local memory.
bool hasLocalScratch(mlir::Operation *op);

/// The bytes of local memory that `function` uses itself. Fails, with an error,
/// if that is spread over several NPUs.
llvm::FailureOr<int64_t> countLocalBytes(mlir::Operation *function);

/// The part of a buffer that a tensor of a call describes.
struct Extent {
  Place place;
  llvm::SmallVector<int64_t> shape, strides; ///< in elements

  /// Bytes up to the last element.
  int64_t getBytes(mlir::Type element) const;
};

/// Fails, with an error, if a size or stride is not static.
llvm::FailureOr<Extent> findExtent(const calls::TensorArgument &tensor);

} // namespace mli::c

#endif // MLI_LIB_TARGET_C_PLACE_H
