// SPDX-License-Identifier: Apache-2.0
//
// One valid call of every function of the C API, in a form in which any
// argument can be spoilt.

#ifndef MLI_TEST_UNIT_RUNTIME_API_APITABLE_H
#define MLI_TEST_UNIT_RUNTIME_API_APITABLE_H

#include "../Reference/RandomCase.h"

#include <functional>

namespace mli::test {

/// Which bad arguments a function can be given.
enum class ApiKind {
  /// All.
  Kernel,
  /// Any type with a size is right.
  Convert,
  /// The same, and the description of the destination is written.
  Move,
  /// The same, and no element is read or written: data is not judged.
  View,
  /// Asks about or writes a description: only a null pointer is bad, and its
  /// answer is zero.
  Question,
  /// Has no tensors.
  Plain,
  /// Has no body.
  Missing,
};

/// A tensor argument of a call.
struct ApiTensor {
  std::unique_ptr<RandomTensor> tensor;
  bool isOutput = false;
};

/// The tensors that a call is given; an entry may be null.
using ApiTensors = std::vector<mli_tensor *>;
/// Other pointers: configurations, tables, handles, arrays.
using ApiPointers = std::vector<void *>;

struct ApiCall {
  const char *name;
  ApiKind kind;
  std::vector<ApiTensor> tensors;
  ApiPointers pointers;
  /// Those of `pointers` that are tables.
  std::vector<size_t> tables;
  /// The status, or MLI_STATUS_BAD_TENSOR for an answer of zero.
  std::function<mli_status(const ApiTensors &, const ApiPointers &)> run;
  /// What the pointers point to.
  std::vector<std::shared_ptr<void>> owned;

  /// The arguments of the valid call.
  ApiTensors arguments() const {
    ApiTensors result;
    for (const ApiTensor &argument : tensors)
      result.push_back(*argument.tensor);
    return result;
  }
  bool hasElements() const {
    return kind == ApiKind::Kernel || kind == ApiKind::Convert ||
           kind == ApiKind::Move;
  }
  bool takesAnyType() const { return kind != ApiKind::Kernel; }
  /// Whether the description of `argument` is written, whatever it is before.
  bool describes(const ApiTensor &argument) const {
    return argument.isOutput &&
           (kind == ApiKind::Move || kind == ApiKind::View);
  }
};

/// All of them, each with tensors of its own.
std::vector<ApiCall> apiCalls();

/// Its parts.
void addKernels(std::vector<ApiCall> &calls);
void addHelpers(std::vector<ApiCall> &calls);
void addMoves(std::vector<ApiCall> &calls);

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_API_APITABLE_H
