// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/RuntimeTensor.h"

#include "mli/Runtime/C/mli_api.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cstring>

using namespace mlir;
using namespace mli;

// U3
mli_element_type mli::runtimeType(Type element) {
  return llvm::TypeSwitch<Type, mli_element_type>(element)
      .Case([](Fx8Type) { return MLI_EL_FX_8; })
      .Case([](Fx16Type) { return MLI_EL_FX_16; })
      .Case([](Sa8Type) { return MLI_EL_SA_8; })
      .Case([](Sa32Type) { return MLI_EL_SA_32; })
      .Default([](Type) { return MLI_EL_FP_32; });
}

RuntimeTensor::RuntimeTensor(ShapedType type, const char *data) {
  Type element = type.getElementType();
  std::memset(&tensor, 0, sizeof(tensor));
  tensor.data.capacity = static_cast<uint32_t>(type.getNumElements() *
                                               (elementWidth(element) / 8));
  tensor.data.mem.pi8 =
      const_cast<int8_t *>(reinterpret_cast<const int8_t *>(data));
  tensor.el_type = runtimeType(element);
  // U5
  tensor.rank = 1;
  tensor.shape[0] = 1;
  if (type.getRank() > 0) {
    tensor.rank = static_cast<uint32_t>(type.getRank());
    llvm::copy(type.getShape(), tensor.shape);
  }
  mli_hlp_set_tensor_mem_strides(&tensor);
  if (auto quantized = dyn_cast<QuantizedType>(element))
    setParams(quantized);
}

// U2
void RuntimeTensor::setParams(QuantizedType type) {
  if (!isa<Sa8Type, Sa32Type>(type)) {
    tensor.el_params.fx.frac_bits = type.getParam(0).fracBits;
    return;
  }
  auto &params = tensor.el_params.sa;
  params.type = MLI_EL_PARAM_SC16_ZP16;
  params.dim = type.getAxis();
  if (!type.isPerAxis()) {
    params.scale.mem.i16 = type.getParam(0).scale;
    params.scale_frac_bits.mem.i8 = type.getParam(0).fracBits;
    params.zero_point.mem.i16 = type.getParam(0).zeroPoint;
    return;
  }
  for (size_t i = 0; i < type.getNumParams(); ++i) {
    scales.push_back(type.getParam(i).scale);
    fracBits.push_back(type.getParam(i).fracBits);
    zeroPoints.push_back(type.getParam(i).zeroPoint);
  }
  params.scale.mem.pi16 = scales.data();
  params.scale.capacity = static_cast<uint32_t>(scales.size_in_bytes());
  params.scale_frac_bits.mem.pi8 = fracBits.data();
  params.scale_frac_bits.capacity =
      static_cast<uint32_t>(fracBits.size_in_bytes());
  params.zero_point.mem.pi16 = zeroPoints.data();
  params.zero_point.capacity =
      static_cast<uint32_t>(zeroPoints.size_in_bytes());
}
