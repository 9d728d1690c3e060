// SPDX-License-Identifier: Apache-2.0
//
// Creates operations on quantised tensors that all front ends need.

#ifndef MLI_FRONTEND_TENSORBUILDER_H
#define MLI_FRONTEND_TENSORBUILDER_H

#include "mli/IR/MLI.h"

#include "mlir/IR/Builders.h"

#include <memory>

namespace mli {

/// Creates operations at the builder's insertion point, at one location.
class TensorBuilder {
public:
  explicit TensorBuilder(const mlir::OpBuilder &builder)
      : builder(builder), loc(this->builder.getUnknownLoc()) {}

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }
  mlir::MLIRContext *getContext() const { return builder.getContext(); }

  /// Creates an `Op` and returns its first result.
  template <typename Op, typename... Args>
  mlir::Value createOp(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...)->getResult(0);
  }
  /// An empty destination of `shape` and `element`.
  mlir::Value createEmpty(mlir::Type element, llvm::ArrayRef<int64_t> shape);
  /// `value` in `shape`, which has as many elements; more than `maxDims`
  /// dimensions are for the boundary of a function alone.
  mlir::Value createReshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// `value` converted to `element`; `value` itself if it has this element
  /// type.
  mlir::Value createConvert(mlir::Value value, mlir::Type element);
  /// The quantized values of `value`, sa8, unchanged, in the format `params`:
  /// the product with a 1 of the format `factor`, whose scale is the quotient
  /// of both.
  mlir::Value createReinterpret(mlir::Value value,
                                const quant::QuantParams &factor,
                                const quant::QuantParams &params);
  /// Permutes `value`: dimension i of the result is its dimension `order[i]`.
  mlir::Value createPermute(mlir::Value value, llvm::ArrayRef<int64_t> order);
  /// The same of `value` as it is seen in `shape`. The result has as many
  /// elements, and its shape only where kernels have as many dimensions.
  mlir::Value createPermute(mlir::Value value, llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<int64_t> order);
  /// A constant of `bytes`, little endian. Many bytes are not copied if
  /// `holder` keeps them alive.
  mlir::Value createConstant(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<char> bytes,
                             const std::shared_ptr<void> &holder = nullptr);
  /// A constant whose elements all have the quantized value `value`.
  mlir::Value createSplat(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                          int64_t value);
  /// A constant of one element, as an operand of a kernel whose other operand
  /// and result are of `shape`. If that has one element, the constant has its
  /// rank, since the second operand determines the shape of the result.
  mlir::Value createScalar(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                           int64_t value);

  using SliceFunction = llvm::function_ref<mlir::Value(mlir::ValueRange slices,
                                                       mlir::Value init)>;
  /// Computes a value of `shape` from slices of `inputs` along the first
  /// dimensions: in a loop, unless there is one slice.
  mlir::Value createSliced(llvm::ArrayRef<mlir::Value> inputs,
                           mlir::Type element, llvm::ArrayRef<int64_t> shape,
                           SliceFunction compute);

protected:
  mlir::OpBuilder builder;
  mlir::Location loc;
};

/// The maximum number of dimensions of operands of kernels.
inline constexpr size_t maxDims = 4;

/// `shape` with its first dimensions merged into one, so that it has at most
/// `maxDims`.
llvm::SmallVector<int64_t> mergeDims(llvm::ArrayRef<int64_t> shape);

/// The parameters of `value`, of sa8 and not quantised along an axis.
quant::QuantParams getParams(mlir::Value value);

/// The type that stores elements of `element`.
mlir::Type getStorageType(mlir::Type element);

} // namespace mli

#endif // MLI_FRONTEND_TENSORBUILDER_H
