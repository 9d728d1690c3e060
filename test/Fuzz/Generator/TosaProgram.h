// SPDX-License-Identifier: Apache-2.0
//
// Random networks of TOSA.

#ifndef MLI_TEST_FUZZ_GENERATOR_TOSAPROGRAM_H
#define MLI_TEST_FUZZ_GENERATOR_TOSAPROGRAM_H

#include "Types.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Builders.h"

namespace mli::fuzz {

/// A tensor of i8. TOSA knows no scales: they are those that all its rescales
/// agree on.
struct TosaMap {
  mlir::Value value;
  double scale;
  int64_t zeroPoint;

  llvm::ArrayRef<int64_t> getShape() const {
    return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
  }
  int64_t getRank() const { return static_cast<int64_t>(getShape().size()); }
  int64_t getNumElements() const { return llvm::product_of(getShape()); }
};

/// A network under construction.
class TosaNetwork {
public:
  TosaNetwork(mlir::MLIRContext *context, const Settings &settings);

  /// Adds a step; false if it fits nothing that is there.
  bool addStep();
  /// Ends the network: a function `main` that returns the last maps.
  mlir::OwningOpRef<mlir::ModuleOp> finish();

  //===------------------------------------------------------------------===//
  // Feature maps
  //===------------------------------------------------------------------===//

  /// A map for which `fits`, recent ones rather than old ones.
  std::optional<TosaMap> find(llvm::function_ref<bool(const TosaMap &)> fits);
  /// A map of `rank`: one that is there, in another shape if need be, or a new
  /// argument.
  TosaMap need(int64_t rank);
  /// An argument, which may be unsigned outside.
  TosaMap addInput(llvm::ArrayRef<int64_t> shape);
  TosaMap add(mlir::Value value, double scale, int64_t zeroPoint);
  /// The result of an operation that keeps scale and zero point.
  TosaMap add(mlir::Value value, const TosaMap &like) {
    return add(value, like.scale, like.zeroPoint);
  }
  double chooseScale();
  int64_t chooseZeroPoint();
  bool has(Feature feature) { return types.has(feature); }

  //===------------------------------------------------------------------===//
  // Operations
  //===------------------------------------------------------------------===//

  mlir::RankedTensorType getType(llvm::ArrayRef<int64_t> shape,
                                 unsigned width) {
    return mlir::RankedTensorType::get(shape, builder.getIntegerType(width));
  }
  mlir::Value constant(llvm::ArrayRef<int64_t> shape, unsigned width,
                       llvm::ArrayRef<int64_t> values);
  mlir::Value constant(llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int8_t> values);
  /// Random codes.
  mlir::Value constant(llvm::ArrayRef<int64_t> shape);
  mlir::Value zero(int64_t value, unsigned width = 8) {
    return constant({1}, width, {value});
  }
  mlir::Value sizes(llvm::ArrayRef<int64_t> values);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// `value` less `inZero`, times `factors`, plus `outZero`, with `width` bits.
  mlir::Value rescale(mlir::Value value, int64_t inZero,
                      llvm::ArrayRef<double> factors, int64_t outZero,
                      unsigned width);
  /// A map with 32 bits, times `factor`: by one rescale or two.
  mlir::Value widen(const TosaMap &map, double factor);

  Settings settings;
  Random random;
  TypeChoice types;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  llvm::SmallVector<TosaMap> maps;
  /// Positions, which are results only.
  llvm::SmallVector<mlir::Value> positions;

private:
  mlir::Value rescale(mlir::Value value, int64_t inZero,
                      llvm::ArrayRef<double> factors, int64_t outZero,
                      mlir::Type element, bool isUnsigned);
  mlir::Value toUnsigned(const TosaMap &map);
};

/// The steps of networks of TOSA.
#define MLI_TOSA_STEPS(STEP)                                                   \
  STEP(Conv2d)                                                                 \
  STEP(DepthwiseConv2d)                                                        \
  STEP(TransposeConv2d)                                                        \
  STEP(FullyConnected)                                                         \
  STEP(Pool)                                                                   \
  STEP(Eltwise)                                                                \
  STEP(Relu)                                                                   \
  STEP(Slopes)                                                                 \
  STEP(Activation)                                                             \
  STEP(AlongAxis)                                                              \
  STEP(Argmax)                                                                 \
  STEP(Convert)                                                                \
  STEP(Permute)                                                                \
  STEP(Slice)                                                                  \
  STEP(Concat)                                                                 \
  STEP(Pad)                                                                    \
  STEP(Reshape)                                                                \
  STEP(Reduce)

#define MLI_TOSA_STEP(name) bool make##name(TosaNetwork &network);
MLI_TOSA_STEPS(MLI_TOSA_STEP)
#undef MLI_TOSA_STEP

/// A random network of TOSA, a function `main`.
mlir::OwningOpRef<mlir::ModuleOp> generateTosa(mlir::MLIRContext *context,
                                               const Settings &settings);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_GENERATOR_TOSAPROGRAM_H
