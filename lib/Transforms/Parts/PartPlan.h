// SPDX-License-Identifier: Apache-2.0
//
// The decision of mli-tile-to-fit: consecutive parts of the order, how each of
// them is computed in local memory, and what stays there between them.

#ifndef MLI_LIB_TRANSFORMS_PARTS_PARTPLAN_H
#define MLI_LIB_TRANSFORMS_PARTS_PARTPLAN_H

#include "StreamChoices.h"

#include "Transforms/TileSelection/TileFailures.h"

#include "mli/Analysis/PartRecord.h"
#include "mli/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mli::parts {

/// How a part is computed.
struct Part {
  PartRange range;
  /// The tiles of its last kernel, in which all are computed: of all loops
  /// where it is whole. Nothing for a stream, and for what is no kernel.
  std::optional<tiling::TilePlan> tiles;
  std::optional<StreamChoice> stream;
  /// Values that move in before it as a whole, to stay.
  llvm::SmallVector<size_t, 2> movedIn;
  /// Bytes of each NPU that it takes besides what is there around it.
  int64_t bytes = 0;
  int64_t again = 0;
  double cost = 0;
};

/// A part that is given: its tiles, or the shape of its stream.
struct GivenPart {
  size_t begin, end;
  std::optional<tiling::TileSizes> tiles;
  /// Whether there is room for two tiles.
  bool isDoubled = false;
  std::optional<streams::StreamShape> shape;
};

/// What plans are made with.
struct PartRules {
  /// Bytes that are free while the vertices [begin, end) run, if nothing stays.
  int64_t getRoom(size_t begin, size_t end) const {
    return taken.empty() ? capacity
                         : capacity - *std::max_element(taken.begin() + begin,
                                                        taken.begin() + end);
  }

  /// Bytes of each NPU that parts may take.
  int64_t capacity = 0;
  /// Bytes of them that are taken while each vertex runs; empty if none are.
  std::vector<int64_t> taken;
  /// The most kernels of a part in tiles, and of a stream.
  size_t maxGroup = 4, maxStream = 32;
  /// The most tiles of a part that are written out where a loop is possible.
  int64_t unrolled = 4;
  /// Products of the busiest NPU that may be computed again.
  int64_t again = 0;
  tiling::CostModel cost;
  DoubleBuffering doubling = DoubleBuffering::Off;
  bool isGiven(size_t vertex) const {
    return llvm::any_of(given, [&](const GivenPart &part) {
      return vertex >= part.begin && vertex < part.end;
    });
  }

  /// Ascending.
  std::vector<GivenPart> given;
};

class PartChoices;

/// The cheapest parts of `all` of `choices`; nothing if some kernel does not
/// fit.
std::optional<std::vector<Part>>
planParts(const PartGraph &all, const PartRules &rules, PartChoices &choices);

/// Results of a part of which each may stay.
inline constexpr size_t maxResults = 3;

/// A value that is whole in local memory, and the parts from which and up to
/// which it is. One that moves in again went before.
struct Stay {
  size_t value;
  std::pair<size_t, size_t> time;
};
std::vector<Stay> findStays(llvm::ArrayRef<Part> parts);

/// Whether each value of `all` is in system memory once, if `parts` run: some
/// part, or what is no kernel, reads it there.
std::vector<bool> findReadsInSystem(const PartGraph &all,
                                    llvm::ArrayRef<Part> parts);

/// The kernel of `range` that has `numbers`.
const PartKernel &findKernel(const PartGraph &all, const PartRange &range,
                             const tiling::StaticKernel &numbers);

/// The kernels of `range` as a group of tiles. Null if they form none: a result
/// of other kernels than the last one is used elsewhere, or a reshape keeps
/// them apart.
std::unique_ptr<tiling::TileGroup> makeGroup(const PartGraph &all,
                                             const PartRange &range);

/// The parts of the block of `all` that `overrides` says, ascending. Fails with
/// a diagnostic for those that are none, or do not fit.
mlir::FailureOr<std::vector<GivenPart>>
readGivenParts(mlir::FunctionOpInterface function, const PartGraph &all,
               const PartRules &rules, const tiling::TileOverrides &overrides);

/// The kernels of a function by their names.
using KernelNames = llvm::MapVector<mlir::Operation *, std::string>;

/// Records `parts` of kernels, which run `runs` times.
std::vector<PartRecord> recordParts(const PartGraph &all,
                                    llvm::ArrayRef<Part> parts,
                                    const PartRules &rules,
                                    PartChoices &choices,
                                    const KernelNames &names, int64_t runs);

/// Remarks each of `parts` of kernels, which `records` are of, and why no
/// kernel in front of it is computed in its tiles.
void reportParts(const PartGraph &all, llvm::ArrayRef<Part> parts,
                 llvm::ArrayRef<PartRecord> records, const PartRules &rules,
                 const KernelNames &names);

/// What decisions follow: `given` and `taken` of the rules are of each block.
struct PartOptions {
  TargetAttr target;
  PartRules rules;
  tiling::TileOverrides overrides;
  bool reports = false;
};

/// What follows for `module` from the options of mli-tile-to-fit; fails with a
/// diagnostic on those that can not be.
mlir::FailureOr<PartOptions> readPartOptions(mlir::ModuleOp module,
                                             const TileToFitOptions &options);

/// Gives `function` the kernels that are decided for: without batches of one,
/// and steps in place of recurrent cells without a decision that do not fit.
/// Returns how many cells these are.
mlir::FailureOr<size_t> prepareKernels(mlir::FunctionOpInterface function,
                                       const PartOptions &options);

/// Decides for all kernels of `function` without a decision, and writes that
/// into the program. Fails with a diagnostic for what a file says in vain, and
/// without one for kernels of which not even the smallest tile fits, which it
/// adds to `tooLarge`. Returns the parts of kernels.
mlir::FailureOr<PartsRecord>
decideParts(mlir::FunctionOpInterface function, const PartOptions &options,
            std::vector<tiling::LargeKernel> &tooLarge);

/// Writes `parts` of `all` into the program: types in local memory, moves, and
/// attributes of tiles and streams.
void writeParts(mlir::RewriterBase &rewriter, const PartGraph &all,
                llvm::ArrayRef<Part> parts);

} // namespace mli::parts

#endif // MLI_LIB_TRANSFORMS_PARTS_PARTPLAN_H
