// SPDX-License-Identifier: Apache-2.0
//
// The list of conversion passes. Each pass is described in the file of its name.

#ifndef MLI_CONVERSION_PASSES_TD
#define MLI_CONVERSION_PASSES_TD

include "mli/Conversion/CheckAccesses.td"
include "mli/Conversion/MLIToLLVM.td"
include "mli/Conversion/QuantToMLI.td"
include "mli/Conversion/SCFToCF.td"
include "mli/Conversion/TosaToMLI.td"

#endif // MLI_CONVERSION_PASSES_TD
