// SPDX-License-Identifier: Apache-2.0
//
// Blocks as instructions of the DMA engine. An instruction steps along C, over
// the NPUs, and along three more dimensions, of which W has the stride 1 on
// both sides. Of a map in HWC only its channels follow each other in system
// memory, so its W is another dimension of the instruction, which has no W.

#include "mli/Calls/GdmaCopy.h"

#include "mli/Layout/Policy.h"

using namespace mlir;
using namespace mli;
using namespace mli::calls;

namespace {

/// Elements that lie at a stride, each side with its own.
struct Steps {
  int64_t count = 1, local = 1, system = 1;
};

} // namespace

/// Makes one of `outer` and `inner`, which follow it, if both sides allow it.
// L29
static bool join(Steps &outer, const Steps &inner) {
  int64_t count = outer.count * inner.count;
  if (outer.local != inner.count * inner.local ||
      outer.system != inner.count * inner.system ||
      count > layout::maxInstructionExtent)
    return false;
  outer = {count, inner.local, inner.system};
  return true;
}

/// The steps of `place` along other dimensions than C, the longest ones first.
static SmallVector<Steps> findSteps(const LocalPlace &place,
                                    ArrayRef<int64_t> systemStrides,
                                    Steps &channels) {
  std::array<int64_t, 4> strides = place.getStrides();
  SmallVector<Steps> all;
  for (auto [size, dim, system] :
       llvm::zip(place.shape, place.dims, systemStrides)) {
    Steps steps = {size, strides[static_cast<size_t>(dim)], system};
    if (dim == LayoutDim::c)
      channels = steps;
    else if (size != 1)
      all.push_back(steps);
  }
  llvm::sort(all,
             [](const Steps &a, const Steps &b) { return a.local > b.local; });
  SmallVector<Steps> joined;
  for (const Steps &steps : all)
    if (joined.empty() || !join(joined.back(), steps))
      joined.push_back(steps);
  return joined;
}

/// Whether an instruction has `steps`, of N, C, H and W.
// L28, L29
static bool hasInstruction(const std::array<Steps, 4> &steps) {
  return llvm::all_of(llvm::enumerate(steps), [](const auto &indexed) {
    int64_t most = indexed.index() == 1 ? layout::maxInstructionChannels
                                        : layout::maxInstructionExtent;
    return indexed.value().count <= most;
  });
}

std::optional<GdmaCopy> calls::findGdmaCopy(const LocalMove &move, Type element,
                                            ArrayRef<int64_t> systemStrides,
                                            int64_t addressFactor,
                                            const layout::Target &target) {
  const LocalPlace &place = move.place;
  // L30
  if (place.mode != layout::Mode::None || place.columns != 0 ||
      addressFactor % layout::wordAlignment(target) != 0)
    return std::nullopt;
  std::array<Steps, 4> steps;
  auto &[n, c, h, w] = steps;
  SmallVector<Steps> others = findSteps(place, systemStrides, c);
  if (!others.empty() && others.back().local == 1 && others.back().system == 1)
    w = others.pop_back_val();
  if (!others.empty())
    h = others.pop_back_val();
  if (!others.empty())
    n = others.pop_back_val();
  if (!others.empty() || !hasInstruction(steps))
    return std::nullopt;
  GdmaCopy copy;
  copy.function = ("okk_gdma_" + Twine(elementWidth(element)) + "bit_cpy_" +
                   (move.isToLocal ? "S2L" : "L2S"))
                      .str();
  for (auto [i, step] : llvm::enumerate(steps)) {
    copy.shape[i] = step.count;
    copy.targetStrides[i] = move.isToLocal ? step.local : step.system;
    copy.sourceStrides[i] = move.isToLocal ? step.system : step.local;
  }
  return copy;
}
