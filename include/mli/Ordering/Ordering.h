// SPDX-License-Identifier: Apache-2.0
//
// Finds the order of steps in which the fewest bytes are live at once. No
// clock, no threads: equal input gives equal orders.

#ifndef MLI_ORDERING_ORDERING_H
#define MLI_ORDERING_ORDERING_H

#include <cstdint>
#include <vector>

namespace mli::ordering {

/// Something that runs, as a kernel. Steps and buffers are known by their
/// numbers, from 0 on; the numbers of steps are their order in the file.
struct Step {
  /// The steps that run before it, all of them before it in the file.
  std::vector<int32_t> predecessors = {};
  /// Bytes that are live while it runs and at no other time.
  int64_t scratchBytes = 0;
  /// The buffer that the step begins, and may begin in the place of one of
  /// `replaceable`, which have as many bytes, where it is the last user of
  /// that. Each other user of the result has the step before it, directly or
  /// not. There is no such buffer if `replaceable` is empty.
  int32_t result = -1;
  std::vector<int32_t> replaceable = {};
};

/// Memory that is live from the first of its users to the last, whichever they
/// are in an order.
struct Buffer {
  int64_t bytes = 0;
  /// Ascending, each once.
  std::vector<int32_t> users = {};
};

struct Problem {
  std::vector<Step> steps;
  std::vector<Buffer> buffers;
};

/// An order, and what is known of all others.
struct Order {
  /// The steps in this order.
  std::vector<int32_t> steps;
  /// The most bytes that are live at once in it, and in that of the file.
  int64_t bytes = 0;
  int64_t fileBytes = 0;
  /// No order has less.
  int64_t bound = 0;
  /// Search nodes used.
  int64_t nodes = 0;

  bool isLeast() const { return bytes == bound; }
};

/// The most bytes that are live at once if the steps run in the order of the
/// file.
int64_t getFileBytes(const Problem &problem);

/// Finds an order with the fewest live bytes. Of several it is the one that is
/// next to that of the file: at the first step in which two of them differ, it
/// has the one that is earlier in the file. So the order of the file stays
/// where it is one of them.
///
/// A node is one set of steps that have run, or 1024 looks at a step. Where
/// `budget` of them do not do, the order is the best that was found, and never
/// worse than that of the file.
Order findOrder(const Problem &problem, int64_t budget);

} // namespace mli::ordering

#endif // MLI_ORDERING_ORDERING_H
