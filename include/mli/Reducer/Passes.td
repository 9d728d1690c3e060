// SPDX-License-Identifier: Apache-2.0
//
// The list of passes of mli-reduce. Each pass is described in the file of its name.

#ifndef MLI_REDUCER_PASSES_TD
#define MLI_REDUCER_PASSES_TD

include "mli/Reducer/ReduceByPatterns.td"

#endif // MLI_REDUCER_PASSES_TD
