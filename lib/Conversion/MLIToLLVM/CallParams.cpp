// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm describes quantisation here: the `mli_element_params` of
// tensors, and the lists that those of an axis point to.

#include "CallBuilder.h"

#include "ModuleSymbols.h"

#include "mli/IR/RuntimeTensor.h"
#include "mli/Runtime/C/mli_types.h"

using namespace mlir;
using namespace mli;

/// One parameter of each index of the axis, in a row.
template <typename Int>
static DenseElementsAttr listParams(QuantizedType type,
                                    Int quant::QuantParams::*field) {
  SmallVector<Int> values;
  for (size_t i = 0; i < type.getNumParams(); ++i)
    values.push_back(type.getParam(i).*field);
  auto element = IntegerType::get(type.getContext(), 8 * sizeof(Int));
  return DenseElementsAttr::get(
      RankedTensorType::get(static_cast<int64_t>(values.size()), element),
      ArrayRef<Int>(values));
}

/// One of the three parameters: the value itself when per tensor, else an
/// array with one entry for each index of the axis.
template <typename Int>
// U2
Field CallBuilder::paramContainer(QuantizedType type,
                                  Int quant::QuantParams::*field,
                                  Params params) {
  if (!type.isPerAxis())
    return container(word(0), Field(builder.getIntegerType(8 * sizeof(Int)),
                                    type.getParam(0).*field));
  return container(
      word(static_cast<int64_t>(type.getNumParams() * sizeof(Int))),
      params == Params::Known ? quad(0)
                              : Field(global(listParams(type, field))));
}

// U3
Field CallBuilder::saParams(QuantizedType type, Params params) {
  Field zeroPoint =
      paramContainer(type, &quant::QuantParams::zeroPoint, params);
  Field scale = paramContainer(type, &quant::QuantParams::scale, params);
  Field fracBits = paramContainer(type, &quant::QuantParams::fracBits, params);
  return record({word(MLI_EL_PARAM_SC16_ZP16), word(0), zeroPoint, scale,
                 word(type.getAxis()), word(0), fracBits});
}

/// The `mli_element_params` union; for fx types the frac bits in its first
/// byte, the rest 0.
Field CallBuilder::elementParams(Type element, Params params) {
  if (params == Params::None)
    return zeros(sizeof(mli_element_params));
  auto type = dyn_cast<QuantizedType>(element);
  if (type && isa<Sa8Type, Sa32Type>(element))
    return saParams(type, params);
  int64_t fracBits = type ? type.getParam(0).fracBits : 0;
  return record({byte(fracBits), zeros(sizeof(mli_element_params) - 1)});
}

/// Appends numbers that the type and the parameters of a description follow
/// from. Layers differ in their lists, which are no part of it.
void CallBuilder::appendKey(Type element, Params params,
                            SmallVectorImpl<int64_t> &numbers) {
  auto type = dyn_cast<QuantizedType>(element);
  bool hasLists = params != Params::All && type && type.isPerAxis();
  llvm::append_values(numbers, static_cast<int64_t>(params),
                      static_cast<int64_t>(runtimeType(element)),
                      static_cast<int64_t>(hasLists));
  if (params == Params::None)
    return;
  if (hasLists)
    llvm::append_values(numbers, static_cast<int64_t>(type.getAxis()),
                        static_cast<int64_t>(type.getNumParams()));
  else
    numbers.push_back(getNumber(element));
}

Value CallBuilder::paramLists(Type element) {
  auto type = dyn_cast<QuantizedType>(element);
  if (!type || !type.isPerAxis())
    return getNull();
  return cached(Cached::ParamLists, getNumber(element), [&] {
    return listGlobal(builder, loc, symbols,
                      {listParams(type, &quant::QuantParams::zeroPoint),
                       listParams(type, &quant::QuantParams::scale),
                       listParams(type, &quant::QuantParams::fracBits)});
  });
}
