// SPDX-License-Identifier: Apache-2.0

#include "SweepSizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mli;

static constexpr size_t maxSizes = 1000;

static Error rejectSizes(StringRef text) {
  return createStringError("expected '--sweep' to be sizes of at least 1 byte, "
                           "as 1K:1M, 1K:1M:x1.5, 1K:16K:+1K or 2K,3K,10000, "
                           "but got '" +
                           text + "'");
}

/// A number of bytes, with K or M behind it or not.
static std::optional<int64_t> parseSize(StringRef text) {
  int64_t unit = text.consume_back("K") ? 1024 : 1;
  if (unit == 1 && text.consume_back("M"))
    unit = int64_t(1024) * 1024;
  int64_t number;
  // Local addresses have 32 bits.
  if (text.getAsInteger(10, number) || number < 1 ||
      number > (int64_t(1) << 32) / unit)
    return std::nullopt;
  return number * unit;
}

namespace {

/// How the next size follows from one.
struct Step {
  int64_t next(int64_t size) const {
    auto scaled = static_cast<int64_t>(static_cast<double>(size) * factor);
    return std::max(scaled + addend, size + 1);
  }

  double factor = 2;
  int64_t addend = 0;
};

} // namespace

/// `x1.5` or `+1K`.
static std::optional<Step> parseStep(StringRef text) {
  Step step;
  if (text.consume_front("+")) {
    std::optional<int64_t> addend = parseSize(text);
    if (!addend)
      return std::nullopt;
    return Step{1, *addend};
  }
  if (!text.consume_front("x") || text.getAsDouble(step.factor))
    return std::nullopt;
  bool isGrowing = step.factor > 1 && step.factor <= 1e6;
  if (!isGrowing)
    return std::nullopt;
  return step;
}

Expected<std::vector<int64_t>> mli::parseSweepSizes(StringRef text) {
  std::vector<int64_t> sizes;
  auto add = [&](StringRef part) {
    std::optional<int64_t> size = parseSize(part);
    if (size)
      sizes.push_back(*size);
    return size.has_value();
  };
  SmallVector<StringRef> parts;
  if (!text.contains(':')) {
    text.split(parts, ',');
    if (!all_of(parts, add))
      return rejectSizes(text);
    sort(sizes);
  } else {
    text.split(parts, ':');
    std::optional<int64_t> low = parseSize(parts[0]);
    std::optional<int64_t> high = parseSize(parts[1]);
    std::optional<Step> step = parts.size() < 3 ? Step() : parseStep(parts[2]);
    bool isRange = low && high && step && parts.size() <= 3;
    if (!isRange)
      return rejectSizes(text);
    if (*low > *high)
      return createStringError("expected '--sweep' to be from a size to one at "
                               "least as large, but got '" +
                               text + "'");
    for (int64_t size = *low; size <= *high && sizes.size() <= maxSizes;
         size = step->next(size))
      sizes.push_back(size);
  }
  if (sizes.size() > maxSizes)
    return createStringError("expected '--sweep' to be at most " +
                             Twine(maxSizes) + " sizes, but got '" + text +
                             "'");
  return sizes;
}

Expected<std::vector<int64_t>>
mli::roundSweepSizes(const std::vector<int64_t> &sizes, int64_t step,
                     int64_t max) {
  std::vector<int64_t> rounded;
  for (int64_t size : sizes) {
    if (size > max)
      return createStringError(
          "expected '--sweep' to be sizes of at most " + Twine(max) +
          " bytes of each NPU of the target, but got " + Twine(size));
    rounded.push_back(static_cast<int64_t>(
        alignTo(static_cast<uint64_t>(size), static_cast<uint64_t>(step))));
  }
  rounded.erase(unique(rounded), rounded.end());
  return rounded;
}
