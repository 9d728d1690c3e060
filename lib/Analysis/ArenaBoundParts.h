// SPDX-License-Identifier: Apache-2.0
//
// The parts that schedules consist of, and what each takes at least.

#ifndef MLI_LIB_ANALYSIS_ARENABOUNDPARTS_H
#define MLI_LIB_ANALYSIS_ARENABOUNDPARTS_H

#include "ArenaBoundStream.h"

namespace mli::bound {

/// The steps from `begin` on up to `end`, the least that they take, and the
/// products that they compute again.
struct Part {
  size_t begin, end;
  int64_t bytes, again;
};

class Parts {
public:
  explicit Parts(const Graph &graph);

  /// A step that computes whole results.
  Part getWhole(size_t number) const;
  /// Calls `visit` with each stream without stripes that ends in front of
  /// `end`, the shortest first, and the bytes that longer ones take at least;
  /// until it returns false.
  template <typename Visitor>
  void forEachStream(size_t end, Visitor visit) const {
    Stream stream(graph, kept, end, /*stripe=*/nullptr);
    for (size_t begin = end; begin-- > 0 && stream.grow();) {
      int64_t bytes =
          liveBytes[begin] + stream.getWholeBytes() + stream.getRowBytes();
      if (!visit(Part{begin, end, bytes, 0}, stream.getLeastBytes()))
        return;
    }
  }
  /// The streams on `count` stripes, at least two, that end in front of `end`,
  /// and are as `options` say. They may be too small from `most` bytes on.
  std::vector<Part> getStriped(size_t end, int64_t count,
                               const ArenaBoundOptions &options,
                               int64_t most) const;

private:
  const Graph &graph;
  std::vector<KeptRows> kept;
  /// The bytes of whole values that are live when each step begins.
  std::vector<int64_t> liveBytes;
};

} // namespace mli::bound

#endif // MLI_LIB_ANALYSIS_ARENABOUNDPARTS_H
