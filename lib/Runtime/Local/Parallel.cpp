// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Local/Parallel.h"

#include "Runtime/Local/LocalMemory.h"
#include "Runtime/Local/LocalTensor.h"
#include "mli/Layout/ElementMap.h"
#include "mli/Layout/Strides.h"

#include <cstdlib>

namespace mli::rt {
namespace {

/// Local addresses from `begin` to `end`, exclusive.
struct Bytes {
  int64_t begin, end;
};

/// The runtime takes no C++ library: memory of the C one, freed by `close`.
struct Use {
  Engine engine;
  bool isWritten;
  /// Ranges in ascending order that do not overlap.
  Bytes *bytes;
  int64_t count;
};

struct Bracket {
  bool isOpen = false;
  Use *uses = nullptr;
  int64_t count = 0;
};

Bracket bracket;

void close() {
  for (int64_t i = 0; i < bracket.count; ++i)
    std::free(bracket.uses[i].bytes);
  std::free(bracket.uses);
  bracket = {};
}

/// Joins what follows each other in the `count` entries of `bytes`; returns how
/// many are left.
int64_t join(Bytes *bytes, int64_t count) {
  int64_t last = 0;
  for (int64_t i = 1; i < count; ++i)
    if (bytes[i].begin <= bytes[last].end &&
        bytes[i].begin >= bytes[last].begin)
      bytes[last].end = std::max(bytes[last].end, bytes[i].end);
    else
      bytes[++last] = bytes[i];
  return last + 1;
}

/// Fills `use` with the bytes of all rows, those between their elements
/// included. False if the host has no memory for that.
bool addBytes(const layout::TensorLayout &layout, Use &use) {
  const layout::Dims &shape = layout.shape;
  use.bytes = static_cast<Bytes *>(std::calloc(
      static_cast<size_t>(shape.n * shape.c * shape.h), sizeof(Bytes)));
  if (!use.bytes)
    return false;
  use.count = 0;
  int64_t step = layout.strides.w * layout::packedBytes(layout);
  forEachRow(layout, 0, shape.n, [&](const layout::Dims &at) {
    int64_t begin =
        layout::getAddress(layout::locate(layout, at), layout.target);
    int64_t steps = rowLength(layout, at.c) - 1;
    use.bytes[use.count++] = {begin,
                              begin + steps * step + layout.elementBytes};
  });
  // Most follow each other.
  use.count = join(use.bytes, use.count);
  std::sort(use.bytes, use.bytes + use.count,
            [](const Bytes &a, const Bytes &b) { return a.begin < b.begin; });
  use.count = join(use.bytes, use.count);
  return true;
}

/// The first byte that is in both.
std::optional<int64_t> findCommon(const Use &one, const Use &other) {
  int64_t i = 0, j = 0;
  while (i < one.count && j < other.count) {
    const Bytes &a = one.bytes[i], &b = other.bytes[j];
    int64_t first = std::max(a.begin, b.begin);
    if (first < std::min(a.end, b.end))
      return first;
    if (a.end < b.end)
      ++i;
    else
      ++j;
  }
  return std::nullopt;
}

bool note(const Use &use) {
  auto *uses = static_cast<Use *>(
      std::realloc(bracket.uses, (bracket.count + 1) * sizeof(Use)));
  if (!uses)
    return false;
  bracket.uses = uses;
  bracket.uses[bracket.count++] = use;
  return true;
}

} // namespace

void startParallel() {
  close();
  bracket.isOpen = true;
}

void endParallel() { close(); }
bool isParallel() { return bracket.isOpen; }

// L41
std::optional<int64_t> useInParallel(const layout::TensorLayout &layout,
                                     Engine engine, bool isWritten) {
  Use use = {engine, isWritten, nullptr, 0};
  if (!bracket.isOpen || !isPoisoning() || !addBytes(layout, use))
    return std::nullopt;
  std::optional<int64_t> common;
  for (int64_t i = 0; i < bracket.count && !common; ++i) {
    const Use &other = bracket.uses[i];
    if (other.engine != engine && (isWritten || other.isWritten))
      common = findCommon(use, other);
  }
  if (common || !note(use))
    std::free(use.bytes);
  return common;
}

} // namespace mli::rt

using namespace mli::rt;

// NOLINTBEGIN(readability-identifier-naming): the C names.

mli_status mli_local_use(const mli_local_tensor *local,
                         const mli_tensor *tensor, mli_local_engine engine,
                         int is_written) {
  Entry entry("mli_local_use");
  MLI_CHECK(checkEnumerator("engine", engine, MLI_LOCAL_KERNELS));
  LocalTensor resolved;
  MLI_CHECK(resolve(local, {tensor, "tensor"}, resolved));
  std::optional<int64_t> common = useInParallel(
      resolved.layout, engine == MLI_LOCAL_MOVES ? Engine::Gdma : Engine::Bdc,
      is_written != 0);
  if (!common)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_ARGUMENT_ERROR,
              "expected 'local' to share no byte with what the other engine "
              "uses, where one of both writes, but got address %lld",
              static_cast<long long>(*common));
}

// NOLINTEND(readability-identifier-naming)
