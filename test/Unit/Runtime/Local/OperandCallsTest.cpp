// SPDX-License-Identifier: Apache-2.0
//
// Calls for operands of compiled code do what the calls of mli_local.h do that
// they stand for.

#include "../TestTensor.h"
#include "LocalLayouts.h"
#include "mli/Runtime/C/mli_local_calls.h"

namespace mli::test {
namespace {

/// A map of 2 x 2 and three channels in the memory of one NPU, at byte 64.
struct OneNpu {
  OneNpu() : device(1, 16384, 16) {
    TensorLayout layout;
    layout.kind = Kind::Strided;
    layout.elementBytes = 1;
    layout.shape = {1, 3, 2, 2};
    layout.strides = {0, 1, 8, 3};
    layout.offset = 64;
    layout.target = currentLocalTarget();
    local = describe(*layout::makeLayout(layout), {2, 3, 1});
  }

  LocalDevice device;
  mli_local_tensor local;
};

TEST(OperandCalls, OperandsAreViewsWithTheirParameters) {
  OneNpu npu;
  TestTensor<int8_t, MLI_EL_SA_8> type({2, 2, 3});
  type.axis(2, {5, 6, 7}, {3, 2, 1}, {10, 11, 12});
  mli_tensor view;
  ASSERT_EQ(mli_local_operand(MLI_STATUS_OK, nullptr, &npu.local, type, nullptr,
                              MLI_LOCAL_UNDECLARED, &view),
            MLI_STATUS_OK);
  EXPECT_EQ(view.mem_stride[0], 8);
  EXPECT_EQ(view.mem_stride[1], 3);
  EXPECT_EQ(view.data.capacity, 14U);
  EXPECT_EQ(view.data.mem.pi8,
            reinterpret_cast<int8_t *>(okk_local_mem_addr(0, 64)));
  EXPECT_EQ(view.el_params.sa.dim, 2);
  EXPECT_EQ(view.el_params.sa.scale.mem.pi16[1], 6);

  struct {
    int16_t zeroPoints[3] = {1, 2, 3};
    int16_t scales[3] = {4, 5, 6};
    int8_t fracBits[3] = {7, 8, 9};
  } lists;
  ASSERT_EQ(mli_local_operand(MLI_STATUS_OK, nullptr, &npu.local, type, &lists,
                              MLI_LOCAL_UNDECLARED, &view),
            MLI_STATUS_OK);
  EXPECT_EQ(view.el_params.sa.zero_point.mem.pi16, lists.zeroPoints);
  EXPECT_EQ(view.el_params.sa.scale.mem.pi16, lists.scales);
  EXPECT_EQ(view.el_params.sa.scale_frac_bits.mem.pi8, lists.fracBits);
  EXPECT_EQ(view.el_params.sa.scale.capacity, 6U);
}

TEST(OperandCalls, TheFirstFailureOfAChainWins) {
  OneNpu npu;
  Messages messages;
  TestTensor<int8_t, MLI_EL_FX_8> type({2, 2, 3});
  mli_tensor view;
  view.rank = 7;
  constexpr mli_status failed = MLI_STATUS_BAD_TENSOR;
  EXPECT_EQ(mli_local_operand(failed, "operand", nullptr, nullptr, nullptr,
                              MLI_LOCAL_UNDECLARED, &view),
            failed);
  EXPECT_EQ(mli_local_load(failed, "load", nullptr, nullptr, nullptr,
                           MLI_LOCAL_UNDECLARED),
            failed);
  EXPECT_EQ(mli_local_store(failed, "store", nullptr, nullptr, nullptr,
                            MLI_LOCAL_UNDECLARED),
            failed);
  EXPECT_EQ(mli_local_declare(failed, "declare", nullptr, nullptr,
                              MLI_LOCAL_READ_BY_MOVE),
            failed);
  EXPECT_EQ(mli_local_alloc(failed, "alloc", nullptr, nullptr), failed);
  EXPECT_EQ(messages.last, "");
  EXPECT_EQ(npu.device.takeReport(), "");
  EXPECT_EQ(view.rank, 7U);
  EXPECT_EQ(mli_local_operand(MLI_STATUS_OK, nullptr, nullptr, type, nullptr,
                              MLI_LOCAL_UNDECLARED, &view),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "mli_local_view: expected 'local' to be a "
                           "description, but got null");
  EXPECT_EQ(npu.device.takeReport(), "");
}

TEST(OperandCalls, EachReportsWhatFails) {
  OneNpu npu;
  TestTensor<int8_t, MLI_EL_FX_8> type({2, 2, 3});
  mli_tensor view;
  auto expectReport = [&](auto call, const char *where) {
    EXPECT_EQ(call(&npu.local, where), MLI_STATUS_OK);
    EXPECT_EQ(npu.device.takeReport(), "");
    EXPECT_EQ(call(nullptr, where), MLI_STATUS_BAD_FUNC_CFG);
    EXPECT_EQ(npu.device.takeReport(), where);
  };
  auto operand = [&](mli_local_tensor *local, const char *where) {
    return mli_local_operand(MLI_STATUS_OK, where, local, type, nullptr,
                             MLI_LOCAL_UNDECLARED, &view);
  };
  auto load = [&](mli_local_tensor *local, const char *where) {
    return mli_local_load(MLI_STATUS_OK, where, type, type.codes.data(), local,
                          MLI_LOCAL_UNDECLARED);
  };
  auto store = [&](mli_local_tensor *local, const char *where) {
    return mli_local_store(MLI_STATUS_OK, where, local, type, type.codes.data(),
                           MLI_LOCAL_UNDECLARED);
  };
  auto declare = [&](mli_local_tensor *local, const char *where) {
    return mli_local_declare(MLI_STATUS_OK, where, local, type,
                             MLI_LOCAL_READ_BY_MOVE);
  };
  auto alloc = [&](mli_local_tensor *local, const char *where) {
    return mli_local_alloc(MLI_STATUS_OK, where, local, type);
  };
  expectReport(operand, "an operand");
  expectReport(load, "a load");
  expectReport(store, "a store");
  expectReport(declare, "a declaration");
  expectReport(alloc, "an allocation");
}

TEST(OperandCalls, AllocatedBuffersArePoisoned) {
  OneNpu npu;
  mli_local_set_poison(1, 1);
  okk_initialize();
  TestTensor<int8_t, MLI_EL_FX_8> type({2, 2, 3});
  std::vector<uint8_t> fresh = npu.device.memory();
  std::vector<int8_t> codes(12);
  ASSERT_EQ(mli_local_load(MLI_STATUS_OK, nullptr, type, codes.data(),
                           &npu.local, MLI_LOCAL_UNDECLARED),
            MLI_STATUS_OK);
  ASSERT_NE(npu.device.memory(), fresh);
  ASSERT_EQ(mli_local_alloc(MLI_STATUS_OK, nullptr, &npu.local, type),
            MLI_STATUS_OK);
  EXPECT_EQ(npu.device.memory(), fresh);
}

TEST(OperandCalls, LoadsAndStoresCopyElements) {
  OneNpu npu;
  TestTensor<int8_t, MLI_EL_FX_8> type({2, 2, 3});
  type->data.mem.pi8 = nullptr;
  std::vector<int8_t> in = counted<int8_t>(12), out(12);
  ASSERT_EQ(mli_local_load(MLI_STATUS_OK, nullptr, type, in.data(), &npu.local,
                           MLI_LOCAL_WRITTEN_BY_MOVE),
            MLI_STATUS_OK);
  // Rows of two columns are 8 bytes apart.
  std::vector<uint8_t> memory = npu.device.memory();
  EXPECT_EQ(memory[64 + 5], static_cast<uint8_t>(in[5]));
  EXPECT_EQ(memory[64 + 8], static_cast<uint8_t>(in[6]));
  ASSERT_EQ(mli_local_store(MLI_STATUS_OK, nullptr, &npu.local, type,
                            out.data(), MLI_LOCAL_READ_BY_MOVE),
            MLI_STATUS_OK);
  EXPECT_EQ(in, out);

  Messages messages;
  EXPECT_EQ(mli_local_load(MLI_STATUS_OK, nullptr, type, nullptr, &npu.local,
                           MLI_LOCAL_UNDECLARED),
            MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(messages.last, "mli_local_scatter: expected 'tensor' to have data, "
                           "but got null");
  EXPECT_EQ(mli_local_store(MLI_STATUS_OK, nullptr, &npu.local, type, nullptr,
                            MLI_LOCAL_UNDECLARED),
            MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(messages.last, "mli_local_gather: expected 'tensor' to have data, "
                           "but got null");
}

// L41
TEST(OperandCalls, EachDeclaresItsAccess) {
  OneNpu npu;
  mli_local_set_poison(1, 1);
  okk_initialize();
  TestTensor<int8_t, MLI_EL_FX_8> type({2, 2, 3});
  std::vector<int8_t> codes(12);
  mli_tensor view;
  auto runKernel = [&](mli_local_access access) {
    return mli_local_operand(MLI_STATUS_OK, nullptr, &npu.local, type, nullptr,
                             access, &view);
  };
  auto load = [&] {
    return mli_local_load(MLI_STATUS_OK, nullptr, type, codes.data(),
                          &npu.local, MLI_LOCAL_WRITTEN_BY_MOVE);
  };
  auto declare = [&] {
    return mli_local_declare(MLI_STATUS_OK, nullptr, &npu.local, type,
                             MLI_LOCAL_WRITTEN_BY_MOVE);
  };
  auto store = [&] {
    return mli_local_store(MLI_STATUS_OK, nullptr, &npu.local, type,
                           codes.data(), MLI_LOCAL_READ_BY_MOVE);
  };
  Messages messages;
  okk_parallel_start();
  EXPECT_EQ(runKernel(MLI_LOCAL_READ_BY_KERNEL), MLI_STATUS_OK);
  EXPECT_EQ(store(), MLI_STATUS_OK);
  EXPECT_EQ(load(), MLI_STATUS_ARGUMENT_ERROR);
  EXPECT_EQ(messages.last,
            "mli_local_use: expected 'local' to share no byte with what the "
            "other engine uses, where one of both writes, but got address 64");
  EXPECT_EQ(declare(), MLI_STATUS_ARGUMENT_ERROR);
  EXPECT_EQ(runKernel(MLI_LOCAL_WRITTEN_BY_KERNEL), MLI_STATUS_ARGUMENT_ERROR);
  EXPECT_EQ(runKernel(MLI_LOCAL_UNDECLARED), MLI_STATUS_OK);
  okk_parallel_start();
  EXPECT_EQ(runKernel(MLI_LOCAL_WRITTEN_BY_KERNEL), MLI_STATUS_OK);
  EXPECT_EQ(store(), MLI_STATUS_ARGUMENT_ERROR);
  okk_parallel_end();
}

TEST(OperandCalls, CheckWhatTheyAreGiven) {
  OneNpu npu;
  Messages messages;
  TestTensor<int8_t, MLI_EL_FX_8> type({2, 2, 3});
  mli_tensor view;
  auto wrong = static_cast<mli_local_access>(5);
  EXPECT_EQ(mli_local_operand(MLI_STATUS_OK, nullptr, &npu.local, nullptr,
                              nullptr, MLI_LOCAL_UNDECLARED, &view),
            MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(messages.last, "mli_local_operand: expected 'type' to be a tensor, "
                           "but got null");
  EXPECT_EQ(mli_local_operand(MLI_STATUS_OK, nullptr, &npu.local, type, nullptr,
                              MLI_LOCAL_UNDECLARED, nullptr),
            MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(messages.last, "mli_local_operand: expected 'tensor' to be a "
                           "tensor, but got null");
  EXPECT_EQ(mli_local_load(MLI_STATUS_OK, nullptr, type, type.codes.data(),
                           &npu.local, wrong),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "mli_local_load: expected 'access' to be an "
                           "enumerator from 0 to 4, but got 5");
  EXPECT_EQ(mli_local_store(MLI_STATUS_OK, nullptr, &npu.local, type,
                            type.codes.data(), wrong),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "mli_local_store: expected 'access' to be an "
                           "enumerator from 0 to 4, but got 5");
  EXPECT_EQ(mli_local_declare(MLI_STATUS_OK, nullptr, &npu.local, type, wrong),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last, "mli_local_declare: expected 'access' to be an "
                           "enumerator from 0 to 4, but got 5");
}

} // namespace
} // namespace mli::test
