// SPDX-License-Identifier: Apache-2.0
//
// What any stream of some kernels takes at least, on all columns or on those of
// one stripe.

#ifndef MLI_LIB_ANALYSIS_ARENABOUNDSTREAM_H
#define MLI_LIB_ANALYSIS_ARENABOUNDSTREAM_H

#include "ArenaBoundGraph.h"

namespace mli::bound {

/// Stripe `number` of `count`, for steps that end in front of `end` and grow to
/// the front.
class Stripe {
public:
  Stripe(const Graph &graph, size_t end, int64_t number, int64_t count)
      : graph(graph), end(end), number(number), count(count) {}

  /// Adds the step in front. Returns whether it computes such columns.
  bool grow();
  /// The first step.
  size_t getBegin() const { return end - columns.size(); }
  /// The columns of what step `step` computes.
  const Interval &getColumns(size_t step) const {
    return columns[end - 1 - step];
  }
  /// The bytes of these columns of `value`, and of one row of them; 0 if
  /// something behind the stripe uses all of it.
  int64_t getBytes(const ArenaValue &value) const {
    return value.isUsedFrom(end)
               ? 0
               : value.bytes / value.columns * getColumns(*value.maker).size();
  }
  int64_t getRowBytes(const ArenaValue &value) const {
    return value.rowBytes / value.columns * getColumns(*value.maker).size();
  }

private:
  const Graph &graph;
  size_t end;
  int64_t number, count;
  /// Of the steps, the last one first.
  llvm::SmallVector<Interval> columns;
};

/// A stream that ends in front of one step and grows to the front.
class Stream {
public:
  /// On the columns of `stripe`, unless it is null.
  Stream(const Graph &graph, llvm::ArrayRef<KeptRows> kept, size_t end,
         const Stripe *stripe)
      : graph(graph), kept(kept), end(end), begin(end), stripe(stripe) {}

  /// Adds the step in front; false if it is in no stream.
  bool grow();
  /// The bytes of the values that it computes for others.
  int64_t getWholeBytes() const { return whole; }
  /// The least of the bytes of its own values, which grow with it.
  int64_t getLeastBytes() const { return rings + most; }
  /// The bytes of the rows of its own values.
  int64_t getRowBytes() const { return rings + most + getGatheredBytes(); }

private:
  /// What is there in one step besides rings: rows of its inputs and its
  /// result.
  struct StepRows {
    int64_t inputs = 0, replaceable = 0, result = 0;

    int64_t getBytes() const {
      return inputs + result - std::min(replaceable, result);
    }
  };
  /// Rows that wait for each other, see `KeptRows::source`.
  struct GatheredRows {
    int64_t bytes;
    size_t source;
    /// Rows that are missing of the source.
    int64_t missing;
  };

  StepRows &getStep(size_t step) { return rows[end - 1 - step]; }
  const StepRows &getStep(size_t step) const { return rows[end - 1 - step]; }
  int64_t getBytes(const ArenaValue &value) const {
    return stripe ? stripe->getBytes(value) : value.bytes;
  }
  int64_t getRowBytes(const ArenaValue &value) const {
    return stripe ? stripe->getRowBytes(value) : value.rowBytes;
  }
  void addRows(size_t number);
  int64_t getGatheredBytes() const;

  const Graph &graph;
  llvm::ArrayRef<KeptRows> kept;
  size_t end, begin;
  const Stripe *stripe;
  int64_t rings = 0, whole = 0, most = 0;
  /// Of the steps, the last one first.
  llvm::SmallVector<StepRows> rows;
  llvm::SmallVector<GatheredRows> gathered;
};

} // namespace mli::bound

#endif // MLI_LIB_ANALYSIS_ARENABOUNDSTREAM_H
