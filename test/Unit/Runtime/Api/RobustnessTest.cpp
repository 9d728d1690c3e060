// SPDX-License-Identifier: Apache-2.0
//
// Every function of the API with every kind of bad argument: it returns a
// status, and writes nothing.

#include "../TestTensor.h"
#include "ApiFaults.h"

#include <array>
#include <map>
#include <set>

using namespace mli::test;

namespace {

/// Where a call is told that the elements are.
std::vector<const int8_t *> placesOf(const ApiTensors &arguments) {
  std::vector<const int8_t *> result;
  result.reserve(arguments.size());
  for (const mli_tensor *tensor : arguments)
    result.push_back(tensor->data.mem.pi8);
  return result;
}

/// The bytes of all buffers of a call, and what compares them.
class Buffers {
public:
  explicit Buffers(const ApiCall &call) : call(call) {
    for (const ApiTensor &argument : call.tensors)
      before.push_back(argument.tensor->allBytes());
  }
  bool areUnchanged() const {
    for (size_t i = 0; i < before.size(); ++i)
      if (call.tensors[i].tensor->allBytes() != before[i])
        return false;
    return true;
  }

private:
  const ApiCall &call;
  std::vector<std::vector<int8_t>> before;
};

/// Expects a failure of `arguments`.
void expectRefusal(const ApiCall &call, const ApiTensors &arguments,
                   const std::string &what) {
  Buffers buffers(call);
  EXPECT_NE(call.run(arguments, call.pointers), MLI_STATUS_OK)
      << call.name << ": " << what;
  EXPECT_TRUE(buffers.areUnchanged()) << call.name << ": " << what;
}

/// Calls `visit(fault, call, arguments, index)` for each tensor of each
/// function with each fault that is one. A view writes its output's
/// description, which may be anything before, and a question judges nothing.
template <typename Visit>
void forEachFault(Visit visit) {
  std::vector<ApiFault> faults = allFaults();
  for (const ApiCall &call : apiCalls())
    for (size_t i = 0; i < call.tensors.size(); ++i) {
      const ApiTensor &argument = call.tensors[i];
      if (call.kind == ApiKind::Question ||
          (call.kind == ApiKind::View && argument.isOutput))
        continue;
      for (const ApiFault &fault : faults) {
        mli_tensor spoilt = **argument.tensor;
        ApiTensors arguments = call.arguments();
        arguments[i] = &spoilt;
        if (fault.apply(call, argument, spoilt))
          visit(fault, call, arguments, i);
      }
    }
}

TEST(Robustness, AllFunctionsAreInTheTable) {
  std::set<std::string> names;
  for (const ApiCall &call : apiCalls())
    names.insert(call.name);
  // The 156 of the reference, and mli_hlp_subtensor: what the headers declare.
  EXPECT_EQ(names.size(), 157U);
  EXPECT_EQ(apiCalls().size(), 157U);
}

TEST(Robustness, ValidCallsSucceed) {
  for (const ApiCall &call : apiCalls()) {
    Buffers buffers(call);
    std::vector<const int8_t *> places = placesOf(call.arguments());
    EXPECT_EQ(call.run(call.arguments(), call.pointers),
              call.kind == ApiKind::Missing ? MLI_STATUS_NOT_SUPPORTED
                                            : MLI_STATUS_OK)
        << call.name;
    EXPECT_EQ(buffers.areUnchanged(), !call.hasElements()) << call.name;
    if (call.kind != ApiKind::View) {
      EXPECT_EQ(placesOf(call.arguments()), places) << call.name;
    }
  }
}

TEST(Robustness, NullTensors) {
  for (const ApiCall &call : apiCalls())
    for (size_t i = 0; i < call.tensors.size(); ++i) {
      ApiTensors arguments = call.arguments();
      arguments[i] = nullptr;
      expectRefusal(call, arguments, "null argument " + std::to_string(i));
    }
}

TEST(Robustness, NullPointers) {
  for (ApiCall &call : apiCalls())
    for (void *&pointer : call.pointers) {
      void *kept = pointer;
      pointer = nullptr;
      expectRefusal(call, call.arguments(), "a null pointer");
      pointer = kept;
    }
}

TEST(Robustness, BadTensors) {
  forEachFault([](const ApiFault &fault, const ApiCall &call,
                  const ApiTensors &arguments, size_t index) {
    expectRefusal(call, arguments,
                  "argument " + std::to_string(index) + " with " + fault.name);
  });
}

/// Makes a kernel that can work along an axis take the whole tensor.
bool takeWhole(ApiCall &call) {
  for (const char *name : {"prelu", "softmax", "l2_normalize", "argmax"})
    if (std::string(call.name).find(name) != std::string::npos) {
      // All of their configurations begin with it.
      int32_t axis = -1;
      std::memcpy(call.pointers.back(), &axis, sizeof(axis));
      return true;
    }
  return false;
}

/// Calls `visit(arguments)` with the tensors as they are and with one element
/// each, of which any have rank 0 and hold a pointer nevertheless.
template <typename Visit>
void forEachChoiceOfScalars(const ApiCall &call, Visit visit) {
  for (bool isSingle : {false, true})
    for (size_t scalars = 0; scalars >> call.tensors.size() == 0; ++scalars) {
      std::vector<mli_tensor> tensors;
      tensors.reserve(call.tensors.size());
      for (const ApiTensor &argument : call.tensors)
        tensors.push_back(**argument.tensor);
      ApiTensors arguments;
      for (mli_tensor &tensor : tensors) {
        if (isSingle) {
          tensor.rank = 1;
          tensor.shape[0] = 1;
          tensor.mem_stride[0] = 1;
        }
        if ((scalars >> arguments.size() & 1) != 0)
          tensor.rank = 0;
        arguments.push_back(&tensor);
      }
      visit(arguments);
    }
}

/// A result is no value in its tensor: whatever succeeds writes to memory.
// K66
TEST(Robustness, OutputsKeepTheirPlace) {
  for (ApiCall &call : apiCalls()) {
    if (!call.hasElements())
      continue;
    for (bool isWhole : {false, true}) {
      if (isWhole && !takeWhole(call))
        continue;
      forEachChoiceOfScalars(call, [&](const ApiTensors &arguments) {
        std::vector<const int8_t *> places = placesOf(arguments);
        call.run(arguments, call.pointers);
        EXPECT_EQ(placesOf(arguments), places) << call.name;
      });
    }
  }
}

/// Types without a size in all arguments at once agree with each other.
TEST(Robustness, TypesWithoutASize) {
  for (mli_element_type type : {MLI_EL_FX_4, MLI_EL_FP_16}) {
    for (ApiCall &call : apiCalls()) {
      if (!call.hasElements())
        continue;
      for (ApiTensor &argument : call.tensors)
        (*argument.tensor)->el_type = type;
      expectRefusal(call, call.arguments(), "types without a size");
    }
  }
}

// K55
TEST(Robustness, OutputsThatOverlapInputs) {
  for (const ApiCall &call : apiCalls())
    for (size_t o = 0; o < call.tensors.size(); ++o)
      for (size_t i = 0; i < call.tensors.size(); ++i) {
        if (!call.tensors[o].isOutput || i == o || !call.hasElements())
          continue;
        // Both lie in one buffer that holds either, one element apart.
        std::vector<int32_t> memory(4096, 0x5a5a5a5a);
        mli_tensor out = **call.tensors[o].tensor;
        mli_tensor in = **call.tensors[i].tensor;
        in.data.mem.pi32 = memory.data();
        out.data.mem.pi32 = memory.data();
        out.data.mem.pi8 += mli_hlp_tensor_element_size(&out);
        if (in.data.capacity <= mli_hlp_tensor_element_size(&out))
          out.data.mem.pi8 = in.data.mem.pi8;
        std::vector<int32_t> before = memory;
        ApiTensors arguments = call.arguments();
        arguments[o] = &out;
        arguments[i] = &in;
        expectRefusal(call, arguments,
                      "output " + std::to_string(o) + " on input " +
                          std::to_string(i));
        EXPECT_EQ(memory, before) << call.name;
      }
}

/// Sets what lies beyond the ranks of all tensors.
void fillBeyondRanks(const ApiTensors &tensors, uint32_t filler) {
  for (mli_tensor *tensor : tensors)
    for (uint32_t i = tensor->rank; i < MLI_MAX_RANK; ++i) {
      tensor->shape[i] = filler;
      tensor->mem_stride[i] = static_cast<int32_t>(filler);
    }
}

constexpr uint32_t fillers[] = {0, 1, 3, 0x7fffffff, 0xdeadbeef};

/// The bytes of all buffers after a valid call whose tensors have `filler`
/// beyond their ranks.
std::vector<std::vector<int8_t>> resultWith(ApiCall &call, uint32_t filler) {
  fillBeyondRanks(call.arguments(), filler);
  mli_status status = call.run(call.arguments(), call.pointers);
  EXPECT_EQ(status == MLI_STATUS_OK, call.kind != ApiKind::Missing)
      << call.name;
  std::vector<std::vector<int8_t>> result;
  result.reserve(call.tensors.size());
  for (const ApiTensor &argument : call.tensors)
    result.push_back(argument.tensor->allBytes());
  return result;
}

// K57
TEST(Robustness, WhatLiesBeyondTheRankDoesNotMatter) {
  for (uint32_t filler : fillers) {
    std::vector<ApiCall> zeros = apiCalls();
    std::vector<ApiCall> calls = apiCalls();
    for (size_t i = 0; i < calls.size(); ++i)
      EXPECT_EQ(resultWith(calls[i], filler), resultWith(zeros[i], 0))
          << calls[i].name;
  }
}

/// What calls tell of themselves with `filler` beyond the ranks, of which one
/// is lowered, by what is called.
std::map<std::string, std::string> messagesWith(uint32_t filler) {
  std::map<std::string, std::string> result;
  Messages messages;
  for (const ApiCall &call : apiCalls())
    for (size_t i = 0; i < call.tensors.size(); ++i)
      for (uint32_t rank : {1U, 2U}) {
        const ApiTensor &argument = call.tensors[i];
        // The strides that a move finds are those for the rank it writes.
        if (call.describes(argument))
          continue;
        std::vector<mli_tensor> kept;
        for (const mli_tensor *tensor : call.arguments())
          kept.push_back(*tensor);
        uint32_t &own = argument.tensor->tensor.rank;
        own = std::min(rank, own);
        fillBeyondRanks(call.arguments(), filler);
        messages.last.clear();
        mli_status status = call.run(call.arguments(), call.pointers);
        result[call.name + (" " + std::to_string(i)) + " of rank " +
               std::to_string(rank)] =
            mli_status_name(status) + (" " + messages.last);
        for (size_t k = 0; k < kept.size(); ++k)
          call.tensors[k].tensor->tensor = kept[k];
      }
  return result;
}

// K57
TEST(Robustness, WhatLiesBeyondALowRankDoesNotMatter) {
  std::map<std::string, std::string> zeros = messagesWith(0);
  for (uint32_t filler : fillers)
    EXPECT_EQ(messagesWith(filler), zeros) << filler;
}

TEST(Robustness, TablesThatAreNotTables) {
  using Spoil = void (*)(mli_lut &);
  const std::pair<const char *, Spoil> spoils[] = {
      {"no entries", [](mli_lut &lut) { lut.length = 0; }},
      {"length -1", [](mli_lut &lut) { lut.length = -1; }},
      {"null", [](mli_lut &lut) { lut.data.mem.pi8 = nullptr; }},
      {"odd data", [](mli_lut &lut) { ++lut.data.mem.pi8; }},
      {"a small capacity",
       [](mli_lut &lut) {
         lut.data.capacity = static_cast<uint32_t>(2 * lut.length - 1);
       }},
      {"another type", [](mli_lut &lut) { lut.type = MLI_EL_FX_8; }}};
  for (ApiCall &call : apiCalls())
    for (size_t index : call.tables) {
      auto &lut = *static_cast<mli_lut *>(call.pointers[index]);
      mli_lut kept = lut;
      for (const auto &[what, spoil] : spoils) {
        spoil(lut);
        expectRefusal(call, call.arguments(), what);
        lut = kept;
      }
    }
}

TEST(Robustness, AnyFractionBitsOfATable) {
  for (ApiCall &call : apiCalls())
    for (size_t index : call.tables)
      for (int32_t bits : {INT32_MIN, -40, 40, INT32_MAX}) {
        auto &lut = *static_cast<mli_lut *>(call.pointers[index]);
        lut.in_frac_bits = lut.out_frac_bits = lut.input_offset = bits;
        ApiTensors arguments = call.arguments();
        EXPECT_EQ(call.run(arguments, call.pointers), MLI_STATUS_OK)
            << call.name << ", " << bits;
      }
}

TEST(Robustness, TablesToFill) {
  std::vector<int16_t> values(400);
  auto expectRefused = [](mli_status (*create)(mli_lut *), mli_lut lut,
                          mli_status status) {
    mli_lut before;
    std::memcpy(&before, &lut, sizeof(lut));
    EXPECT_EQ(create(&lut), status);
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): each byte stays.
    EXPECT_EQ(std::memcmp(&before, &lut, sizeof(lut)), 0);
  };
#define MLI_LUT(name, function)                                                \
  {                                                                            \
    mli_lut lut;                                                               \
    std::memset(&lut, 0x5a, sizeof(lut));                                      \
    lut.data.capacity = static_cast<uint32_t>(name##_get_lut_size()) - 1;      \
    expectRefused(name##_create_lut, lut, MLI_STATUS_NOT_ENGH_MEM);            \
    ++lut.data.capacity;                                                       \
    lut.data.mem.pi8 = nullptr;                                                \
    expectRefused(name##_create_lut, lut, MLI_STATUS_BAD_FUNC_CFG);            \
    lut.data.mem.pi16 = values.data();                                         \
    ++lut.data.mem.pi8;                                                        \
    expectRefused(name##_create_lut, lut, MLI_STATUS_MISALIGNMENT_ERROR);      \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
}

TEST(Robustness, ParametersBeyondTheAxis) {
  Random random(21);
  RandomTensor tensor(random, MLI_EL_SA_8, {2, 3});
  tensor.quantise(1, {{5, 1, 2}, {6, 1, 2}, {7, 1, 2}});
  EXPECT_EQ(mli_hlp_tensor_scale(tensor, 2), 7);
  EXPECT_EQ(mli_hlp_tensor_scale(tensor, 3), 0);
  EXPECT_EQ(mli_hlp_tensor_scale_shift(tensor, 3), 0);
  EXPECT_EQ(mli_hlp_tensor_zero_offset(tensor, 3), 0);
  tensor->el_params.sa.dim = 9;
  EXPECT_EQ(mli_hlp_tensor_scale(tensor, 0), 0);
}

/// Arrays in memory of exactly their entries, which sanitizers look after.
// H6
TEST(Robustness, ParametersBeyondTheArrays) {
  std::vector<int16_t> scales(2, 5);
  std::vector<int16_t> zeroPoints(2, 6);
  std::vector<int8_t> fracBits(2, 7);
  Random random(23);
  RandomTensor tensor(random, MLI_EL_SA_8, {8});
  auto &sa = tensor->el_params.sa;
  sa.dim = 0;
  sa.scale.capacity = sa.zero_point.capacity = 4;
  sa.scale_frac_bits.capacity = 2;
  sa.scale.mem.pi16 = scales.data();
  sa.zero_point.mem.pi16 = zeroPoints.data();
  sa.scale_frac_bits.mem.pi8 = fracBits.data();
  auto expectAll = [&](uint32_t index, std::array<int, 3> values) {
    EXPECT_EQ(mli_hlp_tensor_scale(tensor, index), values[0]) << index;
    EXPECT_EQ(mli_hlp_tensor_zero_offset(tensor, index), values[1]) << index;
    EXPECT_EQ(mli_hlp_tensor_scale_shift(tensor, index), values[2]) << index;
  };
  expectAll(1, {5, 6, 7});
  for (uint32_t index = 2; index < 9; ++index)
    expectAll(index, {0, 0, 0});
  // Each array counts, and one that is larger than it says ends where it says.
  for (mli_data_container *array :
       {&sa.scale, &sa.zero_point, &sa.scale_frac_bits}) {
    mli_data_container whole = *array;
    --array->capacity;
    expectAll(1, {0, 0, 0});
    expectAll(0, {5, 6, 7});
    *array = whole;
  }
  ++sa.zero_point.mem.pi8;
  expectAll(0, {0, 0, 0});
}

TEST(Robustness, StridesOfHugeShapes) {
  Random random(22);
  RandomTensor tensor(random, MLI_EL_FX_8, {1, 1, 1, 1});
  for (uint32_t &extent : tensor->shape)
    extent = UINT32_MAX;
  mli_hlp_set_tensor_mem_strides(tensor);
  EXPECT_EQ(tensor->mem_stride[2], -1);
  EXPECT_EQ(tensor->mem_stride[0], -1);
}

} // namespace
