// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_LIB_TARGET_C_PLACE_H
#define MLI_LIB_TARGET_C_PLACE_H

#include "mli/Calls/Call.h"
#include "mli/IR/LocalMemory.h"
#include "mli/Target/C.h"

namespace mli::c {

/// Where the first element of a buffer is: `bytes`, and `second` bytes for each
/// of the indices `first` of `steps`, behind the start of `base`.
struct Place {
  enum class Base {
    Argument, ///< `root`, of the function
    Constant, ///< `root`
    Carried,  ///< `root`, what a loop, a condition or a selection gives
    Local,    ///< local memory
    Scratch,  ///< the memory for copies of what is in local memory
  };

  Base base = Base::Local;
  mlir::Value root = {};
  int64_t bytes = 0;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> steps = {};

  bool isKnown() const { return steps.empty(); }
};

/// The strides of `type` in elements. Fails, without an error, if its elements
/// have none that are static, or are scattered over NPUs.
llvm::FailureOr<llvm::SmallVector<int64_t>>
getKnownStrides(mlir::MemRefType type);

/// Finds the place of `buffer`. Fails, with an error at its definition, if it
/// has none: memory of the heap, say.
llvm::FailureOr<Place> findPlace(mlir::Value buffer);

/// Whether the scratch memory of `op`, a kernel, is where its results are: in
/// local memory.
bool hasLocalScratch(mlir::Operation *op);

/// What divides the local address of `place`, in the memory of `target`.
int64_t findAddressFactor(const Place &place, const layout::Target &target);

/// The local memory of a function.
struct LocalMemory {
  int64_t bytes = 0;        ///< in each NPU
  bool isScattered = false; ///< over several NPUs
};

/// The local memory that `function` uses itself. Fails, with an error, if that
/// is scattered and `library` is not the one for that.
llvm::FailureOr<LocalMemory> findLocalMemory(mlir::Operation *function,
                                             CLibrary library);

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
