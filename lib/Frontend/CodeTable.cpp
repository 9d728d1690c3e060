// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/CodeTable.h"

#include "mli/Quant/Formats.h"
#include "mli/Quant/TableArgument.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using mli::quant::Rounding;

CodeTable mli::computeCodeTable(const CodeScale &in, const CodeScale &out,
                                const mli::quant::Limits &limits,
                                function_ref<double(double)> function) {
  CodeTable table;
  for (int code = INT8_MIN; code <= INT8_MAX; ++code) {
    double number = function(in.getNumber(code));
    if (std::isnan(number))
      number = 0;
    double result = std::round(number / out.scale) + out.zeroPoint;
    table[code - INT8_MIN] = static_cast<int8_t>(
        std::clamp<double>(result, limits.low, limits.high));
  }
  return table;
}

namespace {

/// The entries of a kernel's table, and where they are.
struct Entries {
  SmallVector<int16_t> values;
  int32_t inFracBits;
  int32_t inputOffset;
};

} // namespace

/// The first of the two entries between which the kernel interpolates.
static int32_t getIndex(int code, const mli::quant::QuantParams &params,
                        int32_t inFracBits, Rounding rounding) {
  return mli::quant::tableArgument(code, params, inFracBits, rounding) >>
         mli::quant::tableExtraBits;
}

/// Lays `table` out so that each quantised value of `params` has both of its
/// entries for itself, whatever the fraction. A scale that is a power of two
/// has no fractions: the second entry is the next value's.
static Entries layOut(const CodeTable &table,
                      const mli::quant::QuantParams &params) {
  auto scale = static_cast<uint32_t>(params.scale);
  int32_t inFracBits = params.fracBits -
                       static_cast<int32_t>(llvm::Log2_32(scale)) +
                       (llvm::isPowerOf2_32(scale) ? 0 : 1);
  // How the runtime rounds is known when it runs only.
  constexpr Rounding roundings[] = {Rounding::Up, Rounding::Convergent};
  auto [first, last] = std::pair(INT32_MAX, INT32_MIN);
  for (Rounding rounding : roundings) {
    first = std::min(first, getIndex(INT8_MIN, params, inFracBits, rounding));
    last = std::max(last, getIndex(INT8_MAX, params, inFracBits, rounding));
  }
  Entries entries = {SmallVector<int16_t>(last - first + 2), inFracBits,
                     -first};
  for (int code = INT8_MIN; code <= INT8_MAX; ++code)
    for (Rounding rounding : roundings) {
      int32_t index = getIndex(code, params, inFracBits, rounding) - first;
      const int entry = int{table[code - INT8_MIN]};
      entries.values[index] = entries.values[index + 1] = entry;
    }
  return entries;
}

Value mli::createCodeTable(TensorBuilder &tensors, Value source,
                           Sa8Type element, const CodeTable &table) {
  auto type = cast<RankedTensorType>(source.getType());
  auto in = getParams(source);
  Entries entries = layOut(table, in);
  // With as many fraction bits as the results, the kernel shifts no entry.
  auto fracBits =
      contract::tableFormat(contract::Family::Tanh, 8, /*isAsymmetric=*/true)
          .fracBits;
  Type entry = Fx16Type::get(tensors.getContext(), fracBits);
  auto length = static_cast<int64_t>(entries.values.size());
  auto *bytes = reinterpret_cast<const char *>(entries.values.data());
  Value lut = tensors.createConstant(
      entry, {length}, ArrayRef(bytes, entries.values.size_in_bytes()));
  return tensors.createOp<TanhOp>(
      source, tensors.createEmpty(element, type.getShape()), lut,
      LutFormatAttr::get(tensors.getContext(), entries.inFracBits,
                         entries.inputOffset));
}
