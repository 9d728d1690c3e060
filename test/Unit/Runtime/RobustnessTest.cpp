// SPDX-License-Identifier: Apache-2.0
//
// Every function of the API with every kind of bad argument: it returns a
// status, and writes nothing.

#include "ApiTable.h"

using namespace mli::test;

namespace {

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

/// Expects a refusal of `arguments`.
void expectRefusal(const ApiCall &call, const ApiArguments &arguments,
                   const std::string &what) {
  Buffers buffers(call);
  EXPECT_NE(call.run(arguments, call.pointers), MLI_STATUS_OK)
      << call.name << ": " << what;
  EXPECT_TRUE(buffers.areUnchanged()) << call.name << ": " << what;
}

/// Expects a refusal of the call with a changed copy of each tensor for which
/// `spoil` returns true. A view writes its output's description, which may be
/// anything before.
template <typename Spoil>
void spoilEach(const std::string &what, Spoil spoil) {
  for (const ApiCall &call : apiCalls())
    for (size_t i = 0; i < call.tensors.size(); ++i) {
      if (call.isView && call.tensors[i].isOutput)
        continue;
      mli_tensor spoilt = **call.tensors[i].tensor;
      if (!spoil(call, call.tensors[i], spoilt))
        continue;
      ApiArguments arguments = call.arguments();
      arguments[i] = &spoilt;
      expectRefusal(call, arguments,
                    "argument " + std::to_string(i) + " with " + what);
    }
}

/// A move describes its destination itself.
bool isDescribed(const ApiCall &call, const ApiTensor &argument) {
  return argument.isOutput && std::string(call.name).find("mli_mov_") == 0;
}

TEST(Robustness, allFunctionsAreInTheTable) {
  // 156 functions less 5 without a body, 17 of moves, 15 helpers and 8 of
  // tables are the kernels.
  EXPECT_EQ(apiCalls().size(), 156U - 5 - 17 - 15 - 8 + 6);
}

TEST(Robustness, validCallsSucceed) {
  for (const ApiCall &call : apiCalls()) {
    Buffers buffers(call);
    EXPECT_EQ(call.run(call.arguments(), call.pointers), MLI_STATUS_OK)
        << call.name;
    EXPECT_EQ(buffers.areUnchanged(), call.isView) << call.name;
  }
}

TEST(Robustness, nullTensors) {
  for (const ApiCall &call : apiCalls())
    for (size_t i = 0; i < call.tensors.size(); ++i) {
      ApiArguments arguments = call.arguments();
      arguments[i] = nullptr;
      expectRefusal(call, arguments, "null argument " + std::to_string(i));
    }
}

TEST(Robustness, nullConfigurationsAndTables) {
  for (ApiCall &call : apiCalls())
    for (const void *&pointer : call.pointers) {
      const void *kept = pointer;
      pointer = nullptr;
      expectRefusal(call, call.arguments(), "a null pointer");
      pointer = kept;
    }
}

TEST(Robustness, nullData) {
  spoilEach("null data", [](const ApiCall &, const ApiTensor &, mli_tensor &t) {
    t.data.mem.pi8 = nullptr;
    return true;
  });
}

TEST(Robustness, emptyAndHugeDimensions) {
  for (uint32_t extent : {0U, 0x80000000U, UINT32_MAX})
    for (uint32_t dim = 0; dim < MLI_MAX_RANK; ++dim)
      spoilEach("shape[" + std::to_string(dim) + "] " + std::to_string(extent),
                [&](const ApiCall &call, const ApiTensor &a, mli_tensor &t) {
                  t.shape[dim] = extent;
                  return dim < t.rank && !isDescribed(call, a);
                });
}

TEST(Robustness, ranksOverFour) {
  for (uint32_t rank : {5U, UINT32_MAX})
    spoilEach("rank " + std::to_string(rank),
              [&](const ApiCall &call, const ApiTensor &a, mli_tensor &t) {
                t.rank = rank;
                return !isDescribed(call, a);
              });
}

TEST(Robustness, stridesThatAreNotPositiveOrFoldRows) {
  for (int32_t stride : {-1, INT32_MIN})
    for (uint32_t dim = 0; dim < MLI_MAX_RANK; ++dim)
      spoilEach("mem_stride " + std::to_string(stride),
                [&](const ApiCall &, const ApiTensor &, mli_tensor &t) {
                  t.mem_stride[dim] = stride;
                  return dim < t.rank;
                });
  spoilEach("a row stride of 1",
            [](const ApiCall &, const ApiTensor &, mli_tensor &t) {
              t.mem_stride[0] = 1;
              return t.rank > 1 && t.shape[1] > 1;
            });
}

TEST(Robustness, smallAndHugeCapacities) {
  for (bool isHuge : {false, true})
    spoilEach(isHuge ? "a huge capacity" : "a small capacity",
              [&](const ApiCall &, const ApiTensor &, mli_tensor &t) {
                t.data.capacity = isHuge ? 0x80000000U : t.data.capacity - 1;
                return true;
              });
}

// K56
TEST(Robustness, misalignedData) {
  spoilEach("misaligned data",
            [](const ApiCall &, const ApiTensor &, mli_tensor &t) {
              ++t.data.mem.pi8;
              return mli_hlp_tensor_element_size(&t) > 1;
            });
}

TEST(Robustness, otherTypes) {
  for (mli_element_type type :
       {MLI_EL_FX_4, MLI_EL_FX_8, MLI_EL_FX_16, MLI_EL_SA_8, MLI_EL_SA_32,
        MLI_EL_FP_16, MLI_EL_FP_32, static_cast<mli_element_type>(0x7777)})
    spoilEach("type " + std::to_string(type),
              [&](const ApiCall &, const ApiTensor &a, mli_tensor &t) {
                bool isOther = t.el_type != type;
                t.el_type = type;
                bool isWithoutSize = mli_hlp_tensor_element_size(&t) == 0;
                return isOther && (!a.isAnyType || isWithoutSize) &&
                       !(a.isOutput && a.isAnyType);
              });
}

TEST(Robustness, scalesAndAxes) {
  auto spoilSa = [](const std::string &what, auto spoil) {
    spoilEach(what,
              [&](const ApiCall &call, const ApiTensor &a, mli_tensor &t) {
                spoil(t.el_params.sa);
                // Moves and conversions take any scale; argmax and permute read
                // none.
                bool isConvolution =
                    std::string(call.name).find("conv") != std::string::npos;
                return t.el_type == MLI_EL_SA_8 && !a.isAnyType &&
                       (!a.isOutput || isConvolution);
              });
  };
  spoilSa("an axis beyond the rank", [](auto &sa) { sa.dim = 7; });
  spoilSa("null parameter arrays", [](auto &sa) {
    sa.dim = 0;
    sa.scale.capacity = sa.zero_point.capacity = 1024;
    sa.scale_frac_bits.capacity = 1024;
    sa.scale.mem.pi16 = sa.zero_point.mem.pi16 = nullptr;
    sa.scale_frac_bits.mem.pi8 = nullptr;
  });
}

// K55
TEST(Robustness, outputsThatOverlapInputs) {
  for (const ApiCall &call : apiCalls())
    for (size_t o = 0; o < call.tensors.size(); ++o)
      for (size_t i = 0; i < call.tensors.size(); ++i) {
        if (!call.tensors[o].isOutput || call.tensors[i].isOutput ||
            call.isView)
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
        ApiArguments arguments = call.arguments();
        arguments[o] = &out;
        arguments[i] = &in;
        expectRefusal(call, arguments,
                      "output " + std::to_string(o) + " on input " +
                          std::to_string(i));
        EXPECT_EQ(memory, before) << call.name;
      }
}

/// The bytes of all buffers after a valid call whose tensors have `filler`
/// beyond their ranks.
std::vector<std::vector<int8_t>> resultWith(ApiCall &call, uint32_t filler) {
  for (ApiTensor &argument : call.tensors)
    for (uint32_t i = (*argument.tensor)->rank; i < MLI_MAX_RANK; ++i) {
      (*argument.tensor)->shape[i] = filler;
      (*argument.tensor)->mem_stride[i] = static_cast<int32_t>(filler);
    }
  EXPECT_EQ(call.run(call.arguments(), call.pointers), MLI_STATUS_OK)
      << call.name;
  std::vector<std::vector<int8_t>> result;
  result.reserve(call.tensors.size());
  for (const ApiTensor &argument : call.tensors)
    result.push_back(argument.tensor->allBytes());
  return result;
}

// K57
TEST(Robustness, whatLiesBeyondTheRankDoesNotMatter) {
  std::vector<ApiCall> zeros = apiCalls();
  for (uint32_t filler : {1U, 3U, 0x7fffffffU, 0xdeadbeefU}) {
    std::vector<ApiCall> calls = apiCalls();
    for (size_t i = 0; i < calls.size(); ++i)
      EXPECT_EQ(resultWith(calls[i], filler), resultWith(zeros[i], 0))
          << calls[i].name;
    zeros = apiCalls();
  }
}

TEST(Robustness, tablesThatAreNotTables) {
  for (ApiCall &call : apiCalls())
    for (const void *&pointer : call.pointers) {
      std::string name = call.name;
      bool isTable = name.find("_lstm_") != std::string::npos ||
                             name.find("_gru_") != std::string::npos
                         ? &pointer != &call.pointers.back()
                         : &pointer == &call.pointers.front() &&
                               (name.find("sigm") != std::string::npos ||
                                name.find("tanh") != std::string::npos ||
                                name.find("softmax") != std::string::npos ||
                                name.find("l2_") != std::string::npos);
      if (!isTable)
        continue;
      auto expectRefused = [&](const std::string &what, auto spoil) {
        mli_lut lut = *static_cast<const mli_lut *>(pointer);
        spoil(lut);
        const void *kept = pointer;
        pointer = &lut;
        expectRefusal(call, call.arguments(), what);
        pointer = kept;
      };
      expectRefused("no entries", [](mli_lut &lut) { lut.length = 0; });
      expectRefused("length -1", [](mli_lut &lut) { lut.length = -1; });
      expectRefused("null", [](mli_lut &lut) { lut.data.mem.pi8 = nullptr; });
      expectRefused("odd data", [](mli_lut &lut) { ++lut.data.mem.pi8; });
      expectRefused("a small capacity", [](mli_lut &lut) {
        lut.data.capacity = static_cast<uint32_t>(2 * lut.length - 1);
      });
      expectRefused("another type",
                    [](mli_lut &lut) { lut.type = MLI_EL_FX_8; });
    }
}

TEST(Robustness, functionsWithoutABody) {
  EXPECT_EQ(mli_krn_basic_rnn_cell_fx8(nullptr, nullptr, nullptr, nullptr,
                                       nullptr, nullptr),
            MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(mli_krn_basic_rnn_cell_fx16(nullptr, nullptr, nullptr, nullptr,
                                        nullptr, nullptr),
            MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(mli_krn_basic_rnn_cell_fx8w16d(nullptr, nullptr, nullptr, nullptr,
                                           nullptr, nullptr),
            MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(mli_krn_fully_connected_fx8w16d(nullptr, nullptr, nullptr, nullptr,
                                            nullptr),
            MLI_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(mli_krn_permute_sa32(nullptr, nullptr, nullptr),
            MLI_STATUS_NOT_SUPPORTED);
}

TEST(Robustness, tableFunctions) {
#define MLI_LUT(name, function)                                                \
  EXPECT_NE(name##_create_lut(nullptr), MLI_STATUS_OK);                        \
  {                                                                            \
    mli_lut lut;                                                               \
    std::memset(&lut, 0, sizeof(lut));                                         \
    EXPECT_EQ(name##_create_lut(&lut), MLI_STATUS_NOT_ENGH_MEM);               \
    lut.data.capacity = static_cast<uint32_t>(name##_get_lut_size());          \
    EXPECT_NE(name##_create_lut(&lut), MLI_STATUS_OK);                         \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
}

TEST(Robustness, questionsAboutNothing) {
  EXPECT_EQ(mli_hlp_count_elem_num(nullptr, 0), 0U);
  EXPECT_EQ(mli_hlp_tensor_element_size(nullptr), 0U);
  EXPECT_EQ(mli_hlp_tensor_scale(nullptr, 0), 0);
  EXPECT_EQ(mli_hlp_tensor_scale_shift(nullptr, 0), 0);
  EXPECT_EQ(mli_hlp_tensor_zero_offset(nullptr, 0), 0);
  Random random(21);
  RandomTensor tensor(random, MLI_EL_SA_8, {2, 3});
  EXPECT_FALSE(mli_hlp_tensor_data_ptr_cmp(nullptr, tensor));
  EXPECT_FALSE(mli_hlp_tensor_data_ptr_cmp(tensor, nullptr));
  mli_hlp_set_tensor_mem_strides(nullptr);
  tensor.quantise(1, {{5, 1, 2}, {6, 1, 2}, {7, 1, 2}});
  EXPECT_EQ(mli_hlp_tensor_scale(tensor, 2), 7);
  EXPECT_EQ(mli_hlp_tensor_scale(tensor, 3), 0);
  EXPECT_EQ(mli_hlp_tensor_scale_shift(tensor, 3), 0);
  EXPECT_EQ(mli_hlp_tensor_zero_offset(tensor, 3), 0);
  tensor->el_params.sa.dim = 9;
  EXPECT_EQ(mli_hlp_tensor_scale(tensor, 0), 0);
}

TEST(Robustness, moveFunctions) {
  int four[4] = {};
  uint8_t order[4] = {0, 1, 2, 3};
  mli_mov_cfg_t cfg;
  EXPECT_NE(mli_mov_cfg_for_copy(nullptr), MLI_STATUS_OK);
  EXPECT_NE(mli_mov_cfg_for_slice(&cfg, four, nullptr, four), MLI_STATUS_OK);
  EXPECT_NE(mli_mov_cfg_for_concat(&cfg, nullptr, four), MLI_STATUS_OK);
  EXPECT_NE(mli_mov_cfg_for_subsample(nullptr, four, four), MLI_STATUS_OK);
  EXPECT_NE(mli_mov_cfg_for_permute(&cfg, nullptr), MLI_STATUS_OK);
  EXPECT_NE(mli_mov_cfg_for_padding2d_chw(&cfg, 1, 1, 1, 1, nullptr),
            MLI_STATUS_OK);
  EXPECT_NE(mli_mov_cfg_for_padding2d_hwc(nullptr, 1, 1, 1, 1, four),
            MLI_STATUS_OK);
  EXPECT_NE(
      mli_mov_cfg_all(&cfg, four, four, four, four, nullptr, order, 0, 0, 0, 0),
      MLI_STATUS_OK);
  EXPECT_EQ(
      mli_mov_cfg_all(&cfg, four, four, four, four, four, order, 0, 0, 0, 0),
      MLI_STATUS_OK);
  EXPECT_NE(mli_mov_prepare(nullptr, nullptr, nullptr, nullptr), MLI_STATUS_OK);
  EXPECT_NE(mli_mov_start(nullptr, nullptr, nullptr, nullptr), MLI_STATUS_OK);
  EXPECT_NE(mli_mov_registercallback(nullptr, nullptr, 0), MLI_STATUS_OK);
  EXPECT_FALSE(mli_mov_isdone(nullptr));
  EXPECT_NE(mli_mov_wait(nullptr), MLI_STATUS_OK);
  EXPECT_NE(mli_mov_acquire_handle(1, nullptr), MLI_STATUS_OK);
  EXPECT_NE(mli_mov_release_handle(nullptr), MLI_STATUS_OK);
  EXPECT_NE(mli_mov_set_num_dma_ch(-1, 1), MLI_STATUS_OK);
  EXPECT_NE(mli_mov_set_num_dma_ch(0, 17), MLI_STATUS_OK);
}

} // namespace
