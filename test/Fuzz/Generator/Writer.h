// SPDX-License-Identifier: Apache-2.0
//
// A program of `mli` under construction.

#ifndef MLI_TEST_FUZZ_GENERATOR_WRITER_H
#define MLI_TEST_FUZZ_GENERATOR_WRITER_H

#include "Types.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace mli::fuzz {

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

/// Whether kernels take a tensor of `type` as a feature map.
inline bool isMap(mlir::RankedTensorType type) {
  std::optional<ElementKind> kind = getMapKind(type.getElementType());
  return kind && *kind != ElementKind::Sa32;
}

/// Where operations go, and the values that they may take.
class Writer {
public:
  Writer(mlir::MLIRContext *context, const Settings &settings);

  /// Adds a step; false if it fits nothing that is there.
  bool addStep();

  mlir::RankedTensorType getType(llvm::ArrayRef<int64_t> shape,
                                 mlir::Type element) {
    return mlir::RankedTensorType::get(shape, element);
  }

  //===------------------------------------------------------------------===//
  // Values
  //===------------------------------------------------------------------===//

  /// A value for which `fits`, recent ones rather than old ones; or null.
  mlir::Value find(llvm::function_ref<bool(mlir::RankedTensorType)> fits);
  /// Any value.
  mlir::Value any();
  /// A value of `rank` and one of `kinds`, per tensor: one that is there, in
  /// another shape or type if need be, or a new argument.
  mlir::Value need(int64_t rank, llvm::ArrayRef<ElementKind> kinds);
  /// A new argument or, by chance, a constant.
  mlir::Value source(mlir::RankedTensorType type);
  mlir::Value argument(mlir::RankedTensorType type);
  mlir::Value constant(mlir::RankedTensorType type,
                       mlir::DenseElementsAttr values);
  /// The number `value`.
  mlir::Value index(int64_t value);
  /// A number that folding does not see: an argument that is 1 where the
  /// program runs.
  mlir::Value one();
  /// Makes `value` one that others may take, and returns it.
  mlir::Value add(mlir::Value value);
  /// What a kernel writes into: an empty tensor, or a value that is there.
  mlir::Value init(mlir::RankedTensorType type);

  //===------------------------------------------------------------------===//
  // Operations
  //===------------------------------------------------------------------===//

  /// Creates the kernel `name`, of the dialect, whose last operand is `init`;
  /// its result is a value that others may take.
  mlir::Value kernel(llvm::StringRef name, llvm::ArrayRef<mlir::Value> inputs,
                     mlir::RankedTensorType result,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value convert(mlir::Value value, mlir::Type element);
  /// The block of `sizes` from `offsets` on.
  mlir::Value slice(mlir::Value value, llvm::ArrayRef<int64_t> offsets,
                    llvm::ArrayRef<int64_t> sizes);
  mlir::NamedAttribute attribute(llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> list);
  mlir::NamedAttribute attribute(llvm::StringRef name, mlir::Attribute value);
  mlir::NamedAttribute attribute32(llvm::StringRef name, int64_t value);

  /// Runs `body` with the insertion point in `block`; values that it adds are
  /// gone afterwards.
  void inBlock(mlir::Block *block, llvm::function_ref<void()> body);
  /// Runs `body` in a new function `name`, which takes `arguments` and all that
  /// `body` adds as an argument; returns the results of a call of it.
  llvm::SmallVector<mlir::Value> call(llvm::StringRef name,
                                      llvm::ArrayRef<mlir::Value> arguments,
                                      llvm::function_ref<void()> body);
  /// The last values, of which there is one at least.
  llvm::SmallVector<mlir::Value> getResults();
  /// Ends the program: a function `main` that returns the last values.
  mlir::OwningOpRef<mlir::ModuleOp> finish();

  bool isInMain() { return function.getName() == "main"; }
  bool has(Feature feature) { return types.has(feature); }

  Settings settings;
  Random random;
  TypeChoice types;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The function that operations are in; arguments are added to it.
  mlir::func::FuncOp function;
  llvm::SmallVector<mlir::Value> values;
  /// Values that `main` returns, whatever else it does.
  llvm::SmallVector<mlir::Value> kept;
  /// How deep loops and conditions are in each other.
  unsigned depth = 0;

private:
  /// `value` with sizes that are not known, now and then.
  mlir::Value forget(mlir::Value value);
  void meet();
  bool addState(llvm::SmallVectorImpl<mlir::Value> &results);

  mlir::Value oneArgument;
};

// A step of each kind: false where it fits nothing.
#define MLI_STEP(name, weight, what) bool make##name(Writer &writer);
#include "Features.def"

/// A random program of `mli` on tensors: a function `main`, and those that it
/// calls. It verifies.
mlir::OwningOpRef<mlir::ModuleOp> generateProgram(mlir::MLIRContext *context,
                                                  const Settings &settings);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_GENERATOR_WRITER_H
