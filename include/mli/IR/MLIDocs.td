// SPDX-License-Identifier: Apache-2.0
//
// Everything that the page about the dialect describes.

#ifndef MLI_IR_MLIDOCS_TD
#define MLI_IR_MLIDOCS_TD

include "mli/IR/MLI.td"
include "mli/IR/MLIParallelOp.td"

#endif // MLI_IR_MLIDOCS_TD
