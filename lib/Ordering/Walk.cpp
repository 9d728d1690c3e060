// SPDX-License-Identifier: Apache-2.0

#include "Ordering/Walk.h"

#include <algorithm>

namespace mli::ordering {

Walk::Walk(const Part &part)
    : part(part), done((part.steps.size() + 63) / 64), live(part.liveBefore) {
  for (const PartBuffer &buffer : part.buffers) {
    used.push_back(buffer.isLiveBefore ? 1 : 0);
    left.push_back(buffer.users + (buffer.isLiveAfter ? 1 : 0));
  }
  for (size_t i = 0; i < part.steps.size(); ++i) {
    pending.push_back(part.steps[i].predecessors);
    if (pending.back() == 0)
      ready.push_back(static_cast<int32_t>(i));
  }
}

bool Walk::isReady(int32_t step) const {
  return std::binary_search(ready.begin(), ready.end(), step);
}

int64_t Walk::getBytes(int32_t step) const {
  ++looks;
  const PartStep &now = part.steps[step];
  int64_t bytes = live + now.scratchBytes;
  for (int32_t buffer : now.buffers)
    if (begins(buffer))
      bytes += part.buffers[buffer].bytes;
  if (std::any_of(now.replaceable.begin(), now.replaceable.end(),
                  [&](int32_t buffer) { return ends(buffer); }))
    bytes -= part.buffers[now.result].bytes;
  return bytes;
}

int64_t Walk::getLiveAfter(int32_t step) const {
  ++looks;
  int64_t bytes = live;
  for (int32_t buffer : part.steps[step].buffers) {
    if (begins(buffer))
      bytes += part.buffers[buffer].bytes;
    if (ends(buffer))
      bytes -= part.buffers[buffer].bytes;
  }
  return bytes;
}

int32_t Walk::run(int32_t step) {
  live = getLiveAfter(step);
  for (int32_t buffer : part.steps[step].buffers) {
    ++used[buffer];
    --left[buffer];
  }
  order.push_back(step);
  done[step / 64] |= uint64_t(1) << step % 64;
  ready.erase(std::lower_bound(ready.begin(), ready.end(), step));
  int32_t opened = -1;
  size_t count = 0;
  for (int32_t successor : part.steps[step].successors)
    if (--pending[successor] == 0) {
      ready.insert(std::lower_bound(ready.begin(), ready.end(), successor),
                   successor);
      opened = successor;
      ++count;
    }
  return count == 1 ? opened : -1;
}

void Walk::undo() {
  ++looks;
  int32_t step = order.back();
  order.pop_back();
  done[step / 64] &= ~(uint64_t(1) << step % 64);
  for (int32_t successor : part.steps[step].successors)
    if (pending[successor]++ == 0)
      ready.erase(std::lower_bound(ready.begin(), ready.end(), successor));
  ready.insert(std::lower_bound(ready.begin(), ready.end(), step), step);
  for (int32_t buffer : part.steps[step].buffers) {
    --used[buffer];
    ++left[buffer];
  }
  for (int32_t buffer : part.steps[step].buffers) {
    if (begins(buffer))
      live -= part.buffers[buffer].bytes;
    if (ends(buffer))
      live += part.buffers[buffer].bytes;
  }
}

void Walk::rewind(size_t size) {
  while (order.size() > size)
    undo();
}

} // namespace mli::ordering
