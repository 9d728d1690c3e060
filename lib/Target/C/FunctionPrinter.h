// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_LIB_TARGET_C_FUNCTIONPRINTER_H
#define MLI_LIB_TARGET_C_FUNCTIONPRINTER_H

#include "LayerPrinter.h"
#include "Place.h"

#include "mlir/Analysis/DataFlowFramework.h"

namespace mli::c {

/// What is known of the indices of a function, once somebody asks.
class IndexRanges {
public:
  explicit IndexRanges(mlir::func::FuncOp function) : function(function) {}

  /// Whether `index` is 0 to `most`, for certain.
  bool isWithin(mlir::Value index, int64_t most);

private:
  mlir::func::FuncOp function;
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

/// Prints the body of a function: its layers as functions, loops and arithmetic
/// on indices as they are.
class FunctionPrinter {
public:
  FunctionPrinter(Network &network, Function &function,
                  Descriptions &descriptions)
      : network(network), function(function), descriptions(descriptions),
        ranges(function.op) {}

  /// Prints the layers to `layers`, and the statements to `body`. Fails, with
  /// an error, on what C does not have.
  llvm::LogicalResult print(Writer &layers, Writer &body);

private:
  llvm::LogicalResult printBlock(mlir::Block &block);
  llvm::LogicalResult printOp(mlir::Operation *op);

  // Control flow
  std::string declare(mlir::Value value, bool isConst = false);
  llvm::FailureOr<std::string> getName(mlir::Value value);
  llvm::LogicalResult declareVariables(mlir::Operation *op,
                                       mlir::ValueRange values,
                                       mlir::ValueRange first);
  llvm::LogicalResult assignYielded(mlir::Block &block,
                                    mlir::ValueRange variables);
  llvm::LogicalResult printFor(mlir::Operation *op);
  llvm::LogicalResult printIf(mlir::Operation *op);
  llvm::LogicalResult printCall(mlir::func::CallOp op);
  llvm::LogicalResult printSelection(mlir::Operation *op);
  llvm::LogicalResult printIndex(mlir::Operation *op);
  std::string addVariable(mlir::Value index);

  // Layers and moves
  llvm::LogicalResult printLayer(mlir::Operation *op);
  bool isHooked(mlir::Operation *op) const;
  llvm::LogicalResult printMove(mlir::Operation *op);
  llvm::LogicalResult printParallel(mlir::Operation *op);
  llvm::LogicalResult printBegun(llvm::ArrayRef<mlir::Operation *> moves,
                                 llvm::ArrayRef<mlir::Operation *> kernels);
  llvm::LogicalResult printCopied(llvm::ArrayRef<mlir::Operation *> moves,
                                  llvm::ArrayRef<mlir::Operation *> kernels);
  llvm::FailureOr<std::string> printFunction(mlir::Operation *op,
                                             LayerPrinter &printer,
                                             llvm::StringRef name);
  llvm::FailureOr<std::string> printScattered(mlir::Operation *op,
                                              LayerPrinter &printer,
                                              llvm::StringRef name);
  llvm::FailureOr<std::string> addLayer(mlir::Operation *op, bool isBegun);

  // Accesses
  llvm::LogicalResult printBounds(mlir::Operation *op);
  llvm::LogicalResult printCopy(mlir::Operation *op);
  llvm::LogicalResult printAccess(mlir::Operation *op);
  llvm::FailureOr<std::string> getElement(mlir::Operation *op,
                                          mlir::Value buffer,
                                          mlir::ValueRange subscripts);
  llvm::FailureOr<std::string> getPointer(mlir::Value buffer);

  Network &network;
  Function &function;
  Descriptions &descriptions;
  Writer *layers = nullptr, *body = nullptr;
  IndexNames indices;
  size_t numIndices = 0;
  IndexRanges ranges;
};

} // namespace mli::c

#endif // MLI_LIB_TARGET_C_FUNCTIONPRINTER_H
