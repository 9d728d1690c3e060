// SPDX-License-Identifier: Apache-2.0
//
// In which modes packed layers run, and for which tensors.

#include "Packed.h"
#include "Runtime/Convolution/Convolution.h"
#include "Runtime/Convolution/Simd/MatrixView.h"

#include <algorithm>
#include <cinttypes>

namespace mli::rt::simd {

bool arePackedModes(mli_element_type type) {
  bool isFull =
      type == MLI_EL_SA_8 && accumulatesFully(MLI_ACCUMULATE_FULL_PRODUCTS);
  return currentRounding() == quant::Rounding::Up && !isFull;
}

mli_status checkPackedModes(mli_element_type type) {
  if (arePackedModes(type))
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_NOT_SUPPORTED,
              "expected rounding up and narrow accumulation, which packed "
              "layers have, but got other modes");
}

mli_status checkPackedContainer(const mli_data_container *packed) {
  if (!packed)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'packed' to be a container, but got null");
  return MLI_STATUS_OK;
}

mli_status rejectPackedHeader(uint64_t bytes) {
  return fail(MLI_STATUS_BAD_FUNC_CFG,
              "expected 'packed' to have the header of a packed layer of "
              "%" PRIu64 " bytes, but got another",
              bytes);
}

/// SHAPE_MISMATCH or INCOMPATEBLE if a map, of rank 3, is not what was packed.
static mli_status checkMap(const Argument &tensor, const PackedMap &map,
                           mli_element_type type) {
  for (uint32_t i = 0; i < 3; ++i)
    if (tensor->shape[i] != map.shape[i])
      return fail(MLI_STATUS_SHAPE_MISMATCH,
                  "expected '%s' to have extent %" PRIu32
                  " as packed, but got %" PRIu32,
                  tensor.name, map.shape[i], tensor->shape[i]);
  if (tensor->el_type == type && !isPerAxis(*tensor) &&
      getParams(*tensor) == map.params)
    return MLI_STATUS_OK;
  return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
              "expected '%s' to have the format that was packed (el_type "
              "0x%x), but got el_type 0x%x or other parameters",
              tensor.name, static_cast<unsigned>(type),
              static_cast<unsigned>(tensor->el_type));
}

/// Whether `tensor`, one as most are, passes all checks of a tensor alone.
static bool isPlainMap(const mli_tensor &tensor, const PackedMap &map,
                       const PackedMaps &maps) {
  uint64_t elements = countPlain(tensor);
  bool hasShape =
      maps.areVectors
          ? elements == map.shape[2]
          : tensor.rank == 3 &&
                std::equal(map.shape.begin(), map.shape.end(), tensor.shape);
  return elements != 0 && hasShape && tensor.el_type == maps.type &&
         !isPerAxis(tensor) && getParams(tensor) == map.params;
}

/// Each check, for the reason.
static mli_status explainMaps(const Argument &in, const Argument &out,
                              const PackedMaps &maps) {
  for (Argument tensor : {in, out}) {
    MLI_CHECK(checkTensor(tensor));
    MLI_CHECK(checkInnerStride(tensor));
  }
  MLI_CHECK(checkNoOverlap(in, out));
  for (Argument tensor : {in, out})
    MLI_CHECK(maps.areVectors ? checkContiguous(tensor) : checkRank(tensor, 3));
  mli_tensor input = maps.areVectors ? vectorView(*in) : *in;
  mli_tensor output = maps.areVectors ? vectorView(*out) : *out;
  MLI_CHECK(checkMap({&input, in.name}, maps.in, maps.type));
  return checkMap({&output, out.name}, maps.out, maps.type);
}

mli_status checkPackedMaps(const Argument &in, const Argument &out,
                           const PackedMaps &maps) {
  if (in.tensor && out.tensor && isPlainMap(*in, maps.in, maps) &&
      isPlainMap(*out, maps.out, maps))
    return checkNoOverlap(in, out);
  return explainMaps(in, out, maps);
}

mli_status checkPackedRows(const Argument &in, const Argument &out,
                           PackedMaps maps,
                           const contract::WindowAxis &window) {
  // Without a tensor, or with one of another rank, the maps are rejected.
  if (in.tensor)
    maps.in.shape[0] = in->shape[0];
  if (out.tensor)
    maps.out.shape[0] = out->shape[0];
  MLI_CHECK(checkPackedMaps(in, out, maps));
  return checkRows({window, in->shape[0], out->shape[0]});
}

} // namespace mli::rt::simd
