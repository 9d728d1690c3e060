// SPDX-License-Identifier: Apache-2.0
//
// What groups create their operations with: builder, types and the quantised
// tensors of i8 values.

#ifndef MLI_LIB_CONVERSION_TOSAEMITTER_H
#define MLI_LIB_CONVERSION_TOSAEMITTER_H

#include "TosaScales.h"

#include "mlir/IR/Builders.h"

namespace mli::raising {

class Emitter {
public:
  Emitter(mlir::MLIRContext *context, const Scales &scales)
      : builder(context), scales(scales) {}

  /// Creates the operations of `group` in front of its root.
  void emit(const Group &group);

  /// The quantised tensor of `value`, in `shape` of as many elements. Made by
  /// a cast of `value` if no group gives it.
  mlir::Value read(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// The same in whatever shape it is at hand.
  mlir::Value read(mlir::Value value);
  /// A destination for `value`, in `shape`.
  mlir::Value empty(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// The elements of `attribute` as `element`.
  mlir::Value constant(mlir::ElementsAttr attribute, mlir::Type element);

  /// A quantised tensor for `value` as `value`'s own type, for users that are
  /// not raised.
  mlir::Value castBack(mlir::Value value);

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return *loc; }

private:
  mlir::OpBuilder builder;
  const Scales &scales;
  std::optional<mlir::Location> loc;
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
};

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSAEMITTER_H
