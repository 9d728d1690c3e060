// SPDX-License-Identifier: Apache-2.0
//
// The first layer of a program that a configuration computes wrong.

#ifndef MLI_TEST_FUZZ_RUNNER_FIRSTLAYER_H
#define MLI_TEST_FUZZ_RUNNER_FIRSTLAYER_H

#include "Configurations.h"

namespace mli::fuzz {

/// Runs `program` up to each of the operations of `main` in turn, and returns
/// the text of the first whose result `configuration` has not; empty where each
/// alone is right. `seed` is that of its random numbers.
std::string findFirstLayer(const Case &program,
                           const Configuration &configuration, uint64_t seed);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_RUNNER_FIRSTLAYER_H
