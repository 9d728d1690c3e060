// SPDX-License-Identifier: Apache-2.0
//
// A part as a stream in local memory: rows of what it reads move into rings,
// and rows of what it makes move out.

#ifndef MLI_LIB_TRANSFORMS_PARTS_PARTSTREAM_H
#define MLI_LIB_TRANSFORMS_PARTS_PARTSTREAM_H

#include "PartGraph.h"

#include "Transforms/Streams/StreamSchedule.h"

namespace mli::parts {

/// The vertices [begin, end), and what is whole in local memory around them.
struct PartRange {
  size_t begin, end;
  /// Values that they find there, and results that stay; both ascending.
  llvm::SmallVector<size_t, 4> inside, kept;

  bool operator<(const PartRange &other) const {
    return std::tie(begin, end, inside, kept) <
           std::tie(other.begin, other.end, other.inside, other.kept);
  }
};

/// The graph of a range alone, with the moves of rows as vertices.
struct PartStreamGraph {
  streams::StreamGraph graph;
  /// The values of the whole graph that those of this one are.
  std::vector<size_t> origins;
};

/// The graph of `range`; null if it makes no stream in local memory.
std::unique_ptr<PartStreamGraph> makeStreamGraph(const PartGraph &all,
                                                 const PartRange &range);

} // namespace mli::parts

#endif // MLI_LIB_TRANSFORMS_PARTS_PARTSTREAM_H
