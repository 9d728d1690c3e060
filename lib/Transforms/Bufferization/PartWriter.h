// SPDX-License-Identifier: Apache-2.0
//
// The parts of a whole, written one after the other to its buffer.

#ifndef MLI_LIB_TRANSFORMS_BUFFERIZATION_PARTWRITER_H
#define MLI_LIB_TRANSFORMS_BUFFERIZATION_PARTWRITER_H

#include "PartReaders.h"

namespace mli {

/// One step from what a whole begins as to the whole.
struct Link {
  /// An insertion, a loop, or, only as the first, a kernel.
  mlir::Operation *op;
  /// Of an insertion: the slice that what is inserted was computed into, if it
  /// is one of the whole.
  mlir::Operation *place = nullptr;
  /// Of a loop or a kernel: which of its values it is.
  unsigned number = 0;
  /// What happens in each round of a loop, or in the place of a part that is
  /// put together itself.
  std::vector<Link> body = {};
  /// What else reads a part that is computed in its place.
  PartReaders readers = {};
  /// Slices of what the whole is in front of an insertion, that are read.
  llvm::SmallVector<mlir::Operation *, 0> slices = {};
  /// Kernels that read what the whole is there, before this writes its part.
  PartReaders reads = {};

  /// Nothing of it is written before this.
  mlir::Operation *getBegin() const { return place ? place : op; }
};

/// The part of `buffer` that `slice` sees or writes, in front of it.
mlir::Value createPart(mlir::OpBuilder &builder, mlir::Operation *slice,
                       mlir::RankedTensorType type, mlir::Value buffer);

/// Each of `slices` sees a part of `buffer` that is not written again.
void readParts(llvm::ArrayRef<mlir::Operation *> slices, mlir::Value buffer);

/// The tensor that is in `buffer`.
mlir::Value createTensor(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Type type, mlir::Value buffer,
                         bool isWritable = true);

/// Writes `source` to `part` of a buffer, at `builder`.
mlir::Operation *createWrite(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value source, mlir::Value part);

/// Writes the parts of a whole to its buffer.
class PartWriter {
public:
  /// `result` is what the whole is behind all of them.
  PartWriter(llvm::SmallVectorImpl<mlir::Operation *> &written,
             mlir::Value result)
      : written(written), result(result) {}

  /// `first` is what the whole is before all `links`.
  void write(llvm::ArrayRef<Link> links, mlir::Value first, mlir::Value buffer);

private:
  void writePart(const Link &link, mlir::Value buffer);
  void writeAll(const Link &link, mlir::Value buffer);
  /// Of what the whole is in front of `link`.
  void serveReads(const Link &link, mlir::Value buffer);
  void serveReaders(const Link &link, mlir::Value part);

  llvm::SmallVectorImpl<mlir::Operation *> &written;
  mlir::Value result;
  /// The part of the result that is written.
  llvm::SmallVector<mlir::tensor::InsertSliceOp> path;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_BUFFERIZATION_PARTWRITER_H
