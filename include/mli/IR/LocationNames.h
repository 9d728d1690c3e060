// SPDX-License-Identifier: Apache-2.0
//
// What locations say of the network that an operation or value came from.

#ifndef MLI_IR_LOCATIONNAMES_H
#define MLI_IR_LOCATIONNAMES_H

#include "mlir/IR/Location.h"

#include <string>

namespace mli {

/// The first name in `loc`, as importers give the names of tensors; null if it
/// has none.
mlir::StringAttr findName(mlir::Location loc);

/// `loc` in few words, without folders: "net.mlir:10:4", or the name and the
/// operator that an importer gave: "conv, operator 0 (CONV_2D)". Empty if it
/// says nothing.
std::string describePlace(mlir::Location loc);

} // namespace mli

#endif // MLI_IR_LOCATIONNAMES_H
