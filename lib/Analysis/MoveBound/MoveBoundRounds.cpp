// SPDX-License-Identifier: Apache-2.0

#include "MoveBoundRounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <queue>

using namespace mli::movebound;

/// Numbers of rounds have this many fractional bits, rounded down.
static constexpr unsigned fraction = 16;

namespace {

/// Bytes of weights that stay all through a segment, [least, most], and what is
/// at least moved again for them.
struct Staying {
  int64_t least, most;
  uint64_t movedAgain;

  bool operator<(const Staying &other) const {
    return std::tie(other.movedAgain, other.least) <
           std::tie(movedAgain, least);
  }
};

/// Weights that move `again` times, without what stays of them.
struct MovedWeights {
  uint64_t again, bytes;
};

} // namespace

static uint64_t toFixed(int64_t numerator, int64_t denominator) {
  return (static_cast<uint64_t>(numerator) << fraction) /
         static_cast<uint64_t>(denominator);
}

/// How often `sum` moves a byte of its weights again at least, or instead of
/// that bytes of its map, where staying weights leave `room`.
// MB5
static uint64_t countAgain(const Sum &sum, const SegmentRoom &room) {
  if (sum.blockBytes <= room.all)
    return 0;
  uint64_t again = static_cast<uint64_t>(sum.positions - 1) << fraction;
  if (room.all > room.held)
    again = std::min(again,
                     toFixed(sum.blockBytes - room.all, room.all - room.held));
  if (sum.movedBytes == 0 || room.all <= 0)
    return again;
  // The map moves in once for all weights that local memory holds.
  if (sum.weightBytes <= room.all)
    return 0;
  uint64_t maps = toFixed(sum.weightBytes - room.all, room.all);
  return std::min(again, llvm::SaturatingMultiply<uint64_t>(
                             maps, static_cast<uint64_t>(sum.movedBytes)) /
                             static_cast<uint64_t>(sum.weightBytes));
}

/// The bytes that move again at least if `least` bytes of weights stay or more,
/// up to `most`.
static uint64_t countMovedAgain(llvm::ArrayRef<Sum> sums,
                                const SegmentRoom &room, int64_t least,
                                int64_t most) {
  llvm::SmallVector<MovedWeights> moved;
  for (const Sum &sum : sums)
    if (uint64_t again = countAgain(sum, {room.all - least, room.held}))
      moved.push_back({again, static_cast<uint64_t>(sum.weightBytes)});
  llvm::sort(moved, [](const MovedWeights &a, const MovedWeights &b) {
    return a.again > b.again;
  });
  auto left = static_cast<uint64_t>(most);
  uint64_t bytes = 0;
  for (const MovedWeights &weights : moved) {
    uint64_t stays = std::min(left, weights.bytes);
    left -= stays;
    bytes = llvm::SaturatingAdd(
        bytes, llvm::SaturatingMultiply(weights.bytes - stays, weights.again));
  }
  // What moves is a whole number of bytes.
  return llvm::divideCeil(bytes, uint64_t(1) << fraction);
}

int64_t mli::movebound::countMovedAgain(llvm::ArrayRef<Sum> sums,
                                        const SegmentRoom &room, int64_t limit,
                                        RoundsBudget &budget) {
  int64_t weights = 0, free = room.all - room.held;
  bool hasRounds = false;
  for (const Sum &sum : sums) {
    weights += sum.weightBytes;
    hasRounds |= sum.blockBytes > room.all;
  }
  if (weights <= free || (!hasRounds && room.all > 0))
    return 0;
  std::priority_queue<Staying> open;
  auto look = [&](int64_t least, int64_t most) {
    budget.steps -= static_cast<int64_t>(sums.size());
    open.push({least, most, ::countMovedAgain(sums, room, least, most)});
  };
  look(0, free);
  // The least of the pieces, of which those are looked at that may be it.
  int64_t piece = free / budget.pieces;
  while (open.top().most - open.top().least > piece &&
         open.top().movedAgain < static_cast<uint64_t>(limit) &&
         budget.steps > 0) {
    Staying staying = open.top();
    open.pop();
    int64_t middle = staying.least + (staying.most - staying.least) / 2;
    look(staying.least, middle);
    look(middle + 1, staying.most);
  }
  return static_cast<int64_t>(
      std::min<uint64_t>(open.top().movedAgain, uint64_t(1) << 60));
}
