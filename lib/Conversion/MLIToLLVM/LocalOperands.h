// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm passes buffers in local memory to calls here. Their
// converted value is the local address (i32) of their first element. A kernel
// gets the memory itself where strides describe it, as on one NPU, and else a
// copy in plain memory.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_LOCALOPERANDS_H
#define MLI_LIB_CONVERSION_MLITOLLVM_LOCALOPERANDS_H

#include "CallBuilder.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/LocalMemory.h"

namespace mli {

/// The operands of one call.
class LocalOperands {
public:
  LocalOperands(mlir::Operation *op, CallBuilder &calls,
                mlir::OpBuilder &builder)
      : op(op), calls(calls), builder(builder) {}

  using Access = calls::Access;

  /// A pointer to an `mli_tensor` for `block` of `memref`, in any memory, whose
  /// converted value is `converted`.
  mlir::Value tensor(mlir::MemRefType memref, mlir::Value converted,
                     Access access, calls::Part block = {});

  /// A pointer to `address` (i32) in local memory, that of the first NPU.
  mlir::Value getPointer(mlir::Value address);

  /// Whether local memory is an argument of the function: it is plain memory
  /// then, and no function of the local memory model is called.
  bool isArgument() { return calls.findMemory(localAttrName) != nullptr; }

  /// Copies the results of the call back to local memory, after it.
  void writeBack();

  /// Copies between `block` of `local`, at `address`, and a tensor of its shape
  /// in plain memory, a pointer to whose `mli_tensor` `makeTensor` gives.
  /// False, and nothing happens, if the block has no layout.
  bool move(mlir::MemRefType local, mlir::Value address, calls::Part block,
            llvm::function_ref<mlir::Value()> makeTensor, bool toLocal);

  /// A block of a buffer in local memory that has a layout of its own.
  struct Block {
    mlir::MemRefType memref;
    mlir::Value address;
    calls::Part part = {};
  };

  /// Copies all elements of `source`, in row-major order, to `target`, which
  /// may have another shape, or overlap with it.
  void copyElements(const Block &source, const Block &target);

  /// Fills what `memref` at `address` takes with poison, if that is on.
  void poison(mlir::MemRefType memref, mlir::Value address);

private:
  /// Where a block of a buffer lies: the fields of `mli_local_tensor`.
  struct Place {
    layout::Kind kind;
    layout::Mode mode;
    int64_t columns;
    layout::Dims strides;
    llvm::SmallVector<LayoutDim, 4> dims;
    /// Bytes from the address of the buffer on.
    int64_t distance;
    llvm::SmallVector<int64_t> shape;
  };

  std::optional<Place> find(mlir::MemRefType memref, calls::Part block);
  mlir::Value describe(const Place &place, mlir::Value address);
  mlir::Value denseTensor(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                          const Field &memory);
  mlir::Value inArgument(mlir::MemRefType memref, mlir::Value address,
                         calls::Part block);
  mlir::Value view(mlir::MemRefType memref, const Place &place,
                   mlir::Value address, Access access);
  void recordAccess(mlir::Value local, mlir::Value tensor, Access access);
  mlir::Value copy(mlir::MemRefType memref, mlir::Value address, Access access,
                   calls::Part block);
  mlir::Value scratch(int64_t bytes, int64_t &offset);
  void call(llvm::StringRef name, mlir::Value first, mlir::Value second);

  /// A tensor that goes to local memory after the call.
  struct Written {
    mlir::Value tensor, local;
  };

  mlir::Operation *op;
  CallBuilder &calls;
  mlir::OpBuilder &builder;
  llvm::SmallVector<Written, 2> written;
  int64_t scratchUsed = 0;
};

/// Bytes between the local addresses of a buffer of type `source` and of its
/// block of `sizes` elements from `offsets` on, where those that are
/// ShapedType::kDynamic count as 0. The view is legal.
int64_t getLocalDistance(mlir::MemRefType source,
                         llvm::ArrayRef<int64_t> offsets,
                         llvm::ArrayRef<int64_t> sizes,
                         const layout::Target &target);

/// Bytes from one index of dimension `dim` of `memref` to the next, where its
/// offsets need not be known.
int64_t getLocalStep(mlir::MemRefType memref, int64_t dim);

/// Makes `function`, if it has buffers in local memory, prepare it first.
void prepareLocalMemory(mlir::func::FuncOp function,
                        mlir::SymbolTableCollection &symbols);

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_LOCALOPERANDS_H
