// SPDX-License-Identifier: Apache-2.0

#include "ConversionProof.h"

#include "mli/IR/ConstantData.h"

#include <set>

using namespace mlir;
using namespace mli;

QuantizedType mli::getPerAxisType(Type element) {
  auto type = dyn_cast<QuantizedType>(element);
  return type && type.isPerAxis() ? type : QuantizedType();
}

bool mli::keepsAxis(Type in, Type out) {
  QuantizedType from = getPerAxisType(in), to = getPerAxisType(out);
  return !from || !to || from.getAxis() == to.getAxis();
}

bool mli::keepsMemory(ConvertOp op) {
  auto getEncoding = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getEncoding();
  };
  return getEncoding(op.getInput()) == getEncoding(op.getInit());
}

bool ConversionProofs::Case::operator<(const Case &other) const {
  auto getNumbers = [](const Case &one) {
    SmallVector<int64_t, 17> numbers = {one.range.low, one.range.high};
    for (const quant::NumberFormat &format : one.formats)
      numbers.append({format.width, int64_t{format.isFloat},
                      format.params.scale, format.params.fracBits,
                      format.params.zeroPoint});
    return numbers;
  };
  return getNumbers(*this) < getNumbers(other);
}

/// Whether `check` holds for the formats of `types` at every index of their
/// axis.
ConversionProofs::Verdict
ConversionProofs::prove(ArrayRef<Type> types, const quant::CodeRange &range,
                        function_ref<bool(const Case &)> check) {
  size_t count = 1;
  for (Type type : types)
    if (QuantizedType axis = getPerAxisType(type))
      count = std::max(count, axis.getNumParams());
  std::set<Case> open;
  for (size_t i = 0; i < count; ++i) {
    Case next{{}, range};
    for (Type type : types)
      next.formats.push_back(getNumberFormat(type, i));
    auto known = proven.find(next);
    if (known == proven.end())
      open.insert(std::move(next));
    else if (!known->second)
      return Verdict::No;
  }
  if (static_cast<int64_t>(open.size()) * range.count() > maxCodes)
    return Verdict::TooMany;
  for (const Case &next : open) {
    bool holds = check(next);
    proven[next] = holds;
    if (!holds)
      return Verdict::No;
  }
  return Verdict::Yes;
}

ConversionProofs::Verdict
ConversionProofs::isComposable(Type in, Type middle, Type out,
                               const quant::CodeRange &range) {
  // Floats and quantised values of 32 bits are too many to try.
  if (!keepsAxis(in, out) || !keepsAxis(in, middle) ||
      !keepsAxis(middle, out) || in.isF32() ||
      range.count() > quant::maxProofCodes)
    return Verdict::No;
  return prove({in, middle, out}, range, [](const Case &next) {
    return quant::isComposable(next.formats[0], next.formats[1],
                               next.formats[2], next.range);
  });
}

bool ConversionProofs::isIdentity(Type in, Type out,
                                  const quant::CodeRange &range) {
  if (in != out)
    return false;
  if (in.isF32())
    return true;
  return range.count() <= quant::maxProofCodes &&
         prove({in}, range, [](const Case &next) {
           return quant::isIdentity(next.formats[0], next.range);
         }) == Verdict::Yes;
}
