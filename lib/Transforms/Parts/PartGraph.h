// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a block as numbers, for the parts of mli-tile-to-fit: what
// each computes in tiles or in rows, and what its tensors take in local memory.

#ifndef MLI_LIB_TRANSFORMS_PARTS_PARTGRAPH_H
#define MLI_LIB_TRANSFORMS_PARTS_PARTGRAPH_H

#include "Transforms/Streams/StreamGraph.h"
#include "Transforms/TileSelection/OperandBytes.h"

#include <map>
#include <memory>

namespace mli::parts {

/// What a kernel reads besides rows of maps: weights, mostly.
struct PartWeights {
  unsigned operand;
  mlir::Value tensor;
  /// The value that it is all of, if a kernel computes it.
  std::optional<size_t> value;
  /// Bytes of each NPU, and those that move.
  int64_t localBytes, movedBytes;
};

/// A vertex as a kernel; `numbers` is null if it is none, or not static.
struct PartKernel {
  /// What it has of `operand` besides rows of maps; null if that is rows.
  const PartWeights *findWeights(size_t operand) const {
    const auto *found = llvm::find_if(weights, [&](const PartWeights &one) {
      return one.operand == operand;
    });
    return found == weights.end() ? nullptr : found;
  }

  const tiling::StaticKernel *numbers = nullptr;
  /// Kernels of the same numbers have the same one.
  int64_t numbersClass = 0;
  /// For each operand the value that it is all of; nothing for weights, and for
  /// slices.
  llvm::SmallVector<std::optional<size_t>> values;
  llvm::SmallVector<PartWeights, 2> weights;
  /// Products of the busiest NPU, and bytes that it moves if nothing stays.
  int64_t macsPerNpu = 0;
};

/// A value as a whole in local memory.
struct PartValue {
  layout::LocalTensorDesc desc;
  mlir::Type elementType;
  /// Bytes of each NPU, rounded up for the next one; 0 if it is never whole in
  /// local memory from one part to another.
  int64_t localBytes = 0;
  /// Bytes that move in or out.
  int64_t movedBytes = 0;
  /// Whether it has to be in system memory, whatever stays: something else
  /// reads it than kernels of the graph, as a whole.
  bool isSaved = true;
  /// Whether all kernels take it in one shape and for one use.
  bool isReadAlike = true;

  /// Bytes that move out where it stays no longer.
  int64_t getSpilledBytes() const { return isSaved ? 0 : movedBytes; }
};

/// The tensor in the block of `use` that it is a view of: a reshape, or none.
mlir::OpOperand &findViewed(mlir::OpOperand &use);

/// Whether the program says how `op`, a kernel, is computed in local memory.
bool isDecided(mlir::Operation *op);

struct PartGraph {
  /// The graph of `block`, of which all kernels that are to be decided are
  /// static. Their numbers are those of `staticKernels`.
  static PartGraph get(mlir::Block &block, TargetAttr target,
                       std::shared_ptr<tiling::StaticKernels> staticKernels =
                           std::make_shared<tiling::StaticKernels>());

  /// The tensor that moves in for kernels that read value `number` as `use`
  /// does: what a kernel computed, or what is read of a value from outside,
  /// which is in system memory in any shape.
  mlir::OpOperand &findMoved(size_t number, mlir::OpOperand &use) const;

  /// What is in local memory of all of `values`.
  int64_t getBytes(llvm::ArrayRef<size_t> numbers) const {
    int64_t bytes = 0;
    for (size_t number : numbers)
      bytes += values[number].localBytes;
    return bytes;
  }

  /// Bytes of each NPU that `rows` and `columns` of value `number` take.
  int64_t getBytes(size_t number, int64_t rows, int64_t columns) const;
  /// Whether blocks of `sizes` elements are views of value `number` in local
  /// memory, or of a part of it of `shape`: those that begin at `offsets`, or
  /// anywhere in the dimensions where these are dynamic.
  bool areViews(size_t number, llvm::ArrayRef<int64_t> shape,
                llvm::ArrayRef<int64_t> offsets,
                llvm::ArrayRef<int64_t> sizes) const;

  /// Whether local memory is plain memory, in which all blocks are views.
  bool isPlain() const { return target.npus == 1; }
  /// Whether kernels find value `number` in local memory as others leave it: on
  /// several NPUs other uses have other layouts.
  bool isReadAlike(size_t number) const {
    return isPlain() || values[number].isReadAlike;
  }

  /// The values that `isWanted` accepts, of those that are there before each
  /// vertex, and after the last one, and used later; ascending.
  std::vector<llvm::SmallVector<size_t, 4>>
  findLive(llvm::function_ref<bool(size_t)> isWanted) const;

  TargetAttr targetAttr;
  streams::StreamGraph graph;
  std::vector<PartKernel> kernels;
  std::vector<PartValue> values;
  std::shared_ptr<tiling::StaticKernels> staticKernels;
  layout::Target target;
  layout::PolicyOptions policy;
  /// What blocks of operands take, for all groups of kernels.
  std::shared_ptr<tiling::OperandBytes> operandBytes;

private:
  mutable llvm::DenseMap<std::tuple<size_t, int64_t, int64_t>, int64_t>
      knownBytes;
  mutable std::map<llvm::SmallVector<int64_t>, bool> knownViews;
};

} // namespace mli::parts

#endif // MLI_LIB_TRANSFORMS_PARTS_PARTGRAPH_H
