// SPDX-License-Identifier: Apache-2.0
//
// Reads the description of a tensor.

#include "Elements.h"
#include "Spec.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;

namespace mli::golden {

// The template for optional values looks for it here.
static bool read(const json::Value &value, const Place &place,
                 mli_element_type &target) {
  std::optional<StringRef> name = value.getAsString();
  std::optional<mli_element_type> type =
      name ? elementTypeOf(*name) : std::nullopt;
  if (!type)
    return place.reject("be one of fx4, fx8, fx16, sa8, sa32, fp16 and fp32",
                        &value);
  target = *type;
  return true;
}

/// The lists of parameters are there together, with equal lengths.
static bool checkParameters(const TensorSpec &spec, const Place &place) {
  size_t entries = spec.scale ? spec.scale->size() : 0;
  for (auto [name, list] : {std::pair("zero_point", &spec.zeroPoint),
                            std::pair("scale_frac_bits", &spec.scaleFracBits)})
    if (size_t found = *list ? (*list)->size() : 0; found != entries) {
      json::Value count = static_cast<int64_t>(found);
      return place.field(name).reject(
          "have as many entries as 'scale', " + Twine(entries), &count);
    }
  json::Value none = json::Array();
  if (spec.scale && entries == 0)
    return place.field("scale").reject("have entries", &none);
  return true;
}

/// What an element of `type` can hold. Bytes of other types are not looked at.
static Range elementRange(mli_element_type type) {
  switch (type) {
  case MLI_EL_FX_16:
    return getRange<int16_t>;
  case MLI_EL_SA_32:
    return getRange<int32_t>;
  default:
    return getRange<int8_t>;
  }
}

static bool checkData(const TensorSpec &spec, const Place &place) {
  const std::vector<double> &data = *spec.data;
  uint64_t elements = countOf(spec.shape.value_or(Integers()));
  json::Value count = static_cast<int64_t>(data.size());
  if (spec.scalar && data.size() > 1)
    return place.reject("have one entry as a scalar", &count);
  if (spec.shape && !spec.scalar && !data.empty() && data.size() != elements)
    return place.reject(
        "have as many entries as 'shape' says, " + Twine(elements), &count);
  if (!spec.elType || *spec.elType == MLI_EL_FP_32)
    return true;
  Range range = elementRange(*spec.elType);
  for (const auto &[i, number] : enumerate(data))
    if (number != std::rint(number) || number < double(range.least) ||
        number > double(range.most)) {
      json::Value found = number;
      return place.index(i).reject("be an integer in [" + Twine(range.least) +
                                       ", " + Twine(range.most) + "]",
                                   &found);
    }
  return true;
}

static bool check(const TensorSpec &spec, const json::Value &value,
                  const Place &place) {
  if (!checkParameters(spec, place))
    return false;
  if (spec.data && !checkData(spec, place.field("data")))
    return false;
  if (!spec.shape || spec.scalar || spec.nullData)
    return true;
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): set below.
  mli_tensor typed = {};
  typed.el_type = spec.elType.value_or(MLI_EL_FX_8);
  Integers strides =
      completeStrides(*spec.shape, spec.memStride.value_or(Integers()));
  uint64_t span = SaturatingMultiply<uint64_t>(getSpan(*spec.shape, strides),
                                               elementBytes(typed));
  const json::Object &object = *value.getAsObject();
  if (span > static_cast<uint64_t>(largestBuffer))
    return place.field("shape").reject(
        "need at most " + Twine(largestBuffer) + " bytes", object.get("shape"));
  if (spec.data && spec.capacity && *spec.capacity < static_cast<int64_t>(span))
    return place.field("capacity")
        .reject("be at least " + Twine(span) + " for 'data'",
                object.get("capacity"));
  auto isNegative = [](int64_t stride) { return stride < 0; };
  if (spec.data && spec.memStride && any_of(*spec.memStride, isNegative))
    return place.field("mem_stride")
        .reject("be at least 0 for 'data'", object.get("mem_stride"));
  return true;
}

bool read(const json::Value &value, const Place &place, TensorSpec &spec) {
  Range any;
  size_t rank = MLI_MAX_RANK;
  // `quant_arrays_prefill`: the parameter arrays of an output before a move.
  auto readArrays = [&](const json::Value &arrays, const Place &at) {
    return Fields(arrays, at)
        .required("scale", spec.scale, getRange<int16_t>)
        .required("scale_frac_bits", spec.scaleFracBits, getRange<int8_t>)
        .required("zero_point", spec.zeroPoint, getRange<int16_t>)
        .end();
  };
  bool isRead =
      Fields(value, place)
          .optional("el_type", spec.elType)
          .optional("rank", spec.rank, getRange<uint32_t>)
          .optional("shape", spec.shape, getRange<uint32_t>, rank)
          .optional("mem_stride", spec.memStride, getRange<int32_t>, rank)
          .optional("capacity", spec.capacity, getRange<uint32_t>)
          .optional("frac_bits", spec.fracBits, getRange<int8_t>)
          .optional("scale", spec.scale, getRange<int16_t>)
          .optional("scale_frac_bits", spec.scaleFracBits, getRange<int8_t>)
          .optional("zero_point", spec.zeroPoint, getRange<int16_t>)
          .optional("dim", spec.dim, getRange<int32_t>)
          .optional("data", spec.data)
          .optional("scalar", spec.scalar)
          .optional("null_data", spec.nullData)
          .optional("overlap", spec.overlap)
          .optional("quant_capacity", spec.quantCapacity, getRange<uint32_t>)
          .optional("prefill_byte", spec.prefillByte, getRange<uint8_t>)
          .optional("quant_out", spec.quantOut)
          .optional("offset_bytes", spec.offsetBytes, any)
          .optional("quant_array_offset_elems", spec.quantArrayOffset, any)
          .with("quant_arrays_prefill", false, readArrays)
          .remark("el_params")
          .end();
  return isRead && check(spec, value, place);
}

bool read(const json::Value &value, const Place &place, TensorSpecs &specs) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return place.reject("be an object", &value);
  for (const auto &[name, tensor] : *object)
    if (!read(tensor, place.field(name), specs[name.str()]))
      return false;
  return true;
}

} // namespace mli::golden
