// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_LIB_TARGET_C_LAYERPRINTER_H
#define MLI_LIB_TARGET_C_LAYERPRINTER_H

#include "Descriptions.h"

namespace mli::c {

/// The names of indices of a function: variables, or literals.
using IndexNames = llvm::DenseMap<mlir::Value, std::string>;

/// Prints one operation as a function of its own, which calls those of the
/// library.
class LayerPrinter {
public:
  LayerPrinter(const Function &function, Descriptions &descriptions,
               const IndexNames &indices, mlir::Operation *op)
      : function(function), descriptions(descriptions), indices(indices),
        op(op) {}

  /// Prints `call` as the function `name` to `os`. Returns the arguments that
  /// it takes besides the bases. Fails, with an error, on what C does not have.
  llvm::FailureOr<std::string> print(const calls::Call &call,
                                     llvm::StringRef name, Writer &os);

private:
  std::string getIndex(mlir::Value index);
  std::string getAddress(const Place &place, int64_t distance);

  llvm::FailureOr<std::string> declare(const calls::TensorArgument &tensor,
                                       llvm::StringRef name);
  llvm::LogicalResult declareScalar(const calls::TensorArgument &tensor,
                                    const Extent &extent, llvm::StringRef name);
  std::string getScratch(int64_t bytes, llvm::StringRef name);
  void declareRecord(llvm::StringRef type, llvm::StringRef name,
                     const calls::Record &record);
  std::string getMember(const calls::Record &record, size_t i);

  llvm::FailureOr<std::string> pass(const calls::TensorArgument &tensor,
                                    llvm::StringRef name);
  llvm::FailureOr<std::string> pass(const calls::TensorsArgument &list,
                                    llvm::StringRef name);
  llvm::FailureOr<std::string> pass(const calls::UnreadArgument &,
                                    llvm::StringRef name);
  llvm::FailureOr<std::string> pass(const calls::TableArgument &argument,
                                    llvm::StringRef name);
  llvm::FailureOr<std::string> pass(const calls::ConfigArgument &config,
                                    llvm::StringRef name);

  struct Statement {
    std::string text;
    bool isCall = false; ///< which gives a status
  };

  const Function &function;
  Descriptions &descriptions;
  const IndexNames &indices;
  mlir::Operation *op;
  /// Declarations, and statements before the call of the layer.
  Writer body;
  llvm::SmallVector<Statement, 2> before;
  /// Variables of the caller that the layer reads.
  llvm::SmallVector<std::string, 2> variables;
  std::string firstTensor;
  bool readsBases = false;
  int64_t scratchUsed = 0;
};

} // namespace mli::c

#endif // MLI_LIB_TARGET_C_LAYERPRINTER_H
