// SPDX-License-Identifier: Apache-2.0
//
// Facts that reports give of a layer: where it is in the network, and how much
// it computes.

#ifndef MLI_IR_LAYERFACTS_H
#define MLI_IR_LAYERFACTS_H

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace mli {

/// Tells the layers of a module apart: those of one function by their places in
/// the network, or by what they are called where their locations say nothing.
struct LayerKey {
  std::string function, text;
};

/// Where `op` is in the network; its kind where its location says nothing.
std::string describePlace(mlir::Operation *op);

/// The products, or elements of windows, that `op` sums up; 0 for moves and
/// conversions. Nothing if its sizes are not known: `unknown`, if given, is
/// then the operand whose size is not.
std::optional<int64_t> countProducts(mlir::Operation *op,
                                     mlir::Value *unknown = nullptr);

} // namespace mli

#endif // MLI_IR_LAYERFACTS_H
