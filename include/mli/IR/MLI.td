// SPDX-License-Identifier: Apache-2.0
//
// Everything TableGen generates the dialect from.

#ifndef MLI_IR_MLI_TD
#define MLI_IR_MLI_TD

include "mli/IR/MLIDialect.td"
include "mli/IR/MLIInterfaces.td"
include "mli/IR/MLITypes.td"
include "mli/IR/MLIAttrs.td"
include "mli/IR/MLIMemoryAttrs.td"
include "mli/IR/MLIConvOps.td"
include "mli/IR/MLIRecurrentOps.td"
include "mli/IR/MLIPoolOps.td"
include "mli/IR/MLIElementwiseOps.td"
include "mli/IR/MLIActivationOps.td"
include "mli/IR/MLIArrangementOps.td"
include "mli/IR/MLIDataOps.td"
include "mli/IR/MLIViewOps.td"
include "mli/IR/MLIQueryOps.td"

#endif // MLI_IR_MLI_TD
