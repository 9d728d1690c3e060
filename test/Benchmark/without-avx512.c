// SPDX-License-Identifier: Apache-2.0
//
// Hides AVX-512 from what asks cpuinfo for it, such as XNNPACK, which has no
// option for that. A library to preload, linked with cpuinfo, so that this is loaded
// before the module that asks it: docs/performance.md has the commands.

#define _GNU_SOURCE
#include <cpuinfo.h>
#include <dlfcn.h>

bool cpuinfo_initialize(void) {
  bool (*initialize)(void);
  *(void **)&initialize = dlsym(RTLD_NEXT, "cpuinfo_initialize");
  bool is_initialized = initialize();
  // Without the first part of AVX-512 none of the others is used.
  cpuinfo_isa.avx512f = false;
  return is_initialized;
}
