// SPDX-License-Identifier: Apache-2.0
//
// Random kernels with windows or weights. `kind` is what their operands are of:
// fx16, fx16_fx8, sa8, or axis for sa8 with parameters for each filter.

#ifndef MLI_TEST_UNIT_TRANSFORMS_RANDOMWINDOWS_H
#define MLI_TEST_UNIT_TRANSFORMS_RANDOMWINDOWS_H

#include "RandomFunction.h"

namespace mli::test {

std::string conv(Random &random, const std::string &name, const std::string &op,
                 const std::string &kind);
std::string transposeConv(Random &random, const std::string &name,
                          const std::string &kind);
std::string pool(Random &random, const std::string &name, const std::string &op,
                 const std::string &element);
std::string fullyConnected(Random &random, const std::string &name,
                           const std::string &kind);
std::string rnnDense(Random &random, const std::string &name);

/// Several kernels, one behind the other.
std::string chain(Random &random, const std::string &name);

} // namespace mli::test

#endif // MLI_TEST_UNIT_TRANSFORMS_RANDOMWINDOWS_H
