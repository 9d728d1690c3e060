// SPDX-License-Identifier: Apache-2.0
//
// A tensor for a golden call: its structure, its guarded buffers, and what must
// be in them afterwards.

#ifndef MLI_TEST_GOLDEN_TOOL_GOLDENTENSOR_H
#define MLI_TEST_GOLDEN_TOOL_GOLDENTENSOR_H

#include "Buffer.h"
#include "CallWriter.h"
#include "Spec.h"

#include "mli/Runtime/C/mli_types.h"

namespace mli::golden {

/// What differs from what was expected, a line each.
using Differences = std::vector<std::string>;

class GoldenTensor {
public:
  /// A structure of zero bytes, as vectors have it.
  GoldenTensor();

  /// Builds the tensor that `spec` describes; a null pointer without one.
  void build(const std::optional<TensorSpec> &spec);

  /// Takes the buffer of `other` instead of its own.
  void share(GoldenTensor &other, bool keepCapacity);

  /// Brings arrays for the parameters of a per-axis output, with the contents
  /// that `spec` names, or `entries` zeros.
  void bringParameterArrays(size_t entries);
  void bringParameterArrays(const TensorSpec &spec);

  /// The argument of the call.
  mli_tensor *pointer() { return isNull ? nullptr : &tensor; }
  mli_tensor &get() { return tensor; }
  void setNull() { isNull = true; }

  /// Compares with the state after the call; `original` is the tensor that a
  /// view is measured from.
  void compare(const TensorSpec &spec, GoldenTensor *original,
               Differences &differences);

  /// Compares with the state before the call.
  void compareUntouched(Differences &differences);

  /// Names the tensor and its memory for the next call.
  void describe(const std::string &name, CallWriter &writer);

  /// Remembers the state before the call.
  void snapshot();

private:
  void buildParameters(const TensorSpec &spec);
  void buildElements(const TensorSpec &spec);
  void compareParameters(const TensorSpec &spec, Differences &differences);
  void compareElements(const Integers &shape, const Integers &strides,
                       const std::vector<double> &data,
                       Differences &differences);
  Buffer &elements() { return shared ? *shared : own; }

  mli_tensor tensor;
  mli_tensor tensorBefore;
  bool isNull = false;
  Buffer own;
  Buffer *shared = nullptr;
  Buffer scales;
  Buffer zeroPoints;
  Buffer fracBits;
  std::vector<uint8_t> elementsBefore;
};

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_GOLDENTENSOR_H
