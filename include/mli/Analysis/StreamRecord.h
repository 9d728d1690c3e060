// SPDX-License-Identifier: Apache-2.0
//
// What mli-form-streams has made of a function, for reports: it stays on the
// function as an attribute while its kernels become calls.

#ifndef MLI_ANALYSIS_STREAMRECORD_H
#define MLI_ANALYSIS_STREAMRECORD_H

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm::json {
class OStream;
} // namespace llvm::json

namespace mli {

/// Where the rows of what a kernel computes are kept. Kernels are called
/// `function:number`.
struct RowBufferRecord {
  std::string kernel;
  /// `ring`, `step` for one that exists in one step only, or `whole`.
  std::string kind;
  /// Rows of it and of the whole value, and its bytes.
  int64_t rows = 0, allRows = 0, bytes = 0;
  /// Rows that move up, and iterations from one time to the next; 0 if none do.
  int64_t keep = 0, room = 0;
  /// The kernels that read it.
  std::vector<std::string> readers;

  /// `3 of 6 rows, 72 B, for main:1; 2 of them move up each time`.
  std::string getText() const;
};

/// Lines `main:0: conv2d "block_3/expand" (operator 12)` of the `kernels` that
/// have a layer.
std::vector<std::string> getLayerLines(llvm::ArrayRef<std::string> kernels,
                                       llvm::ArrayRef<std::string> layers);

/// One stream.
struct StreamRecord {
  std::vector<std::string> kernels;
  /// What the network calls each of them; empty where it has no name.
  std::vector<std::string> layers;
  /// Rows of the last result that a step computes.
  int64_t steps = 0, rows = 0, stripes = 1;
  /// Bytes of the arena while it runs, with all that is live.
  int64_t bytes = 0;
  /// In one run: calls of kernels, bytes that move up in rings, and products
  /// that are computed again.
  int64_t calls = 0, shiftedBytes = 0, again = 0;
  std::vector<RowBufferRecord> buffers;
  /// Why the kernels in front of it and behind it are no part of it; empty if
  /// there are none.
  std::string before, after;

  /// `stream of 3 kernels, main:0 to main:2: ...`, without the buffers.
  std::string getText() const;
};

/// The arena of a function with streams.
struct ArenaRecord {
  /// Nothing if `function` has none, or an attribute that is none.
  static std::optional<ArenaRecord> get(mlir::Operation *function);
  void set(mlir::Operation *function) const;

  /// `arena: 104 B, 1.083 of the bound 96 B; whole kernels 288 B`.
  std::string getText() const;
  /// All of it, line by line.
  void print(llvm::raw_ostream &os) const;
  /// The attribute `streams` of a JSON object.
  void write(llvm::json::OStream &json) const;

  /// What the arena takes, as planned, what no program of streams takes less
  /// than, if that is known, and what whole kernels take.
  int64_t bytes = 0, wholeBytes = 0;
  std::optional<int64_t> boundBytes;
  std::vector<StreamRecord> streams;
};

} // namespace mli

#endif // MLI_ANALYSIS_STREAMRECORD_H
