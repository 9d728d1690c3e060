// SPDX-License-Identifier: Apache-2.0

#include "TileSearch.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

std::optional<TilePlan> mli::tiling::planTiles(const TileGroup &group,
                                               const TileSizes &tiles,
                                               const CostModel &cost,
                                               bool isDoubled) {
  std::optional<int64_t> bytes = group.getBytes(tiles, isDoubled ? 2 : 1);
  if (!bytes)
    return std::nullopt;
  TilePlan plan{tiles, *bytes, isDoubled, group.count(tiles, isDoubled), 0};
  plan.score = cost.score(plan.counts);
  return plan;
}

/// The legal sizes of tiles of `loop`, one for each number of tiles, from all
/// of it down.
static SmallVector<int64_t> getChoices(const StaticKernel &kernel,
                                       unsigned loop, int64_t npus) {
  int64_t size = kernel.sizes[loop], grain = kernel.grains[loop];
  SmallVector<int64_t> choices;
  for (int64_t count = size, next; count >= 1; count = next) {
    int64_t tiles = llvm::divideCeil(size, count);
    // Tiles of one size, as far as that goes, read no more.
    int64_t even = llvm::divideCeil(size, tiles);
    // Multiples of the number of NPUs leave none of them idle.
    int64_t rounds = llvm::alignTo(even, npus);
    next = even - 1;
    for (int64_t choice : {rounds < size ? rounds : even, even})
      if (isLegalSize(kernel, loop, choice) &&
          !llvm::is_contained(ArrayRef(choices).take_back(2), choice))
        choices.push_back(choice);
    if (grain == 0)
      break;
    // Groups are not evenly cut: every multiple and divisor is a choice.
    if (grain > 1)
      next = count - 1;
  }
  return choices;
}

/// Those of `sizes`, descending, that are about a quarter apart.
static SmallVector<int64_t> thinOut(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> few;
  for (int64_t size : sizes)
    if (few.empty() || size == sizes.back() || size * 5 <= few.back() * 4)
      few.push_back(size);
  return few;
}

namespace {

class TileSearch {
public:
  using IsLegal = llvm::function_ref<bool(const TileSizes &)>;

  TileSearch(const TileGroup &group, int64_t capacity, const CostModel &cost,
             int64_t copies, IsLegal isLegal)
      : group(group), kernel(group.root()), capacity(capacity), cost(cost),
        copies(copies), isLegal(isLegal) {
    size_t rank = kernel.sizes.size();
    for (size_t i = 0; i < rank; ++i)
      choices.push_back(
          getChoices(kernel, i, i + 1 == rank ? group.getTarget().npus : 1));
    guesses.assign(rank, 0);
  }

  std::optional<TilePlan> run();

private:
  bool fits(ArrayRef<int64_t> sizes) const;
  bool cutOuterLoops(SmallVectorImpl<int64_t> &sizes);
  bool consider(ArrayRef<int64_t> sizes);
  void considerSmaller(SmallVector<int64_t> sizes);

  const TileGroup &group;
  const StaticKernel &kernel;
  int64_t capacity;
  const CostModel &cost;
  int64_t copies;
  IsLegal isLegal;
  SmallVector<SmallVector<int64_t>> choices;
  /// Per loop: the choice that fitted last, as tiles of fewer channels have
  /// much the same sizes.
  SmallVector<size_t> guesses;
  std::optional<TilePlan> best;
};

} // namespace

/// The loops that `sizes` cut, the last one as the outermost or the innermost.
static TileSizes orderLoops(const StaticKernel &kernel, ArrayRef<int64_t> sizes,
                            bool isLastOutside) {
  TileSizes tiles{llvm::to_vector(sizes), {}};
  for (unsigned i = 0; i < sizes.size(); ++i)
    if (sizes[i] < kernel.sizes[i])
      tiles.order.push_back(i);
  if (isLastOutside && !tiles.order.empty() &&
      tiles.order.back() + 1 == sizes.size())
    std::rotate(tiles.order.begin(), tiles.order.end() - 1, tiles.order.end());
  return tiles;
}

/// Whether the last loop may be the outermost or the innermost of several.
static bool hasTwoOrders(const StaticKernel &kernel, ArrayRef<int64_t> sizes) {
  return !sizes.empty() && sizes.back() < kernel.sizes.back() &&
         sizes.drop_back() != ArrayRef(kernel.sizes).drop_back();
}

bool TileSearch::fits(ArrayRef<int64_t> sizes) const {
  // The tiles that stay through the innermost loop depend on which one that is.
  bool isOne = group.getKernels().size() == 1 || !hasTwoOrders(kernel, sizes);
  for (bool isLastOutside : {true, false}) {
    if (!isLastOutside && isOne)
      break;
    std::optional<int64_t> bytes =
        group.getBytes(orderLoops(kernel, sizes, isLastOutside), copies);
    if (bytes && *bytes <= capacity)
      return true;
  }
  return false;
}

size_t mli::tiling::findFirst(size_t count, size_t guess,
                              llvm::function_ref<bool(size_t)> fits) {
  // None before `from` fits, all from `to` on do.
  size_t from = 0, to = count, step = 1;
  for (size_t next = guess; from < to; step *= 2) {
    bool isFound = fits(next);
    (isFound ? to : from) = isFound ? next : next + 1;
    bool isBetween = from > 0 && to < count;
    next = isBetween ? from + (to - from) / 2
           : isFound ? to - std::min(step, to)
                     : std::min(from + step, count) - 1;
  }
  return to;
}

/// The largest sizes of all loops but the last that fit, the inner ones first:
/// these are only cut where a single index of the outer ones does not fit.
bool TileSearch::cutOuterLoops(SmallVectorImpl<int64_t> &sizes) {
  size_t outer = sizes.size() - 1;
  for (size_t i = 0; i < outer; ++i)
    sizes[i] = choices[i].back();
  for (size_t i = outer; i-- > 0;) {
    ArrayRef<int64_t> ofLoop = choices[i];
    auto fitsWith = [&](int64_t size) {
      sizes[i] = size;
      return fits(sizes);
    };
    size_t first = kernel.mayShrink(i)
                       ? llvm::find_if(ofLoop, fitsWith) - ofLoop.begin()
                       : findFirst(ofLoop.size(), guesses[i], [&](size_t at) {
                           return fitsWith(ofLoop[at]);
                         });
    if (first == ofLoop.size())
      return false;
    guesses[i] = first;
    sizes[i] = ofLoop[first];
  }
  return outer > 0 || fits(sizes);
}

/// Takes the tiles of `sizes` if they are better. Returns whether they are
/// legal.
bool TileSearch::consider(ArrayRef<int64_t> sizes) {
  bool areLegal = true;
  for (bool isLastOutside : {false, true}) {
    if (isLastOutside && !hasTwoOrders(kernel, sizes))
      break;
    TileSizes tiles = orderLoops(kernel, sizes, isLastOutside);
    std::optional<TilePlan> plan = planTiles(group, tiles, cost, copies > 1);
    if (!plan || plan->bytes > capacity || (best && plan->score >= best->score))
      continue;
    areLegal = isLegal(tiles);
    if (areLegal)
      best = std::move(plan);
  }
  return areLegal;
}

/// The same for tiles that are smaller along the outermost loop that is cut,
/// where larger ones are not legal.
void TileSearch::considerSmaller(SmallVector<int64_t> sizes) {
  size_t cut = 0;
  while (cut + 1 < sizes.size() && sizes[cut] == kernel.sizes[cut])
    ++cut;
  for (int64_t size : choices[cut])
    if (size < sizes[cut]) {
      sizes[cut] = size;
      if (consider(sizes))
        return;
    }
}

/// Whether tiles of `kernel` share slices of operands, so that which loops are
/// cut makes a difference.
static bool mayMoveAgain(const StaticKernel &kernel) {
  auto isOwn = [&](const LocalOperand &operand) {
    return llvm::all_of(operand.dims, [&](const DimRange &dim) {
      return dim.use.kind == DimAccess::Kind::Loop || dim.size == 1;
    });
  };
  return !llvm::all_of(kernel.operands, isOwn);
}

// Z5
std::optional<TilePlan> TileSearch::run() {
  SmallVector<int64_t> sizes(kernel.sizes);
  if (sizes.empty() || fits(sizes)) {
    consider(sizes);
    return best;
  }
  // Tiles of channels recompute kernels whose users sum over them.
  SmallVector<int64_t> channels = choices.back();
  if (group.getKernels().size() > 1)
    channels = group.isCutOnce(sizes.size() - 1, channels.back())
                   ? thinOut(channels)
                   : SmallVector<int64_t>{channels.front()};
  bool movesAgain = group.getKernels().size() > 1 || mayMoveAgain(kernel);
  for (int64_t count : channels) {
    SmallVector<int64_t> whole(kernel.sizes);
    whole.back() = sizes.back() = count;
    if (fits(whole))
      consider(whole);
    else if (cutOuterLoops(sizes) && !consider(sizes))
      considerSmaller(sizes);
    if (best && !movesAgain)
      break;
  }
  return best;
}

std::optional<TilePlan>
mli::tiling::searchTiles(const TileGroup &group, int64_t capacity,
                         const CostModel &cost, bool alwaysDoubles,
                         llvm::function_ref<bool(const TileSizes &)> isLegal) {
  // Z11
  // The next tile can only be moved ahead if there is room for two. Without
  // that, nothing overlaps.
  CostModel waiting = cost;
  waiting.overlap = 0;
  std::optional<TilePlan> plan =
      TileSearch(group, capacity, waiting, /*copies=*/1, isLegal).run();
  if (!plan || plan->tiles.order.empty() || cost.overlap.value_or(0) == 0)
    return plan;
  std::optional<TilePlan> doubled =
      TileSearch(group, capacity, cost, /*copies=*/2, isLegal).run();
  bool isBetter = doubled && (alwaysDoubles || doubled->score < plan->score);
  return isBetter ? doubled : plan;
}

TileSizes mli::tiling::getSmallestTiles(const TileGroup &group) {
  const StaticKernel &kernel = group.root();
  SmallVector<int64_t> sizes;
  for (size_t i = 0; i < kernel.sizes.size(); ++i)
    sizes.push_back(kernel.grains[i] == 0 ? kernel.sizes[i] : 1);
  // Tiles of channels would recompute kernels whose users sum over them.
  if (group.getKernels().size() > 1 &&
      !group.isCutOnce(sizes.size() - 1, sizes.back()))
    sizes.back() = kernel.sizes.back();
  return orderLoops(kernel, sizes, /*isLastOutside=*/true);
}
