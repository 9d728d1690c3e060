// SPDX-License-Identifier: Apache-2.0
//
// Writes the loops of one stream: its control flow, and in it the kernels on
// rows.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_STREAMWRITER_H
#define MLI_LIB_TRANSFORMS_STREAMS_STREAMWRITER_H

#include "StreamProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/PatternMatch.h"

namespace mli::streams {

/// Writes one stream.
class StreamWriter {
public:
  StreamWriter(mlir::RewriterBase &rewriter, const StreamSchedule &schedule)
      : rewriter(rewriter), schedule(schedule), graph(*schedule.graph),
        buffers(schedule.end - schedule.begin), indices(schedule.loops.size()) {
  }

  mlir::LogicalResult write();

private:
  using Write = llvm::function_ref<mlir::LogicalResult()>;
  using Vertices = llvm::ArrayRef<size_t>;

  mlir::Location getLoc(size_t vertex) const {
    return graph.vertices[vertex].op->getLoc();
  }
  mlir::Value &getBuffer(size_t vertex) {
    return buffers[vertex - schedule.begin];
  }
  mlir::Value makeIndex(size_t vertex, int64_t value) {
    return mlir::arith::ConstantIndexOp::create(rewriter, getLoc(vertex),
                                                value);
  }

  void makeBuffer(size_t vertex, int64_t rows);
  void makeBuffers(size_t loop, Vertices vertices);
  mlir::LogicalResult writeLoop(size_t number);
  mlir::LogicalResult writeBody(size_t number);
  mlir::LogicalResult writeBlock(const CallBlock &block);
  mlir::LogicalResult writeGuarded(Vertices vertices);
  mlir::LogicalResult writeCall(size_t vertex, const CallRun &run);
  mlir::LogicalResult writeIf(mlir::Value condition, Vertices vertices,
                              Write then, Write otherwise);
  void advance(size_t vertex);
  mlir::Value readRows(const RowRead &read, size_t vertex, const CallRun &run,
                       mlir::RankedTensorType type);
  mlir::Value slice(mlir::Value tensor, mlir::OpFoldResult row, int64_t column,
                    mlir::RankedTensorType type);
  Interval getColumns(size_t vertex) const {
    return schedule.stripes[stripe][vertex - schedule.begin];
  }
  int64_t getFirstColumn(size_t vertex) const {
    return schedule.getBuffer(vertex).isResult ? 0 : getColumns(vertex).lower;
  }
  mlir::OpFoldResult apply(size_t vertex, mlir::AffineExpr index);
  mlir::AffineExpr getIteration(size_t loop) const;
  mlir::AffineExpr getPosition(size_t producer, size_t vertex,
                               mlir::AffineExpr row);
  mlir::Value compare(size_t vertex, mlir::arith::CmpIPredicate predicate,
                      mlir::AffineExpr index, int64_t bound);
  void moveViewsBehind();
  void replaceResults();

  mlir::RewriterBase &rewriter;
  const StreamSchedule &schedule;
  const StreamGraph &graph;
  /// The buffer of each vertex as the operations so far leave it.
  llvm::SmallVector<mlir::Value> buffers;
  /// The stripe that is being written.
  size_t stripe = 0;
  /// The induction variables of the loops that are being written.
  llvm::SmallVector<mlir::Value> indices;
};

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_STREAMWRITER_H
