// SPDX-License-Identifier: Apache-2.0
//
// A kernel, or one with fused producers, that mli-tile-to-fit computes tile by
// tile in local memory.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_TILEGROUP_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_TILEGROUP_H

#include "DimTiles.h"
#include "OperandBytes.h"
#include "TileCost.h"

#include <memory>

namespace mli::tiling {

/// How the loops of the last kernel of a group are cut.
struct TileSizes {
  /// Per loop, at most its iterations.
  llvm::SmallVector<int64_t> sizes;
  /// The loops that are cut, the outermost first.
  llvm::SmallVector<unsigned> order;
};

/// Tiles of a loop one after the other that differ in nothing but where they
/// start: one, or some that are computed by a loop.
struct TileRun {
  int64_t begin = 0, size = 0, count = 1;
};

/// A kernel, and kernels whose results nothing but kernels of the group uses. A
/// tile of each is computed once, before the first that uses it, the operands
/// of a kernel in their order.
class TileGroup {
public:
  /// Whether the whole of an operand, by its number, is in local memory anyway:
  /// its tiles take no memory, and are not moved.
  using IsResident = llvm::function_ref<bool(const StaticKernel &, size_t)>;

  /// `members` are the last kernel, then those before it in any order. Groups
  /// of one network share `bytes`.
  TileGroup(llvm::ArrayRef<const StaticKernel *> members,
            std::shared_ptr<OperandBytes> bytes, IsResident isResident);
  TileGroup(
      llvm::ArrayRef<const StaticKernel *> members,
      const layout::Target &target,
      IsResident isResident = [](const StaticKernel &,
                                 size_t) { return false; })
      : TileGroup(members, std::make_shared<OperandBytes>(target), isResident) {
  }
  /// Its tiles point into it.
  TileGroup(const TileGroup &) = delete;
  TileGroup &operator=(const TileGroup &) = delete;

  const StaticKernel &root() const { return *kernels.front(); }
  /// The last kernel first: the reverse of the order in which they run.
  llvm::ArrayRef<const StaticKernel *> getKernels() const { return kernels; }
  const layout::Target &getTarget() const { return operandBytes->getTarget(); }

  /// The local memory of each NPU that the worst tile takes: what stays in it
  /// through the innermost loop, and what the kernel that takes most has
  /// besides. With two `copies` of what is moved in each iteration, those of
  /// all kernels are there at once. Nothing if a kernel does not compute these
  /// tiles, would compute all of its result for each of them, or is disputed.
  std::optional<int64_t> getBytes(const TileSizes &tiles,
                                  int64_t copies = 1) const;

  /// Whether tiles that only cut `loop`, into `count` iterations, compute
  /// nothing again: each kernel has its part of each tile.
  bool isCutOnce(unsigned loop, int64_t count) const;

  /// Calls `visit` with the parts of each resident operand that `tiles`, which
  /// the kernels compute, cut: along one dimension after the other, each part
  /// that is written out, at most `unrolled` of those that are alike, and one
  /// of a dynamic offset where a loop goes through them.
  void forEachResidentPart(
      const TileSizes &tiles, int64_t unrolled,
      llvm::function_ref<void(const StaticKernel &, size_t operand,
                              llvm::ArrayRef<int64_t> offsets,
                              llvm::ArrayRef<int64_t> sizes)>
          visit) const;

  /// A kernel whose users need different tiles of it, if there is one.
  const StaticKernel *
  findInconsistentlyTiledProducer(const TileSizes &tiles) const;

  /// The bytes of each NPU that the other buffers take while kernel `kernel`
  /// computes, if there are two of what each iteration moves.
  int64_t getOtherBufferBytes(size_t kernel, const TileSizes &tiles) const;

  /// For each loop that `tiles`, which the kernels compute, cut, in their
  /// order: its tiles. Loops whose tiles have to be known have runs of one.
  llvm::SmallVector<llvm::SmallVector<TileRun>>
  getRuns(const TileSizes &tiles) const;

  /// Calls `visit` with each operand that moves for `tiles`, which the kernels
  /// compute, the bytes of all of these, and whether it moves as a whole.
  void forEachMove(const TileSizes &tiles,
                   llvm::function_ref<void(const StaticKernel &, size_t operand,
                                           int64_t bytes, bool isWhole)>
                       visit) const;

  /// The counts of `tiles`, which the kernels compute; as a software pipeline
  /// if they are doubled.
  TileCounts count(const TileSizes &tiles, bool isDoubled = false) const;

private:
  static constexpr int outside = -1, resident = -2;

  /// The tiles of all operands of each kernel.
  using AllTiles = llvm::SmallVector<llvm::SmallVector<OperandTiles>>;
  /// The bytes of an operand in the shape that was asked for last, if any was.
  struct LastBytes {
    llvm::SmallVector<int64_t, 4> shape;
    std::optional<int64_t> bytes;
  };
  /// The tiles that were asked for last.
  struct LastTiles {
    explicit LastTiles(llvm::ArrayRef<const StaticKernel *> kernels);

    DimTilesTable table;
    TileSizes sizes;
    AllTiles all;
    llvm::SmallVector<llvm::SmallVector<LastBytes>> bytes;
    /// Whether the kernels compute them.
    bool areComputed = false;
    /// The kernel whose users disagree, if there is one.
    const StaticKernel *disputed = nullptr;
  };

  /// Finds the tiles of all operands. Returns whether the kernels compute them.
  bool findOperandTiles(const TileSizes &tiles) const;
  /// The tiles of all operands; null if the kernels do not compute them.
  const AllTiles *getOperandTiles(const TileSizes &tiles) const;
  /// The bytes of the operand in the shape of its largest tile, of the tiles
  /// that were asked for last.
  int64_t getOperandBytes(size_t kernel, size_t operand) const;
  bool isResult(size_t kernel, size_t operand) const {
    return operand + 1 == kernels[kernel]->operands.size();
  }
  bool isBetween(size_t kernel, size_t operand) const {
    return sources[kernel][operand] >= 0 ||
           (kernel > 0 && isResult(kernel, operand));
  }
  bool isResident(size_t kernel, size_t operand) const {
    return sources[kernel][operand] == resident;
  }
  /// The bytes of the operand, of `dims`, that move.
  int64_t getMovedBytes(size_t kernel, size_t operand,
                        llvm::ArrayRef<const DimTiles *> dims,
                        const TileSizes &tiles) const;
  /// The bytes of results that are live but unused while `kernel` runs.
  int64_t getWaitingBytes(size_t kernel) const;
  /// The bytes of each kernel that are moved in each iteration.
  llvm::SmallVector<int64_t>
  getMovingBytes(const TileSizes &tiles,
                 llvm::ArrayRef<llvm::SmallVector<OperandTiles>> all) const;

  llvm::SmallVector<const StaticKernel *> kernels;
  /// The kernel that makes each operand of each kernel, or `outside`, or
  /// `resident`.
  llvm::SmallVector<llvm::SmallVector<int>> sources;
  /// The last kernel that uses the result of each kernel but the last.
  llvm::SmallVector<size_t> lastUsers;
  std::shared_ptr<OperandBytes> operandBytes;
  /// Null until tiles are asked for: of most groups the plan is known.
  mutable std::unique_ptr<LastTiles> last;
};

/// Makes every tile of `runs` a run of its own if there are at most `unrolled`.
void unroll(llvm::SmallVectorImpl<llvm::SmallVector<TileRun>> &runs,
            int64_t unrolled);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_TILEGROUP_H
