// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm creates the globals and declarations here that lowered
// code refers to, in the module of a symbol table. Names of data come from its
// contents, so equal data is stored once and every run names it alike.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_MODULESYMBOLS_H
#define MLI_LIB_CONVERSION_MLITOLLVM_MODULESYMBOLS_H

#include "CallFields.h"
#include "ReportTexts.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

namespace mli {

/// Records of one module by their contents: a name has to be made, and
/// compared, for new ones only.
using RecordGlobals = llvm::StringMap<mlir::LLVM::GlobalOp>;

/// Globals of one module by the numbers that their contents follow from: most
/// calls describe what another one did, whose fields need not be made again.
class GlobalCache {
public:
  /// The global of `key`, from `make` if it is the first one.
  mlir::LLVM::GlobalOp get(llvm::ArrayRef<int64_t> key,
                           llvm::function_ref<mlir::LLVM::GlobalOp()> make);

private:
  llvm::StringMap<mlir::LLVM::GlobalOp> globals;
};

/// Constants and addresses of globals, which each function has once, at its
/// start: in LLVM IR they are no instructions. CSE would merge those of a
/// block, at a higher cost, and leave those of blocks of which neither
/// dominates the other. What is rolled back is not forgotten: patterns fail
/// before they make one.
class EntryValues {
public:
  /// The value of `key`, an attribute, type or global, in the function that
  /// `builder` inserts into; from `make`, at its start, if it is the first one.
  /// `make` gets no other value.
  mlir::Value get(mlir::OpBuilder &builder, const void *key,
                  llvm::function_ref<mlir::Operation *()> make);

private:
  llvm::DenseMap<std::pair<mlir::Block *, const void *>, mlir::Operation *>
      values;
  llvm::DenseMap<mlir::Block *, mlir::Operation *> lasts; ///< made in each
};

/// The stack slots that calls have made in each entry block.
using StackSlots =
    llvm::DenseMap<mlir::Block *, llvm::SmallVector<mlir::LLVM::AllocaOp>>;

/// Calls that take the status so far first, do nothing but return it unless it
/// is MLI_STATUS_OK, and report their own failure.
using ChainedCalls = llvm::DenseSet<mlir::Operation *>;

/// The symbols of modules, and what calls share.
class CallSymbols : public mlir::SymbolTableCollection {
public:
  /// Calls report failures if `reports`.
  explicit CallSymbols(bool reports) : reports(reports) {}

  bool reportsFailures() const { return reports; }
  RecordGlobals &getRecords(mlir::ModuleOp module) { return records[module]; }
  GlobalCache &getCache(mlir::ModuleOp module) { return caches[module]; }
  ReportTexts &getTexts(mlir::ModuleOp module) {
    return texts.try_emplace(module, getSymbolTable(module)).first->second;
  }
  void storeTexts() {
    for (auto &[module, reported] : texts)
      reported.store();
  }
  EntryValues &getValues() { return values; }
  StackSlots &getSlots() { return slots; }
  ChainedCalls &getChained() { return chained; }
  bool isChained(mlir::Operation *op) const { return chained.contains(op); }

private:
  llvm::DenseMap<mlir::Operation *, RecordGlobals> records;
  llvm::DenseMap<mlir::Operation *, GlobalCache> caches;
  llvm::DenseMap<mlir::Operation *, ReportTexts> texts;
  EntryValues values;
  StackSlots slots;
  ChainedCalls chained;
  bool reports;
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
