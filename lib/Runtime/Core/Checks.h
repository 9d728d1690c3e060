// SPDX-License-Identifier: Apache-2.0
//
// The rules about arguments, one function each; kernels put them together in
// the order that decides which status is returned. Every function returns
// MLI_STATUS_OK or the status that its comment names, with a message.

#ifndef MLI_LIB_RUNTIME_CORE_CHECKS_H
#define MLI_LIB_RUNTIME_CORE_CHECKS_H

#include "Argument.h"
#include "Mode.h"
#include "Tensor.h"
#include "Types.h"
#include "mli/Contract/Memory.h"
#include "mli/Contract/Shapes.h"

#include <cstring>
#include <initializer_list>

/// Returns from the enclosing function with the status of a failed check.
#define MLI_CHECK(check)                                                       \
  do {                                                                         \
    if (mli_status checkStatus = (check); checkStatus != MLI_STATUS_OK)        \
      return checkStatus;                                                      \
  } while (false)

namespace mli::rt {

using contract::Family;
using contract::OperandKind;

/// The argument of kernels of `family` that has that role.
inline Argument getArgument(Family family, OperandKind role,
                            const mli_tensor *tensor) {
  const contract::Tensor *contract = contract::findTensor(family, role);
  return {tensor, contract->argument, contract};
}

/// The output that goes with an input of a kernel.
inline Argument getOutput(const Argument &in, const mli_tensor *out) {
  return getArgument(in.contract->family, OperandKind::Init, out);
}

/// BAD_TENSOR if the pointer is null.
mli_status checkNotNull(const Argument &tensor);

/// BAD_TENSOR if dimension `dim`, which is below the rank, has no entries or
/// more than 2^31 - 1.
mli_status checkSize(const Argument &tensor, uint32_t dim);

/// BAD_TENSOR if pointer or data is null, if the rank is over four, or if
/// shape and strides are not those of a row-major view; NOT_ENGH_MEM if the
/// view exceeds the capacity; MISALIGNMENT_ERROR if the data does not lie at a
/// multiple of the element size.
mli_status checkTensor(const Argument &tensor);

/// The elements of a tensor without gaps that passes checkTensor, by a few
/// comparisons: checks that report errors take long compared with small calls.
/// 0 of others, and of some that pass, too.
uint64_t countPlain(const mli_tensor &tensor);

/// MISALIGNMENT_ERROR if `pointer` is no multiple of `size`.
mli_status checkAlignment(const char *name, const void *pointer, uint32_t size);

/// Checks sa tensors: BAD_TENSOR if the axis, the capacities of the containers
/// or a scale are wrong; INCOMPATEBLE if a zero point is none of `zeroPoints`,
/// which are those of the contract where none are given.
mli_status checkQuantization(const Argument &tensor,
                             const contract::Range &zeroPoints);
mli_status checkQuantization(const Argument &tensor);

/// Whether a tensor without an axis passes checkQuantization, by a few
/// comparisons. False of others, which may pass, too.
bool hasPlainParams(const Argument &tensor);

/// BAD_TENSOR if a tensor that is quantised along an axis lacks entries for it.
mli_status checkAxisArrays(const Argument &tensor);

/// MISALIGNMENT_ERROR if parameter arrays do not lie at multiples of the sizes
/// of their entries.
mli_status checkArrayAlignment(const Argument &tensor);

/// A rank of 0, or a tensor of one element; else SHAPE_MISMATCH.
mli_status checkScalar(const Argument &tensor);

/// SHAPE_MISMATCH if the rank is 0: what is written or moved is memory, and a
/// scalar has none.
mli_status checkHasMemory(const Argument &tensor);

/// Whether two buffers have bytes in common.
bool shareBytes(const mli_data_container &a, const mli_data_container &b);

/// INCOMPATEBLE if they do.
mli_status checkNoOverlap(const Argument &a, const Argument &b);
mli_status checkNoOverlap(const Argument &a,
                          const mli_data_container &container,
                          const char *name);

/// The same of the bytes of the views, which buffers may have around them.
mli_status checkNoAlias(const Argument &a, const Argument &b);

/// INCOMPATEBLE if two views share bytes, unless they are the same view.
mli_status checkSameOrNoAlias(const Argument &in, const Argument &out);

/// INCOMPATEBLE if a tensor shares more with one that the kernel writes than
/// the contract allows. Tensors without a contract must not overlap.
mli_status checkSharing(const Argument &tensor, const Argument &written);

/// INCOMPATEBLE if the innermost stride is not 1.
mli_status checkInnerStride(const Argument &tensor);

/// INCOMPATEBLE if there are gaps.
mli_status checkContiguous(const Argument &tensor);

/// Checks the strides that the contract requires.
mli_status checkMemory(const Argument &tensor);

/// TYPE_MISMATCH.
mli_status checkType(const Argument &tensor, mli_element_type type);
mli_status checkSameType(const Argument &tensor, const Argument &model);
mli_status checkTypes(const Argument &in, const Argument &weights,
                      const Argument &bias, const TypeCombination &types);

/// SHAPE_MISMATCH.
mli_status checkRank(const Argument &tensor, uint32_t rank);
mli_status checkExtent(const Argument &tensor, uint32_t dim, uint64_t expected);
mli_status checkSameShape(const Argument &tensor, const Argument &model);

/// The shape of a tensor for its contract.
inline contract::Shape<uint32_t> getShape(const mli_tensor &tensor) {
  return {tensor.rank, tensor.shape};
}

/// Shape and strides as contracts query them.
struct SizeOf {
  const mli_tensor &tensor;
  uint32_t operator()(uint32_t dim) const { return tensor.shape[dim]; }
};
struct StrideOf {
  const mli_tensor &tensor;
  int32_t operator()(uint32_t dim) const { return tensor.mem_stride[dim]; }
};

/// The innermost dimension after which there is a gap; the rank is valid.
inline std::optional<contract::StrideViolation>
findGap(const mli_tensor &tensor) {
  return contract::findGap(tensor.rank, SizeOf{tensor}, StrideOf{tensor});
}

/// The axis of its parameters as contracts have it, whatever negative number
/// stands for none.
inline int32_t getParamsAxis(const mli_tensor &tensor) {
  return isPerAxis(tensor) ? tensor.el_params.sa.dim
                           : int32_t{contract::PerTensor};
}

/// The first dimension of a tensor, of the rank of its contract, that differs
/// from `sizes` or the contract.
std::optional<contract::Mismatch> matchShape(const Argument &tensor,
                                             contract::Sizes &sizes);

/// SHAPE_MISMATCH if a tensor has not the rank of its contract, then if a
/// dimension differs from `sizes` or the contract.
mli_status checkShapes(std::initializer_list<Argument> tensors,
                       contract::Sizes &sizes);

/// INCOMPATEBLE if an sa tensor is quantised along an axis.
mli_status checkPerTensor(const Argument &tensor);

/// BAD_FUNC_CFG if the pointer is null.
mli_status checkConfig(const void *config, const char *name = "cfg");

/// BAD_FUNC_CFG if a member of a configuration is no enumerator from 0 to
/// `last`.
mli_status checkEnumerator(const char *name, int32_t value, int32_t last);
template <typename Enum>
mli_status checkEnumerator(const char *name, const Enum &value, Enum last) {
  // As bytes: not all that there can be are values of the type.
  int32_t number;
  static_assert(sizeof(number) == sizeof(value));
  std::memcpy(&number, &value, sizeof(number));
  return checkEnumerator(name, number, static_cast<int32_t>(last));
}

/// BAD_FUNC_CFG if a configuration names a dimension that `in` does not have;
/// negative axes pass.
mli_status checkAxisInRank(const Argument &in, int32_t axis);

/// The usual start of a kernel without weights: TENSOR in and out, same type,
/// same shape, a rank over 0, innermost strides 1, and the same or separate
/// memory.
mli_status checkUnary(const Argument &in, const Argument &out);

/// Bytes of the view from the first to the last element.
uint64_t viewBytes(const mli_tensor &tensor);

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CORE_CHECKS_H
