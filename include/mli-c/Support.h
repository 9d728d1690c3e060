// SPDX-License-Identifier: Apache-2.0
//
// Handles, in the form that those of MLIR have: a pointer in a struct of its
// own. A handle is null if its pointer is.

#ifndef MLI_C_SUPPORT_H
#define MLI_C_SUPPORT_H

#include "mlir-c/Support.h"

// NOLINTBEGIN: a C header, in the style of those of MLIR.
#define MLI_DEFINE_C_API_STRUCT(name, storage)                                 \
  struct name {                                                                \
    storage *ptr;                                                              \
  };                                                                           \
  typedef struct name name
// NOLINTEND

#endif // MLI_C_SUPPORT_H
