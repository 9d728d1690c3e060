// SPDX-License-Identifier: Apache-2.0
//
// The search of mli-reduce-by-patterns for the smallest interesting program.

#ifndef MLI_LIB_REDUCER_SEARCH_H
#define MLI_LIB_REDUCER_SEARCH_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Reducer/Tester.h"

#include <array>
#include <optional>

namespace mli::reducer {

/// How large a program is: operations but empty tensors, elements, bytes of
/// constants, the sum of numbers in lists and characters. The first that
/// differs counts.
using ProgramSize = std::array<uint64_t, 5>;

/// A program that verifies.
struct Candidate {
  static Candidate get(mlir::OwningOpRef<mlir::ModuleOp> module);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  ProgramSize size;
  /// Of the text: the same for the same program.
  uint64_t hash;
};

/// The numbers, in pre-order, of the operations of `module` that `pattern` may
/// match.
llvm::SmallVector<unsigned> findRoots(mlir::ModuleOp module,
                                      const mlir::RewritePattern &pattern);

/// Applies `pattern` to the operations `roots` of a copy of `module`, and
/// removes what nobody uses any more. Nothing if none matches, or the program
/// is not valid then. `matched` are those of `roots` that match.
std::optional<Candidate> applyPattern(mlir::ModuleOp module,
                                      const mlir::RewritePattern &pattern,
                                      llvm::ArrayRef<unsigned> roots,
                                      llvm::SmallVector<unsigned> &matched);

/// The name of `pattern`: that of its class without what it is declared in.
llvm::StringRef getPatternName(const mlir::RewritePattern &pattern);

/// Finds the smallest interesting program.
class Search {
public:
  Search(Candidate first, const mlir::Tester &tester)
      : best(std::move(first)), tester(tester) {}

  /// Applies `patterns` until none makes the program smaller.
  void run(llvm::ArrayRef<const mlir::RewritePattern *> patterns);

  mlir::ModuleOp getBest() { return *best.module; }

private:
  bool reduceBy(const mlir::RewritePattern &pattern, size_t maxParts);
  bool tryRoots(const mlir::RewritePattern &pattern,
                llvm::ArrayRef<unsigned> roots,
                llvm::SmallVector<unsigned> &matched);

  Candidate best;
  const mlir::Tester &tester;
  /// Hashes of programs that are not interesting.
  llvm::DenseSet<uint64_t> known;
};

} // namespace mli::reducer

#endif // MLI_LIB_REDUCER_SEARCH_H
