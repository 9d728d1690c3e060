// SPDX-License-Identifier: Apache-2.0

#include "MoveBoundSegment.h"

using namespace mlir;
using namespace mli;
using namespace mli::movebound;

void Segment::grow() {
  const MovedKernel &kernel = graph.kernels[end++];
  constantBytes += kernel.constantBytes;
  if (kernel.summedBytes > 0 && kernel.positions > 1)
    sums.push_back(end - 1);
  for (const ValueRead &read : kernel.reads) {
    if (isMade(read.value))
      continue;
    auto *known = llvm::find_if(reads, [&](const ValueRead &other) {
      return other.value == read.value;
    });
    if (known == reads.end())
      reads.push_back(read);
    else
      known->bytes = std::max(known->bytes, read.bytes);
  }
}

SmallVector<size_t, 4> Segment::getResults() const {
  SmallVector<size_t, 4> results;
  for (const MovedKernel &kernel :
       ArrayRef(graph.kernels).slice(begin, end - begin))
    for (size_t value : kernel.results)
      if (graph.values[value].isReturned || graph.values[value].isReadFrom(end))
        results.push_back(value);
  return results;
}

/// The bytes of the result of each kernel, or of what follows from it, that are
/// there in all channels of a position at one time.
// MB6
SmallVector<int64_t>
Segment::getGathered(llvm::function_ref<bool(size_t)> isKept) const {
  SmallVector<int64_t> gathered(end - begin, 0);
  for (size_t number = end; number-- > begin;) {
    const MovedKernel &kernel = graph.kernels[number];
    if (kernel.results.empty())
      continue;
    int64_t &bytes = gathered[number - begin];
    size_t result = kernel.results.front();
    if (isKept(result)) {
      bytes = graph.values[result].bytes;
      continue;
    }
    for (size_t user : graph.values[result].users) {
      if (user >= end)
        break;
      const MovedKernel &reader = graph.kernels[user];
      const ValueRead &read =
          *llvm::find_if(reader.reads, [&](const ValueRead &read) {
            return read.value == result;
          });
      if (reader.gathering == Gathering::All)
        bytes = std::max(bytes, read.bytes);
      else if (reader.gathering == Gathering::AsResult)
        bytes = std::max(bytes, std::min(read.bytes, gathered[user - begin]));
    }
  }
  return gathered;
}

std::vector<Sum>
Segment::getSums(llvm::function_ref<bool(size_t)> isKept,
                 llvm::function_ref<Whereabouts(size_t)> findInput) const {
  if (sums.empty())
    return {};
  SmallVector<int64_t> gathered = getGathered(isKept);
  std::vector<Sum> found;
  for (size_t number : sums) {
    const MovedKernel &kernel = graph.kernels[number];
    Sum sum{kernel.summedBytes, gathered[number - begin], 0, kernel.positions};
    for (const ValueRead &read : kernel.reads) {
      Whereabouts at =
          isMade(read.value) ? Whereabouts::Segment : findInput(read.value);
      if (at != Whereabouts::Passing)
        sum.blockBytes += read.bytes;
      // Of a map of several values each may be the only one that moves.
      if (at == Whereabouts::System)
        sum.movedBytes = sum.movedBytes == 0
                             ? read.bytes
                             : std::min(sum.movedBytes, read.bytes);
    }
    found.push_back(sum);
  }
  return found;
}
