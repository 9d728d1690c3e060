// SPDX-License-Identifier: Apache-2.0
//
// The OKK functions about the device and its memory.

#include "Runtime/Local/LocalMemory.h"
#include "Runtime/Local/OkkCall.h"
#include "Runtime/Local/Parallel.h"
#include "mli/Layout/Strides.h"

using namespace mli::rt;
using mli::layout::Target;

// NOLINTBEGIN(readability-identifier-naming): the C names.

void okk_initialize(void) {
  endParallel();
  if (!makeLocalMemory())
    OkkCall("okk_initialize")
        .reject(MLI_STATUS_NOT_ENGH_MEM,
                "expected the host to hold the local memory, but got none");
}

void okk_poll(void) {}

void okk_parallel_start(void) {
  if (isParallel())
    OkkCall("okk_parallel_start")
        .reject(MLI_STATUS_ARGUMENT_ERROR,
                "expected the state to be serial, but got parallel");
  startParallel();
}

void okk_parallel_end(void) {
  if (!isParallel())
    OkkCall("okk_parallel_end")
        .reject(MLI_STATUS_ARGUMENT_ERROR,
                "expected the state to be parallel, but got serial");
  endParallel();
}

bool okk_is_parallel_state(void) { return isParallel(); }

int okk_npu_num(void) { return static_cast<int>(localTarget().npus); }

unsigned int okk_local_mem_size_per_npu(void) {
  return static_cast<unsigned int>(localTarget().npuBytes);
}

unsigned int okk_local_mem_bank_per_npu(void) {
  return static_cast<unsigned int>(localTarget().banks);
}

unsigned int okk_local_mem_start_addr(void) { return 0; }

unsigned char *okk_local_mem_addr(unsigned int npu, unsigned int offset) {
  OkkCall call("okk_local_mem_addr");
  const Target &target = localTarget();
  if (!call.checkMemory() || !call.checkRange("npu", npu, 0, target.npus - 1) ||
      !call.checkRange("offset", offset, 0, target.npuBytes - 1))
    return nullptr;
  return localMemory() + mli::layout::getAddress({npu, offset}, target);
}

unsigned char *okk_global_mem_addr(unsigned long long addr) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a system address is a pointer.
  return reinterpret_cast<unsigned char *>(addr);
}

// L2
int okk_start_npu_index(local_addr_t addr) {
  mli::layout::Result<mli::layout::Location> location =
      mli::layout::splitAddress(addr, localTarget());
  if (location)
    return static_cast<int>(location->npu);
  mli::layout::Violation problem = location.violation();
  problem.parameter = "addr";
  OkkCall("okk_start_npu_index").check(MLI_STATUS_ARGUMENT_ERROR, problem);
  return -1;
}

// L3, L40
int okk_channle_num_per_npu(int start_idx, int num_channels) {
  OkkCall call("okk_channle_num_per_npu");
  int64_t npus = localTarget().npus;
  if (!call.checkRange("start_idx", start_idx, 0, npus - 1) ||
      !call.checkRange("num_channels", num_channels, 1, INT32_MAX))
    return 0;
  return static_cast<int>(
      mli::layout::channelsPerNpu(start_idx, num_channels, npus));
}

// NOLINTEND(readability-identifier-naming)
