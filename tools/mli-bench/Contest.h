// SPDX-License-Identifier: Apache-2.0
//
// All variants of one layer that opponents have, and which of them count.

#ifndef MLI_TOOLS_MLI_BENCH_CONTEST_H
#define MLI_TOOLS_MLI_BENCH_CONTEST_H

#include "Opponents.h"
#include "Sampling.h"

namespace mli::bench {

/// The largest difference between two results; -1 if they cannot be compared.
int difference(const std::vector<int8_t> &a, const std::vector<int8_t> &b);

/// A variant of an opponent, measured.
struct Result {
  std::string opponent, variant;
  double seconds;
  /// What a run that computes nothing takes, which `seconds` are without.
  double nothing;
  /// From the result of the scalar code; -1 if a run has failed.
  int difference;

  /// Others round once, in float, so their results may be the next ones.
  bool isRight() const { return difference == 0 || difference == 1; }
  bool hasFailed() const { return difference < 0; }
  /// Less than a twentieth of what was taken off is not told from it.
  bool isTimed() const { return !hasFailed() && seconds > nothing / 20; }
};

/// The variant that counts, or null: of those that have run, those whose time
/// is known come first, of these the right ones, and then the fastest.
const Result *choose(const std::vector<Result> &results);

/// The opponents in one layer.
class Contest {
public:
  /// Creates all variants; one measurement takes about `seconds`.
  Contest(const std::vector<const Opponent *> &opponents, const Layer &layer,
          const Operands &operands, double seconds);

  /// Appends what is to be measured.
  void appendTo(std::vector<Column *> &columns);
  /// Of each opponent that has the layer the result that counts, in their
  /// order. `expected` is what the scalar code computes.
  std::vector<Result> judge(const std::vector<int8_t> &expected) const;

private:
  struct Entry {
    std::unique_ptr<Kernel> kernel;
    Column column;
  };
  /// One opponent.
  struct Party {
    std::string name;
    std::vector<Entry> variants;
    /// At most one: what each run costs besides.
    std::vector<Entry> nothing;
  };
  std::vector<Party> parties;
};

/// The fastest right one whose time is known, or null.
const Result *findBest(const std::vector<Result> &results);

} // namespace mli::bench

#endif // MLI_TOOLS_MLI_BENCH_CONTEST_H
