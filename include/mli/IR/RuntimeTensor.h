// SPDX-License-Identifier: Apache-2.0
//
// Tensors of the IR as the C functions of the runtime take them.

#ifndef MLI_IR_RUNTIMETENSOR_H
#define MLI_IR_RUNTIMETENSOR_H

#include "mli/IR/MLI.h"
#include "mli/Runtime/C/mli_types.h"

namespace mli {

/// The element type of the runtime for `element`, which is f32 or quantised.
mli_element_type runtimeType(mlir::Type element);

/// A dense `mli_tensor` of `type`, whose shape is static. A tensor of rank 0
/// becomes one of one element, as not all functions take the former.
class RuntimeTensor {
public:
  /// Refers to `data`, the elements in row-major order, aligned as they are.
  /// Those of an input are not written.
  RuntimeTensor(mlir::ShapedType type, const char *data);

  const mli_tensor *get() const { return &tensor; }
  mli_tensor *get() { return &tensor; }

private:
  void setParams(QuantizedType type);

  mli_tensor tensor;
  llvm::SmallVector<int16_t> scales, zeroPoints;
  llvm::SmallVector<int8_t> fracBits;
};

} // namespace mli

#endif // MLI_IR_RUNTIMETENSOR_H
