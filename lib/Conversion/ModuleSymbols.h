// SPDX-License-Identifier: Apache-2.0
//
// The globals and declarations that lowered code refers to. Names of data come
// from its contents, so equal data is stored once and every run names it alike.

#ifndef MLI_LIB_CONVERSION_MODULESYMBOLS_H
#define MLI_LIB_CONVERSION_MODULESYMBOLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mli {

/// Read-only memory with the elements of `values` in row-major order.
mlir::LLVM::GlobalOp dataGlobal(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::ModuleOp module,
                                mlir::ElementsAttr values);

/// Read-only memory with `text` and a terminating zero, in the module of
/// `symbols`.
mlir::LLVM::GlobalOp stringGlobal(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::SymbolTable &symbols,
                                  llvm::StringRef text);

/// The C function `name`; what is declared already stays as it is.
mlir::LLVM::LLVMFuncOp declareFunction(mlir::OpBuilder &builder,
                                       mlir::ModuleOp module,
                                       llvm::StringRef name,
                                       mlir::TypeRange parameters,
                                       mlir::Type result);

} // namespace mli

#endif // MLI_LIB_CONVERSION_MODULESYMBOLS_H
