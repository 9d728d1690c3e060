// SPDX-License-Identifier: Apache-2.0
//
// The version of mli-mlir. No other file says it: CMake reads it from here. It
// is semantic; before 1.0 a minor version may change interfaces.

#ifndef MLI_VERSION_H
#define MLI_VERSION_H

// NOLINTBEGIN: a C header, in the style of the API beside it.

#define MLI_MLIR_VERSION_MAJOR 0
#define MLI_MLIR_VERSION_MINOR 2
#define MLI_MLIR_VERSION_PATCH 0

/// Is this version at least that one? For `#if`.
#define MLI_MLIR_VERSION_AT_LEAST(major, minor, patch)                         \
  (MLI_MLIR_VERSION_MAJOR > (major) ||                                         \
   (MLI_MLIR_VERSION_MAJOR == (major) &&                                       \
    (MLI_MLIR_VERSION_MINOR > (minor) ||                                       \
     (MLI_MLIR_VERSION_MINOR == (minor) &&                                     \
      MLI_MLIR_VERSION_PATCH >= (patch)))))

// NOLINTEND

#endif // MLI_VERSION_H
