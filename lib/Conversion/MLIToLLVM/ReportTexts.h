// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm collects here what failures at run time are reported as.
// All texts of a module are in one global, one after the other, and are named
// by their offset in it: a global for each one takes longer to create, verify
// and print than the call that refers to it.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_REPORTTEXTS_H
#define MLI_LIB_CONVERSION_MLITOLLVM_REPORTTEXTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace mli {

class EntryValues;

/// The texts of the module that has `symbols`.
class ReportTexts {
public:
  explicit ReportTexts(mlir::SymbolTable &symbols) : symbols(symbols) {}

  /// What a failure of `op` is reported as: its name and location.
  mlir::StringAttr describe(mlir::Operation *op);

  /// The address of `text`, terminated by a zero, at the insertion point of
  /// `builder`. The global has the texts after `store`.
  mlir::Value getAddress(mlir::OpBuilder &builder, mlir::Location loc,
                         EntryValues &values, mlir::StringAttr text);

  /// Stores in the global all texts whose address was taken.
  void store();

private:
  mlir::LLVM::GlobalOp getGlobal(mlir::OpBuilder &builder);
  int64_t getOffset(mlir::StringAttr text);

  mlir::SymbolTable &symbols;
  mlir::LLVM::GlobalOp global;
  std::string contents;
  llvm::DenseMap<mlir::StringAttr, int64_t> offsets;
  /// Many operations have the same name and location: tiles, and what moves
  /// their operands.
  llvm::DenseMap<std::pair<mlir::OperationName, mlir::Attribute>,
                 mlir::StringAttr>
      descriptions;
  llvm::DenseMap<mlir::Attribute, std::string> locations;
};

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_REPORTTEXTS_H
