// SPDX-License-Identifier: Apache-2.0
//
// Builds what a call of the MLI C API takes, in the LLVM dialect: the structs
// of mli_types.h on the stack, data in globals. The struct types here state the
// layout of that header for 64-bit little-endian targets, padding included.

#ifndef MLI_LIB_CONVERSION_CALLBUILDER_H
#define MLI_LIB_CONVERSION_CALLBUILDER_H

#include "mli/IR/MLI.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mli {

class CallBuilder {
public:
  CallBuilder(mlir::OpBuilder &builder, mlir::Location loc,
              mlir::ModuleOp module)
      : builder(builder), loc(loc), module(module) {}

  mlir::Value i8(int64_t value) { return constant(builder.getI8Type(), value); }
  mlir::Value i32(int64_t value) {
    return constant(builder.getI32Type(), value);
  }
  mlir::Value i64(int64_t value) {
    return constant(builder.getI64Type(), value);
  }

  /// An array of values of one type, as a field of a struct.
  mlir::Value array(mlir::Type element, llvm::ArrayRef<mlir::Value> values);
  /// A pointer to a struct with `fields` on the stack of the function.
  mlir::Value onStack(mlir::ValueRange fields);
  /// A pointer to `bytes` uninitialised bytes on the stack of the function.
  mlir::Value bytesOnStack(int64_t bytes);

  /// A block of a tensor, in elements: where it starts (empty: at 0) and how
  /// large it is (empty: all that is left).
  struct Block {
    llvm::ArrayRef<int64_t> offsets = {}, sizes = {};
  };
  /// A pointer to an `mli_tensor` for `block` of `memref`, whose converted
  /// value is `descriptor`. A scalar is described as one dimension of one
  /// element.
  mlir::Value tensor(mlir::MemRefType memref, mlir::Value descriptor,
                     Block block);
  mlir::Value tensor(mlir::MemRefType memref, mlir::Value descriptor) {
    return tensor(memref, descriptor, Block());
  }

  /// An `mli_data_container` of `capacity` bytes at `memory`, an integer or a
  /// pointer as i64.
  mlir::Value container(mlir::Value capacity, mlir::Value memory);

  /// The address of read-only memory that holds `values` in row-major order.
  /// Equal values share one global.
  mlir::Value global(mlir::ElementsAttr values);

  /// What the C function `name`, which cannot fail, returns as a `result`.
  mlir::Value call(llvm::StringRef name, mlir::ValueRange arguments,
                   mlir::Type result);
  /// Calls the C function `name`, which returns an `mli_status`. A status that
  /// is not MLI_STATUS_OK is marked to be reported as a failure of `what`.
  void checkedCall(llvm::StringRef name, mlir::ValueRange arguments,
                   llvm::StringRef what);

private:
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value pack(mlir::Type type, mlir::ValueRange fields);
  mlir::Value structure(mlir::ValueRange fields);
  mlir::Value elementParams(mlir::Type element);
  mlir::Value saParams(QuantizedType type);
  template <typename Int>
  mlir::Value paramContainer(QuantizedType type,
                             Int quant::QuantParams::*field);
  mlir::Value alloca(mlir::Type type);
  template <typename Op, typename Fold>
  mlir::Value binary(mlir::Value lhs, mlir::Value rhs, Fold fold);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  mlir::Value toI32(mlir::Value value);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::ModuleOp module;
  llvm::SmallPtrSet<mlir::Operation *, 8> taken; ///< stack slots of this call
};

} // namespace mli

#endif // MLI_LIB_CONVERSION_CALLBUILDER_H
