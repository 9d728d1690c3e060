// SPDX-License-Identifier: Apache-2.0
//
// What mli-tile-to-fit has made of a function, for reports: it stays on the
// function as an attribute while its kernels become calls.

#ifndef MLI_ANALYSIS_PARTRECORD_H
#define MLI_ANALYSIS_PARTRECORD_H

#include "mli/Analysis/StreamRecord.h"

namespace mli {

/// Bytes that move between system and local memory, by their causes.
struct MovesByCause {
  int64_t getTotal() const {
    return weights + inputs + results + spills + halos;
  }
  /// Adds what `runs` times `other` moves.
  void add(const MovesByCause &other, int64_t runs = 1);

  /// `592 B: 80 B weights, 512 B inputs`, those that move any.
  std::string getText() const;

  /// What is no map that a kernel makes or the function is given, as often as
  /// it moves.
  int64_t weights = 0;
  /// Of maps each byte once, in a part: of arguments, of what is returned, and
  /// of what other kernels make or read.
  int64_t inputs = 0, results = 0, spills = 0;
  /// Bytes of maps that move more often than once in a part.
  int64_t halos = 0;
};

/// Tiles that the kernels of a part are computed in.
struct TilesRecord {
  /// Of the loops of the last kernel, and all of their iterations.
  std::vector<int64_t> sizes, loops;
  /// The loops that are cut, the outermost first.
  std::vector<int64_t> order;
  /// Products of the busiest NPU, of a stream too; bytes that alignment wastes,
  /// and operands that share a bank.
  int64_t macs = 0, wastedBytes = 0, bankConflicts = 0;
};

/// Kernels that are computed together. They are called `function:number`.
struct PartRecord {
  std::vector<std::string> kernels;
  /// What the network calls each of them; empty where it has no name.
  std::vector<std::string> layers;
  /// `whole`, `tiles`, `channels`, for tiles of channels alone, or `rows`, for
  /// a stream.
  std::string kind;
  TilesRecord tiles;
  /// Of a stream: rows of the last result that a step computes.
  int64_t rows = 0, stripes = 1;
  /// Bytes of each NPU that it takes, of those that there are.
  int64_t bytes = 0, capacity = 0;
  /// Bytes of its weights, and those of each NPU that stay all through it.
  int64_t weightBytes = 0, residentBytes = 0;
  /// Bytes of each NPU that are there before, and those that stay behind it.
  int64_t foundBytes = 0, keptBytes = 0;
  /// Its runs in one run of the function, and what moves in each.
  int64_t runs = 1;
  MovesByCause moved;
  /// Products of the busiest NPU that are computed again.
  int64_t again = 0;
  /// Kernels that run, and those that are written out.
  int64_t calls = 0, written = 0;
  int64_t cost = 0;
  /// Of tiles whether there are two at a time, and why; or that a file says so.
  std::string choice;
  std::vector<RowBufferRecord> rings;
  /// The kernel behind it, and why it is no part of it; empty if there is none.
  std::string next;
  /// The same in two or three words.
  std::string limit;

  /// `main:5: tile [8, 8] of [16, 8], ...`, in one line.
  std::string getText() const;
  /// Lines of layers, of moves by their causes, of what stays, and of what is
  /// behind it.
  std::vector<std::string> getDetails() const;
};

/// The parts of a function in local memory, in their order.
struct PartsRecord {
  /// Nothing if `function` has none, or an attribute that is none.
  static std::optional<PartsRecord> get(mlir::Operation *function);
  void set(mlir::Operation *function) const;

  /// What all parts move in one run.
  MovesByCause getMoved() const;
  /// All of it, line by line.
  void print(llvm::raw_ostream &os) const;
  /// A table with a line for each part.
  void printTable(llvm::raw_ostream &os) const;
  /// The attributes `parts` and `moved` of a JSON object.
  void write(llvm::json::OStream &json) const;

  std::vector<PartRecord> parts;
};

} // namespace mli

#endif // MLI_ANALYSIS_PARTRECORD_H
