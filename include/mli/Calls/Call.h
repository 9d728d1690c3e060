// SPDX-License-Identifier: Apache-2.0
//
// What an operation on buffers calls: the function of the MLI 2.0 C API and its
// arguments, as a value that knows neither LLVM nor C.

#ifndef MLI_CALLS_CALL_H
#define MLI_CALLS_CALL_H

#include "mli/Calls/Structs.h"
#include "mli/IR/FunctionTable.h"
#include "mli/IR/MLI.h"

#include <variant>

namespace mlir::memref {
class CopyOp;
} // namespace mlir::memref

namespace mli::calls {

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// A number in a struct: known, or an index of the program.
struct Number {
  Number(int64_t known) : known(known) {} // NOLINT: as all numbers
  explicit Number(mlir::OpFoldResult mixed);

  int64_t known = 0;
  mlir::Value value = {};
};

/// Memory that a function takes for one call: `unit` bytes for each index of
/// dimension 0 of `vector`, but for no more than 65,536 of them: no cell has
/// more outputs, as weights are less than 2 GiB.
struct Scratch {
  int64_t unit;
  mlir::OpOperand *vector;

  static constexpr int64_t maxIndices = 1 << 16;
  /// The bytes, where the shape of `vector` is known.
  std::optional<int64_t> getBytes() const;
};

/// A struct with a value for each member.
class Record {
public:
  explicit Record(const Struct &type);

  const Struct &getType() const { return *type; }
  /// The numbers of member `i`: one, or those of its array.
  llvm::ArrayRef<Number> getNumbers(size_t i) const { return numbers[i]; }
  /// What the container of the struct is of, if it has one.
  const std::optional<Scratch> &getScratch() const { return scratch; }

  /// Sets the member `path`; members that are not set are 0.
  Record &set(llvm::StringRef path, Number number);
  /// Sets the first elements of the array `path`.
  Record &setArray(llvm::StringRef path, llvm::ArrayRef<int64_t> known);
  Record &setScratch(Scratch memory);

private:
  const Struct *type;
  llvm::SmallVector<llvm::SmallVector<Number, 1>> numbers;
  std::optional<Scratch> scratch;
};

enum class Access { Read, Write, ReadWrite };

/// Whether the kernel of `operand` reads it, writes it, or both.
Access getAccess(mlir::OpOperand &operand);

/// A block of a tensor, in elements: where it starts (empty: at 0) and how
/// large it is (empty: all that is left).
struct Part {
  llvm::ArrayRef<int64_t> offsets = {}, sizes = {};
};

/// An `mli_tensor`.
struct TensorArgument {
  mlir::OpOperand *operand;
  Access access;
  /// The part of it that the function works on.
  Part block = {};
  /// The elements as the function gets them.
  mlir::Type element = {};
  /// The shape in which the function gets a buffer without gaps, if not its
  /// own.
  llvm::ArrayRef<int64_t> reshaped = {};
  /// Whether the container has the one element itself; `known` where that is a
  /// constant.
  bool isScalar = false;
  mlir::IntegerAttr known = {};

  mlir::MemRefType getType() const {
    return mlir::cast<mlir::MemRefType>(operand->get().getType());
  }
};

/// An array of pointers to tensors.
struct TensorsArgument {
  llvm::SmallVector<TensorArgument> tensors;
};

/// A tensor that the function does not read: any.
struct UnreadArgument {};

/// An `mli_lut`: of a tensor that holds its entries or, without one, made for
/// the call.
struct TableArgument {
  FunctionTable table;
  std::optional<TensorArgument> given;
};

/// A configuration, whose struct has another name for each function.
struct ConfigArgument {
  llvm::StringRef type;
  Record record;
};

/// What is passed as the parameter `name`.
struct Argument {
  llvm::StringRef name;
  std::variant<TensorArgument, TensorsArgument, UnreadArgument, TableArgument,
               ConfigArgument>
      value;
};

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

struct Call {
  llvm::StringRef function;
  /// In the order of the parameters.
  llvm::SmallVector<Argument, 6> arguments;

  /// All tensors, in the order of their operands.
  llvm::SmallVector<const TensorArgument *> getTensors() const;
};

/// The strides of `memref` in elements, with those of a tensor without gaps for
/// dimensions of one index: no step is taken there, and other libraries compare
/// all strides where they want no gaps.
llvm::SmallVector<int64_t> getStrides(mlir::MemRefType memref);

/// The function that computes `op`.
llvm::StringRef getCallee(KernelOpInterface op);

/// The call that computes `op`, a kernel on buffers.
Call getCall(KernelOpInterface op);
/// The call that fills the table `op` in a buffer.
Call getCall(LutOp op);
/// Whether `op` adds elements around its input.
bool isPadded(MovOp op);
/// The call of `mli_mov_tensor_sync` that is `op` on buffers. To another shape
/// one side, if it has no gaps, gets that of the other.
Call getCall(MovOp op);
/// The call of `mli_mov_tensor_sync` that copies all elements.
Call getCall(mlir::memref::CopyOp op);

/// The rows of the maps of `op`, for a call of its packed layer.
Record getPackedRows(WindowOpInterface op);

} // namespace mli::calls

#endif // MLI_CALLS_CALL_H
