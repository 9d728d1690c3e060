// SPDX-License-Identifier: Apache-2.0
//
// The MLI 2.0 C API: types, helpers, kernels and data movement; and the version
// of this library of it.

#ifndef MLI_API_H
#define MLI_API_H

#include "mli_types.h"
#include "mli_version.h"

#include "api/mli_helpers_api.h"
#include "api/mli_kernels_api.h"
#include "api/mli_mov_api.h"

#endif // MLI_API_H
