// SPDX-License-Identifier: Apache-2.0
//
// A device for tests: a target with fresh local memory, and what calls report.

#ifndef MLI_TEST_UNIT_RUNTIME_LOCAL_LOCALDEVICE_H
#define MLI_TEST_UNIT_RUNTIME_LOCAL_LOCALDEVICE_H

#include "mli/Layout/ElementMap.h"
#include "mli/Runtime/C/mli_runtime.h"
#include "mli/Runtime/C/okk.h"
#include "mli/Runtime/LocalTensor.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace mli::test {

class LocalDevice {
public:
  explicit LocalDevice(uint32_t npus = 4, uint32_t npuBytes = 4096,
                       uint32_t unit = 128, uint32_t dmaAlignment = 4) {
    mli_local_target target = {npus, npuBytes, 1, unit, dmaAlignment};
    EXPECT_EQ(mli_local_configure(&target), MLI_STATUS_OK);
    okk_initialize();
    EXPECT_EQ(mli_local_status(), MLI_STATUS_OK);
    mli_set_failure_handler(
        [](mli_status, const char *where, void *cookie) {
          static_cast<LocalDevice *>(cookie)->report = where;
        },
        this);
  }
  ~LocalDevice() {
    mli_set_failure_handler(nullptr, nullptr);
    mli_local_status();
    mli_local_set_poison(0, 0);
  }
  LocalDevice(const LocalDevice &) = delete;
  LocalDevice &operator=(const LocalDevice &) = delete;

  /// The last report, once.
  std::string takeReport() {
    std::string taken = report;
    report.clear();
    return taken;
  }

  /// All of local memory.
  std::vector<uint8_t> memory() const {
    const uint8_t *first = okk_local_mem_addr(0, 0);
    return {first, first + static_cast<size_t>(okk_npu_num()) *
                               okk_local_mem_size_per_npu()};
  }

private:
  std::string report;
};

inline system_addr_t systemAddress(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

/// As an argument.
inline dim4 toDim4(const layout::Dims &dims) {
  return {static_cast<int>(dims.n), static_cast<int>(dims.c),
          static_cast<int>(dims.h), static_cast<int>(dims.w)};
}

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  /// In [low, high].
  int in(int low, int high) {
    return low + static_cast<int>(engine() % (high - low + 1));
  }
  void fill(std::vector<uint8_t> &bytes) {
    for (uint8_t &byte : bytes)
      byte = static_cast<uint8_t>(engine());
  }

private:
  std::mt19937_64 engine;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_LOCAL_LOCALDEVICE_H
