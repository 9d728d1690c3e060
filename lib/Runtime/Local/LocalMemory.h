// SPDX-License-Identifier: Apache-2.0
//
// The host model of NPU local memory: one buffer with the NPUs one after the
// other, so that a local address is an offset in it. There is one, which is not
// locked: one thread drives the device.

#ifndef MLI_LIB_RUNTIME_LOCAL_LOCALMEMORY_H
#define MLI_LIB_RUNTIME_LOCAL_LOCALMEMORY_H

#include "mli/Layout/Target.h"

namespace mli::rt {

const layout::Target &localTarget();

/// Sets the target and releases the memory.
void setLocalTarget(const layout::Target &target);

/// Makes fresh memory: poisoned, or zeros. False if the host has not so much.
bool makeLocalMemory();

/// The first byte of NPU 0, or null before there is memory.
uint8_t *localMemory();

void setPoison(bool enabled, uint32_t seed);
bool isPoisoning();

/// With poison on, fills `bytes` bytes from offset `offset` of NPU `npu` on,
/// which are in local memory. A byte's pattern depends on seed and address.
void poison(int64_t npu, int64_t offset, int64_t bytes);

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_LOCAL_LOCALMEMORY_H
