// SPDX-License-Identifier: Apache-2.0
//
// Functions of one kernel, or some, of random shapes and configurations that
// the verifiers accept.

#ifndef MLI_TEST_UNIT_TRANSFORMS_RANDOMKERNELS_H
#define MLI_TEST_UNIT_TRANSFORMS_RANDOMKERNELS_H

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace mli {

/// A family of kernels; `write` makes the function `name`.
struct KernelFamily {
  std::string name;
  std::function<std::string(std::mt19937 &, const std::string &name)> write;
};

/// One for each operation and element kind, chains and networks of several.
std::vector<KernelFamily> getKernelFamilies();

/// The same of kernels that no tiles are made of.
std::vector<KernelFamily> getWholeFamilies();

} // namespace mli

#endif // MLI_TEST_UNIT_TRANSFORMS_RANDOMKERNELS_H
