// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm builds the operands of a call of the MLI C API here: the
// structs of mli_types.h on the stack, their known fields and data in globals.
// The struct types here state the layout of that header for targets with
// pointers of 64 bits, padding included.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_CALLBUILDER_H
#define MLI_LIB_CONVERSION_MLITOLLVM_CALLBUILDER_H

#include "CallFields.h"
#include "ModuleSymbols.h"
#include "ReportTexts.h"

#include "mli/Calls/Call.h"
#include "mli/IR/MLI.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mli {

/// Which parameters of quantisation a description of a tensor has: all, all but
/// what would be pointers to lists, or none, for calls that only look at types.
enum class Params { All, Known, None };

class CallBuilder {
public:
  /// `symbols` are those of `module`, in which the calls are.
  CallBuilder(mlir::OpBuilder &builder, mlir::Location loc,
              CallSymbols &symbols, mlir::ModuleOp module)
      : builder(builder), loc(loc), symbols(symbols.getSymbolTable(module)),
        records(symbols.getRecords(module)), cache(symbols.getCache(module)),
        texts(symbols.getTexts(module)), values(symbols.getValues()),
        slots(symbols.getSlots()), chained(symbols.getChained()),
        reports(symbols.reportsFailures()) {}

  mlir::Value i32(int64_t value) { return toValue(word(value)); }
  mlir::Value i64(int64_t value) { return toValue(quad(value)); }
  mlir::Value toValue(const Field &field);

  /// Known integers of 8, 32 and 64 bits.
  Field byte(int64_t value) { return Field(builder.getI8Type(), value); }
  Field word(int64_t value) { return Field(builder.getI32Type(), value); }
  Field quad(int64_t value) { return Field(builder.getI64Type(), value); }
  /// An array of words or bytes.
  Field words(llvm::ArrayRef<Field> parts) {
    return Field::array(builder.getI32Type(), parts);
  }
  Field bytes(llvm::ArrayRef<Field> parts) {
    return Field::array(builder.getI8Type(), parts);
  }

  /// Bytes that are never read.
  Field zeros(int64_t count) {
    return Field::zeros(builder.getContext(), count);
  }

  /// `lhs + rhs` and `lhs * rhs`; known where both are.
  Field add(const Field &lhs, const Field &rhs);
  Field mul(const Field &lhs, const Field &rhs);
  /// `address` (i32) and `bytes` more.
  Field shift(const Field &address, int64_t bytes);

  /// A pointer to a struct with `fields` on the stack of the function.
  mlir::Value createAlloca(llvm::ArrayRef<Field> fields);
  /// The same, of a struct that calls do not write.
  mlir::Value readOnly(llvm::ArrayRef<Field> fields);
  /// A pointer to `bytes` uninitialised bytes on the stack of the function.
  mlir::Value bytesOnStack(int64_t bytes);

  /// A pointer to an `mli_tensor` for `block` of `memref`, whose converted
  /// value is `descriptor`. A scalar is described as one dimension of one
  /// element.
  mlir::Value tensor(mlir::MemRefType memref, mlir::Value descriptor,
                     calls::Part block);
  mlir::Value tensor(mlir::MemRefType memref, mlir::Value descriptor) {
    return tensor(memref, descriptor, calls::Part());
  }

  /// A pointer to an `mli_tensor` of rank 0 with `value`, an integer as wide as
  /// `element`, in its container.
  mlir::Value scalar(mlir::Type element, const Field &value);

  /// The offset of `memref` and its stride in dimension `dim`, in elements:
  /// known where the type has them.
  Field offset(mlir::MemRefType memref, mlir::Value descriptor);
  Field stride(mlir::MemRefType memref, mlir::Value descriptor, int64_t dim);
  /// The address of the first element of `block` of `memref`, in system memory.
  mlir::Value firstElement(mlir::MemRefType memref, mlir::Value descriptor,
                           const calls::Part &block = {});
  /// The address that the `mli_tensor` at `tensor` has of its elements.
  mlir::Value getMemory(mlir::Value tensor);

  /// A pointer to an `mli_tensor` of elements of type `element`, `shape` of
  /// them `strides` apart, in the bytes up to the last one from `memory` on, an
  /// i64 or a pointer.
  mlir::Value tensorAt(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> strides, const Field &memory);

  /// What a cached struct is; its numbers follow.
  enum class Cached : int64_t { Shape, Place, ParamLists };
  /// `type` as one of the numbers.
  static int64_t getNumber(mlir::Type type) {
    return reinterpret_cast<intptr_t>(type.getAsOpaquePointer());
  }
  /// A pointer to a struct that calls do not write, whose fields, all of them
  /// known, follow from `numbers`.
  mlir::Value readOnly(Cached kind, llvm::ArrayRef<int64_t> numbers,
                       llvm::function_ref<llvm::SmallVector<Field>()> fields);

  /// A pointer to an `mli_tensor` that is never written and has no memory.
  mlir::Value getShape(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> strides, Params params);

  /// A description like that, and where the elements are.
  struct Described {
    mlir::Value type, first;
  };
  /// Those of `block` of `memref`, in system memory, without parameters.
  Described elements(mlir::MemRefType memref, mlir::Value descriptor,
                     const calls::Part &block);

  /// The address of the lists of parameters of `element`, as
  /// `mli_local_operand` takes them; null if it has none.
  mlir::Value paramLists(mlir::Type element);

  /// An `mli_data_container` of `capacity` bytes at `memory`, an i64 or a
  /// pointer, or with a value, an integer, in the place of that.
  Field container(const Field &capacity, const Field &memory);

  /// The address, a multiple of `alignment`, of read-only memory that holds
  /// `elements` in row-major order. Equal ones share one global.
  mlir::Value global(mlir::ElementsAttr elements, int64_t alignment = 16);

  /// The address of `text` as C has it; null unless failures are reported.
  mlir::Value text(mlir::StringAttr text);
  mlir::Value text(const llvm::Twine &text) {
    return this->text(builder.getStringAttr(text));
  }

  /// The memory that the function of the calls has as an argument with the
  /// attribute `name`; null if it has none.
  mlir::Value findMemory(llvm::StringRef name);
  /// The address of byte `offset`, a constant or a value (i32), of `memory`.
  mlir::Value addressIn(mlir::Value memory, const Field &offset);

  /// The address of byte `offset` of memory that the calls of the
  /// module have in turn, for `bytes` bytes from there on.
  mlir::Value sharedScratch(int64_t offset, int64_t bytes);

  /// Calls the C function `name`, which cannot fail and returns a `result`.
  mlir::Value call(llvm::StringRef name, mlir::ValueRange arguments,
                   mlir::Type result);
  /// Calls the C function `name`, which returns an `mli_status`. A status that
  /// is not MLI_STATUS_OK is marked to be reported as a failure of `op`.
  void checkedCall(llvm::StringRef name, mlir::ValueRange arguments,
                   mlir::Operation *op);

  /// The same for a function of mli_local_calls.h: it takes the status so far
  /// and what to report a failure of `op` as, then `arguments`.
  void chainedCall(llvm::StringRef name, mlir::ValueRange arguments,
                   mlir::Operation *op);

private:
  /// What an `mli_tensor` says of its elements.
  struct Elements {
    llvm::SmallVector<Field> shape, strides;
    Field capacity;
    mlir::Value first;
  };
  Elements locate(mlir::MemRefType memref, mlir::Value descriptor,
                  const calls::Part &block);
  Field record(llvm::ArrayRef<Field> fields) {
    return Field::record(builder.getContext(), fields);
  }
  llvm::SmallVector<Field> describe(mlir::Type element, const Field &data,
                                    llvm::SmallVectorImpl<Field> &shape,
                                    llvm::SmallVectorImpl<Field> &strides,
                                    Params params);
  llvm::SmallVector<Field> fieldsAt(mlir::Type element,
                                    llvm::ArrayRef<int64_t> shape,
                                    llvm::ArrayRef<int64_t> strides,
                                    const Field &memory, Params params);
  Field elementParams(mlir::Type element, Params params);
  static void appendKey(mlir::Type element, Params params,
                        llvm::SmallVectorImpl<int64_t> &numbers);
  Field saParams(QuantizedType type, Params params);
  template <typename Int>
  Field paramContainer(QuantizedType type, Int quant::QuantParams::*field,
                       Params params);
  mlir::Value createAlloca(mlir::Type type);
  template <typename Op, typename Fold>
  Field binary(const Field &lhs, const Field &rhs, Fold fold);
  Field sub(const Field &lhs, const Field &rhs);
  Field toI32(const Field &value);
  mlir::Value getAddress(mlir::LLVM::GlobalOp global);
  mlir::Value getNull();
  mlir::Value known(const Field &record);
  mlir::Value cached(Cached kind, llvm::ArrayRef<int64_t> numbers,
                     llvm::function_ref<mlir::LLVM::GlobalOp()> make);
  mlir::Value advance(mlir::Value first, const Field &bytes);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::SymbolTable &symbols;
  RecordGlobals &records;
  GlobalCache &cache;
  ReportTexts &texts;
  EntryValues &values;
  StackSlots &slots;
  ChainedCalls &chained;
  bool reports;                                  ///< failures
  llvm::SmallPtrSet<mlir::Operation *, 8> taken; ///< stack slots of this call
};

/// A pattern that makes calls, on top of `Base`, an upstream pattern.
template <typename Base>
struct CallingPattern : Base {
  CallingPattern(const mlir::LLVMTypeConverter &converter, CallSymbols &symbols,
                 mlir::PatternBenefit benefit = 1)
      : Base(converter, benefit), symbols(symbols) {}

protected:
  /// Returns a builder of calls in the place of `op`.
  CallBuilder callsFor(mlir::Operation *op, mlir::OpBuilder &builder) const {
    return CallBuilder(builder, op->getLoc(), symbols,
                       op->getParentOfType<mlir::ModuleOp>());
  }

private:
  CallSymbols &symbols;
};

template <typename SourceOp>
struct CallPattern : CallingPattern<mlir::ConvertOpToLLVMPattern<SourceOp>> {
  using CallingPattern<mlir::ConvertOpToLLVMPattern<SourceOp>>::CallingPattern;
};

template <typename Interface>
struct InterfaceCallPattern
    : CallingPattern<mlir::ConvertOpInterfaceToLLVMPattern<Interface>> {
  using CallingPattern<
      mlir::ConvertOpInterfaceToLLVMPattern<Interface>>::CallingPattern;
};

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_CALLBUILDER_H
