// SPDX-License-Identifier: Apache-2.0
//
// Chains of insertions into one tensor, which mli-bufferize replaces by writes
// to slices of a buffer.

#ifndef MLI_LIB_TRANSFORMS_BUFFERIZATION_INSERTIONCHAIN_H
#define MLI_LIB_TRANSFORMS_BUFFERIZATION_INSERTIONCHAIN_H

#include "BufferCopies.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mli {

//===----------------------------------------------------------------------===//
// Boxes of indices
//===----------------------------------------------------------------------===//

/// The half-open range of indices in each dimension that a slice covers.
struct SliceBox {
  llvm::SmallVector<int64_t, 4> begin, end;

  /// The box of a slice of static bounds and unit strides; nothing for others.
  static std::optional<SliceBox>
  get(mlir::OffsetSizeAndStrideOpInterface slice);

  bool isDisjoint(const SliceBox &other) const;
  /// Grows to the smallest box that contains `other`, too.
  void include(const SliceBox &other);
};

/// Whether no two of `boxes` overlap. Separates them by hyperplanes, and gives
/// up where that leaves too many to compare with each other.
bool areDisjoint(llvm::ArrayRef<SliceBox> boxes);

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

using Uses = llvm::SmallVector<mlir::OpOperand *, 0>;

/// One step of a chain.
struct InsertionStep {
  /// An insertion, a move of a part, a loop, or, only as the first step, a
  /// kernel.
  mlir::Operation *op;
  /// The slice of the destination that the source of an insertion was computed
  /// into; null if there is none.
  mlir::Operation *destination = nullptr;
  /// The number of the result of a loop or a kernel.
  unsigned result = 0;
  /// The steps of each iteration of a loop, or those of a nested chain that the
  /// source of an insertion is.
  std::vector<InsertionStep> body = {};
  /// Uses of the source of an insertion by other operations.
  Uses otherUses = {};
  /// Slices of the tensor before the step, which are only read.
  llvm::SmallVector<mlir::Operation *, 0> slices = {};
  /// Kernels that read the tensor before the step writes to it.
  Uses reads = {};

  /// The operation before which the step writes nothing.
  mlir::Operation *getBegin() const { return destination ? destination : op; }
};

/// The tensor after `step`.
inline mlir::Value getResult(const InsertionStep &step) {
  return step.op->getResult(step.result);
}

/// The uses of `value`, and of the values that it is a reshape of, by other
/// operations than `inserter`.
Uses getOtherUses(mlir::Value value, mlir::Operation *inserter);

/// The slice that `insert` writes, if one kernel computes the source into it,
/// maybe through reshapes; else null.
mlir::Operation *findDestination(mlir::tensor::InsertSliceOp insert);

/// Whether `use` is an input of a kernel.
bool isKernelInput(mlir::OpOperand &use);

/// Whether `use` is the destination of a kernel.
bool isKernelDestination(mlir::OpOperand &use);

/// Whether `use` is the destination of a move that writes a part of it.
bool isPartialMove(mlir::OpOperand &use);

/// Whether `op` is a slice of `source` with its element type.
bool isReadSlice(mlir::Operation *op, mlir::Value source);

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

/// A chain of insertions, found from the use of its initial tensor.
class InsertionChain {
public:
  /// Follows the chain whose first step is the owner of `first`. If
  /// `mayHaveSlices`, slices may read the tensor between steps.
  InsertionChain(mlir::OpOperand &first, bool mayHaveSlices);

  /// Whether the chain can be written to a buffer and has enough insertions.
  bool isProfitable() const;
  /// Replaces the chain by writes to a buffer, and adds these to `written`. The
  /// loops of it carry the same buffer through.
  void bufferize(llvm::SmallVectorImpl<mlir::Operation *> &written,
                 BufferCopies &copies);
  bool hasLoops() const { return loops > 0; }
  llvm::ArrayRef<InsertionStep> getSteps() const { return steps; }

private:
  bool canRedirectOtherUses(llvm::ArrayRef<InsertionStep> steps) const;
  bool canRedirectSlices() const;
  std::optional<InsertionStep> getFirstStep(mlir::OpOperand &use);
  std::optional<InsertionStep> getStep(mlir::OpOperand &use);
  InsertionStep getInsertion(mlir::tensor::InsertSliceOp insert);
  std::optional<InsertionStep> findNext(mlir::Value value, bool mayHaveSlices);
  mlir::Value collect(mlir::Value value, std::vector<InsertionStep> &steps,
                      bool mayHaveSlices = false);
  mlir::Value createBuffer(BufferCopies &copies) const;
  /// The tensor before the first step, which the bufferization of another chain
  /// may have replaced.
  mlir::Value getInit() const { return first->get(); }

  mlir::OpOperand *first;
  std::vector<InsertionStep> steps;
  /// The tensor after the last step.
  mlir::Value final;
  int64_t insertions = 0, moves = 0, loops = 0;
};

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

/// The type of the slice of a buffer of type `source` with the bounds of
/// `slice`, a slice or an insertion.
mlir::MemRefType getSliceType(mlir::Operation *slice, mlir::MemRefType source);

/// Creates that slice of `buffer`.
mlir::Value createSlice(mlir::OpBuilder &builder, mlir::Operation *slice,
                        mlir::Value buffer);

/// Replaces `slices`, which are only read, by slices of `buffer`.
void readSlices(llvm::ArrayRef<mlir::Operation *> slices, mlir::Value buffer);

/// Creates the tensor that is in `buffer`.
mlir::Value createTensor(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Type type, mlir::Value buffer,
                         bool isWritable = true);

/// Creates the write of the tensor `source` to `buffer`.
mlir::Operation *createWrite(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value source, mlir::Value buffer);

/// Replaces the steps of a chain by writes to slices of its buffer.
class ChainWriter {
public:
  /// Adds the writes to `written`. `result` is the complete tensor.
  ChainWriter(llvm::SmallVectorImpl<mlir::Operation *> &written,
              mlir::Value result)
      : written(written), result(result) {}

  /// Writes `steps` to `buffer`, which holds the tensor `init` before them.
  void write(llvm::ArrayRef<InsertionStep> steps, mlir::Value init,
             mlir::Value buffer);

private:
  void writeInsertion(const InsertionStep &step, mlir::Value buffer);
  void writeKernel(const InsertionStep &step, mlir::Value buffer);
  void redirectReads(const InsertionStep &step, mlir::Value buffer);
  void redirectOtherUses(const InsertionStep &step, mlir::Value slice);

  llvm::SmallVectorImpl<mlir::Operation *> &written;
  mlir::Value result;
  /// The insertions around the current step, the outermost one first.
  llvm::SmallVector<mlir::tensor::InsertSliceOp> path;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_BUFFERIZATION_INSERTIONCHAIN_H
