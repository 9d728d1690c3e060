// SPDX-License-Identifier: Apache-2.0
//
// The cost of tiles in mli-tile-to-fit, and the file that overrides decisions.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_TILECOST_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_TILECOST_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>

namespace mli::tiling {

/// The counts of all tiles, added up.
struct TileCounts {
  /// Bytes between system and local memory, both ways.
  int64_t bytesMoved = 0;
  /// Those of them that move with each tile, and how many tiles the innermost
  /// loop has: all but one have one beside them whose data may move meanwhile.
  int64_t bytesStreamed = 0, tiles = 1;
  /// Products that the busiest NPU sums up, those of halos each time.
  int64_t macsPerNpu = 0;
  /// Bytes of local memory that hold nothing while the largest tile is
  /// computed.
  int64_t wastedBytes = 0;
  /// Operands that share a bank with another one of their kernel.
  int64_t bankConflicts = 0;
  /// Kernels that run, and those that the program has: fewer with loops.
  int64_t calls = 0, unrolled = 0;
};

/// The fraction of the moves beside a kernel that is expected to run along: not
/// every move finds a kernel that has time and memory for it, and bytes that
/// move are never free.
inline constexpr double expectedOverlap = 0.75;

/// The weight of each count, in bytes moved; `rows` is that of a call of some
/// rows in system memory, `shift` that of a byte that moves within it.
struct CostModel {
  double byte = 1, mac = 0.125, waste = 0.0625, bank = 64, call = 64,
         code = 1024, rows = 4096, shift = 0.25;
  /// The fraction of the moves beside a kernel that runs while it computes: 0
  /// where a move is waited for. Nothing if unspecified: the engines of all
  /// targets run at the same time, where the program has two tiles for them.
  std::optional<double> overlap;

  double score(const TileCounts &counts) const;
};

/// How one kernel is to be cut.
struct TileOverride {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<unsigned> order;
  /// The numbers of the earlier kernels that are computed in the tiles.
  llvm::SmallVector<size_t> fused;
  /// Whether two tiles of what is moved have to fit.
  bool isDoubled = false;
};

/// Kernels that are to be one stream.
struct StreamOverride {
  /// Their names, in the order of the function.
  std::vector<std::string> kernels;
  int64_t rows = 1, room = 1, stripes = 1;
  bool isEven = false;
  /// The rows of rings, by the names of the kernels that write them.
  llvm::StringMap<int64_t> rings;
};

/// The contents of a file of overrides.
struct TileOverrides {
  CostModel cost;
  std::vector<StreamOverride> streams;
  /// Keyed by `function:number`, where kernels are numbered in the order of the
  /// function, as reports print it.
  llvm::StringMap<TileOverride> tiles;
};

/// Reads the JSON object `text`, `{"cost": {"byte": 1, ...}, "tiles":
/// {"main:3": {"sizes": [8, 16, 32], "order": [2, 0], "fused": [1, 2]}},
/// "streams": [{"kernels": ["main:0", "main:1"], "rows": 2, "room": 4,
/// "stripes": 1, "even": true, "rings": {"main:0": 8}}]}`, of which everything
/// but the kernels may be missing. Errors name the place that differs.
llvm::Expected<TileOverrides> parseOverrides(llvm::StringRef text);

/// The same of the file at `path`; nothing is overridden if that is empty.
/// Fails with a diagnostic at `op`.
mlir::FailureOr<TileOverrides> readOverrides(mlir::Operation *op,
                                             llvm::StringRef path);

/// Diagnoses on `module` that it has no function of which `name`, in a file of
/// overrides, is a kernel.
mlir::InFlightDiagnostic rejectName(mlir::Operation *module,
                                    llvm::StringRef name);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_TILECOST_H
