// SPDX-License-Identifier: Apache-2.0
//
// Random cases of kernels with an input and an output of one shape.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_UNARYCASE_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_UNARYCASE_H

#include "RandomCase.h"

namespace mli::test {

/// Rows that leave vectors full, partial and empty.
inline std::vector<int64_t> randomShape(Random &random) {
  std::vector<int64_t> shape;
  for (int64_t rank = random.in(1, 4); rank > 0; --rank)
    shape.push_back(random.in(1, rank == 1 ? 9 : 4));
  if (random.oneIn(4))
    shape.back() = random.in(1, 70);
  // Many codes go through a table of all codes.
  if (random.oneIn(40))
    shape.back() = random.in(300, 450);
  return shape;
}

/// A kernel with one input and one output that computes as `expected` says,
/// sometimes in place.
template <typename Expected, typename Call>
void runUnary(Random &random, mli_element_type type, const ref::Quant &q,
              const ref::Quant &o, const std::vector<int64_t> &shape,
              Expected expected, Call call) {
  RandomTensor in(random, type, shape);
  RandomTensor out(random, type, shape);
  in.fill(random);
  in.quantise(q);
  out.quantise(o);
  bool isInPlace = random.oneIn(4);
  if (isInPlace) {
    out->data = in->data;
    std::memcpy(out->mem_stride, in->mem_stride, sizeof(in->mem_stride));
  }
  ref::Codes codes = expected(*in, *out);
  SCOPED_TRACE(isInPlace ? "in place" : "apart");
  auto run = [&] { return call(in, out); };
  if (isInPlace)
    expectOnTargets({{in, codes}}, run);
  else
    expectOnTargets({{out, codes}, in}, run);
}

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_UNARYCASE_H
