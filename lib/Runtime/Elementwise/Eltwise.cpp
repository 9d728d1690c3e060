// SPDX-License-Identifier: Apache-2.0
//
// Element-wise add, sub, mul, min and max, with scalars broadcast.

#include "Eltwise.h"

#include "Runtime/Core/Checks.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <algorithm>

namespace mli::rt {
namespace {

bool isSingle(const mli_tensor &tensor) {
  return tensor.rank <= MLI_MAX_RANK && getShape(tensor).isOne();
}

mli_status checkInput(const Argument &in) {
  MLI_CHECK(checkNotNull(in));
  return isSingle(*in) ? checkScalar(in) : checkTensor(in);
}

/// Memory and shapes, where one element is a scalar.
mli_status checkShapes(const Argument &in1, const Argument &in2,
                       const Argument &out) {
  bool isRepeated1 = contract::isRepeated(*in1.contract, getShape(*in1));
  bool isRepeated2 = contract::isRepeated(*in2.contract, getShape(*in2));
  if (!isRepeated1)
    MLI_CHECK(checkMemory(in1));
  if (!isRepeated2)
    MLI_CHECK(checkMemory(in2));
  MLI_CHECK(checkMemory(out));
  if (out->el_type != in1->el_type)
    return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                "expected 'out' to have el_type 0x%x, but got 0x%x",
                static_cast<unsigned>(in1->el_type),
                static_cast<unsigned>(out->el_type));
  if (!isRepeated1 && !isRepeated2)
    MLI_CHECK(checkSameShape(in2, in1));
  OperandKind model = contract::shapeModel(*in1.contract, getShape(*in1));
  MLI_CHECK(checkSameShape(out, model == OperandKind::Other ? in2 : in1));
  return checkHasMemory(out);
}

/// min and max compare quantised values, so operands must have the same format.
mli_status checkSameFormat(const Argument &in1, const Argument &in2) {
  bool same = in1->el_type == in2->el_type;
  if (same && isAsymmetric(in1->el_type))
    same = in1->el_params.sa.dim == in2->el_params.sa.dim;
  if (same && !isPerAxis(*in1))
    same = getParams(*in1) == getParams(*in2);
  if (same)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected 'in2' to have the format of 'in1' (el_type 0x%x), but "
              "got el_type 0x%x or other parameters",
              static_cast<unsigned>(in1->el_type),
              static_cast<unsigned>(in2->el_type));
}

/// Whether all checks but those of shared memory pass, as those of most calls
/// do: maps of one shape without gaps.
bool isPlainCall(const Argument &in1, const Argument &in2, const Argument &out,
                 mli_element_type type) {
  if (!in1.tensor || !in2.tensor || !out.tensor ||
      in2.contract->hasInputFormat(isAsymmetric(type)))
    return false;
  // One element is a scalar.
  uint64_t count = countPlain(*in1);
  if (count < 2)
    return false;
  for (const Argument *tensor : {&in1, &in2, &out})
    if ((*tensor)->el_type != type || (*tensor)->rank != in1->rank ||
        !std::equal(in1->shape, in1->shape + in1->rank, (*tensor)->shape) ||
        countPlain(**tensor) != count || !hasPlainParams(*tensor))
      return false;
  return true;
}

/// Each check, for the reason.
mli_status explainEltwise(const Argument &in1, const Argument &in2,
                          const Argument &out, mli_element_type type) {
  MLI_CHECK(checkInput(in1));
  MLI_CHECK(checkInput(in2));
  MLI_CHECK(checkTensor(out));
  if (in1->rank == 0 && in2->rank == 0)
    return fail(MLI_STATUS_NOT_SUPPORTED,
                "expected 'in1' or 'in2' to have a rank over 0, but got 0");
  MLI_CHECK(checkShapes(in1, in2, out));
  if (in2.contract->hasInputFormat(isAsymmetric(type)))
    MLI_CHECK(checkSameFormat(in1, in2));
  for (Argument tensor : {in1, in2, out})
    MLI_CHECK(checkType(tensor, type));
  for (Argument tensor : {in1, in2, out})
    MLI_CHECK(checkQuantization(tensor));
  for (Argument tensor : {in1, in2, out})
    MLI_CHECK(checkPerTensor(tensor));
  return MLI_STATUS_OK;
}

mli_status checkEltwise(const Argument &in1, const Argument &in2,
                        const Argument &out, mli_element_type type) {
  if (!isPlainCall(in1, in2, out, type))
    MLI_CHECK(explainEltwise(in1, in2, out, type));
  MLI_CHECK(checkSharing(in1, out));
  return checkSharing(in2, out);
}

/// Strides of an operand: all zero repeats a scalar.
Strides operandStrides(const mli_tensor &tensor) {
  return isSingle(tensor) ? Strides{} : getDenseRowStrides(tensor);
}

template <EltwiseOp Op, typename Type>
mli_status eltwise(const Argument &in1, const Argument &in2, mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkEltwise(in1, in2, getOutput(in1, out), Type::type));
  using Code = typename Type::Code;
  EltwiseRows<Op, Type> rows(getParams(*in1), getParams(*in2), getParams(*out));
  Strides strides1 = operandStrides(*in1);
  Strides strides2 = operandStrides(*in2);
  Extents extents = getExtents(isSingle(*in1) ? *in2 : *in1);
  const Code *codes1 = getElements<Code>(*in1);
  const Code *codes2 = getElements<Code>(*in2);
  Code *codes = getElements<Code>(*out);
  std::array<Strides, 3> strides = {strides1, strides2,
                                    getDenseRowStrides(*out)};
  mergeRows(extents, strides);
  forEachRow<3>(extents, strides,
                [&](const Extents &, const std::array<int64_t, 3> &at) {
                  rows(codes1 + at[0], strides1[3], codes2 + at[1], strides2[3],
                       codes + at[2], extents[3]);
                });
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_ELTWISE(name, op, type)                                            \
  mli_status name(MLI_ELTWISE_SIGNATURE(MLI_PARAMETER)) {                      \
    using namespace mli::rt;                                                   \
    return runEntry<types::type>(#name, [&](auto computed) {                   \
      return eltwise<EltwiseOp::op, decltype(computed)>(                       \
          getArgument(Family::Eltwise##op, OperandKind::Input, in1),           \
          getArgument(Family::Eltwise##op, OperandKind::Other, in2), out);     \
    });                                                                        \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
