// SPDX-License-Identifier: Apache-2.0
//
// What generators of random programs on tensors share.

#ifndef MLI_TEST_UNIT_TRANSFORMS_PROGRAMWRITER_H
#define MLI_TEST_UNIT_TRANSFORMS_PROGRAMWRITER_H

#include "RandomFunction.h"
#include "RandomPrograms.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <deque>

namespace mli::test {

/// A function under construction. A `Value` has a name, a shape, an element and
/// a `type()`.
template <typename Value>
class ProgramWriter {
protected:
  explicit ProgramWriter(uint32_t seed) : random(seed), os(body) {}

  int64_t pick(int64_t low, int64_t high) {
    return mli::test::pick(random, low, high);
  }
  bool chance(int64_t percent) { return pick(1, 100) <= percent; }
  /// Recent ones rather than old ones: chains are longer.
  Value any() {
    int64_t last = static_cast<int64_t>(values.size()) - 1;
    return values[chance(60) ? std::max<int64_t>(0, last - pick(0, 2))
                             : pick(0, last)];
  }

  std::string fresh() { return "%v" + std::to_string(next++); }
  template <typename Sizes, typename Element>
  Value add(Sizes shape, Element element) {
    values.push_back({fresh(), std::move(shape), std::move(element)});
    return values.back();
  }

  void concat(const std::vector<Value> &parts, size_t dim) {
    auto shape = parts.front().shape;
    shape[dim] = 0;
    std::string names, types;
    for (const Value &part : parts) {
      shape[dim] += part.shape[dim];
      names += (names.empty() ? "" : ", ") + part.name;
      types += (types.empty() ? "" : ", ") + part.type();
    }
    Value result = add(shape, parts.front().element);
    os << "  " << result.name << " = tensor.concat dim(" << dim << ") " << names
       << " : (" << types << ") -> " << result.type() << "\n";
  }

  /// Returns the last values; `more` arguments follow those of the signature.
  Program finish(const std::string &more = "") {
    std::string names, types;
    program.resultCount = std::min<size_t>(3, values.size());
    for (size_t i = 0; i < program.resultCount; ++i) {
      const Value &value = values[values.size() - 1 - i];
      names += (names.empty() ? "" : ", ") + value.name;
      types += (types.empty() ? "" : ", ") + value.type();
    }
    program.text = "func.func @f(" + signature + more + ") -> (" + types +
                   ") {\n" + body + "  return " + names + " : " + types +
                   "\n}\n";
    return program;
  }

  Random random;
  std::string body, signature;
  llvm::raw_string_ostream os;
  /// References to them stay good.
  std::deque<Value> values;
  Program program;
  int64_t next = 0;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_TRANSFORMS_PROGRAMWRITER_H
