// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm creates the globals and declarations here that lowered
// code refers to, in the module of a symbol table. Names of data come from its
// contents, so equal data is stored once and every run names it alike.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_MODULESYMBOLS_H
#define MLI_LIB_CONVERSION_MLITOLLVM_MODULESYMBOLS_H

#include "CallFields.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

namespace mli {

/// Records of one module by their contents: a name has to be made, and
/// compared, for new ones only.
using RecordGlobals = llvm::StringMap<mlir::LLVM::GlobalOp>;

/// The symbols of modules, and their records.
class CallSymbols : public mlir::SymbolTableCollection {
public:
  RecordGlobals &getRecords(mlir::ModuleOp module) { return records[module]; }

private:
  llvm::DenseMap<mlir::Operation *, RecordGlobals> records;
};

/// Read-only memory, at a multiple of `alignment`, with the elements of
/// `values` in row-major order.
mlir::LLVM::GlobalOp dataGlobal(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::SymbolTable &symbols,
                                mlir::ElementsAttr values, int64_t alignment);

/// Read-only memory with one array of `lists` after the other, without padding.
mlir::LLVM::GlobalOp listGlobal(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::SymbolTable &symbols,
                                llvm::ArrayRef<mlir::DenseElementsAttr> lists);

/// Read-only memory with what is known of a struct.
mlir::LLVM::GlobalOp recordGlobal(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::SymbolTable &symbols,
                                  RecordGlobals &records, const Field &record);

/// Read-only memory with `text` and a terminating zero.
mlir::LLVM::GlobalOp stringGlobal(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::SymbolTable &symbols,
                                  llvm::StringRef text);

/// Memory of at least `bytes` bytes that all calls in the module share: one
/// uses it after the other.
mlir::LLVM::GlobalOp scratchGlobal(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::SymbolTable &symbols, int64_t bytes);

/// The C function `name`; what is declared already stays as it is.
mlir::LLVM::LLVMFuncOp declareFunction(mlir::OpBuilder &builder,
                                       mlir::SymbolTable &symbols,
                                       llvm::StringRef name,
                                       mlir::TypeRange parameters,
                                       mlir::Type result);

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_MODULESYMBOLS_H
