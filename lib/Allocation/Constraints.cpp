// SPDX-License-Identifier: Apache-2.0

#include "mli/Allocation/Constraints.h"

#include "Allocation/Blocks.h"

namespace mli::allocation {

std::string_view toString(Constraint constraint, std::string_view pinned) {
  switch (constraint) {
  case Constraint::Pinned:
    return pinned;
  case Constraint::Alignment:
    return "alignment";
  case Constraint::AvoidBanks:
    return "avoid_banks";
  case Constraint::StartNpu:
    return "start_npus";
  case Constraint::StartGroup:
    return "start_group";
  case Constraint::Guard:
    return "guard";
  }
  return "";
}

std::vector<Constraint> getConstraints(const Buffer &buffer,
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
