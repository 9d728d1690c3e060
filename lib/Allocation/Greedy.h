// SPDX-License-Identifier: Apache-2.0
//
// Plans made in one pass. None of them is best everywhere, so all are tried.

#ifndef MLI_LIB_ALLOCATION_GREEDY_H
#define MLI_LIB_ALLOCATION_GREEDY_H

#include "Allocation/Instance.h"

namespace mli::allocation {

/// Orders in which a greedy plan takes items or breaks ties: by size, area,
/// load at the time of peak usage in their life (T), steps of their life (W),
/// how many others they overlap (N).
enum class GreedyOrder { Size, Area, Reach, TWA, TAW, TZ, TN };

/// The items, the first of the order first. `loads` are the instance's.
std::vector<uint32_t> sortItems(const Instance &instance,
                                const std::vector<int64_t> &loads,
                                GreedyOrder order);

/// Places item after item as low as it goes; pinned ones first. No offsets at
/// all if pinned items are in each other's way or an item has no legal offset.
std::vector<int64_t> firstFit(const Instance &instance,
                              const Rows<uint32_t> &neighbours,
                              std::vector<uint32_t> order);

/// Always places the item that can lie lowest on what is below it; ties as in
/// `order`. For instances without pinned items. The plan is the same for every
/// `expectedEnd` > 0; it is made fastest if it ends near that.
std::vector<int64_t> skyline(const Instance &instance,
                             const std::vector<uint32_t> &order,
                             int64_t expectedEnd);

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_GREEDY_H
