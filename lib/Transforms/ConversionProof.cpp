// SPDX-License-Identifier: Apache-2.0

#include "ConversionProof.h"

#include "mli/Analysis/CodeRanges.h"

using namespace mlir;
using namespace mli;

Type mli::elementOf(Value value) {
  return cast<ShapedType>(value.getType()).getElementType();
}

QuantizedType mli::perAxis(Type element) {
  auto type = dyn_cast<QuantizedType>(element);
  return type && type.isPerAxis() ? type : QuantizedType();
}

bool mli::keepsAxis(Type in, Type out) {
  QuantizedType from = perAxis(in), to = perAxis(out);
  return !from || !to || from.getAxis() == to.getAxis();
}

bool mli::keepsMemory(ConvertOp op) {
  auto encodingOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getEncoding();
  };
  return encodingOf(op.getInput()) == encodingOf(op.getInit());
}

/// Whether `check` holds of the formats of `types` at every index of their
/// axis.
static bool holdsForFormats(ArrayRef<Type> types,
                            function_ref<bool(size_t)> check) {
  size_t count = 1;
  for (Type type : types)
    if (QuantizedType axis = perAxis(type))
      count = std::max(count, axis.getNumParams());
  return llvm::all_of(llvm::seq<size_t>(0, count), check);
}

bool mli::isComposable(Type in, Type middle, Type out,
                       const quant::CodeRange &range) {
  if (!keepsAxis(in, out) || !keepsAxis(in, middle) || !keepsAxis(middle, out))
    return false;
  return holdsForFormats({in, middle, out}, [&](size_t i) {
    return quant::isComposable(getNumberFormat(in, i),
                               getNumberFormat(middle, i),
                               getNumberFormat(out, i), range);
  });
}

bool mli::isIdentity(Type in, Type out, const quant::CodeRange &range) {
  return in == out && holdsForFormats({in}, [&](size_t i) {
           return quant::isIdentity(getNumberFormat(in, i), range);
         });
}
