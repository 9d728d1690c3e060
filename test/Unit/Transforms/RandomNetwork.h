// SPDX-License-Identifier: Apache-2.0
//
// Random networks of kernels on maps of one shape.

#ifndef MLI_TEST_UNIT_TRANSFORMS_RANDOMNETWORK_H
#define MLI_TEST_UNIT_TRANSFORMS_RANDOMNETWORK_H

#include "RandomFunction.h"

namespace mli::test {

/// Branches that meet again: each kernel uses what some of the last ones in
/// front of it made, and all of that is used.
std::string network(Random &random, const std::string &name);

} // namespace mli::test

#endif // MLI_TEST_UNIT_TRANSFORMS_RANDOMNETWORK_H
