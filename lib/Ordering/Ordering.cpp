// SPDX-License-Identifier: Apache-2.0

#include "mli/Ordering/Ordering.h"

#include "Ordering/Search.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mli::ordering {

/// Runs `steps` of `walk`, which is at its start. Returns the most live bytes.
static int64_t replay(Walk &walk, const std::vector<int32_t> &steps) {
  int64_t most = 0;
  walk.rewind(0);
  for (int32_t step : steps) {
    most = std::max(most, walk.getBytes(step));
    walk.run(step);
  }
  walk.rewind(0);
  return most;
}

namespace {

/// What is known of the orders of one part.
struct PartOrders {
  Part part;
  /// The best that was found, and the most bytes that are live in it.
  std::vector<int32_t> steps;
  int64_t bytes = 0;
  /// No order of the part has less.
  int64_t bound = 0;
};

class OrderFinder {
public:
  OrderFinder(const Problem &problem, int64_t budget)
      : parts(problem), budget(budget) {
    result.steps.resize(problem.steps.size());
    std::iota(result.steps.begin(), result.steps.end(), 0);
  }

  Order find();

private:
  /// A part in the order of the file.
  struct FilePart {
    int32_t begin, end;
    int64_t liveBefore, bytes;
  };

  std::vector<FilePart> measure() const;
  void lower(PartOrders &orders);
  void approachFile(PartOrders &orders);
  int64_t getBudget() const { return budget - result.nodes; }

  Parts parts;
  int64_t budget;
  Order result;
};

} // namespace

/// The parts, those with the most live bytes first.
std::vector<OrderFinder::FilePart> OrderFinder::measure() const {
  const Part whole = parts.makeWhole();
  Walk walk(whole);
  std::vector<FilePart> measured;
  const std::vector<int32_t> &begins = parts.getBegins();
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    FilePart part = {begins[i], begins[i + 1], walk.getLive(), 0};
    for (int32_t step = part.begin; step < part.end; ++step) {
      part.bytes = std::max(part.bytes, walk.getBytes(step));
      walk.run(step);
    }
    measured.push_back(part);
  }
  std::sort(measured.begin(), measured.end(),
            [](const FilePart &a, const FilePart &b) {
              return std::make_pair(-a.bytes, a.begin) <
                     std::make_pair(-b.bytes, b.begin);
            });
  return measured;
}

/// Looks for orders of a part with fewer bytes: with as many as the bound
/// first, then halfway between what is known. What one question may take is
/// half of what is left. Where that does not do, it asks for a few bytes more,
/// and in the end for fewer, which is sooner refuted.
void OrderFinder::lower(PartOrders &orders) {
  Walk walk(orders.part);
  int64_t left = getBudget() / 2;
  int64_t limit = orders.bound, least = limit, most = orders.bytes;
  int64_t open = most; // The least limit that took too many nodes.
  while (least < most && left > 0) {
    Search search(walk, limit, (left + 1) / 2);
    Search::Answer answer = search.complete();
    left -= search.getNodes();
    result.nodes += search.getNodes();
    switch (answer) {
    case Search::Answer::Found:
      orders.steps = walk.getOrder();
      orders.bytes = most = replay(walk, orders.steps);
      break;
    case Search::Answer::None:
      orders.bound = least = std::min(search.getBound(), orders.bytes);
      break;
    case Search::Answer::BudgetSpent:
      open = std::min(open, limit);
      least = limit + 1;
      break;
    }
    if (least >= most) {
      least = orders.bound;
      most = std::min(open, orders.bytes);
    }
    limit = least + (most - least) / 2;
  }
}

/// Makes the order of a part the one with at most as many bytes that is next to
/// that of the file: each step is the first from which an order leads on.
void OrderFinder::approachFile(PartOrders &orders) {
  Walk walk(orders.part);
  Search search(walk, orders.bytes, getBudget());
  for (size_t i = 0; i < orders.steps.size() && !search.isSpent(); ++i) {
    for (int32_t step : std::vector<int32_t>(walk.getReady())) {
      if (walk.getBytes(step) > orders.bytes)
        continue;
      walk.run(step);
      // A37
      if (step == orders.steps[i])
        break;
      bool isFound = search.complete() == Search::Answer::Found;
      if (isFound)
        orders.steps = walk.getOrder();
      walk.rewind(isFound ? i + 1 : i);
      if (isFound)
        break;
    }
  }
  result.nodes += search.getNodes();
}

Order OrderFinder::find() {
  std::vector<FilePart> measured = measure();
  std::vector<PartOrders> lowered;
  size_t next = 0;
  for (; next < measured.size() && measured[next].bytes > result.bound;
       ++next) {
    FilePart from = measured[next];
    result.fileBytes = std::max(result.fileBytes, from.bytes);
    PartOrders orders;
    orders.part = parts.make(from.begin, from.end, from.liveBefore);
    orders.steps.resize(orders.part.steps.size());
    std::iota(orders.steps.begin(), orders.steps.end(), 0);
    orders.bytes = from.bytes;
    orders.bound = std::min(std::max(getLowerBound(orders.part), result.bound),
                            from.bytes);
    lower(orders);
    result.bound = std::max(result.bound, orders.bound);
    result.bytes = std::max(result.bytes, orders.bytes);
    lowered.push_back(std::move(orders));
  }
  // The other parts have no more in the order of the file, which stays.
  if (next < measured.size())
    result.bytes = std::max(result.bytes, measured[next].bytes);
  for (size_t i = 0; i < lowered.size(); ++i) {
    if (measured[i].bytes <= result.bytes)
      continue;
    PartOrders &orders = lowered[i];
    orders.bytes = result.bytes;
    approachFile(orders);
    for (size_t k = 0; k < orders.steps.size(); ++k)
      result.steps[orders.part.begin + k] = orders.part.begin + orders.steps[k];
  }
  return std::move(result);
}

int64_t getFileBytes(const Problem &problem) {
  const Part whole = Parts(problem).makeWhole();
  Walk walk(whole);
  std::vector<int32_t> steps(problem.steps.size());
  std::iota(steps.begin(), steps.end(), 0);
  return replay(walk, steps);
}

Order findOrder(const Problem &problem, int64_t budget) {
  return OrderFinder(problem, budget).find();
}

} // namespace mli::ordering
