// SPDX-License-Identifier: Apache-2.0
//
// What the user of a network calls its layers, in all that is printed of them.

#ifndef MLI_IR_LAYERNAME_H
#define MLI_IR_LAYERNAME_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace mli {

/// What a network calls the layer that something comes from.
struct LayerName {
  /// The short name of the tensor that it computes; empty if it has none.
  llvm::StringRef name;
  /// The operator that an importer read, `CONV_2D`, and its number in the file;
  /// empty if none did.
  llvm::StringRef op;
  std::optional<uint64_t> number;

  bool empty() const { return name.empty() && !number; }
};

/// The layer that `loc` is of. It points into the context of `loc`.
LayerName getLayerName(mlir::Location loc);

/// The same, but empty if `loc` has a position in a file of MLIR: what is
/// printed of it has that instead.
LayerName getUnplacedLayer(mlir::Location loc);

/// The short form of `name`, a tensor that `op` computes. Converters that make
/// one layer of several join their names by `;`. Of such a list it is the name
/// that ends as the operator does, `model/conv2d_4/Conv2D` of a CONV_2D; where
/// several or none do, that one whose scope, the name without its last part,
/// the most others are in; of these the first. If no operator is known, names
/// that end as layers with weights do come first. The number by which a
/// converter makes the list unique is no part of it.
llvm::StringRef shortenName(llvm::StringRef name, llvm::StringRef op = "");

/// `kind "name" (operator N)`, without what is not known.
std::string describeLayer(llvm::StringRef kind, const LayerName &layer);

/// The unplaced layer of `op`, whose kind is its kernel; empty if it has none.
std::string describeLayer(mlir::Operation *op);

/// `op`, a kernel, as `kind "name" (operator N)`, or with its place where it
/// has no name: `conv2d (net.mlir:4:8)`.
std::string describeKernel(mlir::Operation *op);

} // namespace mli

#endif // MLI_IR_LAYERNAME_H
