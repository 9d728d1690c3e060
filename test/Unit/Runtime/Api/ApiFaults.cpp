// SPDX-License-Identifier: Apache-2.0

#include "ApiFaults.h"

namespace mli::test {
namespace {

bool isNamed(const ApiCall &call, const char *part) {
  return std::string(call.name).find(part) != std::string::npos;
}

/// Whether the argument may be a scalar that holds its value: an operand of an
/// element-wise operation, or the slope of a leaky relu.
bool takesScalar(const ApiCall &call, const ApiTensor &argument) {
  bool isSlope = isNamed(call, "leaky_relu") && (*argument.tensor)->rank == 1;
  return !argument.isOutput && (isSlope || isNamed(call, "eltwise"));
}

/// Whether the argument is the output of a cell, which describes it.
bool isCellOutput(const ApiCall &call, const ApiTensor &argument) {
  return argument.isOutput && isNamed(call, "_cell_") &&
         &argument == &call.tensors.back();
}

void addShapeFaults(std::vector<ApiFault> &faults) {
  // K66
  faults.push_back(
      {"rank 0", [](const ApiCall &call, const ApiTensor &a, mli_tensor &t) {
         t.rank = 0;
         return !call.describes(a) && !takesScalar(call, a) &&
                !isCellOutput(call, a);
       }});
  for (uint32_t rank : {5U, UINT32_MAX})
    faults.push_back(
        {"rank " + std::to_string(rank),
         [=](const ApiCall &call, const ApiTensor &a, mli_tensor &t) {
           t.rank = rank;
           return !call.describes(a);
         }});
  for (uint32_t dim = 0; dim < MLI_MAX_RANK; ++dim) {
    std::string index = "[" + std::to_string(dim) + "] ";
    for (uint32_t extent : {0U, 0x80000000U, UINT32_MAX})
      faults.push_back(
          {"shape" + index + std::to_string(extent),
           [=](const ApiCall &call, const ApiTensor &a, mli_tensor &t) {
             t.shape[dim] = extent;
             return dim < t.rank && !call.describes(a);
           }});
    for (int32_t stride : {-1, INT32_MIN})
      faults.push_back({"mem_stride" + index + std::to_string(stride),
                        [=](const ApiCall &, const ApiTensor &, mli_tensor &t) {
                          t.mem_stride[dim] = stride;
                          return dim < t.rank;
                        }});
  }
  faults.push_back({"a row stride of 1",
                    [](const ApiCall &, const ApiTensor &, mli_tensor &t) {
                      t.mem_stride[0] = 1;
                      return t.rank > 1 && t.shape[1] > 1;
                    }});
}

void addDataFaults(std::vector<ApiFault> &faults) {
  faults.push_back(
      {"null data", [](const ApiCall &, const ApiTensor &, mli_tensor &t) {
         t.data.mem.pi8 = nullptr;
         return true;
       }});
  for (bool isHuge : {false, true})
    faults.push_back({isHuge ? "a huge capacity" : "a small capacity",
                      [=](const ApiCall &, const ApiTensor &, mli_tensor &t) {
                        t.data.capacity =
                            isHuge ? 0x80000000U : t.data.capacity - 1;
                        return true;
                      }});
  // K56
  faults.push_back({"misaligned data",
                    [](const ApiCall &, const ApiTensor &, mli_tensor &t) {
                      ++t.data.mem.pi8;
                      return mli_hlp_tensor_element_size(&t) > 1;
                    }});
}

constexpr mli_element_type allTypes[] = {
    MLI_EL_FX_4,  MLI_EL_FX_8,  MLI_EL_FX_16, MLI_EL_SA_8,
    MLI_EL_SA_32, MLI_EL_FP_16, MLI_EL_FP_32, mli_element_type(0x7777)};

void addFormatFaults(std::vector<ApiFault> &faults) {
  for (mli_element_type type : allTypes)
    faults.push_back(
        {"type " + std::to_string(type),
         [=](const ApiCall &call, const ApiTensor &a, mli_tensor &t) {
           bool isOther = t.el_type != type;
           t.el_type = type;
           if (!call.takesAnyType())
             return isOther;
           return mli_hlp_tensor_element_size(&t) == 0 && !a.isOutput;
         }});
  // Moves and conversions take any scale; argmax and permute read none.
  auto isJudged = [](const ApiCall &call, const ApiTensor &a, mli_tensor &t) {
    bool isConvolution = isNamed(call, "conv");
    return t.el_type == MLI_EL_SA_8 && !call.takesAnyType() &&
           (!a.isOutput || isConvolution);
  };
  faults.push_back(
      {"an axis beyond the rank",
       [=](const ApiCall &call, const ApiTensor &a, mli_tensor &t) {
         t.el_params.sa.dim = 7;
         return isJudged(call, a, t);
       }});
  faults.push_back(
      {"null parameter arrays",
       [=](const ApiCall &call, const ApiTensor &a, mli_tensor &t) {
         auto &sa = t.el_params.sa;
         sa.dim = 0;
         for (auto *container :
              {&sa.scale, &sa.zero_point, &sa.scale_frac_bits})
           *container = {1024, {nullptr}};
         return isJudged(call, a, t);
       }});
}

/// Arrays that lie nowhere: whoever reads them crashes.
void quantiseNowhere(mli_tensor &t, int shorter) {
  t.el_type = MLI_EL_SA_8;
  auto &sa = t.el_params.sa;
  sa.dim = 0;
  mli_data_container *arrays[] = {&sa.scale, &sa.zero_point,
                                  &sa.scale_frac_bits};
  for (mli_data_container *array : arrays) {
    uint32_t size = array == &sa.scale_frac_bits ? 1 : 2;
    array->capacity = size * t.shape[0];
    // NOLINTNEXTLINE(performance-no-int-to-ptr): no memory is there.
    array->mem.pi8 = reinterpret_cast<int8_t *>(uintptr_t{64});
  }
  --arrays[shorter]->capacity;
}

void addArrayFaults(std::vector<ApiFault> &faults) {
  for (int shorter = 0; shorter < 3; ++shorter)
    faults.push_back(
        {"parameter array " + std::to_string(shorter) + " too short",
         [=](const ApiCall &call, const ApiTensor &a, mli_tensor &t) {
           // Most outputs are described anew, and pointers only copied.
           bool isRead = !a.isOutput || call.kind == ApiKind::Convert;
           bool isCopied =
               std::string(call.name) == "mli_hlp_point_to_subtensor";
           bool isJudged = t.el_type == MLI_EL_SA_8 || call.takesAnyType();
           quantiseNowhere(t, shorter);
           return isJudged && isRead && !isCopied && t.rank > 0;
         }});
}

} // namespace

std::vector<ApiFault> allFaults() {
  std::vector<ApiFault> faults;
  addShapeFaults(faults);
  addDataFaults(faults);
  addFormatFaults(faults);
  addArrayFaults(faults);
  return faults;
}

} // namespace mli::test
