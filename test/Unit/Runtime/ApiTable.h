// SPDX-License-Identifier: Apache-2.0
//
// One valid call of every function of the C API that takes tensors and returns
// a status, in a form in which any argument can be spoilt.

#ifndef MLI_TEST_UNIT_RUNTIME_APITABLE_H
#define MLI_TEST_UNIT_RUNTIME_APITABLE_H

#include "Reference/RandomCase.h"

#include <functional>

namespace mli::test {

/// A tensor argument of a call.
struct ApiTensor {
  std::unique_ptr<RandomTensor> tensor;
  bool isOutput = false;
  /// Any element type is right.
  bool isAnyType = false;
};

/// The tensors that a call is given; an entry may be null.
using ApiArguments = std::vector<mli_tensor *>;

struct ApiCall {
  const char *name;
  std::vector<ApiTensor> tensors;
  /// Other pointers: configurations, tables. A null one is passed on.
  std::vector<const void *> pointers;
  std::function<mli_status(const ApiArguments &,
                           const std::vector<const void *> &)>
      run;
  /// What the pointers point to.
  std::shared_ptr<void> owned;
  /// The function makes a view, and reads no elements.
  bool isView = false;

  ApiArguments arguments() const {
    ApiArguments result;
    for (const ApiTensor &argument : tensors)
      result.push_back(*argument.tensor);
    return result;
  }
};

/// All of them, each with tensors of its own.
std::vector<ApiCall> apiCalls();

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_APITABLE_H
