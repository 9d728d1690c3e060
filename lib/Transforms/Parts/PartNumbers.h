// SPDX-License-Identifier: Apache-2.0
//
// What the tiles and the streams of a part follow from, as numbers.

#ifndef MLI_LIB_TRANSFORMS_PARTS_PARTNUMBERS_H
#define MLI_LIB_TRANSFORMS_PARTS_PARTNUMBERS_H

#include "StreamChoices.h"

namespace mli::parts {

/// Numbers parts: networks repeat their layers, and parts of the same numbers
/// have the same tiles and streams.
class PartNumbers {
public:
  /// Of parts in tiles with at most `maxGroup` kernels.
  PartNumbers(const PartGraph &all, size_t maxGroup);

  /// The numbers of `range` on a single NPU: on several ones values decide
  /// which rows and tiles are views. They are there until the next call.
  llvm::ArrayRef<int32_t> get(const PartRange &range);

private:
  using Numbers = llvm::SmallVector<int64_t>;

  /// The vertices at which something is met, ascending, in parts that begin in
  /// front of them.
  struct Meetings {
    size_t findFirst(size_t begin) const {
      return *llvm::lower_bound(vertices, begin);
    }

    llvm::SmallVector<size_t, 2> vertices;
  };
  /// The number of a vertex in parts that begin at `begin`, or before it if
  /// that is `from` of the vertex, and have `inside`.
  struct Known {
    size_t begin;
    llvm::SmallVector<size_t, 2> inside;
    int32_t number;
  };
  struct Vertex {
    /// What it is by itself: equal ones have one number.
    int32_t own;
    /// Its values and weights, in an order that follows from that.
    llvm::SmallVector<size_t, 8> values;
    llvm::SmallVector<size_t, 2> weights;
    /// Where parts begin at the latest that meet nothing for the first time at
    /// it that is met before, and what it meets first but does not compute.
    size_t from;
    llvm::SmallVector<size_t, 2> read;
    llvm::SmallVector<Known, 2> known;
  };

  int32_t find(const Numbers &numbers);
  Numbers describeVertex(size_t number, size_t maxGroup) const;
  Numbers describeValue(size_t number) const;
  void addVertex(size_t number, size_t maxGroup,
                 llvm::DenseMap<mlir::Value, size_t> &tensors);
  int32_t getNumber(size_t number, const PartRange &range);
  Numbers describe(size_t number, const PartRange &range) const;

  const PartGraph &all;
  std::map<Numbers, int32_t> classes;
  std::vector<Vertex> vertices;
  /// What values are by themselves: equal ones have one number.
  std::vector<int32_t> values;
  std::vector<Meetings> ofValues, ofWeights;
  /// The values that vertices in front of each one compute, and after the last
  /// one, and that live there.
  std::vector<llvm::SmallVector<size_t, 4>> live;
  /// Of the last part that was asked for.
  llvm::SmallVector<int32_t> last;
};

} // namespace mli::parts

#endif // MLI_LIB_TRANSFORMS_PARTS_PARTNUMBERS_H
