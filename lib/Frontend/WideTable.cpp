// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/WideTable.h"

#include "mli/Quant/Arithmetic.h"

#include <cmath>
#include <vector>

using namespace mlir;
using namespace mli;
using mli::quant::Rounding;

/// The first quantised value that there is not, up to which functions are
/// known.
static constexpr int limit = 1 << 15;

/// The steps of tables in bits, the finest first.
static constexpr int allStepBits[] = {0, 4, 8};

/// The results for all quantised values from 0 to `limit`.
using Results = std::vector<int16_t>;

/// What the kernel finds for `code`, between entries that are 2^`bits` apart.
static int interpolate(const Results &results, int code, int bits,
                       Rounding rounding) {
  int first = code >> bits << bits;
  if (first == code)
    return results[code];
  int step = results[first] - results[first + (1 << bits)];
  return results[first] - mli::quant::roundShiftRight<int32_t>(
                              step * (code - first), bits, rounding);
}

/// The first quantised value from which on entries that are 2^`bits` apart give
/// results that are at most 1 off.
static int findStart(const Results &results, int bits) {
  for (int code = limit - 1; code >= 0; --code)
    // How the runtime rounds is known when it runs only.
    for (Rounding rounding : {Rounding::Up, Rounding::Convergent})
      if (std::abs(interpolate(results, code, bits, rounding) - results[code]) >
          1)
        return ((code >> bits) + 1) << bits;
  return 0;
}

/// The results from `first` to `last`, less the first unless it begins at 0,
/// twice at each end: outside of a table, kernels go on with the fraction.
static SmallVector<int16_t> getEntries(const Results &results, int first,
                                       int last, int bits) {
  int offset = first == 0 ? 0 : results[first];
  SmallVector<int16_t> entries;
  for (int code = first; code <= last; code += 1 << bits)
    entries.push_back(static_cast<int16_t>(results[code] - offset));
  entries.insert(entries.begin(), entries.front());
  entries.push_back(entries.back());
  return entries;
}

static Value createTable(TensorBuilder &tensors, Value source, Fx16Type element,
                         ArrayRef<int16_t> entries, int first, int bits) {
  auto type = cast<RankedTensorType>(source.getType());
  auto *bytes = reinterpret_cast<const char *>(entries.data());
  Value table =
      tensors.createConstant(element, {static_cast<int64_t>(entries.size())},
                             ArrayRef(bytes, entries.size() * sizeof(int16_t)));
  int inFracBits = cast<Fx16Type>(type.getElementType()).getFracBits() - bits;
  return tensors.createOp<TanhOp>(
      source, tensors.createEmpty(element, type.getShape()), table,
      LutFormatAttr::get(tensors.getContext(), inFracBits,
                         1 - (first >> bits)));
}

Value mli::createFallingTables(TensorBuilder &tensors, Value source,
                               Fx16Type element,
                               llvm::function_ref<double(int)> function) {
  Results results;
  for (int code = 0; code <= limit; ++code)
    results.push_back(static_cast<int16_t>(
        std::min<double>(std::round(function(code)), INT16_MAX)));
  auto type = cast<RankedTensorType>(source.getType());
  int fracBits = cast<Fx16Type>(type.getElementType()).getFracBits();
  Value sum;
  for (int first = 0, next = 0; first < limit; first = next) {
    // The widest steps that are near enough from here on.
    int bits = 0;
    for (int wider : allStepBits)
      if (llvm::isInt<8>(fracBits - wider) &&
          findStart(results, wider) <= first)
        bits = wider;
    next = limit;
    for (int wider : allStepBits)
      if (wider > bits && llvm::isInt<8>(fracBits - wider))
        next = std::min(next, findStart(results, wider));
    Value table =
        createTable(tensors, source, element,
                    getEntries(results, first, next, bits), first, bits);
    sum = sum ? tensors.createOp<EltwiseAddOp>(
                    sum, table, tensors.createEmpty(element, type.getShape()))
              : table;
  }
  return sum;
}
