// SPDX-License-Identifier: Apache-2.0
//
// What can be wrong with a tensor argument.

#ifndef MLI_TEST_UNIT_RUNTIME_API_APIFAULTS_H
#define MLI_TEST_UNIT_RUNTIME_API_APIFAULTS_H

#include "ApiTable.h"

namespace mli::test {

/// One kind of bad tensor: changes a copy of an argument, and returns false
/// where the result is not bad.
struct ApiFault {
  std::string name;
  std::function<bool(const ApiCall &, const ApiTensor &, mli_tensor &)> apply;
};

std::vector<ApiFault> allFaults();

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_API_APIFAULTS_H
