// SPDX-License-Identifier: Apache-2.0

#include "Allocation/Constraints.h"

#include "Allocation/Blocks.h"

namespace mli::allocation {

std::vector<Constraint> constraintsOf(const Buffer &buffer,
                                      const Memory &memory) {
  std::vector<Constraint> found;
  if (buffer.pinned)
    found.push_back(Constraint::Pinned);
  if (buffer.alignment > 1)
    found.push_back(Constraint::Alignment);
  if (buffer.avoidBanks != 0 && memory.bankBytes > 0)
    found.push_back(Constraint::AvoidBanks);
  uint64_t all = npuMask(0, memory.npus, memory.npus);
  if ((buffer.startNpus & all) != all)
    found.push_back(Constraint::StartNpu);
  if (buffer.startGroup >= 0 && memory.npus > 1)
    found.push_back(Constraint::StartGroup);
  if (buffer.guard > 0)
    found.push_back(Constraint::Guard);
  return found;
}

void drop(Buffer &buffer, Constraint constraint) {
  switch (constraint) {
  case Constraint::Pinned:
    buffer.pinned.reset();
    break;
  case Constraint::Alignment:
    buffer.alignment = 1;
    break;
  case Constraint::AvoidBanks:
    buffer.avoidBanks = 0;
    break;
  case Constraint::StartNpu:
    buffer.startNpus = ~uint64_t(0);
    break;
  case Constraint::StartGroup:
    buffer.startGroup = -1;
    break;
  case Constraint::Guard:
    buffer.guard = 0;
    break;
  }
}

} // namespace mli::allocation
