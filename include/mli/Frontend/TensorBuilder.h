// SPDX-License-Identifier: Apache-2.0
//
// Creating operations on quantised tensors: what all front ends need.

#ifndef MLI_FRONTEND_TENSORBUILDER_H
#define MLI_FRONTEND_TENSORBUILDER_H

#include "mli/IR/MLI.h"

#include "mlir/IR/Builders.h"

#include <memory>

namespace mli {

/// Creates operations at the builder's place, at one location.
class TensorBuilder {
public:
  explicit TensorBuilder(const mlir::OpBuilder &builder)
      : builder(builder), loc(this->builder.getUnknownLoc()) {}

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }
  mlir::MLIRContext *getContext() const { return builder.getContext(); }

  /// A destination of `element`, in `shape`.
  mlir::Value createEmpty(mlir::Type element, llvm::ArrayRef<int64_t> shape);
  /// The elements of `value` in `shape`, as many.
  mlir::Value createReshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// The same elements in `element`; `value` itself if it has it.
  mlir::Value createConvert(mlir::Value value, mlir::Type element);
  /// The same quantized values, sa8, as those of `params`: the product with a 1
  /// of `factor`, which has to be the quotient of both scales.
  mlir::Value createReinterpret(mlir::Value value,
                                const quant::QuantParams &factor,
                                const quant::QuantParams &params);
  /// Dimension i of the result is dimension `order[i]` of `value`; null if it
  /// takes more dimensions than kernels have.
  mlir::Value createPermute(mlir::Value value, llvm::ArrayRef<int64_t> order);
  /// A constant of `bytes`, little endian, which stay where they are if they
  /// are many and `holder` keeps them.
  mlir::Value createConstant(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<char> bytes,
                             const std::shared_ptr<void> &holder = nullptr);
  /// A constant whose elements all have the code `code`.
  mlir::Value createSplat(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                          int64_t code);
  /// A constant of one element, for a kernel whose first operand and result are
  /// of `shape`: of two single elements the second gives the result its shape.
  mlir::Value createScalar(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                           int64_t code);

  using SliceFunction = llvm::function_ref<mlir::Value(mlir::ValueRange slices,
                                                       mlir::Value init)>;
  /// Computes a value of `shape` slice by slice along its first dimension, of
  /// the slices of `inputs` along theirs: in a loop, unless there is but one.
  mlir::Value createSliced(llvm::ArrayRef<mlir::Value> inputs,
                           mlir::Type element, llvm::ArrayRef<int64_t> shape,
                           SliceFunction compute);

protected:
  mlir::OpBuilder builder;
  mlir::Location loc;
};

/// Dimensions of `shape` that stay neighbours when they are put into `order`,
/// in their new order; those of 1 are in none.
llvm::SmallVector<llvm::SmallVector<int64_t>>
runsOf(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> order);

/// The type that stores elements of `element`.
mlir::Type storageOf(mlir::Type element);

} // namespace mli

#endif // MLI_FRONTEND_TENSORBUILDER_H
